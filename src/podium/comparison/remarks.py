"""The remarks of a careful reviewer: one function each, from what was found to a sentence, or nothing."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from podium.comparison.comparison import Remark
from podium.comparison.copies import CLEARLY, DIGITS, equal_datasets, named_alike, resemblance
from podium.comparison.methods import parted, would_be_found
from podium.comparison.reviewer import FLATTERED, Reviewer, Said
from podium.core.numbers import as_given, counted, format_pvalue, listed, number, percent, pvalue, share_of, some
from podium.core.search import USUAL_POWER
from podium.stats import registry

if TYPE_CHECKING:
    from podium.comparison.units.dataset import DatasetUnit

FEW_DATASETS = 10  # below, Wilcoxon's test has the usual power only for differences above one standard deviation
MOST_INTERVALS = 1000  # pairs; of more than that the intervals are not computed for a remark
MANY_TIES, MANY_PERFECT, MANY_SKEWED = 0.2, 0.25, 0.1  # shares that are worth a remark

DATASETS: Reviewer[DatasetUnit] = Reviewer()


@DATASETS.remark("too few datasets", "warning")
def _too_few_datasets(unit: DatasetUnit) -> Iterator[str]:
    """Where nothing can be significant."""
    if _is_counted(unit) and unit.cannot_reach_alpha:
        n, m, alpha = int(unit.pairs.n.max()), unit.pairs.n_pairs, unit.alpha
        needed = math.ceil(1 + math.log2(m / alpha))  # m 2^(1 - n) <= alpha
        runs = unit.facts.repeats if unit.facts.folds == 1 else 1
        seeds = f" Where the {runs} scores on a dataset are independent runs (seeds), the unit 'run' compares on these datasets alone."
        yield (
            f"With {counted(n, 'dataset')}{f' and {m} comparisons' if m > 1 else ''} the smallest possible p-value is "
            f"{pvalue(unit.smallest_possible)}{' after correction' if m > 1 else ''}: no difference can be "
            f"significant at the {as_given(alpha)} level, whatever the scores. That takes at least {needed} datasets"
            f"{', or fewer comparisons' if m > 1 else ''}.{seeds if runs > 1 else ''}"
        )


@DATASETS.remark("few datasets", "caution")
def _few_datasets(unit: DatasetUnit) -> Iterator[str]:
    """Where little can be significant."""
    n = int(unit.pairs.n.max())
    if _is_counted(unit) and not unit.cannot_reach_alpha and n < FEW_DATASETS:
        yield (
            f"With {counted(n, 'dataset')} only large, consistent differences can be detected. The conclusion is no more general than "
            "these datasets are."
        )


def _is_counted(unit: DatasetUnit) -> bool:
    """Whether the number of datasets alone says how small a p-value can be."""
    return registry.PAIRWISE[unit.pairs.test].symmetric and not unit.all_equal


@DATASETS.remark("one dataset", "warning")
def _single_dataset(unit: DatasetUnit) -> Iterator[str]:
    if unit.place:
        test = registry.PAIRWISE[unit.pairs.test]
        rates = ""
        if test.measured:
            low, high = (percent(round(rate, 2)) for rate in test.measured)
            rates = f" {test.label} rejected a true null hypothesis in {low} to {high} of simulated comparisons at the 5% level."
        yield (
            "All scores come from the folds of one dataset. Folds share their cases, so that no test on them has exactly "
            f"the error rate that it should have.{rates} The result is about this dataset only."
        )


@DATASETS.remark("dependent datasets", "warning")
def _families(unit: DatasetUnit) -> Iterator[str]:
    facts = unit.facts
    if facts.n_families < facts.n_datasets:
        yield (
            f"The {facts.n_datasets} datasets come from {counted(facts.n_families, 'origin')}. "
            "Variants of one origin are not independent, so the p-values are too small: keep one dataset of each group."
        )


@DATASETS.remark("copied datasets", "warning")
def _copies(unit: DatasetUnit) -> Iterator[str]:
    """Rows that are equal; datasets of one declared family are known to be dependent."""
    table = unit.table
    family = dict(zip(table.datasets, table.families or table.datasets, strict=True))
    copies = [names for names in equal_datasets(table) if len({family[name] for name in names}) > 1]
    if copies:
        named = parted([listed(names, most=4) for names in copies])
        yield (
            f"Every algorithm has the same score, to {DIGITS} digits, on {named}: are they copies of one dataset? Copies count "
            "several times, so the p-values are too small: keep one of each."
        )


@DATASETS.remark("names of variants", "note")
def _variants(unit: DatasetUnit) -> Iterator[Said]:
    """Families that the names propose, where none are declared; a warning where the scores agree with the names."""
    table = unit.table
    families = {} if table.families else named_alike(table.datasets)
    if not families:
        return
    named = parted([f"{stem} ({listed(names, most=4)})" for stem, names in families.items()])
    said = f"Some datasets have names like variants of one origin: {named}."
    cure = "keep one of each, or name their origin in a column called family."
    pvalue = resemblance(table, families)
    if pvalue <= CLEARLY:
        alike = f"Their scores do resemble each other more than those of other datasets ({format_pvalue(pvalue)})"
        sentence = f"{said} {alike}. Variants are not independent, so the p-values are too small: {cure}"
        yield Remark("dependent datasets", sentence, "warning")
    else:
        yield f"{said} If they are, the p-values are too small: {cure}"


@DATASETS.remark("missing scores", "caution")
def _holes(unit: DatasetUnit) -> Iterator[str]:
    facts, n = unit.facts, unit.pairs.n
    if facts.missing_scores:
        used = f"{n.min()} to {n.max()}" if n.min() < n.max() else f"{n.min()}"
        are = "is" if len(facts.missing_scores) == 1 else "are"
        yield (
            f"{share_of(len(facts.missing_scores), facts.n_datasets * facts.n_algorithms)} scores {are} missing "
            f"({some((' / '.join(hole.cell) for hole in facts.missing_scores), 6)}). Each pair was compared on the datasets that both have ({used} of "
            f"{facts.n_datasets}). {_unequal(unit)}{FLATTERED}"
        )


def _unequal(unit: DatasetUnit) -> str:
    """That means over different datasets stand beside each other, where they do."""
    sizes = [ranked.datasets for ranked in unit.ranking]
    if min(sizes) == max(sizes):
        return ""
    return f"Mean scores and mean ranks are each over {min(sizes)} to {max(sizes)} datasets, not the same ones. "


@DATASETS.remark("missing folds", "caution")
def _missing_folds(unit: DatasetUnit) -> Iterator[str]:
    if unit.facts.partial_cells:
        yield f"{unit.partial_note} {FLATTERED}"


@DATASETS.remark("sensitive to one dataset", "caution")
def _one_dataset_decides(unit: DatasetUnit) -> Iterator[str]:
    """The significant pairs that leaving out one dataset, any one of those named, would undo."""
    fragile: dict[tuple[str, str], list[str]] = {}
    for dataset, lost in unit.fragile.lost.items():
        for pair in lost:
            fragile.setdefault(pair, []).append(dataset)
    if not fragile:
        return
    named = parted([_fragile(unit, *pair, datasets) for pair, datasets in fragile.items()])
    shown, count = unit.n_significant, len(fragile)
    which = f"{count:,} of {shown:,} significant differences {'is' if count == 1 else 'are'}"
    which = "The only significant difference is" if shown == count == 1 else which
    yield f"{which} no longer significant if one dataset is left out: {named}."


def _fragile(unit: DatasetUnit, a: str, b: str, datasets: list[str]) -> str:
    winner, loser = (a, b) if unit.pairs.pair(a, b).side > 0 else (b, a)
    named = [*datasets[:3], f"one of {len(datasets) - 3} others"] if len(datasets) > 4 else datasets
    which = " or ".join(filter(None, (", ".join(named[:-1]), named[-1])))
    return f"{winner} over {loser} (without {which})"


@DATASETS.remark("sensitive to one dataset", "note")
def _unknown_without_one(unit: DatasetUnit) -> Iterator[str]:
    unknown, shown = unit.fragile.unknown, unit.n_significant
    if unknown:
        which = f"{unknown:,} of {shown:,} significant differences"
        if unknown == shown:
            which = "the only significant difference" if shown == 1 else f"any of the {shown:,} significant differences"
        yield f"Whether a single dataset decides {which} was not checked: it would take too long on a table of this size."


@DATASETS.remark("skewed differences", "caution")
def _skewed(unit: DatasetUnit) -> Iterator[Said]:
    """Wilcoxon's test assumes symmetry; does the sign test, which does not, find the same?"""
    skewed = unit.skewed
    open_now = [f"{a} and {b} ({format_pvalue(p)})" for (a, b), p in skewed.items() if p > unit.alpha]
    takes = "Wilcoxon's signed-rank test assumes symmetric differences, but those of"
    if open_now:
        yield (
            f"{takes} {listed(open_now, most=3)} are clearly skewed. The sign test, which does not assume symmetry, finds "
            "no difference there (uncorrected p in parentheses): a few datasets with large differences may decide."
        )
    elif len(skewed) > MANY_SKEWED * unit.n_significant:
        some = f"{share_of(len(skewed), unit.n_significant)} significant pairs"
        yield (
            f"{takes} {some if unit.n_significant > 1 else 'the only significant pair'} are clearly skewed. The sign "
            f"test, which does not assume symmetry, agrees (largest uncorrected {format_pvalue(max(skewed.values()))}).",
            "note",
        )


