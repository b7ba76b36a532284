"""Every figure of the room, made from names and a seed: what holds for one must hold for all."""

import itertools
from dataclasses import replace

import numpy as np

from podium.cases.benchmarks import by_benchmark
from podium.cases.predictions import as_predictions
from podium.comparison.compare import compare
from podium.core.metric import Metric
from podium.core.quantity import Quantity
from podium.evidence.cases import Cases
from podium.evidence.table import Table
from podium.ordering._multitest import MultiTestResult
from podium.ordering.trade_off import TradeOff
from podium.plot._cd_diagram import cd_diagram, cd_stack
from podium.plot.cases import (
    agreement_matrix,
    benchmark_forest,
    discordance,
    pr_curves,
    roc_curves,
    score_intervals,
)
from podium.plot.costs import cost_plane_scene
from podium.plot.matrix import comparison_matrix
from podium.plot.ordering import order_graph, sort_steps
from podium.plot.pairs import forest, gaps, interval_rows
from podium.plot.ranks import rank_distribution, rank_intervals
from podium.plot.scene import box_of
from podium.plot.scores import heatmap, performance_profile, scatter
from podium.plot.sources import ranked
from podium.stats.posthoc.all_pairs import all_pairs
from podium.stats.posthoc.cliques import groups as groups_of
from podium.stats.posthoc.rank_intervals import RankIntervalsResult
from reference.groups import groups_from_pairs

HOSTILE = (
    "<script>alert(1)</script>",
    "A & B_%#",
    '=HYPERLINK("http://x")',
    "אלגוריתם מהיר",
    "خوارزمية",
    "\U0001f680 rocket \U0001f469\u200d\U0001f52c",
    "$x^2$ \\input{x} ~^{}",
    "very long " * 5 + "name " * 2,
    "算法",
    "a\u202eb\nc\x1b[31m",
    "--- ?` é ł ğ ß",
    "Ελλάδα α≤β±0.1",
    "]]> ' \" ` | <<",
    " ",
)


def long_names(k):
    """Names of up to 60 characters, all different."""
    return [f"{i} algorithm with a rather long name, of a variant with options"[: 12 + (i * 7) % 49] for i in range(k)]


def table(values, algorithms, datasets=None, metric=None):
    """A table of datasets by algorithms."""
    datasets = [f"dataset {i}" for i in range(len(values))] if datasets is None else datasets
    more = {} if metric is None else {"metric": metric}
    return Table(values=np.array(values, dtype=float), datasets=tuple(datasets), algorithms=tuple(algorithms), **more)


def case_outcomes(names, n=48, seed=0):
    """Outcomes of these algorithms on the same cases of three benchmarks."""
    rng = np.random.default_rng(seed)
    passed = rng.random((n, len(names))) * 0.6 + rng.random((n, 1)) * 0.4 < np.linspace(0.8, 0.5, len(names))
    return Cases(
        values=passed.astype(float),
        cases=tuple(f"case {i}" for i in range(n)),
        algorithms=tuple(names),
        metric=Metric(name="accuracy", direction="higher"),
        benchmarks=tuple(f"benchmark {i % 3}" for i in range(n)),
    )


def case_figures(names, seed):
    """The figures of algorithms on the same cases."""
    outcomes = case_outcomes(names, seed=seed)
    found = compare(replace(outcomes, benchmarks=()))
    truth = np.arange(48) % 3 == 0
    scores = truth[:, None] + np.random.default_rng(seed).normal(size=(48, min(len(names), 9)))
    predicted = compare(as_predictions(truth, dict(zip(names, scores.T, strict=False)), metric="auc"))
    return {
        "score_intervals": score_intervals(found).scene,
        "discordance": discordance(found).scene,
        "agreement_matrix": agreement_matrix(found).scene,
        "benchmark_forest": benchmark_forest(by_benchmark(outcomes, names[0], names[1])).scene,
        "roc_curves": roc_curves(predicted).scene,
        "pr_curves": pr_curves(predicted).scene,
    }


def ordering(prior, edges, order=None, steps=None):
    """An order by cost, as a result."""
    order = tuple(order or prior)
    return MultiTestResult(
        algorithms=tuple(prior),
        order=order,
        ranks=tuple(order.index(name) + 1 for name in prior),
        prior=tuple(prior),
        cost=tuple(range(len(prior))),
        edges=tuple(edges),
        steps=tuple(tuple(step) for step in steps or [(name,) for name in order]),
        better=np.zeros((len(prior), len(prior)), dtype=bool),
        cycles=(),
        equal_cost=(),
        test="none",
        alpha=0.05,
    )


