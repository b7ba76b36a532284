"""Every kind of evidence keeps the protocol: algorithms are the second axis, and plain values give the same again."""

import json
from dataclasses import fields

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import podium
from podium.cases.predictions import as_predictions
from podium.core.errors import ArgumentError
from podium.core.metric import Metric
from podium.evidence.cases import Cases, as_cases
from podium.evidence.evidence import Evidence, MissingScore, evidence_from_plain
from podium.evidence.reading import Column, Reading
from podium.evidence.runs import Runs
from podium.evidence.scores import Scores
from podium.evidence.table import Table

NAMES = st.text(min_size=1, max_size=6)
NOTES = st.lists(st.text(max_size=12), max_size=2).map(tuple)
METRICS = st.builds(
    Metric, name=st.sampled_from(["accuracy", "rmse", "reward"]), direction=st.sampled_from(["higher", "lower"])
)
READINGS = st.none() | st.builds(
    Reading,
    layout=st.just("long"),
    row=st.just("one case"),
    unit=st.just("case"),
    n_units=st.integers(1, 9),
    columns=st.lists(st.builds(Column, name=NAMES, role=NAMES), max_size=2).map(tuple),
    left_out=NOTES,
)
NUMBERS = st.floats(-1e6, 1e6)


def names(draw, most=4):
    return tuple(draw(st.lists(NAMES, min_size=1, max_size=most, unique=True)))


def array(draw, shape, *, holes=True):
    cells = st.none() | NUMBERS if holes else NUMBERS
    flat = draw(st.lists(cells, min_size=int(np.prod(shape)), max_size=int(np.prod(shape))))
    return np.array(flat, dtype=float).reshape(shape)


@st.composite
def scores(draw):
    datasets, algorithms = names(draw), names(draw)
    repeats, folds = tuple(range(draw(st.integers(1, 2)))), tuple(range(1, 1 + draw(st.integers(1, 3))))
    values = array(draw, (len(datasets), len(algorithms), len(repeats), len(folds)))
    gone = [tuple(map(int, place)) for place in np.argwhere(np.isnan(values))]
    return Scores(
        values=values,
        datasets=datasets,
        algorithms=algorithms,
        metric=draw(METRICS),
        repeats=repeats,
        folds=folds,
        families=datasets if draw(st.booleans()) else (),
        test_fraction=draw(st.none() | st.floats(0.01, 0.99)),
        messages=dict.fromkeys(gone[:2], "timeout"),
        notes=draw(NOTES),
        reading=draw(READINGS),
    )


@st.composite
def cases(draw):
    rows, algorithms = names(draw, 6), names(draw)
    shape = (len(rows), len(algorithms))
    values = array(draw, shape)
    gone = [(rows[i], algorithms[j]) for i, j in np.argwhere(np.isnan(values))]
    costs = array(draw, shape, holes=False) if draw(st.booleans()) else None
    return Cases(
        values=values,
        cases=rows,
        algorithms=algorithms,
        metric=draw(METRICS),
        clusters=rows if draw(st.booleans()) else (),
        benchmarks=tuple("xy"[i % 2] for i in range(len(rows))) if draw(st.booleans()) else (),
        weights=np.arange(1.0, 1 + len(rows)) if draw(st.booleans()) else None,
        samples=array(draw, (*shape, 2)) if draw(st.booleans()) else None,
        costs=costs,
        cost=None if costs is None else Metric(name="price", direction="lower", is_cost=True),
        noun=draw(st.sampled_from(["case", "item"])),
        reading=draw(READINGS),
        reasons=dict.fromkeys(gone[:1], "timeout"),
        notes=draw(NOTES),
    )


@st.composite
def runs(draw):
    tasks, agents = names(draw), names(draw)
    values = array(draw, (len(tasks), len(agents), 3))
    values[:, :, 0] = array(draw, (len(tasks), len(agents)), holes=False)  # every agent has a run on every task
    return Runs(
        values=values,
        algorithms=agents,
        tasks=tasks,
        metric=draw(METRICS),
        seeds=("1", "2", "3") if draw(st.booleans()) else (),
        normalised=draw(st.sampled_from(["", "human-normalised"])),
        references={tasks[0]: (0.5, 2.0)} if draw(st.booleans()) else {},
        notes=draw(NOTES),
        reading=draw(READINGS),
    )


