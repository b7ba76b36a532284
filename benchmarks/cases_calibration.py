"""How often the intervals of the cases room cover the truth, and how often all its pairs together alarm falsely.

python benchmarks/cases_calibration.py > docs/data/cases_calibration.csv
python benchmarks/cases_calibration.py weakest             # rows of the families that alarm most, from more data sets
python benchmarks/cases_calibration.py metric NAME DRAWS   # rows of one metric of predictions, from more data sets

Every row is one design: what was measured ("own": the interval of one score, "pair": of a difference, "family": the share of
data sets with a false decision at 5%), by what, on how many cases, and the share with its standard error. Pass or fail is
enumerated, all else simulated.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from scipy.special import ndtr
from scipy.stats import binom

from podium.cases import influence
from podium.cases._all_pairs import all_pairs
from podium.cases.binary import bonett_price, normal_quantile, wilson
from podium.cases.pair_kernels import count_pairs, delong_pairs, influence_pairs, mean_pairs
from podium.cases.predictions import as_predictions, pairs_of_predictions
from podium.cases.registry import METRICS
from podium.cases.single import score_intervals
from podium.core.metric import Metric
from podium.evidence.cases import Cases

TABLE = Path(__file__).parents[1] / "docs" / "data" / "cases_calibration.csv"
SIZES = (8, 20, 50, 200)
LEVEL = 0.05
Row = tuple[str, str, str, int, float, float, int]
HEAD = "what,kind,design,n,share,se,draws"
COUNTS = ("f1", "mcc", "kappa", "balanced_accuracy", "recall", "specificity", "precision", "macro_f1")


def row(what: str, kind: str, design: str, n: int, hits: Any) -> Row:
    share = float(np.mean(hits))
    return what, kind, design, n, share, float(np.sqrt(share * (1 - share) / len(hits))), len(hits)


def exact(what: str, kind: str, design: str, n: int, share: float) -> Row:
    return what, kind, design, n, share, 0.0, 0


def cases_of(values: Any, *, kind: str = "", clusters: Any = (), benchmarks: Any = (), **more: Any) -> Cases:
    n, k = values.shape
    return Cases(
        values=values,
        cases=tuple(map(str, range(n))),
        algorithms=tuple(map(str, range(k))),
        metric=Metric(name="score", direction="higher"),
        kind=kind,
        clusters=tuple(map(str, clusters)),
        benchmarks=tuple(map(str, benchmarks)),
        **more,
    )


def pairs_of(draws: int) -> tuple[Any, Any]:
    """Every two columns that follow each other are one pair."""
    return np.arange(0, 2 * draws, 2), np.arange(1, 2 * draws, 2)


def covered(ends: Any, truth: float) -> Any:
    return (ends[0] <= truth + 1e-12) & (ends[1] >= truth - 1e-12)


# Pass or fail: all tables.


def own_pass_fail() -> Iterator[Row]:
    for n in SIZES:
        x = np.arange(n + 1)
        for accuracy in (0.5, 0.8, 0.9, 0.98):
            inside = covered(wilson(x, n, normal_quantile(1 - LEVEL)), accuracy)
            yield exact(
                "own", "pass or fail", f"accuracy {accuracy}", n, float(binom.pmf(x, n, accuracy)[inside].sum())
            )


def pair_pass_fail() -> Iterator[Row]:
    for n in SIZES:
        b, c = (grid.ravel() for grid in np.meshgrid(np.arange(n + 1), np.arange(n + 1), indexing="ij"))
        b, c = b[b + c <= n], c[b + c <= n]
        low, high = bonett_price(b, c, n, normal_quantile(1 - LEVEL))
        for apart in (0.02, 0.1, 0.2, 0.3, 0.7):
            for share in (0.5, 0.75, 1.0):
                chance = binom.pmf(b + c, n, apart) * binom.pmf(b, b + c, share)
                inside = covered((low, high), apart * (2 * share - 1))
                yield exact(
                    "pair", "pass or fail", f"discordant {apart}, {share} for a", n, float(chance[inside].sum())
                )


# Numbers.

SHAPES: dict[str, Callable[[Any, Any], Any]] = {
    "normal": lambda rng, size: rng.normal(0.2, 1, size),
    "heavy tails": lambda rng, size: rng.standard_t(3, size),
    "exponential": lambda rng, size: rng.exponential(1, size) - 1,
    "log-normal": lambda rng, size: np.exp(rng.normal(0, 0.75, size)) - np.exp(0.28125),
}
MEANS = {"normal": 0.2}


def numeric(draws: int, rng: np.random.Generator) -> Iterator[Row]:
    for n in SIZES:
        for name, draw in SHAPES.items():
            d = draw(rng, (n, draws))
            truth = MEANS.get(name, 0.0)
            _, low, high = score_intervals(cases_of(d, kind="numeric"))
            yield row("own", "numbers", name, n, covered((low, high), truth))
            values = np.zeros((n, 2 * draws))
            values[:, ::2] = d
            found = mean_pairs(cases_of(values, kind="numeric"), *pairs_of(draws), macro=False)
            yield row("pair", "numbers", f"differences {name}", n, covered(found.ends(LEVEL), truth))


def sampled(draws: int, rng: np.random.Generator) -> Iterator[Row]:
    """Five samples of each case; the chance of a case is Beta around the accuracy, shared by both in part."""
    for n in SIZES:
        for accuracy, gain in ((0.5, 0.0), (0.5, 0.1), (0.9, 0.0), (0.9, 0.05), (0.98, 0.0), (0.98, 0.01)):
            spread = 2.0
            chance = rng.beta(spread * accuracy, spread * (1 - accuracy), (n, draws))
            worse = np.clip(chance * (1 - gain / accuracy), 0, 1)
            samples = np.stack(
                [rng.random((n, draws, 5)) < chance[..., None], rng.random((n, draws, 5)) < worse[..., None]]
            )
            means = samples.mean(axis=-1)
            values = np.empty((n, 2 * draws))
            values[:, ::2], values[:, 1::2] = means
            found = mean_pairs(cases_of(values, kind="bounded"), *pairs_of(draws), macro=False)
            design = f"5 samples, accuracy {accuracy}, gain {gain}"
            yield row("pair", "samples", design, n, covered(found.ends(LEVEL), gain))
            one = cases_of(means[0], kind="bounded", samples=samples[0].astype(float))
            _, low, high = score_intervals(one)
            yield row("own", "samples", f"5 samples, accuracy {accuracy}", n, covered((low, high), accuracy))


def cluster_sizes(groups: int, rng: np.random.Generator) -> Any:
    return np.maximum(1, np.round(np.exp(rng.normal(1.5, 0.6, groups)))).astype(int)


def clustered(draws: int, rng: np.random.Generator) -> Iterator[Row]:
    for groups in (5, 10, 30):
        for icc in (0.0, 0.2, 0.8):
            hits: dict[str, list[Any]] = {"numbers": [], "pass or fail": [], "own": []}
            for _ in range(20):  # layouts
                sizes = cluster_sizes(groups, rng)
                cluster = np.repeat(np.arange(groups), sizes)
                n, some = len(cluster), draws // 20
                shared = rng.normal(size=(groups, some))[cluster] * np.sqrt(icc)
                d = shared + rng.normal(size=(n, some)) * np.sqrt(1 - icc)
                values = np.zeros((n, 2 * some))
                values[:, ::2] = d
                found = mean_pairs(cases_of(values, kind="numeric", clusters=cluster), *pairs_of(some), macro=False)
                hits["numbers"].append(covered(found.ends(LEVEL), 0.0))
                u = np.sqrt(icc) * rng.normal(size=(groups, 2 * some))[cluster] + np.sqrt(1 - icc) * rng.normal(
                    size=(n, 2 * some)
                )
                passed = (ndtr(u) < 0.75).astype(float)
                data = cases_of(passed, kind="pass_fail", clusters=cluster)
                hits["pass or fail"].append(covered(mean_pairs(data, *pairs_of(some), macro=False).ends(LEVEL), 0.0))
                _, low, high = score_intervals(data)
                hits["own"].append(covered((low, high), 0.75))
            for kind, found in hits.items():
                what = "own" if kind == "own" else "pair"
                told = "pass or fail" if kind == "own" else kind
                yield row(what, f"clusters, {told}", f"within-cluster correlation {icc}", groups, np.concatenate(found))


def benchmarks(draws: int, rng: np.random.Generator) -> Iterator[Row]:
    layouts = {
        "8, 50, 500": (8, 50, 500),
        "10, 10, 10": (10,) * 3,
        "5, 5, 200, 1000": (5, 5, 200, 1000),
        "8 of 30": (30,) * 8,
    }
    for name, sizes in layouts.items():
        place = np.repeat(np.arange(len(sizes)), sizes)
        some = min(draws, 1000)
        for shape in ("normal", "exponential"):
            truth = MEANS.get(shape, 0.0)
            values = np.zeros((len(place), 2 * some))
            values[:, ::2] = SHAPES[shape](rng, (len(place), some))
            found = mean_pairs(cases_of(values, kind="numeric", benchmarks=place), *pairs_of(some), macro=True)
            yield row(
                "pair", "mean over benchmarks", f"{name} cases, {shape}", min(sizes), covered(found.ends(LEVEL), truth)
            )
        chance = rng.uniform(0.6, 0.9, len(sizes))
        passed = (rng.random((len(place), 2 * some)) < chance[place][:, None]).astype(float)
        data = cases_of(passed, kind="pass_fail", benchmarks=place)
        found = mean_pairs(data, *pairs_of(some), macro=True)
        yield row(
            "pair", "mean over benchmarks", f"{name} cases, pass or fail", min(sizes), covered(found.ends(LEVEL), 0.0)
        )
        _, low, high = score_intervals(cases_of(passed[:, :some], kind="pass_fail", benchmarks=place), macro=True)
        yield row(
            "own",
            "mean over benchmarks",
            f"{name} cases, pass or fail",
            min(sizes),
            covered((low, high), float(chance.mean())),
        )


# Metrics of predictions.


def latent(truth: Any, k: int, rng: np.random.Generator, *, shift: Any, correlation: float) -> Any:
    """Scores of k algorithms: a shared and an own part, higher for positives."""
    shared = rng.normal(size=(len(truth), k // 2)).repeat(2, axis=1) if k > 1 else rng.normal(size=(len(truth), 1))
    own = rng.normal(size=(len(truth), k))
    return np.sqrt(correlation) * shared + np.sqrt(1 - correlation) * own + np.asarray(shift) * truth[:, None]


def classes(n: int, share: float) -> Any:
    return np.arange(n) < max(round(share * n), 2)


def labels_of(scores: Any, shift: float) -> Any:
    return (scores > shift / 2).astype(np.intp)


def metric_truth(name: str, share: float, shifts: tuple[float, float]) -> tuple[float, float]:
    """The metric of the two on very many cases."""
    rng, n = np.random.default_rng(99), 400_000
    truth = classes(n, share)
    scores = np.column_stack([latent(truth, 1, rng, shift=shift, correlation=0.0)[:, 0] for shift in shifts])
    if METRICS[name].needs == "labels":
        counts = influence.counts_of(truth.astype(np.intp), labels_of(scores, 1.2), 2)
        found = METRICS[name].function()(counts, 1)
    else:
        found = METRICS[name].function()(truth, scores).score
    return float(found[0]), float(found[1])


def predicted(
    draws: int, rng: np.random.Generator, names: tuple[str, ...] = ("auc", "average_precision", *COUNTS)
) -> Iterator[Row]:
    designs = [
        (share, shifts, rho) for share in (0.5, 0.2) for shifts in ((1.2, 1.2), (1.8, 1.2)) for rho in (0.5, 0.9)
    ]
    for name in names:
        some = min(draws, 500) if name == "average_precision" else draws
        for share, shifts, rho in designs:
            true = metric_truth(name, share, shifts)
            for n in SIZES:
                truth = classes(n, share)
                scores = latent(truth, 2 * some, rng, shift=np.tile(shifts, some), correlation=rho)
                design = (
                    f"{share:.0%} positive, {'equal' if shifts[0] == shifts[1] else 'different'}, correlation {rho}"
                )
                ends, own = metric_ends(name, truth, scores, some)
                yield row("pair", name, design, n, covered(ends, true[0] - true[1]))
                yield row("own", name, design, n, covered(own, true[0]))


def metric_ends(name: str, truth: Any, scores: Any, some: int) -> tuple[Any, Any]:
    """The intervals of the differences, and those of the first of each pair."""
    known, pairs = METRICS[name], pairs_of(some)
    if known.needs == "labels":
        labels = labels_of(scores, 1.2)
        given = as_predictions(truth.astype(int), labels, metric=name)
        found = count_pairs(lambda counts: known.function()(counts, 1), truth, labels == truth[:, None], *pairs)
        cases = given.to_cases()
    else:
        given = as_predictions(truth.astype(int), scores, metric=name)
        cases = given.to_cases()
        placed = influence.placements(truth, scores) if name == "auc" else None
        found = influence_pairs(cases, *pairs) if placed is None else delong_pairs(placed, truth, *pairs)
    _, low, high = score_intervals(cases.select(cases.algorithms[: 2 * some : 2]))
    return found.ends(LEVEL), (low, high)


def regression(draws: int, rng: np.random.Generator) -> Iterator[Row]:
    """RMSE and R2 of two that err alike, or differently; the truth is drawn again for every ten."""
    some = 10
    for n in SIZES:
        for spread in (1.0, 1.4):
            for name in ("rmse", "r2"):
                true = {"rmse": (spread, 1.0), "r2": (1 - spread**2 / 4, 1 - 1 / 4)}[name]
                hits, owns = [], []
                for _ in range(draws // some):
                    truth = rng.normal(0, 2, n)
                    shared = rng.normal(size=(n, some)).repeat(2, axis=1)
                    errors = (np.sqrt(0.5) * shared + np.sqrt(0.5) * rng.normal(size=(n, 2 * some))) * np.tile(
                        (spread, 1.0), some
                    )
                    cases = as_predictions(truth, truth[:, None] + errors, metric=name).to_cases()
                    sign = cases.metric.sign
                    found = influence_pairs(cases, *pairs_of(some))
                    hits.append(covered(found.ends(LEVEL), sign * (true[0] - true[1])))
                    _, low, high = score_intervals(cases.select(cases.algorithms[::2]))
                    owns.append(covered((low, high), true[0]))
                told = "equal" if spread == 1 else "different"
                yield row("pair", name, told, n, np.concatenate(hits))
                yield row("own", name, told, n, np.concatenate(owns))


# Families.


def false_decisions(found: Any, scores: Any) -> bool:
    """Whether some pair is decided that is equal, or the wrong way round."""
    gap = np.asarray(scores)[found.first] - np.asarray(scores)[found.second]
    decided = found.adjusted <= LEVEL
    return bool((decided & ((gap == 0) | (np.sign(gap) != found.side))).any())


Alarm = Callable[[np.random.Generator], bool]


def family_designs(flips: int = 999) -> Iterator[tuple[str, str, int, int, Alarm]]:
    """Kind, design, number of cases, into how many parts the data sets are cut because each takes long, and one data set."""
    for k in (2, 6, 30):
        for partial in (False, True):
            half = np.where(np.arange(k) < k // 2, 1.0, 0.0) if partial else np.zeros(k)
            told = f"k = {k}, {'half better' if partial else 'all equal'}"
            cut = 1 if k < 30 else 2
            for n in (8, 30, 200):
                yield "pass or fail", told, n, cut, lambda rng, n=n, half=half: _pass_fail_alarm(n, half, rng, flips)
                for shape in ("normal", "exponential"):
                    yield (
                        f"numbers, {shape}",
                        told,
                        n,
                        cut,
                        lambda rng, n=n, half=half, shape=shape: _numeric_alarm(n, half, shape, rng, flips),
                    )
            for groups in (5, 10, 30):
                yield (
                    "clusters, pass or fail",
                    told,
                    groups,
                    cut,
                    lambda rng, n=groups, half=half: _cluster_alarm(n, half, rng, flips),
                )
            for share in (0.5, 0.1):
                for n in (30, 100, 300):
                    for name in ("auc", "f1", "average_precision"):
                        yield (
                            name,
                            f"{told}, {share:.0%} positive",
                            n,
                            cut if k < 30 or name == "auc" else 2 * cut,
                            lambda rng, name=name, n=n, share=share, half=half: _metric_alarm(
                                name, n, share, half, rng, flips
                            ),
                        )


def families(draws: int, rng: np.random.Generator, flips: int = 999) -> Iterator[Row]:
    for kind, told, n, cut, alarm in family_designs(flips):
        yield row("family", kind, told, n, [alarm(rng) for _ in range(draws // cut)])


def weakest(draws: int = 4500, least: float = 0.05) -> Iterator[Row]:
    """The families that alarmed falsely more often than this in the table, again on more data sets: 3 se are then a point."""
    import csv

    with TABLE.open(encoding="utf-8") as table:
        high = {
            (each["kind"], each["design"], int(each["n"]))
            for each in csv.DictReader(table)
            if each["what"] == "family" and float(each["share"]) > least
        }
    for place, (kind, told, n, _, alarm) in enumerate(family_designs()):
        if (kind, told, n) in high:
            rng = np.random.default_rng([22, place])
            yield row("family", kind, told, n, [alarm(rng) for _ in range(draws)])


def _pass_fail_alarm(n: int, half: Any, rng: Any, flips: int) -> bool:
    chance = 0.6 + 0.3 * half
    shared = rng.normal(size=(n, 1)) * np.sqrt(0.5)
    passed = ndtr(shared + np.sqrt(0.5) * rng.normal(size=(n, len(half)))) < chance
    return false_decisions(all_pairs(cases_of(passed.astype(float), kind="pass_fail"), draws=flips, rng=rng), half)


def _numeric_alarm(n: int, half: Any, shape: str, rng: Any, flips: int) -> bool:
    """Equal means, but in the skewed case half of the equal ones are normal: the differences are skewed."""
    values = rng.normal(size=(n, len(half)))
    if shape == "exponential":
        values[:, ::2] = rng.exponential(size=values[:, ::2].shape) - 1
    return false_decisions(all_pairs(cases_of(values + half, kind="numeric"), draws=flips, rng=rng), half)


def _cluster_alarm(groups: int, half: Any, rng: Any, flips: int) -> bool:
    cluster = np.repeat(np.arange(groups), cluster_sizes(groups, rng))
    shared = rng.normal(size=(groups, len(half)))[cluster] * np.sqrt(0.3)
    passed = ndtr(shared + np.sqrt(0.7) * rng.normal(size=(len(cluster), len(half)))) < 0.6 + 0.3 * half
    data = cases_of(passed.astype(float), kind="pass_fail", clusters=cluster)
    return false_decisions(all_pairs(data, draws=flips, rng=rng), half)


def _metric_alarm(name: str, n: int, share: float, half: Any, rng: Any, flips: int) -> bool:
    truth = classes(n, share)
    shared = rng.normal(size=(n, 1)) * np.sqrt(0.5)
    scores = shared + np.sqrt(0.5) * rng.normal(size=(n, len(half))) + (1.2 + 0.6 * half) * truth[:, None]
    columns = labels_of(scores, 1.2) if METRICS[name].needs == "labels" else scores
    given = as_predictions(truth.astype(int), columns, metric=name)
    found = pairs_of_predictions(given.to_cases(), draws=flips, rng=rng, confidence=0.95, intervals="each")
    return false_decisions(found, half)


def everything(draws: int, family_draws: int, rng: np.random.Generator) -> Iterator[Row]:
    yield from own_pass_fail()
    yield from pair_pass_fail()
    for part in (numeric, sampled, clustered, benchmarks, predicted, regression):
        yield from part(draws, rng)
    if family_draws:
        yield from families(family_draws, rng)


def main(draws: int = 4000, family_draws: int = 1000) -> None:
    print(HEAD)
    show(everything(draws, family_draws, np.random.default_rng(22)))


def show(rows: Iterator[Row]) -> None:
    for what, kind, design, n, share, error, made in rows:
        print(f'{what},"{kind}","{design}",{n},{share:.4f},{error:.4f},{made}', flush=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["weakest"]:
        show(weakest(*map(int, sys.argv[2:])))
    elif sys.argv[1:2] == ["metric"]:  # one metric of predictions, on more data sets
        show(predicted(int(sys.argv[3]), np.random.default_rng(22), names=(sys.argv[2],)))
    else:
        main(*map(int, sys.argv[1:]))