@DATASETS.remark("ties", "caution")
def _ties(unit: DatasetUnit) -> Iterator[str]:
    facts = unit.facts
    if facts.tied_share > MANY_TIES and not unit.all_equal:
        yield (
            f"In {percent(facts.tied_share)} of the comparisons within a dataset the two scores are equal: the scores are "
            "coarse, or the algorithms are closely related. Ties carry no evidence."
        )


@DATASETS.remark("ceiling", "caution")
def _ceiling(unit: DatasetUnit) -> Iterator[str]:
    share = unit.facts.ceiling_share
    if share > MANY_PERFECT:
        yield f"{percent(share)} of the scores are within half a percent of perfect: datasets that easy cannot show differences."


@DATASETS.remark("scores of different size", "caution")
def _incommensurable(unit: DatasetUnit) -> Iterator[str]:
    """Scores whose size differs by orders of magnitude between datasets cannot be averaged."""
    values = np.abs(unit.table.values)
    with np.errstate(all="ignore"):
        typical = np.array([np.median(row[~np.isnan(row)]) for row in values if not np.isnan(row).all()])
    typical = typical[typical > 0]
    if len(typical) > 1 and typical.max() > 20 * typical.min():
        low, high = (number(unit.quantity.factor * end) for end in (typical.min(), typical.max()))
        yield (
            f"Typical scores range from {low} on one dataset to {high} on another: "
            "means and differences over datasets are dominated by the largest. Look at the ranks and the wins instead."
        )


