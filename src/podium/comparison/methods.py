"""The paragraph on methods, ready for a paper; `[@key]` cites an entry of the bibliography."""

from __future__ import annotations

from podium.comparison.facts import Facts
from podium.comparison.rules import Choice
from podium.core.result import Result

__all__ = ["methods_paragraph"]

_TESTS = {
    "wilcoxon": "Wilcoxon's signed-rank test [@wilcoxon1945], which looks only at the two compared [@benavoli2016], with its "
    "exact null distribution and zero differences dropped",
    "sign": "the sign test [@demsar2006], exact, ties dropped",
    "paired_t": "the paired t test",
    "cv52_f": "the combined 5x2 cv F test [@alpaydin1999]",
    "cv52_t": "the 5x2 cv t test [@dietterich1998]",
    "corrected_t": "the corrected resampled t test [@nadeau2003]",
    "kfold_t": "the k-fold paired t test [@dietterich1998]",
    "nemenyi": "Nemenyi's test on mean ranks [@nemenyi1963]",
    "mean_ranks": "the z test on mean ranks [@demsar2006]",
    "conover": "Conover's test [@conover1999]",
    "tukey": "Tukey's test [@tukey1949]",
    "bonferroni_dunn": "the Bonferroni-Dunn test [@dunn1961]",
    "dunnett": "Dunnett's test [@dunnett1955]",
}
_OMNIBUS = {
    "exact": "Friedman's test [@friedman1937] with its exact null distribution",
    "beta": "Friedman's test [@friedman1937] by the beta law with its exact mean and variance [@kendall1939]",
    "iman_davenport": "Friedman's test [@friedman1937] in the F version of Iman and Davenport [@iman1980]",
    "skillings_mack": "the Skillings-Mack test, which allows missing cells [@skillings1981]",
    "anova": "a repeated-measures analysis of variance",
    "quade": "Quade's test [@quade1979]",
    "aligned_ranks": "Friedman's aligned ranks test [@hodges1962]",
}
_CORRECTIONS = {
    "bonferroni": "Bonferroni",
    "sidak": "Šidák [@sidak1967]",
    "holm": "Holm [@holm1979]",
    "holm_sidak": "Holm and Šidák",
    "hochberg": "Hochberg [@hochberg1988]",
    "hommel": "Hommel [@hommel1988]",
    "holland": "Holland and Copenhaver [@holland1987]",
    "rom": "Rom [@rom1990]",
    "finner": "Finner [@finner1993]",
    "li": "Li [@li2008]",
    "shaffer": "Shaffer [@shaffer1986]",
    "bergmann_hommel": "Bergmann and Hommel [@bergmann1988]",
    "benjamini_hochberg": "Benjamini and Hochberg [@benjamini1995]",
    "benjamini_yekutieli": "Benjamini and Yekutieli [@benjamini2001]",
}
_MISSING = {
    "pairwise": "Missing cells were left out pair by pair.",
    "complete": "Datasets with a missing cell were left out.",
}


def methods_paragraph(
    facts: Facts, choices: dict[str, Choice], omnibus: Result | None, *, alpha: float, confidence: float
) -> str:
    """What was done, in words that can be pasted into a paper."""
    sentences = [_data(facts)]
    if omnibus is not None:
        name = getattr(omnibus, "variant", None) or choices["omnibus"].answer
        sentences.append(f"Whether there is any difference was tested by {_OMNIBUS.get(name, name)}.")
    sentences.append(
        f"{_family(facts)} by {_TESTS[choices['test'].answer]}{_adjusted(choices)}; the level is {alpha:g}."
    )
    sentences.append(
        f"Intervals have a confidence of {confidence:.0%}; scores were compared after rounding to 12 digits."
    )
    if facts.holes and choices["missing"].answer in _MISSING:
        sentences.append(_MISSING[choices["missing"].answer])
    if facts.partial_cells:
        sentences.append("Where some folds of a cell are missing, the cell is the mean of the folds it has.")
    if facts.rope is not None:
        model = "signed-rank test [@benavoli2017]" if facts.n_datasets > 1 else "correlated t test [@corani2015]"
        sentences.append(
            f"Differences within {facts.rope:g} were taken to be of no practical consequence; the probabilities of practical "
            f"equivalence are those of the Bayesian {model}."
        )
    return " ".join(sentences)


def _data(facts: Facts) -> str:
    datasets = "one dataset" if facts.n_datasets == 1 else f"{facts.n_datasets} datasets"
    folds = f" ({facts.design})" if facts.has_folds else ""
    return f"We compared {facts.n_algorithms} algorithms on {datasets}{folds} by their {facts.metric}."


def _family(facts: Facts) -> str:
    if facts.n_algorithms == 2:
        return "The two were compared"
    return f"Every algorithm was compared with {facts.control}" if facts.control else "All pairs were compared"


def _adjusted(choices: dict[str, Choice]) -> str:
    correction = choices["correction"].answer
    if correction in ("none", "built in"):
        return ""
    return f", with p-values adjusted by the procedure of {_CORRECTIONS[correction]}"
