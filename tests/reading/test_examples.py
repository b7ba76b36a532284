"""The papers' tables: what is printed about them follows from them."""

import numpy as np
import pytest

import podium
from podium.core.errors import ArgumentError


def test_every_example_has_a_source_and_every_table_opens():
    for item in podium.reading.examples():
        assert item.source
        for frame in item.frames:
            assert len(podium.reading.example_frame(f"{item.name}/{frame}")) > 30
    with pytest.raises(ArgumentError, match="did you mean 'ulas2008'"):
        podium.example("ulas2009")
    with pytest.raises(ArgumentError, match="Unknown example 'forman2005'"):
        podium.example("forman2005")


@pytest.mark.parametrize(
    "name, shape, main, origins",
    [("wainer_real", (82, 15, 1, 2), "error", 82), ("ulas_real", (36, 8, 5, 2), "accuracy", 35)],
)
def test_suites_that_were_run_come_with_their_families_and_directions(name, shape, main, origins):
    results = podium.example(name)
    scores = results.scores()
    assert (scores.values.shape, results.main) == (shape, main)
    assert not np.isnan(scores.values).any()
    assert len(set(results.families.values())) == origins  # of Ulas' datasets, australian and credit are of one origin
    assert scores.metric.direction == ("lower" if main == "error" else "higher")
    costs = [metric for metric in results.metrics.values() if metric.is_cost]
    assert len(costs) == 2
    assert any("all with a score" in note and "iterations" in note for note in results.notes)


def test_no_recogniser_looks_at_an_example(monkeypatch):
    from podium.reading import reader

    monkeypatch.setattr(reader, "read_scores", None)
    for item in podium.reading.examples():
        if item.metrics:
            results = podium.example(item.name)
            assert {column.why for column in results.reading.columns} == {"the example says so"}
            assert results.main in results.metrics


def test_benavoli_names_its_six_missing_cells():
    results = podium.example("benavoli2016")
    assert results.scores().values.shape == (54, 7, 1, 1)
    assert [str(hole) for hole in results.missing()] == [f"zoo / C{i}" for i in range(1, 7)]
    assert "Benavoli" in results.source


@pytest.mark.parametrize(
    "pool, printed, z",
    [
        # Benavoli, Corani & Mangili (2016), section 4.3: mean ranks with 1 for the worst, over all 54 datasets.
        (["C1", "C2", "C3", "C4"], [2.518, 2.676, 2.888, 1.917], 3.06),
        (["C1", "C2", "C4", "C5"], [2.528, 2.713, 2.102, 2.657], 2.46),
    ],
)
def test_benavoli_mean_ranks(pool, printed, z):
    table = podium.example("benavoli2016_zoo").scores().table().select(pool)
    found = podium.stats.mean_ranks(table).to_frame().set_index(["a", "b"])
    assert table.n_datasets == 54
    assert 5 - table.ranks().mean(axis=0) == pytest.approx(printed, abs=0.001)  # some are cut to three decimals
    assert abs(found.loc[("C2", "C4"), "statistic"]) == pytest.approx(z, abs=0.005)


def test_the_two_tables_of_benavoli_differ_in_one_row_and_say_so():
    printed, filled = (
        podium.example(name).scores().table().to_frame() for name in ("benavoli2016", "benavoli2016_zoo")
    )
    assert printed.drop("zoo").equals(filled.drop("zoo"))
    assert not filled.isna().any(axis=None)
    assert any("made up" in note for note in podium.example("benavoli2016_zoo").notes)


def test_ulas_ranks_follow_from_the_folds():
    # Ulas, Yildiz & Alpaydin (2008), Table A.11: ranks without ties.
    table = podium.example("ulas2008").scores("accuracy").table()
    printed = podium.reading.example_frame("ulas2008/ranks_accuracy").set_index("dataset")
    assert tuple(printed.columns) == table.algorithms
    assert tuple(printed.index) == table.datasets
    ranks = table.ranks()
    differ = [i for i in range(38) if (ranks[i] != printed.iloc[i]).any()]
    assert [table.datasets[i] for i in differ] == ["australian", "ionosphere"]
    australian = dict(zip(table.algorithms, table.values[differ[0]], strict=True))
    assert australian["lnp"] == pytest.approx(australian["5nn"], abs=1e-9)  # a tie, printed as 7 and 6
    ionosphere = dict(zip(table.algorithms, table.values[differ[1]], strict=True))
    assert abs(ionosphere["lnp"] - ionosphere["mlp"]) < 0.01  # equal as printed, to two decimals


def test_ulas_costs():
    results = podium.example("ulas2008")
    assert results.costs == ("training_time", "space")
    table = results.scores("training_time").table()
    assert table.metric.direction == "lower"
    frame = podium.reading.example_frame("ulas2008/training_time").set_index("dataset")
    assert np.array_equal(table.values, frame.loc[list(table.datasets), list(table.algorithms)].to_numpy())


def test_forman_critical_values():
    frame = podium.reading.example_frame("forman2005/critical_values_alpha01")
    assert list(frame.columns) == ["metric", "competitors", "positives", "negatives", "critical_value"]
    assert len(frame) == 9 * 361


def test_the_experiment_of_the_slovene_paper_is_whole():
    scores = podium.example("demsar2006_sl").scores()
    assert scores.values.shape == (38, 7, 1, 1)
    assert not np.isnan(scores.values).any()
    table = scores.table()
    bayes = table.select(["nb-mdl", "nb-loess"]).values
    assert (bayes[:, 0] == bayes[:, 1]).sum() >= 15  # those without a number
    found = podium.studies.replicability(
        table, a="c45-cf", b="nb-mdl", tests=["wilcoxon", "sign"], draws=100, biases=[0, 20]
    )
    assert (found.rejected[:, 1] > found.rejected[:, 0]).all()  # the bias makes the difference
