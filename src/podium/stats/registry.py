"""Which tests and corrections there are, as plain data: whatever offers, runs, names, explains or cites one reads it here.

A new pairwise test is a file in `pairwise` with a `kernel` and an `estimate`, and an entry here.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any, TypeVar

from podium.core import check
from podium.core.errors import ArgumentError

__all__ = [
    "CORRECTIONS",
    "OMNIBUS",
    "PAIRWISE",
    "PROCEDURES",
    "Correction",
    "Method",
    "correction",
    "fitting",
    "function",
    "load",
    "names",
    "omnibus",
    "pairwise",
]

PAIRED = "A large p-value would not show that the two are equal, nor a small one that the difference matters."
RANKED = (
    "Mean ranks depend on the whole pool: adding or removing other algorithms can change the verdict on a pair "
    "(Benavoli et al. 2016)."
)
SCORED = (
    "It takes scores of different datasets to be commensurable, errors to be normal and the differences of all pairs "
    "to vary alike (sphericity)."
)


class _Cited:
    """What has a text with `[@key]` citations, and more keys `also`."""

    told: str
    also: tuple[str, ...]

    @property
    def references(self) -> tuple[str, ...]:
        """Keys of the bibliography: those of the text first."""
        return tuple(dict.fromkeys((*re.findall(r"\[@(\w+)\]", self.told), *self.also)))


@dataclass(frozen=True, kw_only=True)
class Method(_Cited):
    """A test or a procedure: what it looks at, how it is told, and when it may be used.

    `over` says what the evidence is: "datasets" (the two alone, over datasets), "folds" (of one dataset), "cases" (of
    one test set) or "pool" (all algorithms at once). `told` ends a sentence of a paper's methods paragraph ("... by"),
    `told_by` the same for each variant; `caution` is what does not follow from the test. `options` are given to the
    public function, which has the name of its module (`home`).
    """

    name: str
    over: str
    told: str
    also: tuple[str, ...] = ()
    assumes: str
    use: str
    caution: str = PAIRED
    at: str = ""  # the module, where it has not the name of the test
    told_by: Mapping[str, str] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)
    effect: str = "mean difference"  # what its estimate is called
    on: str = ""  # what a test of the pool compares: mean "ranks" or mean "scores"
    beside: str = ""  # a test of the pool shows the effects of this test of the two beside it
    design: str = ""  # the folds it needs: "5x2", "one repeat", or any
    needs_control: bool = False
    correction: str = ""  # how it corrects itself
    symmetric: bool = False  # its law is that of fair signs: p is at least 2^(1 - n)
    sided: bool = True  # whether it can be asked one-sidedly
    needs_scores: bool = False  # contrasts scores otherwise than by their difference, such as by ratios

    @property
    def corrects_itself(self) -> bool:
        """Whether its p-values need no correction for the number of pairs."""
        return bool(self.correction)

    @property
    def label(self) -> str:
        """Its name at the beginning of a sentence.

        >>> PAIRWISE["sign"].label
        'The sign test'
        """
        text = re.split(r" \[@|,", self.told)[0]
        return text[:1].upper() + text[1:]

    @property
    def home(self) -> str:
        """The module that has it."""
        room = "posthoc" if self.over == "pool" else "pairwise"
        return f"podium.stats.{self.at or f'{room}.{self.name}'}"


@dataclass(frozen=True)
class Correction(_Cited):
    """A correction of many p-values; `told` follows "adjusted by the procedure of", `controls` is "fwer", "fdr" or "none"."""

    name: str
    told: str
    assumes: str
    use: str
    also: tuple[str, ...] = ()
    controls: str = "fwer"
    all_pairs_only: bool = False

    @property
    def home(self) -> str:
        """The module that has it."""
        return f"podium.stats.corrections.{'logical' if self.all_pairs_only else 'steps'}"


_Entry = TypeVar("_Entry", Method, Correction)


def _named(*entries: _Entry) -> dict[str, _Entry]:
    return {entry.name: entry for entry in entries}


_POOL: dict[str, Any] = {"over": "pool", "on": "ranks", "sided": False, "beside": "wilcoxon"}
_MEANS: dict[str, Any] = {**_POOL, "on": "scores", "caution": SCORED, "beside": "paired_t"}

PAIRWISE: dict[str, Method] = _named(
    Method(
        name="wilcoxon",
        over="datasets",
        told="Wilcoxon's signed-rank test [@wilcoxon1945], which looks only at the two compared [@benavoli2016], with its "
        "exact null distribution and zero differences dropped",
        also=("demsar2006", "hodges1963"),
        assumes="Datasets are independent, and the differences are symmetric around their centre; no normality. Scores of "
        "different datasets are compared by the size of their differences.",
        use="Two algorithms over several datasets: the recommended default. With fewer than 6 datasets no two-sided result "
        "can reach 0.05.",
        effect="Hodges-Lehmann difference",
        symmetric=True,
    ),
    Method(
        name="sign",
        over="datasets",
        told="the sign test [@demsar2006], exact, ties dropped",
        also=("benavoli2016",),
        assumes="Datasets are independent; nothing about the size of the differences.",
        use="Beside wilcoxon, or where only wins and losses can be compared across datasets; it has less power.",
        effect="median difference",
        symmetric=True,
    ),
    Method(
        name="paired_t",
        over="datasets",
        told="the paired t test",
        also=("demsar2006",),
        assumes="Datasets are independent, and the differences are normal or many; outliers weigh heavily.",
        use="Two algorithms over many datasets whose scores are commensurable; else wilcoxon.",
        caution=f"It takes the differences to be normal and commensurable. {PAIRED}",
    ),
    Method(
        name="relative_t",
        over="datasets",
        told="the paired t test on relative differences [@demsar2006]",
        assumes="As paired_t, for the relative differences; scores are positive.",
        use="Where a difference matters in proportion to the score, as with errors or times.",
        caution=f"It takes relative differences to be commensurable and normal. {PAIRED}",
        effect="mean relative difference",
        needs_scores=True,
    ),
    Method(
        name="geometric_ratio",
        over="datasets",
        told="the t test on the geometric mean ratio [@webb2000]",
        also=("demsar2006",),
        assumes="Scores are positive, and the logarithms of their ratios are normal or many.",
        use="Ratios of errors or costs over datasets.",
        caution=f"Ratios of accuracies and of errors give different answers. {PAIRED}",
        effect="geometric mean ratio",
        needs_scores=True,
    ),
    Method(
        name="permutation",
        over="datasets",
        told="the paired permutation test [@fisher1935] of the mean difference",
        assumes="Under the null hypothesis the sign of each difference is as likely plus as minus; datasets are independent.",
        use="Where the mean difference itself is of interest and normality is not believed.",
        symmetric=True,
    ),
    Method(
        name="corrected_t",
        over="folds",
        told="the corrected resampled t test [@nadeau2003]",
        also=("benavoli2017",),
        assumes="Differences over folds are normal, and correlated as the share of test data says.",
        use="One dataset with repeated cross-validation or resampling; the plain t test rejects far too often there.",
        caution=f"It speaks of this dataset only. {PAIRED}",
    ),
    Method(
        name="cv52_f",
        over="folds",
        told="the combined 5x2 cv F test [@alpaydin1999]",
        assumes="Five repeats of two folds; differences are normal and nearly independent.",
        use="One dataset with a 5x2 design: the recommended test there.",
        caution=f"It speaks of this dataset only. {PAIRED}",
        design="5x2",
        sided=False,
    ),
    Method(
        name="cv52_t",
        over="folds",
        told="the 5x2 cv t test [@dietterich1998]",
        assumes="Five repeats of two folds; differences are normal and nearly independent.",
        use="One dataset with a 5x2 design; cv52_f is steadier.",
        caution="The statistic rests on the first of ten differences, so the order of the folds matters; `cv52_f` uses all "
        f"ten. {PAIRED}",
        effect="difference on the first fold",
        design="5x2",
    ),
    Method(
        name="kfold_t",
        over="folds",
        told="the k-fold paired t test [@dietterich1998]",
        assumes="Folds are independent, which they are not: training sets overlap.",
        use="Only to reproduce older papers; use corrected_t.",
        caution="It takes the folds to be independent, which overlapping training sets are not: it rejects too often, and "
        f"`corrected_t` does not. {PAIRED}",
        design="one repeat",
    ),
    Method(
        name="mcnemar",
        over="cases",
        told="McNemar's test [@mcnemar1947]",
        also=("dietterich1998",),
        assumes="One test set, each case judged by both; the training set is taken as given.",
        use="Two algorithms trained once, on one test set.",
        caution=f"It speaks of these two trained models on this test set, not of the algorithms that trained them. {PAIRED}",
        effect="difference of accuracies",
        symmetric=True,
        sided=False,
    ),
    Method(
        name="nemenyi",
        told="Nemenyi's test [@nemenyi1963] on mean ranks",
        also=("demsar2006", "benavoli2016"),
        assumes="As friedman; compares mean ranks, so that the outcome of a pair depends on the other algorithms in the pool.",
        use="To draw the classical critical-difference diagram; for decisions prefer all_pairs.",
        caution=RANKED,
        correction="studentized range",
        **_POOL,
    ),
    Method(
        name="mean_ranks",
        told="the z test on mean ranks [@demsar2006]",
        also=("mcdonald1967", "benavoli2016"),
        assumes="As friedman; the outcome of a pair depends on the other algorithms in the pool.",
        use="To see what mean ranks would say, beside all_pairs.",
        caution=RANKED,
        **_POOL,
    ),
    Method(
        name="rank_sums",
        told="the exact test of rank sums [@eisinga2017]",
        also=("benavoli2016",),
        assumes="As friedman; exact differences of rank sums.",
        use="As mean_ranks, with few datasets.",
        caution=f"The law assumes that all algorithms of the pool are equal. {RANKED}",
        **_POOL,
    ),
    Method(
        name="conover",
        told="Conover's test [@conover1999]",
        also=("benavoli2016",),
        assumes="As friedman, and a t law for the differences of mean ranks; liberal.",
        use="To reproduce papers that used it.",
        caution=f"It is meant for use after Friedman's test has rejected. {RANKED}",
        **_POOL,
    ),
    Method(
        name="tukey",
        told="Tukey's test [@tukey1949]",
        also=("demsar2006",),
        assumes="As anova.",
        use="All pairs after anova, where its assumptions are defensible.",
        correction="studentized range",
        **_MEANS,
    ),
    Method(
        name="bonferroni_dunn",
        told="the Bonferroni-Dunn test [@dunn1961]",
        also=("demsar2006", "benavoli2016"),
        assumes="As nemenyi, for comparisons with one control.",
        use="To reproduce diagrams with a control; for decisions prefer versus_control.",
        caution=RANKED,
        needs_control=True,
        correction="bonferroni",
        **_POOL,
    ),
    Method(
        name="dunnett",
        told="Dunnett's test [@dunnett1955]",
        also=("demsar2006",),
        assumes="As anova.",
        use="Comparisons with a control after anova.",
        correction="largest difference from the control",
        needs_control=True,
        **_MEANS,
    ),
)

_ANY: dict[str, Any] = {"over": "pool", "sided": False, "effect": ""}
_FRIEDMAN: dict[str, Any] = {
    "at": "omnibus.friedman",
    "told_by": {
        "exact": "Friedman's test [@friedman1937] with its exact null distribution",
        "beta": "Friedman's test [@friedman1937] by the beta law with its exact mean and variance [@kendall1939]",
        "iman_davenport": "Friedman's test [@friedman1937] in the F version of Iman and Davenport [@iman1980]",
        "chi2": "Friedman's test [@friedman1937] by the chi-square law, corrected for ties",
        "chi2_uncorrected": "Friedman's test [@friedman1937] by the chi-square law",
    },
    "told": "Friedman's test [@friedman1937]",
    "also": ("kendall1939", "iman1980", "demsar2006"),
    "assumes": "Datasets are independent and complete; under the null hypothesis every order of the algorithms is equally "
    "likely on each.",
    "caution": "A small p says that some mean ranks differ, not which and not by how much; a large one does not show that "
    "the algorithms are equal.",
    **_ANY,
}

OMNIBUS: dict[str, Method] = _named(
    Method(
        name="friedman",
        use="Three or more algorithms over datasets: whether they differ at all, before pairs are looked at.",
        **_FRIEDMAN,
    ),
    Method(
        name="iman_davenport",
        use="As friedman, on 20 datasets or more.",
        options={"variant": "iman_davenport"},
        **_FRIEDMAN,
    ),
    Method(
        name="anova",
        at="omnibus.anova",
        told="the repeated-measures analysis of variance",
        also=("greenhouse1959", "huynh1976", "mauchly1940", "demsar2006"),
        assumes="Normal scores, equal variances, and sphericity: all pairs differ with the same variance. Rarely true over "
        "datasets.",
        use="Where those assumptions are defensible; else friedman.",
        caution="It takes scores of different datasets to be commensurable and errors to be normal; it does not say which "
        "algorithms differ.",
        **_ANY,
    ),
    Method(
        name="quade",
        at="omnibus.quade",
        told="Quade's test [@quade1979]",
        assumes="Datasets are independent and complete, and their ranges of scores can be compared.",
        use="Few algorithms (up to about five), where datasets with larger differences should count more.",
        caution="Datasets with a wide range of scores count more, so that scores of different datasets must be "
        "commensurable; it does not say which algorithms differ.",
        **_ANY,
    ),
    Method(
        name="aligned_ranks",
        at="omnibus.aligned_ranks",
        told="Friedman's aligned-ranks test [@hodges1962]",
        also=("garcia2010",),
        assumes="Datasets are independent and complete, and their scores can be compared after their mean is taken away.",
        use="Few algorithms or few datasets, where friedman has little power.",
        caution="Differences on different datasets are ranked together and must be commensurable; it does not say which "
        "algorithms differ.",
        **_ANY,
    ),
    Method(
        name="skillings_mack",
        at="omnibus.skillings_mack",
        told="the Skillings-Mack test [@skillings1981], which allows missing cells",
        assumes="Datasets are independent, and cells are missing for reasons that do not depend on the scores.",
        use="Tables with holes, instead of dropping datasets.",
        caution="It takes the holes to have nothing to do with how good the missing scores would be; it does not say which "
        "algorithms differ.",
        **_ANY,
    ),
)

_ANY_DEPENDENCE = "Nothing about the dependence of the tests."
_POSITIVE = "Independent or positively dependent tests."
_INDEPENDENT = "Independent (or suitably positively dependent) tests."
_LOGICAL: dict[str, Any] = {
    "assumes": "All pairs of the algorithms are tested; nothing about dependence.",
    "also": ("garcia2008",),
    "all_pairs_only": True,
}

CORRECTIONS: dict[str, Correction] = _named(
    Correction("none", "", "A single comparison.", "Two algorithms.", controls="none"),
    Correction(
        "bonferroni",
        "Bonferroni [@dunn1961]",
        _ANY_DEPENDENCE,
        "Only for its simplicity: holm rejects all that it rejects, and more.",
    ),
    Correction("sidak", "Šidák [@sidak1967]", _INDEPENDENT, "Instead of bonferroni, where that can be assumed."),
    Correction("holm", "Holm [@holm1979]", _ANY_DEPENDENCE, "The default that is always valid."),
    Correction(
        "holm_sidak",
        "Holm [@holm1979] with the bound of Šidák [@sidak1967]",
        _INDEPENDENT,
        "Instead of holm, where that can be assumed.",
    ),
    Correction(
        "hochberg", "Hochberg [@hochberg1988]", _POSITIVE, "A little more power than holm, where that can be assumed."
    ),
    Correction("hommel", "Hommel [@hommel1988]", _POSITIVE, "At least as powerful as hochberg.", ("meijer2019",)),
    Correction("holland", "Holland and Copenhaver [@holland1987]", _INDEPENDENT, "As holm_sidak."),
    Correction("rom", "Rom [@rom1990]", "Independent tests.", "As hochberg, with slightly sharper constants."),
    Correction(
        "finner",
        "Finner [@finner1993]",
        _INDEPENDENT,
        "Comparisons with a control, where a little more power than holm is wanted.",
    ),
    Correction(
        "li",
        "Li [@li2008]",
        "Independent tests; it leans on the largest p-value.",
        "To reproduce papers that used it: where the largest p-value is large it does little.",
    ),
    Correction(
        "benjamini_hochberg",
        "Benjamini and Hochberg [@benjamini1995]",
        "Independent or positively dependent tests; controls the share of false discoveries, not the chance of any.",
        "Exploration with very many tests; not for claims about single pairs.",
        controls="fdr",
    ),
    Correction(
        "benjamini_yekutieli",
        "Benjamini and Yekutieli [@benjamini2001]",
        "Nothing about dependence; controls the share of false discoveries.",
        "As benjamini_hochberg, without its assumption.",
        controls="fdr",
    ),
    Correction(
        "shaffer",
        "Shaffer [@shaffer1986]",
        use="All pairs: more power than holm, because not every set of equalities is possible.",
        **_LOGICAL,
    ),
    Correction(
        "bergmann_hommel",
        "Bergmann and Hommel [@bergmann1988]",
        use="All pairs of up to 18 algorithms: the most powerful of the valid ones here.",
        **_LOGICAL,
    ),
)

# What is no test of its own, but is explained and cited like one.
PROCEDURES: dict[str, Method] = _named(
    Method(
        name="all_pairs",
        over="pool",
        told="tests of all pairs",
        also=("benavoli2016", "garcia2008"),
        assumes="What its test assumes, for every pair; the correction answers for their number.",
        use="After friedman: all pairs by wilcoxon with Holm, Shaffer or Bergmann-Hommel. Unlike mean ranks, the outcome of "
        "a pair does not depend on the others in the pool.",
    ),
    Method(
        name="versus_control",
        over="pool",
        at="posthoc.all_pairs",
        told="tests of every algorithm against the control",
        also=("demsar2006", "garcia2010"),
        assumes="What its test assumes, for every pair with the control, which is named before looking.",
        use="A new algorithm against the others; fewer tests than all pairs, so more power.",
        needs_control=True,
    ),
    Method(
        name="equivalence",
        over="datasets",
        told="two one-sided tests [@schuirmann1987]",
        assumes="Differences are normal or many; the rope is fixed before looking.",
        use="To show that two algorithms are practically equal, which no large p-value of another test shows.",
        caution="A large p-value would not show that the two differ.",
    ),
    Method(
        name="rank_intervals",
        over="pool",
        told="simultaneous confidence intervals for ranks [@almohamad2022]",
        assumes="What the test of the pairs assumes.",
        use="To say between which places an algorithm lies, for all of them at once.",
    ),
    Method(
        name="groups",
        over="pool",
        at="posthoc.cliques",
        told="groups of algorithms that are not told apart",
        assumes="Nothing beyond the tests it draws from. Being in one group does not show equality.",
        use="The bars of a diagram, and compact letters.",
    ),
    Method(
        name="critical_difference",
        over="pool",
        told="the critical difference of mean ranks [@nemenyi1963]",
        also=("demsar2006",),
        assumes="As nemenyi.",
        use="How far two mean ranks must lie apart.",
        caution=RANKED,
    ),
    Method(
        name="adjust",
        over="pool",
        at="corrections",
        told="a correction for many tests",
        also=("holm1979", "garcia2008"),
        assumes="What the named correction assumes; the p-values are all that were computed.",
        use="Several p-values at once, whatever tests gave them.",
    ),
    Method(
        name="effect_sizes",
        over="datasets",
        at="effects",
        told="effect sizes",
        also=("student1908", "conover1999", "hodges1963", "kerby2014", "mcgraw1992", "cohen1988"),
        assumes="Datasets are independent; the mean difference and d_z take the differences to be normal or many.",
        use="Beside every p-value: how large the difference is, and between which limits it may lie.",
    ),
)


def names(over: str | Collection[str] | None = None, *, control: bool | None = None) -> tuple[str, ...]:
    """The names of the pairwise tests over what is said (default: anything), with or without those that need a control.

    >>> names("folds")
    ('corrected_t', 'cv52_f', 'cv52_t', 'kfold_t')
    >>> names("pool", control=True)
    ('bonferroni_dunn', 'dunnett')
    """
    wanted = None if over is None else {over} if isinstance(over, str) else set(over)
    return tuple(
        name
        for name, method in PAIRWISE.items()
        if (wanted is None or method.over in wanted) and control in (None, method.needs_control)
    )


def pairwise(name: Any, over: str | Collection[str] | None = None) -> Method:
    """The pairwise test of that name, over what is said.

    >>> pairwise("kfold", over="folds")
    Traceback (most recent call last):
    ...
    podium.core.errors.ArgumentError: `test` must be 'corrected_t', 'cv52_f', 'cv52_t' or 'kfold_t'; got 'kfold': did you mean 'kfold_t'?
    """
    return PAIRWISE[check.choice("test", name, names(over))]


def omnibus(name: Any) -> Method:
    """The omnibus test of that name."""
    return OMNIBUS[check.choice("omnibus", name, OMNIBUS)]


def correction(name: Any) -> Correction:
    """The correction of that name."""
    return CORRECTIONS[check.choice("correction", name, CORRECTIONS)]


def fitting(name: Any, *, test: str | None = None, control: bool = False) -> Correction:
    """The correction of that name, if it may be used with the test and the family of pairs.

    >>> fitting("shaffer", control=True)
    Traceback (most recent call last):
    ...
    podium.core.errors.ArgumentError: The correction 'shaffer' is for all pairs, not for pairs with a control: use 'holm'.
    """
    found = correction(name)
    if test is not None and PAIRWISE[test].corrects_itself:
        raise ArgumentError(f"The test {test!r} corrects for the number of pairs by itself: leave out `correction`.")
    if found.all_pairs_only and control:
        raise ArgumentError(f"The correction {name!r} is for all pairs, not for pairs with a control: use 'holm'.")
    return found


def load(method: Method | Correction) -> ModuleType:
    """The module that has it, imported now."""
    return importlib.import_module(method.home)


def function(method: Method | Correction) -> Callable[..., Any]:
    """Its public function, imported now; an omnibus test may need its `options`."""
    name = method.name if hasattr(load(method), method.name) else method.home.rpartition(".")[2]
    found: Callable[..., Any] = getattr(load(method), name)
    return found