@DATASETS.remark("overall test and pairs", "note")
def _all_together_and_in_pairs(unit: DatasetUnit) -> Iterator[str]:
    """How the test of all algorithms together and the tests of the pairs can disagree."""
    if unit.omnibus is None or unit.cannot_reach_alpha or unit.all_equal:
        return
    together = float(getattr(unit.omnibus, "pvalue", np.nan))
    label, m = registry.omnibus(unit.answer("omnibus")).label, unit.pairs.n_pairs
    if together <= unit.alpha and not unit.n_significant:
        yield (
            f"{label} shows that the algorithms do not all perform alike ({format_pvalue(together)}), yet no pair stands out. "
            f"Both can be true: it asks one question of all the scores, while each of the {m} pairs must pass a stricter level. "
            "Some algorithms differ; the data do not show which."
        )
    elif together > unit.alpha and unit.n_significant:
        yield (
            f"{label} of all algorithms shows no difference ({format_pvalue(together)}), yet some pairs differ significantly. Both "
            "can be true: it looks only at ranks, and one clear pair is diluted among many equal ones. The p-values of the "
            "pairs are corrected for their number and do not require it to be significant."
        )


@DATASETS.remark("intervals and p-values", "note")
def _intervals_and_decisions(unit: DatasetUnit) -> Iterator[str]:
    """How a decision and an interval can disagree: another level, or a correction that finds more than all intervals at once."""
    pairs = unit.pairs
    if pairs.n_pairs > MOST_INTERVALS or pairs.neutral != 0:
        return
    significant = pairs.adjusted <= unit.alpha
    with_zero, without_zero = (pairs.low <= 0) & (pairs.high >= 0), (pairs.low > 0) | (pairs.high < 0)
    which = _of_intervals(int((significant & with_zero).sum()), "significant pair", "include")
    if not math.isclose(unit.alpha, 1 - pairs.confidence):
        others = _of_intervals(int((~significant & without_zero).sum()), "non-significant pair", "exclude")
        which = " ".join(filter(None, (which, others)))
        if which:
            yield (
                f"{which} The significance level is {as_given(unit.alpha)}, but the intervals have a confidence of "
                f"{percent(pairs.confidence)}: those that go with the level have {percent(1 - unit.alpha)}. The p-values decide."
            )
    elif which and unit.simultaneous:
        yield (
            f"{which} Both are right: the intervals are "
            "simultaneous and therefore wide, while a step-down correction can reject more. The p-values decide."
        )


def _of_intervals(count: int, noun: str, verb: str) -> str:
    """What so many intervals do with 0; nothing where there are none."""
    if not count:
        return ""
    return f"The interval{'' if count == 1 else 's'} of {counted(count, noun)} {verb}{'s' if count == 1 else ''} 0."


@DATASETS.remark("models of equivalence", "note")
def _two_models(unit: DatasetUnit) -> Iterator[str]:
    """Where the decisions on practical equivalence depend on the model."""
    if unit.second_opinion:
        yield (
            f"{unit.second_opinion} It asks which outcome is the most frequent among datasets; the probabilities here are of the mean difference "
            "over datasets. Call such pairs undecided unless one of the two questions is yours."
        )


@DATASETS.remark("pool dependence", "note")
def _pool_dependence(unit: DatasetUnit) -> Iterator[Said]:
    if unit.pool is None or not unit.pool.affected:
        return
    affected, test = unit.pool.affected, registry.PAIRWISE[unit.pairs.test]
    named = parted([f"{pair.a} and {pair.b}" for pair in affected])
    audit = (
        f"Tests on mean ranks, such as Nemenyi's, would decide differently on "
        f"{share_of(len(affected), len(unit.pool.pairs))} pairs if other algorithms were removed ({named})."
    )
    if test.of_pool:
        said = f"{test.label}, which you asked for, is such a test: treat its decisions on these pairs with care."
        yield f"{audit} {said}", "warning"
    else:
        yield f"{audit} The test used here looks only at the two algorithms, so no third one can change its unadjusted p-value."


@DATASETS.remark("power", "note")
def _low_power(unit: DatasetUnit) -> Iterator[str]:
    """The difference that the test finds with a probability of 80% at the corrected level."""
    if unit.detectable is not None:
        yield would_be_found(unit, unit.detectable, USUAL_POWER)