def same(one, other):
    """Whether two pieces of evidence have the same fields."""
    assert type(one) is type(other)
    for field in fields(one):
        left, right = getattr(one, field.name), getattr(other, field.name)
        if isinstance(left, np.ndarray):
            assert left.dtype == right.dtype, field.name
            assert np.array_equal(left, right, equal_nan=left.dtype.kind == "f"), field.name
        elif field.name == "source" and left is not None:
            same(left, right)
        else:
            assert left == right, field.name
    return True


def again(evidence):
    return evidence_from_plain(json.loads(json.dumps(evidence.to_plain(), allow_nan=False)))


EVERY = scores() | cases() | runs()


@given(EVERY)
def test_plain_values_give_the_same_evidence_again(evidence):
    assert same(evidence, again(evidence))


@given(EVERY)
def test_algorithms_are_the_second_axis(evidence: Evidence):
    assert evidence.values.shape[:2] == (len(evidence.rows), len(evidence.algorithms))
    table = evidence.table()
    assert isinstance(table, Table)
    assert (table.datasets, table.algorithms) == (evidence.rows, evidence.algorithms)
    assert evidence.quantity.direction == evidence.metric.direction
    assert len(evidence.to_frame()) >= bool(np.isfinite(evidence.values).any())


@given(EVERY, st.randoms())
def test_a_selection_has_the_numbers_of_the_whole(evidence: Evidence, random):
    chosen = random.sample(evidence.algorithms, k=random.randint(1, len(evidence.algorithms)))
    part = evidence.select(chosen)
    places = [evidence.algorithms.index(name) for name in chosen]
    assert part.algorithms == tuple(chosen)
    assert np.array_equal(part.values, evidence.values[:, places], equal_nan=True)
    assert set(part.missing) == {cell for cell in evidence.missing if cell.algorithm in chosen}
    assert (part.unit, part.rows, part.metric, part.notes) == (
        evidence.unit,
        evidence.rows,
        evidence.metric,
        evidence.notes,
    )
    with pytest.raises(ArgumentError):
        evidence.select(["nobody of that name"])


@given(EVERY)
def test_missing_names_the_cells_without_a_number(evidence: Evidence):
    assert all(isinstance(cell, MissingScore) for cell in evidence.missing)
    whole = {cell.cell for cell in evidence.missing if cell.fold is None}
    empty = np.isnan(evidence.values).reshape(*evidence.values.shape[:2], -1).all(axis=2)
    assert whole == {(evidence.rows[i], evidence.algorithms[j]) for i, j in np.argwhere(empty)}


LABELS = {"one": [1, 0, 1, 0, 1, 1], "two": [1, 1, 0, 0, 1, 0], "six": [0, 0, 1, 1, 1, 0]}
GUESSES = {name: [0.1 * (i + len(name)) * (1 + x) for i, x in enumerate(column)] for name, column in LABELS.items()}


@pytest.mark.parametrize(
    ("metric", "predictions"), [("accuracy", LABELS), ("f1", LABELS), ("auc", GUESSES), ("rmse", GUESSES)]
)
def test_cases_of_predictions_hold_and_repeat_them(metric, predictions):
    made = as_predictions([1, 0, 1, 0, 0, 1], predictions, metric=metric).to_cases()
    assert made.source is not None
    assert same(made, again(made))
    part = made.select(["six", "one"])
    expected = as_predictions([1, 0, 1, 0, 0, 1], {name: predictions[name] for name in ("six", "one")}, metric=metric)
    assert same(part, expected.to_cases())


def test_clusters_and_benchmarks_are_taken_beside_cases_too():
    """They were ignored where the cases were Cases already: three copies of every case counted as three."""
    rng = np.random.default_rng(0)
    passed = np.repeat((rng.random((60, 2)) < [0.8, 0.5]).astype(float), 3, axis=0)
    groups = np.repeat(np.arange(60), 3)
    plain = as_cases(passed)
    assert as_cases(plain) is plain
    expected = podium.cases.all_pairs(as_cases(passed, clusters=groups)).pvalue
    assert podium.cases.all_pairs(plain, clusters=groups).pvalue == pytest.approx(expected)
    assert expected > 100 * podium.cases.all_pairs(plain).pvalue
    assert as_cases(plain, benchmarks=groups).benchmarks == tuple(map(str, groups))
