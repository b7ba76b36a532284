"""Copies and variants of datasets, and algorithms under two names: before, no remark was made on any of them."""

import numpy as np
import pandas as pd
import pytest

import podium
from podium.comparison.copies import CLEARLY, equal_datasets, named_alike, resemblance
from podium.evidence.table import Table


def table(values, names=None):
    values = np.asarray(values, dtype=float)
    names = names or [f"set {i}" for i in range(len(values))]
    return Table(values=values, datasets=tuple(names), algorithms=tuple("abcdefgh"[: values.shape[1]]))


def scores(n, k, seed):
    rng = np.random.default_rng(seed)
    return rng.uniform(0.6, 0.9, (n, 1)) + rng.normal(0, 0.02, (n, k))


def compared(values, names):
    frame = pd.DataFrame(values, index=names, columns=list("abcdefgh"[: values.shape[1]])).rename_axis("dataset")
    return podium.compare(frame.reset_index(), metric="accuracy")


def remarks(comparison):
    return {remark.topic: remark for remark in comparison.remarks}


# Golden values of the rule: equal to three digits are copies; rows of one value are not.
def test_rows_that_are_equal_to_three_digits_are_copies():
    assert equal_datasets(table([[0.912, 0.871, 0.88], [0.9119, 0.8712, 0.8801]])) == (("set 0", "set 1"),)
    assert equal_datasets(table([[0.7, 0.7, 0.7], [0.7, 0.7, 0.7]])) == ()
    assert equal_datasets(table([[0.912, 0.871, 0.88], [0.913, 0.871, 0.88]])) == ()
    assert equal_datasets(table([[9.996, 1.0, -2.0], [10.0, 1.0, -2.0]])) == (("set 0", "set 1"),)


def test_missing_scores_are_part_of_a_row():
    row, holed = [0.912, 0.871, 0.88, 0.5], [0.912, 0.871, 0.88, np.nan]
    assert equal_datasets(table([row, holed])) == ()
    assert equal_datasets(table([holed, holed])) == (("set 0", "set 1"),)


def test_two_algorithms_need_many_twins():
    single = scores(9, 2, 0)
    assert equal_datasets(table(np.vstack([single, single[:2]]))) == ()
    assert len(equal_datasets(table(np.vstack([single, single])))) == 9


@pytest.mark.parametrize(
    ("names", "families"),
    [
        (("d0_a", "d0_b", "d1_a", "d1_b"), {"d0": ("d0_a", "d0_b"), "d1": ("d1_a", "d1_b")}),
        (tuple(f"D{i:02}" for i in range(1, 55)), {}),
        (("iris", "iris copy 2", "wine", "glass"), {"iris": ("iris", "iris copy 2")}),
        (("zoo-v1", "zoo-v2", "heart", "abalone", "car", "ecoli"), {"zoo": ("zoo-v1", "zoo-v2")}),
        (("x a", "x b", "x c", "x d", "wine", "glass"), {}),  # most share it: a way of naming
    ],
)
def test_names_that_look_like_variants(names, families):
    assert dict(named_alike(names)) == families


def test_no_real_table_is_said_to_have_copies():
    for name in ("benavoli2016", "ulas2008", "wainer_real", "ulas_real"):
        assert equal_datasets(podium.example(name).scores().table()) == ()


def test_every_dataset_twice_is_warned_of():
    """A table in which nothing is shown has winners when every row stands twice; now that has a warning."""
    values = scores(12, 3, 11) + np.array([0.015, 0.0, 0.0])
    once = compared(values, [f"set {i}" for i in range(12)])
    twice = compared(np.vstack([values, values]), [f"set {i} {v}" for v in ("x1", "x2") for i in range(12)])
    assert (once.verdict.kind, twice.verdict.kind) == ("none_shown", "one_winner")
    assert "copied datasets" not in remarks(once)
    assert remarks(twice)["copied datasets"].weight == "warning"


