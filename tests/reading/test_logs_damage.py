"""Damaged and hostile logs of tables, stores and judges: a sentence that names the file, or an answer; never a traceback."""

import json

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from podium.cli.main import run
from podium.core.errors import PodiumError
from podium.reading.logs.find import find_logs
from podium.reading.registry import LOGS
from reading.test_logs_fuzz import places
from reading.test_logs_judged import annotations, challenge, every_eval, trec
from reading.test_logs_tables import (
    ENGLISH,
    FEV,
    GIFT,
    TABARENA,
    fev_row,
    mteb,
    put,
    read,
    tabarena_rows,
    tsml,
)  # fmt: skip
from reading.test_logs_trackers import cv_results, ioh, mlflow, monitor, optuna, rl


def gift(root):
    for name in "ab":
        put(root, f"{name}/all_results.csv", GIFT + "".join(f"d{i},{name},{i}.5,1,E,1\n" for i in range(9)))


def fev(root):
    for name in "ab":
        put(root, f"{name}.csv", FEV + "".join(fev_row(name, f"t{i}", 24, i, 1) for i in range(9)))


def mteb_folder(root):
    for name in "ab":
        for task in ("T", "U"):
            put(root, f"{name}/{'0' * 40}/{task}.json", mteb(task, [("en", ENGLISH, 0.5), ("de", ["deu-Latn"], 0.4)]))


def tabarena(root):
    put(root, "r.csv", TABARENA + "".join(",".join(map(str, row)) + "\n" for row in tabarena_rows()))


def tsml_folder(root):
    for name in "ab":
        for i in range(2):
            put(root, f"{name}/Predictions/D/testResample{i}.csv", tsml("D", name, i, [(0, 0), (1, 0), (1, 1)]))


def cv(root):
    cv_results().to_csv(root / "cv_results_wine.csv")
    cv_results().to_json(root / "cv_results_iris.json")


def alpaca(root):
    for name in "xy":
        put(root, f"{name}/annotations.json", annotations(name, [1, 2, 1.5, 2]))


def samples(root):
    every_eval(root, "a", [1.0, 0.0, 1.0])
    every_eval(root, "b", [1.0, 0.0, 0.0])


def studies(root):
    optuna(root / "s.db", {f"{a}/{d}": (["MINIMIZE"], [("COMPLETE", 1.0)]) for a in "ab" for d in "xyz"})


def runs(root):
    ioh(root, "es", {1: [1.0, 3.0]})
    ioh(root, "rs", {1: [2.0, 4.0]})


def values_of_a_challenge(root):
    challenge(root, [(t, a, 0.5, c) for t in "tu" for a in "AB" for c in range(4)])


def monitors(root):
    for name in ("ppo", "a2c"):
        monitor(root, f"{name}/Acrobot-v1_1", [-1.5, -2.5])


def curves(root):
    for game in ("pong", "alien"):
        rows = [{"Agent": a, "Iteration": i, "Value": i + run} for a in "xy" for run in range(2) for i in range(4)]
        put(root, f"{game}.json", rows)


def battles(root):
    put(root, "battles.csv", "model_a,model_b,winner\n" + "x,y,model_a\ny,x,tie\n" * 5)
    put(root, "battles.json", [{"model_a": "x", "model_b": "y", "winner": "tie"}] * 3)


def times(root):
    rows = [{"command": name, "mean": 1.0, "stddev": 0.1, "times": [1.0, 1.1, 0.9]} for name in "ab"]
    put(root, "times.json", {"results": rows})


def rows_of_curves(root):
    for agent in ("TD3", "DDPG"):
        path = root / "Ant" / f"{agent}_Ant-v1_0.npy"
        path.parent.mkdir(exist_ok=True)
        np.save(path, np.arange(20.0))


MADE = {
    "gift_eval": gift, "fev": fev, "mteb": mteb_folder, "tabarena": tabarena, "tsml": tsml_folder, "trec": trec,
    "optuna": studies, "mlflow": mlflow, "cv_results": cv, "every_eval_ever": samples, "alpaca_eval": alpaca,
    "challenge": values_of_a_challenge, "ioh": runs, "rl_runs": rl, "trainings": monitors, "dopamine": curves,
    "battles": battles, "hyperfine": times, "curves in .npy": rows_of_curves,
}  # fmt: skip
ELSEWHERE = {"lm_eval", "inspect", "swe_bench", "tau_bench", "promptfoo", "helm", "deepeval"}  # in test_logs_fuzz.py


