"""The remarks of a careful reviewer: one function each, from what was found to a sentence, or nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from scipy.special import ndtri

from podium.comparison.comparison import Remark
from podium.comparison.evidence import Evidence
from podium.core import check
from podium.stats import registry

WANTED_POWER = 0.8
# Pitman efficiency of the signed-rank test relative to t for normal differences: 3 / pi.
SIGNED_RANK_EFFICIENCY = 3 / np.pi


def remarks_of(evidence: Evidence) -> tuple[Remark, ...]:
    """Every remark that applies, the weightiest first."""
    found = [remark for maker in _MAKERS for remark in maker(evidence)]
    weights = {"warning": 0, "caution": 1, "note": 2}
    return tuple(sorted(found, key=lambda remark: weights[remark.weight]))


def _few_datasets(evidence: Evidence) -> Iterator[Remark]:
    """A sign-symmetric test of n pairs cannot give a p-value below 2^(1-n)."""
    if not registry.PAIRWISE[evidence.pairs.test].symmetric:
        return
    n = int(evidence.pairs.n.max())
    smallest = min(1.0, evidence.pairs.n_pairs * 2.0 ** (1 - n))
    if smallest > evidence.alpha:
        yield Remark(
            topic="too few datasets",
            sentence=f"With {n} datasets and {evidence.pairs.n_pairs} comparisons the smallest possible adjusted p-value is "
            f"{smallest:.2g}: no difference can be significant at {evidence.alpha:g}, whatever the scores.",
            weight="warning",
        )
    elif n < 10:
        yield Remark(
            topic="few datasets",
            sentence=f"{n} datasets are few: only large and steady differences can be found, and the datasets must be "
            "typical of those you want to speak about.",
            weight="caution",
        )


def _low_power(evidence: Evidence) -> Iterator[Remark]:
    """The difference that a paired test at the corrected level finds with a probability of 80 %, if normal."""
    if registry.PAIRWISE[evidence.pairs.test].over == "folds" or evidence.pairs.n_pairs == 0:
        return
    n = float(np.median(evidence.pairs.n))
    spread = _typical_spread(evidence)
    if n < 3 or not spread > 0:
        return
    level = evidence.alpha / evidence.pairs.n_pairs
    needed = (ndtri(1 - level / 2) + ndtri(WANTED_POWER)) * spread / np.sqrt(n * SIGNED_RANK_EFFICIENCY)
    yield Remark(
        topic="power",
        sentence=f"With differences as scattered as these (typical standard deviation {spread:.3g}), a true mean "
        f"difference of about {needed:.2g} {evidence.facts.metric} would be found with a probability of 80 %; smaller "
        "ones are likely to be missed.",
        weight="note",
    )


def _typical_spread(evidence: Evidence) -> float:
    """The median over pairs of the standard deviation of their differences (of at most 2000 pairs)."""
    values = evidence.table.values
    pairs = evidence.pairs
    chosen = slice(None, None, max(1, pairs.n_pairs // 2000))
    differences = values[:, pairs.first[chosen]] - values[:, pairs.second[chosen]]
    counts = (~np.isnan(differences)).sum(axis=0)
    spreads = np.nanstd(differences[:, counts > 1], axis=0, ddof=1)
    return float(np.median(spreads)) if len(spreads) else 0.0


def _pool_dependence(evidence: Evidence) -> Iterator[Remark]:
    if evidence.pool is None or not evidence.pool.affected:
        return
    affected, test = evidence.pool.affected, registry.PAIRWISE[evidence.pairs.test]
    named = ", ".join(f"{pair.a} and {pair.b}" for pair in affected[:3])
    more = f" and {len(affected) - 3} more" if len(affected) > 3 else ""
    audit = (
        f"Mean-rank tests (Nemenyi and the like) would decide on {len(affected)} of {len(evidence.pool.pairs)} pairs "
        f"differently in different pools of these algorithms ({named}{more})."
    )
    if test.over == "pool":
        said = f"{test.label}, which was asked for, is of this kind: read its verdict on these pairs with care."
    else:
        said = "The tests used here look only at the two, so that no third algorithm can change their p-values."
    yield Remark(
        topic="pool dependence", sentence=f"{audit} {said}", weight="warning" if test.over == "pool" else "note"
    )


def _families(evidence: Evidence) -> Iterator[Remark]:
    if evidence.facts.has_families:
        yield Remark(
            topic="dependent datasets",
            sentence=f"The {evidence.facts.n_datasets} datasets come from {evidence.facts.n_families} origins: variants of "
            "one origin are not independent, so the p-values are too small. Keep one dataset of each family.",
            weight="warning",
        )


def _ties(evidence: Evidence) -> Iterator[Remark]:
    if evidence.facts.tied_share > 0.2:
        yield Remark(
            topic="ties",
            sentence=f"{evidence.facts.tied_share:.0%} of all comparisons within datasets are exact ties: the scores are "
            "coarse or the algorithms close relatives; ties carry no evidence of a difference.",
            weight="caution",
        )
    if evidence.facts.ceiling_share > 0.25:
        yield Remark(
            topic="ceiling",
            sentence=f"{evidence.facts.ceiling_share:.0%} of the scores are within half a percent of perfect: easy datasets "
            "cannot show differences.",
            weight="caution",
        )


def _holes(evidence: Evidence) -> Iterator[Remark]:
    holes = evidence.facts.holes
    if holes:
        n = evidence.pairs.n
        used = f"{n.min()} to {n.max()}" if n.min() < n.max() else f"{n.min()}"
        yield Remark(
            topic="missing cells",
            sentence=f"{len(holes)} cells are missing ({check.cells(holes, limit=6)}); the pairs were compared on {used} "
            f"datasets and mean ranks taken over the {evidence.facts.n_complete} complete ones. If algorithms fail where they "
            "would do badly, the comparison flatters them.",
            weight="caution",
        )


def _missing_folds(evidence: Evidence) -> Iterator[Remark]:
    if evidence.facts.partial_cells:
        yield Remark(
            topic="missing folds",
            sentence=f"{evidence.partial_note} If algorithms fail on the folds where they would do badly, the comparison "
            "flatters them.",
            weight="caution",
        )


def _source(evidence: Evidence) -> Iterator[Remark]:
    """What was said when the scores were read."""
    for note in evidence.notes:
        yield Remark(topic="source", sentence=note, weight="note")


def _direction_assumed(evidence: Evidence) -> Iterator[Remark]:
    if evidence.facts.direction_assumed:
        yield Remark(
            topic="direction",
            sentence=f"Nothing said whether a higher or a lower {evidence.facts.metric} is better; "
            f"{evidence.facts.direction} was taken to be better.",
            weight="caution",
        )


def _incommensurable(evidence: Evidence) -> Iterator[Remark]:
    """Scores whose size differs by orders of magnitude between datasets cannot be averaged."""
    values = np.abs(evidence.table.values)
    with np.errstate(all="ignore"):
        typical = np.array([np.median(row[~np.isnan(row)]) for row in values if not np.isnan(row).all()])
    typical = typical[typical > 0]
    if len(typical) > 1 and typical.max() > 20 * typical.min():
        yield Remark(
            topic="incommensurable scores",
            sentence=f"Typical scores range from {typical.min():.3g} to {typical.max():.3g} between datasets: means over "
            "datasets are dominated by the largest; read the ranks and the wins instead.",
            weight="caution",
        )


def _one_dataset_decides(evidence: Evidence) -> Iterator[Remark]:
    fragile = [(dataset, pair) for dataset, lost in evidence.without.items() for pair in lost]
    if fragile:
        named = "; ".join(f"{a} against {b} without {dataset}" for dataset, (a, b) in fragile[:3])
        pairs = len({pair for _, pair in fragile})
        yield Remark(
            topic="one dataset decides",
            sentence=f"{pairs} significant difference{'s hang' if pairs > 1 else ' hangs'} on a single dataset: leaving it "
            f"out takes the significance away ({named}{' and others' if len(fragile) > 3 else ''}).",
            weight="caution",
        )


def _single_dataset(evidence: Evidence) -> Iterator[Remark]:
    if evidence.facts.n_datasets == 1:
        yield Remark(
            topic="one dataset",
            sentence="All scores come from one dataset: the conclusion is about that dataset, and says nothing about others.",
            weight="warning",
        )


_MAKERS: tuple[Callable[[Evidence], Iterator[Remark]], ...] = (
    _few_datasets,
    _single_dataset,
    _families,
    _holes,
    _missing_folds,
    _one_dataset_decides,
    _ties,
    _incommensurable,
    _direction_assumed,
    _pool_dependence,
    _low_power,
    _source,
)
