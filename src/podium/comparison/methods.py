"""The paragraph on methods, ready for a paper."""

from __future__ import annotations

from podium.comparison.facts import Facts
from podium.comparison.rules import Choice

__all__ = ["methods_paragraph"]

_TESTS = {
    "wilcoxon": "Wilcoxon's signed-rank test (exact null distribution, zero differences dropped)",
    "sign": "the sign test (exact, ties dropped)",
    "paired_t": "the paired t test",
    "cv52_f": "the combined 5x2 cv F test",
    "cv52_t": "the 5x2 cv t test",
    "corrected_t": "the corrected resampled t test",
    "kfold_t": "the k-fold paired t test",
    "nemenyi": "Nemenyi's test on mean ranks",
    "mean_ranks": "the z test on mean ranks",
    "conover": "Conover's test",
    "tukey": "Tukey's test",
    "bonferroni_dunn": "the Bonferroni-Dunn test",
    "dunnett": "Dunnett's test",
}
_OMNIBUS = {
    "friedman": "Friedman's test",
    "iman_davenport": "Friedman's test (Iman and Davenport's F)",
    "skillings_mack": "the Skillings-Mack test, which allows missing cells",
    "anova": "a repeated-measures analysis of variance",
    "quade": "Quade's test",
    "aligned_ranks": "Friedman's aligned ranks test",
}
_MISSING = {
    "pairwise": "Missing cells were left out pair by pair.",
    "complete": "Datasets with a missing cell were left out.",
}


def methods_paragraph(facts: Facts, choices: dict[str, Choice], alpha: float, confidence: float) -> str:
    """What was done, in words that can be pasted into a paper."""
    datasets = "one dataset" if facts.n_datasets == 1 else f"{facts.n_datasets} datasets"
    folds = f" ({facts.design})" if facts.has_folds else ""
    sentences = [f"We compared {facts.n_algorithms} algorithms on {datasets}{folds} by their {facts.metric}."]
    if choices["omnibus"].answer != "none":
        sentences.append(f"Whether there is any difference was tested by {_OMNIBUS[choices['omnibus'].answer]}.")
    test = _TESTS.get(choices["test"].answer, choices["test"].answer)
    family = "Every algorithm was compared with " + str(facts.control) if facts.control else "All pairs were compared"
    if facts.n_algorithms == 2:
        family = "The two were compared"
    correction = choices["correction"].answer
    adjusted = (
        ""
        if correction == "none"
        else f", with p-values adjusted by the procedure of {correction.replace('_', ' ').title()}"
    )
    sentences.append(f"{family} by {test}{adjusted}; the level of significance is {alpha:g}.")
    sentences.append(
        f"Intervals have a confidence of {confidence:.0%}, and scores were compared after rounding to 12 digits."
    )
    if facts.holes and choices["missing"].answer in _MISSING:
        sentences.append(_MISSING[choices["missing"].answer])
    if facts.rope is not None:
        sentences.append(
            f"Differences within {facts.rope:g} were taken to be of no practical consequence; the probabilities of practical "
            "equivalence are those of the Bayesian signed-rank test."
        )
    return " ".join(sentences)
