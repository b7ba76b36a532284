"""Scores: the named array."""

import numpy as np
import pytest

from podium.core.errors import ArgumentError, DataError, DesignError
from podium.core.metric import Metric
from podium.evidence.evidence import MissingScore
from podium.evidence.scores import Scores
from refusals import refuses

VALUES = np.arange(24, dtype=float).reshape(2, 3, 2, 2)
HOLED = VALUES.copy()
HOLED[0, 1] = np.nan
HOLED[1, 2, 1, 0] = np.nan
NAMES = {"datasets": ("x", "y"), "algorithms": ("a", "b", "c"), "repeats": (1, 2), "folds": (5, 6)}
METRIC = Metric(name="auc", direction="higher")
SCORES = Scores(
    values=HOLED, metric=METRIC, families=("f", "g"), **NAMES,
    messages={(0, 1, 0, 1): "timeout", (0, 1, 1, 1): "later", (1, 2, 1, 0): "crash"},
)  # fmt: skip


def test_holes_by_name_a_whole_cell_is_one():
    assert SCORES.missing == (MissingScore("x", "b", "timeout"), MissingScore("y", "c", "crash", 2, 5))
    assert str(SCORES.missing[1]) == "y / c (repeat 2, fold 5): crash"
    assert Scores(values=VALUES, metric=METRIC, **NAMES).missing == ()


def test_partial_cells_by_policy():
    assert SCORES.table().values[1, 2] == pytest.approx((20 + 21 + 23) / 3)
    assert np.isnan(SCORES.table(partial="missing").values[1, 2])
    assert np.isnan(SCORES.table().values[0, 1])
    with refuses(ArgumentError, "partial"):
        SCORES.table(partial="zero")


def test_partial_cells_are_counted_and_named():
    assert [(*cell.cell, cell.why) for cell in SCORES.partial()] == [("y", "c", "3 of 4")]
    said = "1 of 6 cells lacks some of its folds (y / c 3 of 4): a mean over folds takes those there are."
    assert SCORES.partial_note == said
    assert SCORES.all_notes == (said,)
    assert SCORES.select(["a", "b"]).partial_note == ""
    assert Scores(values=VALUES, metric=METRIC, **NAMES).all_notes == ()


def test_complete_rows_and_columns_carry_their_messages():
    assert SCORES.complete().datasets == ()
    kept = SCORES.select(["c", "a"])
    assert kept.messages == {(1, 0, 1, 0): "crash"}
    assert kept.complete().datasets == ("x",)
    second = SCORES.take([1])
    assert (second.datasets, second.families, second.messages) == (("y",), ("g",), {(0, 2, 1, 0): "crash"})
    assert second.missing == (MissingScore("y", "c", "crash", 2, 5),)


def test_the_folds_of_one_algorithm():
    assert SCORES.folds_of("a", "x").tolist() == [[0, 1], [2, 3]]
    assert SCORES.on("y").shape == (3, 2, 2)
    with pytest.raises(DesignError, match="'c' lacks some of its folds on 'y'"):
        SCORES.folds_of("c", "y")
    with refuses(ArgumentError, kind="dataset", value="'z'"):
        SCORES.on("z")


def test_design():
    assert (SCORES.design.repeats, SCORES.design.folds, SCORES.has_folds) == (2, 2, True)


def test_names_must_fit():
    with pytest.raises(DataError, match="cannot have values of shape"):
        Scores(values=VALUES[:1], metric=METRIC, **NAMES)


def test_deviations_come_from_the_folds_or_from_the_source():
    values = np.array([[[[0.8, 0.9]], [[0.7, np.nan]]]])
    folded = Scores(values=values, datasets=("d",), algorithms=("a", "b"), metric=METRIC, folds=(0, 1))
    assert np.allclose(folded.table().deviations, [[np.std([0.8, 0.9], ddof=1), np.nan]], equal_nan=True)
    given = Scores(
        values=np.array([[[[0.8]], [[0.7]]], [[[0.6]], [[0.5]]]]),
        datasets=("d", "e"),
        algorithms=("a", "b"),
        metric=METRIC,
        deviations=np.array([[0.1, 0.2], [0.3, np.nan]]),
    )
    chosen = given.select(["b"]).take([1])
    assert np.isnan(chosen.deviations).all()
    assert chosen.deviations.shape == (1, 1)
    again = Scores.from_plain(given.to_plain())
    assert np.array_equal(again.table().select(["b", "a"]).take([0]).deviations, [[0.2, 0.1]])
    assert Scores.from_plain({k: v for k, v in given.to_plain().items() if k != "deviations"}).deviations is None