def test_variants_that_resemble_each_other_are_warned_of():
    """Names alone are a note; a warning needs scores that agree with the names."""
    values, names = scores(12, 4, 3), [f"d{i}_{v}" for v in "ab" for i in range(12)]
    noise = np.random.default_rng(4).normal(0, 0.008, (24, 4))
    found = remarks(compared(np.vstack([values, values]) + noise, names))
    assert found["dependent datasets"].weight == "warning"
    assert "d0 (d0_a and d0_b)" in found["dependent datasets"].sentence
    apart = remarks(compared(scores(24, 4, 5), names))
    assert apart["names of variants"].weight == "note"
    assert "dependent datasets" not in apart


def variants(rng, noise, k=4, of=10, letters="ab", law=None):
    """Datasets in pairs or triples by name, whose scores have a part in common and noise of their own."""
    law = law or (lambda size: rng.normal(0, 0.02, size))
    names = [f"d{i}_{v}" for v in letters for i in range(of)]
    common = rng.uniform(0.6, 0.9, (of, 1)) + (0 if noise is None else 1) * law((of, k))
    return table(np.vstack([common] * len(letters)) + (1 if noise is None else noise) * law((len(names), k)), names)


def some_copied(rng, share, k):
    """Some datasets stand twice, to three digits, under another name."""
    values = np.round(rng.uniform(0.5, 0.95, (30, k)), 3)
    return table(np.vstack([values, values[: round(30 * share)]]))


TABLES = {
    "none, names in pairs": lambda rng: variants(rng, None),
    "none, names in triples, heavy tails": lambda rng: variants(rng, None, 6, 8, "abc", lambda s: rng.standard_t(2, s)),
    "every dataset twice": lambda rng: some_copied(rng, 1, 4),
    "pairs, half of the noise": lambda rng: variants(rng, 0.5),
    "pairs, the same noise": lambda rng: variants(rng, 1.0),
    # Not among those by which the rule was chosen:
    "one dataset of 30 twice": lambda rng: some_copied(rng, 1 / 30, 5),
    "triples, skewed, the same noise": lambda rng: variants(rng, 1.0, 6, 8, "abc", lambda s: rng.exponential(0.02, s)),
}


def warned(table):
    return bool(equal_datasets(table)) or resemblance(table, named_alike(table.datasets)) <= CLEARLY


LEAST = dict(zip(TABLES, (0, 0, 1, 0.95, 0.4, 1, 0.8), strict=True))


@pytest.mark.parametrize("design", TABLES)
def test_copies_and_variants_are_noticed_and_others_are_not(design):
    """At most about one table in 100 without copies is a false alarm: 4 or more of 60 in 3 of 1,000."""
    rng = np.random.default_rng(5)
    assert LEAST[design] <= np.mean([warned(TABLES[design](rng)) for _ in range(60)]) <= (LEAST[design] > 0 or 0.05)


def test_declared_families_say_it_themselves():
    values = scores(8, 3, 1)
    frame = pd.DataFrame(np.vstack([values, values]), columns=list("abc"))
    frame.insert(0, "dataset", [f"d{i}_{v}" for v in "ab" for i in range(8)])
    frame.insert(1, "family", [f"d{i}" for _ in "ab" for i in range(8)])
    found = remarks(podium.compare(frame, metric="accuracy"))
    assert {"copied datasets", "names of variants"}.isdisjoint(found)
    assert "origin" in found["dependent datasets"].sentence


def test_an_algorithm_under_two_names_is_noticed_over_datasets_and_runs():
    values = scores(12, 3, 2)
    values[:, 2] = values[:, 1]
    found = remarks(compared(values, [f"set {i}" for i in range(12)]))
    assert found["identical algorithms"].sentence.startswith("b and c have the same score on every dataset")
    rng = np.random.default_rng(0)
    runs = {name: {task: rng.normal(size=4) for task in ("x", "y")} for name in "ab"}
    found = remarks(podium.compare({**runs, "c": runs["b"]}, direction="higher", unit="run"))
    assert "b and c have the same score on every task" in found["identical algorithms"].sentence
