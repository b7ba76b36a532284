"""What every unit owes: each option of `read` and `compare` is applied or refused, never ignored; and what no unit may break.

Every registered unit is tried; one that `source` cannot make evidence of fails all of them.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import fields
from typing import Any

import numpy as np
import pandas as pd
import pytest

import podium
from podium.comparison.compare import unit_of
from podium.comparison.comparison import Comparison
from podium.core.errors import DataError, PodiumError
from podium.core.options import AGENTS, COMPARING, OPTIONS, READING, TEST_CASES
from podium.core.units import UNITS
from podium.report.comparison import comparison_data

NAMES = ("a", "b", "c")


def values(rows: int, columns: int = 3, *, seed: int = 0) -> np.ndarray:
    """Scores between 0.5 and 0.95 in which the first is best."""
    rng = np.random.default_rng(seed)
    level = 0.6 + 0.2 * rng.random((rows, 1))
    return (level + np.linspace(0.05, 0.0, columns) + 0.02 * rng.normal(size=(rows, columns))).clip(0.5, 0.95).round(4)


def source(unit: str, given: np.ndarray | None = None, names: tuple[str, ...] = NAMES) -> tuple[Any, dict[str, Any]]:
    """Such evidence, and the options that read it: 12 rows, or 5 tasks with 4 runs."""
    table = values(20 if unit == "run" else 12, len(names)) if given is None else given
    if unit == "dataset":
        return pd.DataFrame(table, index=[f"d{i}" for i in range(len(table))], columns=list(names)), {
            "metric": "accuracy"
        }
    if unit == "fold":
        frame = pd.DataFrame(table, columns=list(names))
        return frame, {"metric": "accuracy", "rows": "folds", "repeats": 1}
    if unit == "case":
        frame = pd.DataFrame(table, columns=list(names))
        frame.insert(0, "case", [f"q{i}" for i in range(len(table))])
        return frame, {"metric": "quality", "direction": "higher", "unit": "case"}
    assert unit == "run", f"say what evidence of the unit {unit} looks like"
    shaped = table.T.reshape(len(names), 5, -1)
    rows = [
        {"agent": name, "task": f"t{task}", "seed": run, "score": float(shaped[place, task, run])}
        for place, name in enumerate(names)
        for task in range(5)
        for run in range(shaped.shape[2])
        if not np.isnan(shaped[place, task, run])
    ]
    return pd.DataFrame(rows), {"unit": "run", "direction": "higher"}


def compared(unit: str, given: np.ndarray | None = None, names: tuple[str, ...] = NAMES, **options: Any) -> Comparison:
    """The comparison of such evidence."""
    frame, reading = source(unit, given, names)
    return podium.compare(frame, **{**reading, **options})


def shown(comparison: Comparison) -> dict[str, Any]:
    """All that a comparison says, but for the settings it was told."""
    data = comparison_data(comparison)
    data["repeat"] = {key: value for key, value in data["repeat"].items() if key != "settings"}
    return {key: value for key, value in data.items() if key not in ("settings", "podium")}


# Options of comparing: a value that must change something, and what has to be there for it.
COMPARED: dict[str, tuple[Any, dict[str, Any]]] = {
    "algorithms": (["a", "b"], {}),
    "control": ("b", {}),
    "rope": (0.01, {}),
    "cost": ({"a": 3.0, "b": 2.0, "c": 1.0}, {}),
    "test": ("sign", {}),
    "omnibus": ("quade", {}),
    "correction": ("bonferroni", {}),
    "missing": ("complete", {}),
    "alpha": (0.2, {}),
    "confidence": (0.8, {}),
    "intervals": ("each", {}),
    "mean": ("macro", {}),
    "exact": (True, {}),
    "positive": ("yes", {}),
    "aggregate": ("mean", {"aggregate": "iqm"}),
    "normalise": ("minmax", {"normalise": "none"}),
    "paired": (True, {}),
    "blocks": ("folds", {}),
}


def test_every_option_of_comparing_is_tried() -> None:
    # A seed changes nothing where nothing is drawn; the metric of a search needs a search. Both have tests of their own.
    taken = {*COMPARING, *AGENTS, "mean", "exact", "positive", "blocks", "search_metric"}
    assert {*COMPARED, "rng", "search_metric"} == taken
    assert taken | {"results", "metric", "direction", "reading"} == set(inspect.signature(podium.compare).parameters)


# Options of reading: a value, and what the table of a unit has to look like for it. "numbers" are the columns of scores.
def _as_texts(write: Callable[[float], str]) -> Callable[[pd.DataFrame], pd.DataFrame]:
    def change(frame: pd.DataFrame) -> pd.DataFrame:
        chosen = [name for name in frame if name in (*NAMES, "score")]
        return frame.assign(**{name: [write(value) for value in frame[name]] for name in chosen})

    return change


def _with_column(name: str, cell: Callable[[int], Any]) -> Callable[[pd.DataFrame], pd.DataFrame]:
    return lambda frame: frame.assign(**{name: [cell(row) for row in range(len(frame))]})


def _last_cell(text: str) -> Callable[[pd.DataFrame], pd.DataFrame]:
    def change(frame: pd.DataFrame) -> pd.DataFrame:
        name = str(frame.columns[-1])
        return frame.assign(**{name: [*frame[name].astype(object)[:-1], text]})

    return change


def _same(frame: pd.DataFrame) -> pd.DataFrame:
    return frame


def _with_average(frame: pd.DataFrame) -> pd.DataFrame:
    """An algorithm that is the mean of the others."""
    if "score" not in frame:
        return frame.assign(Average=frame[list(NAMES)].mean(axis=1))
    means = frame.groupby(["task", "seed"], as_index=False)["score"].mean().assign(agent="Average")
    return pd.concat([frame, means], ignore_index=True)


READ: dict[str, tuple[Any, Callable[[pd.DataFrame], pd.DataFrame]]] = {
    "layout": ("long", _same),
    "rows": ("algorithms", _same),
    "algorithm_column": ("who", _with_column("who", lambda row: f"w{row % 2}")),
    "dataset_column": ("where", _with_column("where", lambda row: f"x{row}")),
    "fold_column": ("part", _with_column("part", lambda row: row)),
    "repeat_column": ("again", _with_column("again", lambda row: row)),
    "seed_column": ("start", _with_column("start", lambda row: row)),
    "metric_column": ("what", _with_column("what", lambda row: "accuracy")),
    "value_column": ("other", _with_column("other", lambda row: 0.5 + row / 100)),
    "family_column": ("kin", _with_column("kin", lambda row: f"f{row % 3}")),
    "message_column": ("why", _with_column("why", lambda row: "late")),
    "ignore_column": ("Extra Col", _with_column("Extra Col", lambda row: 0.5 + row / 100)),
    "keep_column": ("n_samples", _with_column("n_samples", lambda row: 100 + row)),
    "number_folds": (True, lambda frame: pd.concat([frame, frame])),
    "dataset_name": ("wine", _same),
    "missing_marker": ("gone", _last_cell("gone")),
    "decimal_comma": (True, _as_texts(lambda value: f"{value}".replace(".", ","))),
    "thousands": (True, _as_texts(lambda value: f"{value * 1e4:,.0f}")),
    "percent": (True, _as_texts(lambda value: f"{100 * value:.2f}%")),
    "mean_sd": (True, _as_texts(lambda value: f"{value} ± 0.01")),
    "footnotes": (True, _as_texts(lambda value: f"{value}*")),
    "text_as_missing": (True, _last_cell("crashed at epoch 3")),
    "summaries": ("drop", _with_average),
    "repeats": (3, _same),
    "test_fraction": (0.3, _same),
    "encoding": ("latin-1", _same),
    "separator": (";", _same),
    "sheet": ("second", _same),
    "where": ("pick == 'yes'", _with_column("pick", lambda row: "yes" if row % 4 else "no")),
    "merge_similar_names": (True, lambda frame: frame.rename(columns={"b": "A"}).replace({"b": "A"})),
    "runs": ("newest", _same),
    "all_cases": ("30", _same),
    "case_column": ("item", _with_column("item", lambda row: f"i{row}")),
    "sample_column": ("draw", _with_column("draw", lambda row: row)),
    "cluster_column": ("group", _with_column("group", lambda row: f"g{row % 6}")),
    "benchmark_column": ("suite", _with_column("suite", lambda row: f"s{row % 2}")),
    "weight_column": ("heavy", _with_column("heavy", lambda row: 1.0 + row)),
    "cost_column": ("seconds", _with_column("seconds", lambda row: 1.0 + row)),
    "case_noun": ("question", _same),
    "truth": ("right", _with_column("right", lambda row: row % 2)),
}


def test_every_option_of_reading_is_tried() -> None:
    assert set(READ) == {*READING, *TEST_CASES} - {"metric", "direction", "unit"}


REFUSED, CRASHED = "the option is refused", "no sentence"


def outcome(act: Callable[[], Any], name: str) -> Any:
    """What was found as plain data, the sentence that refuses something else, or that the option was refused."""
    try:
        return act()
    except PodiumError as error:
        named = (*error.options, error.fields.get("argument"))
        return REFUSED if name in named or f"`{name}`" in str(error) else str(error)
    except (ArithmeticError, LookupError, TypeError, ValueError, Warning) as error:
        return f"{CRASHED}: {error!r}"


def is_ignored(found: Any, usual: Any) -> bool:
    """Whether an option made no difference, or ended in no sentence at all."""
    return str(found).startswith(CRASHED) or (found == usual and found != REFUSED)


def read_as_plain(frame: pd.DataFrame, options: dict[str, Any]) -> Any:
    """What was read, as plain values."""
    found: Any = podium.read(frame, **options)
    if hasattr(found, "predicted"):
        return found.truth.to_csv(), found.predicted.to_csv()
    held = found.frame if hasattr(found, "frame") else found.to_frame()
    return held.to_csv(), *(f"{one.name}: {getattr(found, one.name)!r}" for one in fields(found))


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("name", COMPARED)
def test_an_option_of_comparing_is_applied_or_refused(unit: str, name: str) -> None:
    value, before = COMPARED[name]
    table = values(20 if unit == "run" else 12)
    if name == "missing":
        table[3, 1] = np.nan
    usual = outcome(lambda: shown(compared(unit, table, **before)), name)
    if isinstance(usual, str) and before:  # what has to be there is refused itself
        before, usual = {}, outcome(lambda: shown(compared(unit, table)), name)
    found = outcome(lambda: shown(compared(unit, table, **{**before, name: value})), name)
    assert not is_ignored(found, usual)


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("name", READ)
def test_an_option_of_reading_is_applied_or_refused(unit: str, name: str) -> None:
    value, change = READ[name]
    frame, options = source(unit)
    if unit == "dataset":
        frame = frame.rename_axis("dataset").reset_index()
    frame = change(frame)
    usual = outcome(lambda: read_as_plain(frame, options), name)
    found = outcome(lambda: read_as_plain(frame, {**options, name: value}), name)
    assert not is_ignored(found, usual)


# What no unit may break.


def verdict_pairs(comparison: Comparison) -> dict[frozenset[str], tuple[float, float, float]]:
    """Of every pair the p-values and the size of the difference."""
    rows = comparison.to_frame().to_dict("records")
    return {frozenset((r["a"], r["b"])): (r["pvalue"], r["adjusted"], abs(r["effect"])) for r in rows}


def close(one: Comparison, other: Comparison) -> bool:
    """Whether two comparisons say the same of every pair."""
    first, second = verdict_pairs(one), verdict_pairs(other)
    return set(first) == set(second) and all(np.allclose(first[p], second[p], rtol=1e-9, atol=1e-12) for p in first)


def swapped(unit: str) -> bool:
    """The columns in another order."""
    table = values(20 if unit == "run" else 12)
    return close(compared(unit, table), compared(unit, table[:, ::-1], names=NAMES[::-1]))


def permuted(unit: str) -> bool:
    """The rows in another order; runs within their tasks."""
    table = values(20 if unit == "run" else 12)
    order = np.arange(len(table)).reshape(5, -1)[:, ::-1].ravel() if unit == "run" else np.arange(len(table))[::-1]
    return close(compared(unit, table), compared(unit, table[order]))


def transformed(unit: str) -> bool:
    """Scores on another scale, in the same order: tests on means need a linear one, without known ends on cases."""
    table = values(20 if unit == "run" else 12) * (100 if unit == "case" else 1)
    one, other = compared(unit, table), compared(unit, 0.5 * table)
    return one.ranking[0].algorithm == other.ranking[0].algorithm and np.allclose(one.pairs.pvalue, other.pairs.pvalue)


def single(unit: str) -> bool:
    """One algorithm is refused with a sentence."""
    try:
        compared(unit, values(20 if unit == "run" else 12, 1), names=("a",))
    except PodiumError as error:
        return "2" in str(error)
    return False


def two(unit: str) -> bool:
    """Two algorithms are one pair, without a correction."""
    comparison = compared(unit, values(20 if unit == "run" else 12, 2), names=("a", "b"))
    return comparison.pairs.n_pairs == 1 and bool((comparison.pairs.adjusted == comparison.pairs.pvalue).all())


def identical(unit: str) -> bool:
    """Equal scores never differ significantly, and the headline says so."""
    table = np.repeat(values(20 if unit == "run" else 12, 1), 3, axis=1)
    comparison = compared(unit, table)
    return bool((comparison.pairs.pvalue == 1).all()) and "there is nothing to compare" in comparison.verdict.headline


def holed(unit: str) -> bool:
    """A missing cell is counted and remarked on, or refused by name."""
    table = values(20 if unit == "run" else 12)
    table[3, 1] = np.nan
    try:
        comparison = compared(unit, table)
    except PodiumError as error:
        return "'b'" in str(error)
    told = any("missing" in remark.topic for remark in comparison.remarks)
    return bool(comparison.facts.missing_scores) and told


def huge(unit: str) -> bool:
    """Numbers of any size are compared, or refused with a sentence; nothing overflows in silence."""
    try:
        comparison = compared(unit, values(20 if unit == "run" else 12) * 1e200, metric="loss", direction="lower")
    except PodiumError:
        return True
    return bool(np.isfinite(comparison.pairs.pvalue).all() and np.isfinite(comparison.pairs.effect).all())


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("holds", [swapped, permuted, transformed, single, two, identical, holed, huge])
def test_what_no_unit_may_break(unit: str, holds: Callable[[str], bool]) -> None:
    assert holds(unit)


def test_what_is_tried_are_options() -> None:
    assert all(name in OPTIONS for name in (*COMPARED, *READ))


@pytest.mark.parametrize("unit", UNITS)
def test_what_is_known_of_evidence_before_any_test(unit: str) -> None:
    """The rows counted, the metric, the algorithms, and where a score is missing."""
    frame, reading = source(unit)
    if unit != "run":
        frame.loc[frame.index[0], "a"] = np.nan
    evidence = podium.read(frame, **reading)
    own = unit_of(evidence)
    rows = {"dataset": "12 datasets", "fold": "12 folds of one dataset", "case": "12 cases", "run": "5 tasks"}[unit]
    metric = {"case": "quality", "run": "score"}.get(unit, "accuracy")
    assert own.in_short(evidence).endswith(f"3 algorithms ('a', 'b', 'c') on {rows}, by {metric} (higher is better).")
    known = own.recognised(evidence)
    assert (known["algorithms"], known["metric"]["name"]) == (["a", "b", "c"], metric)
    assert known.get("missing_cells", 1) == 1
    assert own.overview(evidence)[0].summary()


def test_a_question_about_several_metrics_stands_in_what_is_known() -> None:
    two = pd.DataFrame(
        [(d, n, m, 0.5) for d in "pqr" for n in NAMES for m in ("accuracy", "auc")], columns=[*"dn", "metric", "value"]
    )
    results = podium.read(two.rename(columns={"d": "dataset", "n": "algorithm"}))
    known = unit_of(results).recognised(results)
    assert [metric["name"] for metric in known["metrics"]] == ["accuracy", "auc"]
    assert known["question"].options == ("metric",)


@pytest.mark.parametrize("damage", [{}, {"evidence": {}, "cost": None, "settings": {}}, {"evidence": None, "cost": 1}])
def test_damaged_data_of_a_comparison_are_refused(damage: dict[str, Any]) -> None:
    with pytest.raises(DataError, match="incomplete or damaged"):
        podium.comparison.reproduce(damage)


@pytest.mark.parametrize("unit", UNITS)
def test_costs_and_intervals_are_repeated_from_the_data(unit: str) -> None:
    found = compared(unit, cost={"a": 3.0, "b": 2.0, "c": 1.0})
    again = podium.comparison.reproduce(found.repeatable())
    assert again.verdict == found.verdict
    assert again.trade_offs[0].to_dict() == found.trade_offs[0].to_dict()


@pytest.mark.parametrize(
    "text, words",
    [("task,low,high\nt0,0,one\n", "holds no reference scores"), (None, "or a file of reference scores")],
)
def test_reference_scores_of_a_file_are_three_columns(text: str | None, words: str, tmp_path: Any) -> None:
    file = tmp_path / "scores.csv"
    if text is not None:
        file.write_text(text)
    with pytest.raises(PodiumError, match=words):
        compared("run", normalise=str(file))
    file.write_text("task,low,high\n" + "".join(f"t{task},0,2\n" for task in range(5)))
    half, plain = (
        compared("run", normalise=str(file), aggregate="mean"),
        compared("run", normalise="none", aggregate="mean"),
    )
    assert half.pairs.effect == pytest.approx(plain.pairs.effect / 2)