def test_every_format_of_logs_is_damaged_somewhere(tmp_path):
    from reading import test_logs_fuzz

    assert MADE.keys() >= LOGS.keys() - ELSEWHERE
    found = set()
    for make in test_logs_fuzz.MADE:
        (tmp_path / make.__name__).mkdir()
        make(tmp_path / make.__name__)
        found |= find_logs([tmp_path / make.__name__]).logs.keys()
    assert found == ELSEWHERE
    for name in LOGS.keys() - ELSEWHERE:
        (tmp_path / name).mkdir()
        MADE[name](tmp_path / name)
        assert name in find_logs([tmp_path / name]).logs


def made(root, name):
    MADE[name](root)
    return sorted(path for path in root.rglob("*") if path.is_file())


def tried(root):
    """Reading either works or refuses with a sentence on one line."""
    try:
        read(root, metric="acc" if (root / "cv_results_wine.csv").exists() else None)
    except PodiumError as error:
        said = str(error)
        assert said.endswith((".", "?", ")"))
        assert "\n" not in said


@pytest.mark.parametrize("name", MADE)
def test_files_cut_off_anywhere(tmp_path, name):
    kinds = {(path.parent.name, path.suffix): path for path in made(tmp_path, name)}
    for path in list(kinds.values())[:6]:
        whole = path.read_bytes()
        for cut in sorted({len(whole) * i // 10 for i in range(10)}):
            path.write_bytes(whole[:cut])
            tried(tmp_path)
        path.write_bytes(whole)


@pytest.mark.parametrize("name", MADE)
@settings(max_examples=6, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(data=st.data())
def test_every_file_with_bytes_changed(tmp_path, name, data):
    files = [
        path for path in (tmp_path.rglob("*") if any(tmp_path.iterdir()) else made(tmp_path, name)) if path.is_file()
    ]
    path = data.draw(st.sampled_from(sorted(files)))
    whole = path.read_bytes()
    try:
        if whole:
            at = data.draw(st.integers(0, len(whole) - 1))
            piece = data.draw(
                st.sampled_from([b"\x00", b'"', b"{", b"]", b",", b"\n", b"nan", b"1e999", b"\xff\xfe", b"-", b"null"])
            )
            path.write_bytes(whole[:at] + piece + whole[at + len(piece) :])
        tried(tmp_path)
    finally:
        path.write_bytes(whole)


SWAPS = (None, [], {}, "text", -1, [[]], {"a": 1}, True)


@pytest.mark.parametrize("name", ["mteb", "alpaca_eval", "ioh", "cv_results", "every_eval_ever", "rl_runs"])
def test_json_whose_parts_are_of_another_kind(tmp_path, name):
    path = next(path for path in made(tmp_path, name) if path.suffix == ".json")
    whole = path.read_text(encoding="utf-8")
    for at, place in enumerate(list(places(json.loads(whole)))[:25]):
        for swap in (SWAPS[at % len(SWAPS)], SWAPS[(at + 3) % len(SWAPS)]):
            path.write_text(json.dumps(swapped(json.loads(whole), place, swap)), encoding="utf-8")
            tried(tmp_path)


def swapped(value, place, swap):
    inner = value
    for key in place[:-1]:
        inner = inner[key]
    inner[place[-1]] = swap
    return value


def test_deep_json_and_names_that_would_break_a_line(tmp_path):
    put(tmp_path, "a.json", '{"function_id": 1, "algorithm": {}, "scenarios": ' + "[" * 100_000)
    tried(tmp_path)
    put(tmp_path, "a.json", json.dumps([{**row, "generator_2": "x\n\x1b[31my"} for row in annotations("x", [1, 2])]))
    put(tmp_path, "b.json", annotations("y", [1, 2]))
    assert read(tmp_path).algorithms == ("x  [31my", "y")


def test_the_command_line_refuses_with_one_sentence(tmp_path, capsys, monkeypatch):
    gift(tmp_path)
    path = tmp_path / "a" / "all_results.csv"
    path.write_bytes(path.read_bytes()[:-6])
    monkeypatch.setattr("sys.argv", ["podium", "compare", str(tmp_path)])
    with pytest.raises(SystemExit) as ended:
        run()
    assert ended.value.code == 2
    assert "all_results.csv, line 10: 4 cells" in capsys.readouterr().err
