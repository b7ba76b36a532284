"""Every Bayesian model and every step around one, as plain data: what offers, names, explains or cites one reads it here.

A new model is one file with a function `fit` (see `all_pairs`) and one entry of `MODELS`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

__all__ = ["MODELS", "STEPS", "Model", "Step"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A function of this room: `home` is its module, `label` begins a sentence, `references` are bibliography keys."""

    name: str
    home: str
    label: str
    assumes: str
    use: str
    references: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Model(Step):
    """A model; `line` says it in a line and `told` how a paper's methods paragraph does, with `[@key]` citations.

    `over` is what it looks at: "datasets" (the two, one score per dataset), "folds" (the two on one dataset),
    "nested" (the two on every fold of every dataset) or "pool" (all algorithms at once). `options` go to its `fit`,
    `function` is the public one where its name is another, `slow` models take long enough for a progress bar.
    """

    over: str
    line: str
    told: str
    function: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)
    slow: bool = False


_ANOVA = (
    "Each score is the sum of an effect of the algorithm, one of the dataset and an error (normal, or Student's with "
    "robust=True); no interaction."
)

MODELS = {
    model.name: model
    for model in (
        Model(
            name="anova",
            home="podium.bayes._anova",
            over="pool",
            label="Bayesian ANOVA",
            line="all algorithms at once: level + algorithm + dataset + normal error",
            told="a Bayesian two-factor analysis of variance [@kruschke2015], as proposed by Wainer [@wainer2016]",
            assumes=_ANOVA,
            use="All algorithms at once: the probability that each difference is of no practical consequence.",
            references=("wainer2016", "kruschke2015"),
        ),
        Model(
            name="robust_anova",
            home="podium.bayes._anova",
            over="pool",
            label="Robust Bayesian ANOVA",
            line="the same with Student errors, which outlying scores do not mislead",
            told="a Bayesian two-factor analysis of variance with Student errors [@kruschke2015; @wainer2016]",
            assumes=_ANOVA,
            use="As anova, where some scores lie far out.",
            references=("wainer2016", "kruschke2015"),
            function="anova",
            options={"robust": True},
            slow=True,
        ),
        Model(
            name="hierarchical",
            home="podium.bayes._hierarchical",
            over="nested",
            label="Hierarchical Bayesian correlated t test",
            line="each pair on all folds of all datasets, datasets shrunk towards their population",
            told="the hierarchical Bayesian correlated t test [@corani2017]",
            assumes="Datasets come from one population; the folds of a dataset are normal and equally correlated, by the "
            "share of test data; a rope fixed before looking.",
            use="Two algorithms over datasets with folds: every fold counts, and noisy datasets are shrunk towards the "
            "others.",
            references=("corani2017", "benavoli2017"),
            slow=True,
        ),
        Model(
            name="signed_rank",
            home="podium.bayes._signed_rank",
            over="datasets",
            label="Bayesian signed-rank test",
            line="each pair by its mean scores on the datasets; no distribution is assumed",
            told="the Bayesian signed-rank test [@benavoli2017]",
            assumes="Datasets are independent draws from a population of datasets; a rope fixed before looking.",
            use="Two algorithms over datasets: the probabilities that one is better, that they are practically equal, or "
            "the other.",
            references=("benavoli2014", "benavoli2017"),
        ),
        Model(
            name="sign",
            home="podium.bayes._sign",
            over="datasets",
            label="Bayesian sign test",
            line="each pair by how often each is better; sizes of differences do not count",
            told="the Bayesian sign test [@benavoli2017]",
            assumes="Datasets are independent; nothing about the size of the differences beyond the rope.",
            use="As bayes.signed_rank, with wins, practical ties and losses only.",
            references=("benavoli2014", "benavoli2017"),
        ),
        Model(
            name="correlated_t",
            home="podium.bayes._correlated_t",
            over="folds",
            label="Correlated Bayesian t test",
            line="each pair on the folds of one dataset",
            told="the Bayesian correlated t test [@corani2015]",
            assumes="Differences over folds are normal and equally correlated, by the share of test data.",
            use="Two algorithms on one dataset with cross-validation.",
            references=("corani2015", "nadeau2003", "benavoli2017"),
        ),
        Model(
            name="bradley_terry",
            home="podium.bayes._bradley_terry",
            over="pool",
            label="Bayesian Bradley-Terry model",
            line="all algorithms at once by who beats whom; sizes of differences do not count",
            told="the Bayesian Bradley-Terry model [@bradley1952; @wainer2023]",
            assumes="Each algorithm has one ability, and only who wins on a dataset counts; datasets are independent.",
            use="All algorithms at once, where scores of different datasets cannot be compared by their size.",
            references=("wainer2023", "bradley1952"),
        ),
    )
}

# What comes before a model (the rope) and after it (decisions): name, home, label, references, assumes, use.
_STEPS: tuple[tuple[str, str, str, tuple[str, ...], str, str], ...] = (
    (
        "rope_auto",
        "rope",
        "The rope from the data",
        ("wainer2016",),
        "Folds in two halves, or scores promised by a search of hyperparameters; the three best algorithms of each "
        "dataset stand for good ones.",
        "Where no threshold of practical consequence can be given from the application.",
    ),
    (
        "rope_from_halves",
        "rope",
        "The rope from two halves",
        ("wainer2016",),
        "Repeats of two folds, each trained on while the other is tested.",
        "5 x 2 designs and the like.",
    ),
    (
        "rope_from_folds",
        "rope",
        "The rope from the folds",
        ("wainer2016",),
        "At least two folds.",
        "Other designs; training sets overlap, so that it tends to be smaller.",
    ),
    (
        "rope_from_search",
        "rope",
        "The rope from a search",
        ("wainer2016",),
        "The score that the search of hyperparameters promised is known for each score.",
        "Runs with a search, such as those of podium run.",
    ),
    (
        "decide",
        "_decide",
        "The decision by probability",
        ("kruschke2018", "benavoli2017"),
        "What the model behind the probabilities assumes.",
        "To turn three probabilities into a verdict, or into undecided, at a limit named before looking.",
    ),
    (
        "decide_by_loss",
        "_decide",
        "The decision by expected loss",
        ("kruschke2018", "benavoli2017"),
        "What the model behind the probabilities assumes, and that losses of wrong verdicts can be named.",
        "Where a wrong verdict costs more in one direction than in another.",
    ),
)
STEPS = {
    name: Step(name=name, home=f"podium.bayes.{home}", label=label, references=references, assumes=assumes, use=use)
    for name, home, label, references, assumes, use in _STEPS
}
