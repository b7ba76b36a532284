"""Comparisons of every kind, for the file of verdicts that a person reads from top to bottom.

Tables are those of papers that the package or its documentation carries, or drawn from a seeded generator.
"""

from collections.abc import Callable
from pathlib import Path

import numpy as np

import podium
from podium.comparison import Comparison
from podium.core.metric import Metric
from podium.evidence.scores import Scores
from podium.evidence.table import Table

DATA = Path(__file__).parents[2] / "docs" / "data"
ACCURACY = Metric(name="accuracy", direction="higher")
ERROR = Metric(name="error", direction="lower")
AUC = Metric(name="auc", direction="higher")


def table(values, names, metric=ACCURACY):
    """A table of made-up datasets."""
    return Table(
        values=np.asarray(values, dtype=float),
        datasets=tuple(f"data {row + 1}" for row in range(len(values))),
        algorithms=tuple(names),
        metric=metric,
    )


def drawn(n, skills, spread=0.02, seed=0, digits=4):
    """Scores of algorithms of these skills on n datasets of different difficulty."""
    rng = np.random.default_rng(seed)
    hardness = rng.normal(0, 0.05, size=(n, 1))
    scores = np.asarray(skills) + hardness + rng.normal(0, spread, size=(n, len(skills)))
    return np.round(np.minimum(scores, 1), digits)


def folds(skills, design, spread=0.02, seed=0):
    """Scores on one dataset, repeats x folds each."""
    rng = np.random.default_rng(seed)
    shared = rng.normal(0, 0.03, size=(1, 1, *design))
    own = rng.normal(0, spread, size=(1, len(skills), *design))
    return Scores(
        values=np.round(np.asarray(skills)[None, :, None, None] + shared + own, 4),
        datasets=("iris",),
        algorithms=tuple(f"model {letter}" for letter in "ABCDEF"[: len(skills)]),
        metric=ACCURACY,
        repeats=tuple(range(design[0])),
        folds=tuple(range(design[1])),
    )


def with_holes(values, count, seed=1):
    """The same scores, so many of them missing."""
    values = values.copy()
    values.flat[np.random.default_rng(seed).choice(values.size, count, replace=False)] = np.nan
    return values


NAMES = ("forest", "boosting", "svm", "nearest", "bayes", "tree", "linear")
CLEAR = drawn(24, [0.90, 0.86, 0.85, 0.84, 0.83], seed=1)
SOME_OPEN = drawn(24, [0.87, 0.865, 0.84, 0.82, 0.80], seed=2)
ALIKE = drawn(20, [0.85] * 5, seed=3)
# B beats A on 26 of 40 datasets; where it does not, it comes last, so that A has the better mean rank.
BEATEN = np.vstack([np.tile([0.81, 0.83, 0.70, 0.71], (26, 1)), np.tile([0.80, 0.797, 0.799, 0.798], (14, 1))])
BEATEN[:, 1] += 0.00001 * np.arange(40)


def rare_losses():
    """Sixty ties, thirty-two tiny wins, twenty-eight large losses: wins and test point different ways."""
    steps = np.concatenate([np.zeros(60), 0.0001 * np.arange(1, 33), -0.05 - 0.001 * np.arange(28)])
    return np.column_stack([0.8 + steps, np.full(120, 0.8)])


def one_pair():
    """Twelve that are alike, but for one steady small difference."""
    values = drawn(40, [0.85] * 12, seed=2)
    values[:, 1] = values[:, 0] + 0.002
    return table(values, [f"a{place + 1}" for place in range(12)])


def a_little_everywhere():
    """Six that differ a little each."""
    values = drawn(12, [0.86, 0.855, 0.85, 0.845, 0.84, 0.835], spread=0.018, seed=1)
    return table(values, [f"a{place + 1}" for place in range(6)])


def many(k, n, best, seed):
    """So many algorithms, the first few close together."""
    skills = np.concatenate([np.full(best, 0.85), np.linspace(0.845, 0.70, k - best)])
    return table(drawn(n, skills, spread=0.03, seed=seed), [f"a{place + 1:03d}" for place in range(k)])