def intervals(names, mean_ranks, low, high):
    """Rank intervals, as a result."""
    counts = np.zeros(len(names), dtype=int)
    return RankIntervalsResult(
        algorithms=tuple(names),
        low=np.array(low),
        high=np.array(high),
        better=counts,
        worse=counts,
        mean_ranks=np.array(mean_ranks, dtype=float),
        confidence=0.95,
        test="wilcoxon",
        correction="holm",
        method="exact",
    )


def overlapping_texts(scene):
    """Pairs of texts whose boxes overlap: none, in a good figure."""
    boxes = sorted(((box_of(text), text) for text in scene.texts), key=lambda item: item[0])
    pairs = []
    for i, (box, text) in enumerate(boxes):
        for other_box, other in boxes[i + 1 :]:
            if other_box[0] >= box[2] - 1e-9:
                break
            if min(box[3], other_box[3]) - max(box[1], other_box[1]) > 1e-9:
                pairs.append((text, other))
    return pairs


def outside(scene):
    """Shapes that leave the sheet: none, in a good figure."""
    slack = 1e-6
    found = []
    for shape in scene.shapes:
        left, top, right, bottom = box_of(shape)
        if left < -slack or top < -slack or right > scene.width + slack or bottom > scene.height + slack:
            found.append(shape)
    return found


def trade_off(names, costs, gaps, *, worse=None, low=None, high=None):
    """Score against cost, the first name being the best."""
    k, nan = len(names), float("nan")
    gaps = np.asarray(gaps, dtype=float) - gaps[0]
    return TradeOff(
        cost_name="time",
        mean="geometric mean",
        n_rows=9,
        on="9 datasets",
        reference=names[0],
        role="best",
        algorithms=tuple(names),
        score=tuple(0.9 - gaps),
        gap=tuple(gaps),
        low=tuple(gaps - 0.05 if low is None else low),
        high=tuple(gaps + 0.05 if high is None else high),
        adjusted=(nan, *(0.2,) * (k - 1)),
        worse=tuple([False] * k if worse is None else worse),
        cost=tuple(map(float, costs)),
        relative=tuple(np.asarray(costs, dtype=float) / costs[0]),
        relative_low=(nan,) * k,
        relative_high=(nan,) * k,
        cheaper_on=(0,) * k,
        confidence=0.95,
        alpha=0.05,
    )


def gallery(names, *, seed=0, n=12):
    """Name of figure -> scene, for these algorithms and random scores with ties and holes."""
    rng = np.random.default_rng(seed)
    names = list(names)
    k = len(names)
    scores = np.round(rng.normal(np.linspace(0.7, 0.8, k), 0.05, (n, k)), 2)
    means = table(scores, names).mean_ranks()
    pairs = list(itertools.combinations(range(k), 2))
    groups = [
        [names[i] for i in group]
        for group in groups_from_pairs(k, [(a, b) for a, b in pairs if abs(means[a] - means[b]) > k / 3])
    ]
    holes = np.where(rng.uniform(size=scores.shape) < 0.1, np.nan, scores)
    holes[0] = scores[0]
    costs, errors = np.exp(rng.normal(0, 2, k)), rng.uniform(0.1, 0.3, k)
    edges = [(names[a], names[b]) for a, b in pairs if rng.uniform() < 2 / k]
    order = ordering(names, edges, names[::-1], [names[i:] for i in range(k)])
    tested = all_pairs(table(scores, names))
    near = groups_of(means, critical_difference=k / 3, algorithms=names)
    return {
        "cd": cd_diagram(near, critical_difference=k / 3).scene,
        "cd axis": cd_diagram(ranked(means, names, groups=groups), form="axis").scene,
        "cd list": cd_diagram(ranked(means, names, groups=groups), form="list").scene,
        "cd control": cd_diagram(ranked(means, names, critical_difference=k / 4, control=names[0])).scene,
        "cd stack": cd_stack({"accuracy": near, "auc": near}).scene,
        "forest": forest(tested, most=40).scene,
        "gaps": gaps(compare(table(scores, names), direction="higher")).scene,
        "intervals": interval_rows(
            [f"{a} over {names[0]}" for a in names[:40]], [(0.1, 0.05, 0.2)] * min(k, 40)
        ).scene(),
        "matrix": comparison_matrix(tested).scene,
        "heat map": heatmap(table(holes, names)).scene,
        "rank distribution": rank_distribution(table(scores, names)).scene,
        "rank intervals": rank_intervals(intervals(names, np.arange(1, k + 1), np.ones(k), np.full(k, k))).scene,
        "scatter": scatter(table(holes, names), algorithms=(names[0], names[1])).scene,
        "profile": performance_profile(table(holes, names)).scene,
        "order graph": order_graph(order).scene,
        "sort steps": sort_steps(order).scene,
        "cost plane": cost_plane_scene(trade_off(names, costs, errors), Quantity(label="")),
        **case_figures(names, seed),
    }
