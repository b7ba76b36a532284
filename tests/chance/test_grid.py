"""Grids against single critical values; stopping and starting again."""

import json

import numpy as np
import pytest

import podium
from podium.chance import tables as grids
from podium.chance.best_of import critical_value

METRICS = ["auc", "gini", "best_accuracy", "best_f1", "tp10", "recall5", "lift8", "precision3", "r_precision", "mcc",
           "youden", "balanced_accuracy", "gmean", "kappa", "best_f2"]  # fmt: skip


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("alpha", [0.01, 0.5])
def test_every_cell_of_a_small_grid_is_the_single_critical_value(metric, alpha):
    found = podium.chance.critical_grid(metric, positives=9, negatives=12, competitors=(1, 10, 1000), alpha=alpha)
    for P in range(1, 10):
        for N in range(1, 13):
            for C in (1, 10, 1000):
                value = found.value(positives=P, negatives=N, competitors=C)
                if np.isnan(value):
                    assert metric[-1].isdigit()
                    continue
                single = critical_value(metric, positives=P, negatives=N, competitors=C, alpha=alpha)
                assert value == pytest.approx(single.critical_value, rel=1e-14, abs=1e-15), (P, N, C)


def test_cells_beyond_the_counts_come_from_the_contour_and_agree():
    found = podium.chance.critical_grid("auc", positives=140, negatives=160, competitors=(10, 1000))
    random = np.random.default_rng(1)
    for P, N in random.integers(60, 141, (60, 2)).tolist():
        for C in (10, 1000):
            single = critical_value("auc", positives=P, negatives=N, competitors=C, alpha=0.01)
            assert found.value(positives=P, negatives=N, competitors=C) == pytest.approx(
                single.critical_value, rel=1e-14
            )


def test_best_f_grid_agrees_where_searches_start_from_neighbours():
    found = podium.chance.critical_grid("best_f1", positives=60, negatives=150, competitors=(100,))
    random = np.random.default_rng(2)
    for P, N in zip(random.integers(1, 61, 60).tolist(), random.integers(1, 151, 60).tolist(), strict=True):
        single = critical_value("best_f1", positives=P, negatives=N, competitors=100, alpha=0.01)
        assert found.value(positives=P, negatives=N, competitors=100) == single.critical_value


def test_a_stopped_grid_goes_on_where_it_was(tmp_path, monkeypatch):
    target = tmp_path / "grid.npz"
    settings = {"positives": 35, "negatives": 30, "competitors": (10, 100)}

    def stop(done, total):
        if done == 4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        podium.chance.write_grid(target, ["auc", "tp10"], progress=stop, workers=1, **settings)
    parts = tmp_path / "grid.npz.parts"
    finished = sorted(path.name for path in parts.glob("*.npz"))
    assert len(finished) == 4
    assert not target.exists()
    times = {name: (parts / name).stat().st_mtime_ns for name in finished}
    computed = []
    real = grids._run

    def counted(plan, tasks, workers):
        computed.extend(task.file for task in tasks)
        yield from real(plan, tasks, workers)

    monkeypatch.setattr(grids, "_run", counted)
    seen = []
    podium.chance.write_grid(
        target, ["auc", "tp10"], progress=lambda done, total: seen.append((done, total)), **settings
    )
    assert not set(computed) & set(times)
    assert seen[-1] == (8, 8)
    assert not parts.exists()
    assert list(tmp_path.iterdir()) == [target]
    read = podium.chance.read_grid(target)
    for metric in ("auc", "tp10"):
        whole = podium.chance.critical_grid(metric, **settings)
        np.testing.assert_array_equal(read[metric].values, whole.values)
    assert (read["auc"].competitors, read["auc"].alphas) == ((10, 100), (0.01,))


def test_pieces_of_another_grid_are_not_mixed_in(tmp_path):
    parts = tmp_path / "grid.npz.parts"
    parts.mkdir()
    (parts / "settings.json").write_text(json.dumps({"metrics": ["auc"]}))
    with pytest.raises(podium.ArgumentError, match="pieces of another grid"):
        podium.chance.write_grid(tmp_path / "grid.npz", ["auc"], positives=5, negatives=5)


def test_files_that_are_no_grids_are_refused(tmp_path):
    with pytest.raises(podium.StoreError, match="no grid file"):
        podium.chance.read_grid(tmp_path / "missing.npz")
    (tmp_path / "text.npz").write_text("hello")
    with pytest.raises(podium.DataError, match="is not a grid file"):
        podium.chance.read_grid(tmp_path / "text.npz")


def test_bad_grid_arguments():
    with pytest.raises(podium.ArgumentError, match="at least one number"):
        podium.chance.critical_grid("auc", positives=5, negatives=5, competitors=())
    with pytest.raises(podium.ArgumentError, match="`workers`"):
        podium.chance.critical_grid("auc", positives=5, negatives=5, workers=0)
    found = podium.chance.critical_grid("auc", positives=5, negatives=5)
    with pytest.raises(podium.ArgumentError, match=r"The table does not hold alpha 0[.]01, competitors 7"):
        found.value(positives=1, negatives=1, competitors=7)