STORIES: dict[str, Callable[[], Comparison]] = {
    "Example benavoli2016": lambda: podium.compare(podium.example("benavoli2016")),
    "Example ulas2008": lambda: podium.compare(podium.example("ulas2008"), metric="accuracy"),
    "Demsar (2006), Table 6: AUC of four trees": lambda: podium.compare(DATA / "demsar2006.csv", metric="auc"),
    "A clear winner": lambda: podium.compare(table(CLEAR, NAMES[:5])),
    "A leader, and one still open": lambda: podium.compare(table(SOME_OPEN, NAMES[:5])),
    "Only a loser stands out": lambda: podium.compare(table(drawn(16, [0.853, 0.851, 0.85, 0.848, 0.79], seed=5), NAMES[:5])),
    "The leader is beaten": lambda: podium.compare(table(BEATEN, ("steady", "risky", "plain", "poor"))),
    "No difference": lambda: podium.compare(table(ALIKE, NAMES[:5])),
    "All together they differ, but no pair does": lambda: podium.compare(a_little_everywhere()),
    "One pair differs, but not all together": lambda: podium.compare(one_pair()),
    "All scores equal": lambda: podium.compare(table(np.full((8, 3), 0.7), NAMES[:3])),
    "Five datasets": lambda: podium.compare(table(CLEAR[:5], NAMES[:5])),
    "Two algorithms, clear": lambda: podium.compare(table(CLEAR[:, :2], NAMES[:2])),
    "Two algorithms, open": lambda: podium.compare(table(ALIKE[:, :2], NAMES[:2])),
    "Two algorithms, nearly all ties": lambda: podium.compare(table(np.column_stack([np.full(9, 0.8), [0.8] * 8 + [0.81]]), NAMES[:2])),
    "Two algorithms, many ties, small wins and rare large losses": lambda: podium.compare(table(rare_losses(), ("cautious", "plain"))),
    "Two models of the documentation": lambda: podium.compare(DATA / "two_models.csv", metric="accuracy"),
    "Two algorithms, lower error is better": lambda: podium.compare(table(np.round(1.8 - CLEAR[:, :2], 4), NAMES[:2], ERROR)),
    "Five algorithms, lower error is better": lambda: podium.compare(table(np.round(5 * (1 - SOME_OPEN), 4), NAMES[:5], ERROR)),
    "Five algorithms, AUC": lambda: podium.compare(table(SOME_OPEN, NAMES[:5], AUC)),
    "A metric without a name": lambda: podium.compare(table(SOME_OPEN, NAMES[:5], Metric(name="score", direction="higher"))),
    "A control that some beat": lambda: podium.compare(table(drawn(30, [0.88, 0.87, 0.84, 0.84, 0.78], seed=6), NAMES[:5]), control="nearest"),
    "A control that none beats": lambda: podium.compare(table(ALIKE, NAMES[:5]), control="bayes"),
    "A rope, two algorithms that are practically equivalent": lambda: podium.compare(table(drawn(40, [0.85, 0.851], spread=0.004, seed=7), NAMES[:2]), rope=0.01),
    "A rope, five algorithms": lambda: podium.compare(table(CLEAR, NAMES[:5]), rope=0.01),
    "A cost: training time": lambda: podium.compare(podium.example("ulas2008"), metric="accuracy", cost="training_time"),
    "A cost: space": lambda: podium.compare(podium.example("ulas2008"), metric="accuracy", cost="space"),
    "Many holes": lambda: podium.compare(table(with_holes(SOME_OPEN, 15), NAMES[:5])),
    "One dataset, 10 x 10 folds": lambda: podium.compare(folds([0.90, 0.87, 0.87], (10, 10))),
    "One dataset, 5 x 2 folds, two algorithms": lambda: podium.compare(folds([0.90, 0.895], (5, 2), seed=2)),
    "Forty algorithms": lambda: podium.compare(many(40, 60, 12, seed=8)),
    "One hundred and seventy-nine algorithms": lambda: podium.compare(many(179, 121, 20, seed=9)),
}  # fmt: skip


def written(title: str, found: Comparison) -> str:
    """One story: the verdict with its lists, and the remarks."""
    verdict = found.verdict
    parts = [f"## {title}", " ".join(verdict.sentences)]
    for head, sentences in (
        ("Significant differences:", verdict.pairs),
        ("What you cannot conclude:", verdict.not_implied),
    ):
        if sentences:
            parts += [head, "\n".join(f"- {sentence}" for sentence in sentences)]
    remarks = [f"- {remark.weight}, {remark.topic}: {remark.sentence}" for remark in found.remarks]
    return "\n\n".join([*parts, "Remarks:", "\n".join(remarks) or "No warning."])
