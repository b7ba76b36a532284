"""A small comparison with fixed numbers, and a large one: what the report room needs to know of a Comparison."""

from dataclasses import dataclass
from itertools import combinations
from types import SimpleNamespace

import numpy as np
import pandas as pd
from scipy.stats import rankdata, wilcoxon

from podium.core.metric import Metric
from podium.core.table import Table
from podium.plot.scene import Circle, Line, Scene, Text
from podium.report.document import FigureBlock

PLAIN = ("forest", "boosting", "svm", "nearest", "bayes")
HOSTILE = (
    "<script>alert(1)</script>",
    "A & B_%#",
    '=HYPERLINK("http://example.org")',
    "שלום 🙂",
    "[red]$x$</style>|`*_\u202egnp\n",
)


@dataclass
class Facts:
    n_algorithms: int
    n_datasets: int
    metric: str = "accuracy"
    direction: str = "higher"
    direction_assumed: bool = False
    holes: tuple = ()
    design: str = "one score per dataset and algorithm"
    control: str | None = None
    rope: float | None = None


@dataclass
class Ranked:
    algorithm: str
    mean_score: float
    median_score: float
    mean_rank: float
    rank_low: int
    rank_high: int
    wins: int
    ties: int
    losses: int
    group: str


def scores(n_datasets, n_algorithms):
    """Scores that fall from the first algorithm to the last, with a wobble that is the same everywhere."""
    i, j = np.ogrid[:n_datasets, :n_algorithms]
    wobble = 0.04 * np.sin(1.7 * i * (j + 1) + j) + 0.05 * np.cos(2.3 * i)
    return np.round(0.85 - 0.12 * j / max(n_algorithms - 1, 1) + wobble, 4)


def holm(pvalues):
    order = np.argsort(pvalues, kind="stable")
    adjusted = np.empty(len(pvalues))
    steps = (len(pvalues) - np.arange(len(pvalues))) * np.asarray(pvalues)[order]
    adjusted[order] = np.minimum(np.maximum.accumulate(steps), 1)
    return adjusted


def pairs_of(values, names, *, rope):
    first, second = np.array(list(combinations(range(len(names)), 2))).T
    differences = values[:, first] - values[:, second]
    pvalue = np.round(wilcoxon(differences, axis=0, method="approx").pvalue, 8)
    frame = pd.DataFrame(
        {
            "a": [names[i] for i in first],
            "b": [names[i] for i in second],
            "statistic": np.round(np.abs(differences).sum(axis=0), 6),
            "pvalue": pvalue,
            "adjusted": np.round(holm(pvalue), 8),
            "effect": np.round(np.median(differences, axis=0), 6),
            "low": np.round(np.quantile(differences, 0.1, axis=0), 6),
            "high": np.round(np.quantile(differences, 0.9, axis=0), 6),
            "wins": (differences > 0).sum(axis=0),
            "ties": (differences == 0).sum(axis=0),
            "losses": (differences < 0).sum(axis=0),
            "n": len(values),
        }
    )
    if rope:
        frame["p_left"], frame["p_rope"], frame["p_right"] = 0.7, 0.2, 0.1
    return frame


def ranking_of(values, names, frame, alpha):
    ranks = rankdata(-values, axis=1).mean(axis=0)
    better = dict.fromkeys(names, 0)
    worse = dict.fromkeys(names, 0)
    for row in frame[frame["adjusted"] <= alpha].itertuples():
        up, down = (row.a, row.b) if row.effect > 0 else (row.b, row.a)
        better[down] += 1
        worse[up] += 1
    return tuple(
        Ranked(
            algorithm=names[j],
            mean_score=float(values[:, j].mean()),
            median_score=float(np.median(values[:, j])),
            mean_rank=float(ranks[j]),
            rank_low=1 + better[names[j]],
            rank_high=len(names) - worse[names[j]],
            wins=worse[names[j]],
            ties=len(names) - 1 - worse[names[j]] - better[names[j]],
            losses=better[names[j]],
            group="".join(letter for letter, group in (("a", names[:3]), ("b", names[2:])) if names[j] in group),
        )
        for j in np.argsort(ranks, kind="stable")
    )


def comparison(names=PLAIN, *, n_datasets=24, rope=False):
    """What looks like a Comparison, of these algorithms."""
    alpha = 0.05
    values = scores(n_datasets, len(names))
    frame = pairs_of(values, names, rope=rope)
    ranking = ranking_of(values, names, frame, alpha)
    best, last = ranking[0].algorithm, ranking[-1].algorithm
    return SimpleNamespace(
        facts=Facts(n_algorithms=len(names), n_datasets=n_datasets),
        choices=(
            SimpleChoice("test", "wilcoxon", "Two scores per dataset are paired, and nothing speaks for normality."),
            SimpleChoice("correction", "holm", "The pairs are one family; Holm assumes nothing about them."),
        ),
        table=Table(
            values=values,
            datasets=tuple(f"data {i + 1}" for i in range(n_datasets)),
            algorithms=tuple(names),
            metric=Metric(name="accuracy", direction="higher"),
        ),
        ranking=ranking,
        omnibus=None,
        beside=(),
        pairs=frame,
        groups=(tuple(names[:3]), tuple(names[2:])),
        cost_order=None,
        remarks=(
            Remark("pool", "With other algorithms in the pool the mean ranks would differ.", "note"),
            Remark("power", f"A difference below 0.01 between {best} and {last} could be missed.", "warning"),
        ),
        verdict=(f"{best} is better than {last}.",),
        does_not_follow=("That algorithms in one group are equal.",),
        settings={"metric": "accuracy", "alpha": alpha, "correction": "holm", "control": None},
        methods_paragraph="All pairs are compared by Wilcoxon's test [@demsar2006], not by mean ranks [@benavoli2016].",
        references=("demsar2006", "benavoli2016"),
        alpha=alpha,
    )


@dataclass
class SimpleChoice:
    question: str
    answer: str
    because: str


@dataclass
class Remark:
    topic: str
    sentence: str
    weight: str


def figure(names=PLAIN, *, key="diagram"):
    """A figure of one dot and one name per algorithm."""
    shapes = [Line(10, 10, 290, 10)]
    for index, name in enumerate(names):
        y = 30 + 14 * index
        shapes += [Circle(20, y, 3, fill="blue", key=name, title=name), Text(30, y, name, key=name)]
    height = 40 + 14 * len(names)
    scene = Scene(width=300, height=height, shapes=tuple(shapes), title="Groups", description="The groups.")
    return FigureBlock(
        key=key, scene=scene, caption="Groups that are not told apart.", alt="One line per algorithm.", told=True
    )
