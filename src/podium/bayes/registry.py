"""Every Bayesian model and every step around one, as plain data: what offers, names, explains or cites one reads it here.

A new model is one file with a function `fit` (see `all_pairs`) and one row of `_MODELS`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A function of this room: `home` is its module, `references` are keys of the bibliography."""

    name: str
    home: str
    assumes: str
    use: str
    references: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Model(Step):
    """A model; `label` begins a sentence, `line` says it in a line, `told` is for a methods paragraph with `[@key]`.

    `over` is what it looks at: "datasets" (the two, one score per dataset), "folds" (the two on one dataset),
    "nested" (the two on every fold of every dataset) or "pool" (all algorithms at once). `options` go to its `fit`,
    `function` is its name in this room, `slow` models take long enough for a progress bar.
    """

    over: str
    label: str
    line: str
    told: str
    function: str
    options: Mapping[str, Any] = field(default_factory=dict)
    slow: bool = False


_ANOVA = (
    "Each score is the sum of an effect of the algorithm, one of the dataset and an error (normal, or Student's with "
    "robust=True); no interaction."
)
_DATASETS = ("benavoli2014", "benavoli2017")

# name, over, label, references, line, told, assumes, use; then what only some have.
_MODELS: tuple[tuple[str, str, str, tuple[str, ...], str, str, str, str, dict[str, Any]], ...] = (
    ("anova", "pool", "Bayesian ANOVA", ("wainer2016", "kruschke2015"),
     "all algorithms at once: level + algorithm + dataset + normal error",
     "a Bayesian two-factor analysis of variance [@kruschke2015], as proposed by Wainer [@wainer2016]",
     _ANOVA,
     "All algorithms at once: the probability that each difference is of no practical consequence.",
     {}),
    ("robust_anova", "pool", "Robust Bayesian ANOVA", ("wainer2016", "kruschke2015"),
     "the same with Student errors, which outlying scores do not mislead",
     "a Bayesian two-factor analysis of variance with Student errors [@kruschke2015; @wainer2016]",
     _ANOVA,
     "As bayes.anova, where some scores lie far out.",
     {"function": "anova", "options": {"robust": True}, "slow": True}),
    ("hierarchical", "nested", "Hierarchical Bayesian correlated t test", ("corani2017", "benavoli2017"),
     "each pair on all folds of all datasets, datasets shrunk towards their population",
     "the hierarchical Bayesian correlated t test [@corani2017]",
     "Datasets come from one population; the folds of a dataset are normal and equally correlated, by the share of test "
     "data; a rope fixed before looking.",
     "Two algorithms over datasets with folds: every fold counts, and noisy datasets are shrunk towards the others.",
     {"slow": True}),
    ("signed_rank", "datasets", "Bayesian signed-rank test", _DATASETS,
     "each pair by its mean scores on the datasets; no distribution is assumed",
     "the Bayesian signed-rank test [@benavoli2017]",
     "Datasets are independent draws from a population of datasets; a rope fixed before looking.",
     "Two algorithms over datasets: the probabilities that one is better, that they are practically equal, or the other.",
     {}),
    ("sign", "datasets", "Bayesian sign test", _DATASETS,
     "each pair by how often each is better; sizes of differences do not count",
     "the Bayesian sign test [@benavoli2017]",
     "Datasets are independent; nothing about the size of the differences beyond the rope.",
     "As bayes.signed_rank, with wins, practical ties and losses only.",
     {}),
    ("correlated_t", "folds", "Correlated Bayesian t test", ("corani2015", "nadeau2003", "benavoli2017"),
     "each pair on the folds of one dataset",
     "the Bayesian correlated t test [@corani2015]",
     "Differences over folds are normal and equally correlated, by the share of test data.",
     "Two algorithms on one dataset with cross-validation.",
     {}),
    ("bradley_terry", "pool", "Bayesian Bradley-Terry model", ("wainer2023", "bradley1952"),
     "all algorithms at once by who beats whom; sizes of differences do not count",
     "the Bayesian Bradley-Terry model [@bradley1952; @wainer2023]",
     "Each algorithm has one ability, and only who wins on a dataset counts; datasets are independent.",
     "All algorithms at once, where scores of different datasets cannot be compared by their size.",
     {}),
)  # fmt: skip
_FIELDS = ("name", "over", "label", "references", "line", "told", "assumes", "use")


def _model(*row: Any) -> Model:
    *texts, more = row
    fields = {"function": row[0], **dict(zip(_FIELDS, texts, strict=True)), **more}
    return Model(home=f"podium.bayes._{fields['function']}", **fields)


MODELS = {row[0]: _model(*row) for row in _MODELS}

_WAINER, _DECISIONS = ("wainer2016",), ("kruschke2018", "benavoli2017")

# What comes before a model (the rope) and after it (decisions): name, home, references, assumes, use.
_STEPS: tuple[tuple[str, str, tuple[str, ...], str, str], ...] = (
    ("rope_auto", "rope", _WAINER,
     "Folds in two halves, or scores promised by a search of hyperparameters; the three best algorithms of each dataset "
     "stand for good ones.",
     "Where no threshold of practical consequence can be given from the application."),
    ("rope_from_halves", "rope", _WAINER,
     "Repeats of two folds, each trained on while the other is tested.", "5 x 2 designs and the like."),
    ("rope_from_folds", "rope", _WAINER,
     "At least two folds.", "Other designs; training sets overlap, so that it tends to be smaller."),
    ("rope_from_search", "rope", _WAINER,
     "The score that the search of hyperparameters promised is known for each score.",
     "Runs with a search, such as those of podium run."),
    ("decide", "_decide", _DECISIONS,
     "What the model behind the probabilities assumes.",
     "To turn three probabilities into a verdict, or into undecided, at a limit named before looking."),
    ("decide_by_loss", "_decide", _DECISIONS,
     "What the model behind the probabilities assumes, and that losses of wrong verdicts can be named.",
     "Where a wrong verdict costs more in one direction than in another."),
)  # fmt: skip
STEPS = {
    name: Step(name=name, home=f"podium.bayes.{home}", references=references, assumes=assumes, use=use)
    for name, home, references, assumes, use in _STEPS
}
