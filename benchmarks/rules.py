"""The error rates of rules that replaced others, before and after, on laws that are hard on them; se are standard errors.

python benchmarks/rules.py > docs/data/rules.csv       # all of them, about a quarter of an hour
python benchmarks/rules.py gate macro                  # some of them, without the head
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd
from scipy import stats
from scipy.special import ndtr

if __name__ == "__main__":  # its own folder has modules with the names of rooms of tests
    sys.path[0] = str(Path(__file__).parents[1] / "tests")

import bayes.test_bradley_terry as bradley_terry_designs
import cases.test_anytime as stop_designs
import cases.test_auc as auc_designs
import cases.test_macro_means as macro_designs
import cases.test_skew as skew_designs
import comparison.test_copies as copies_designs
import comparison.test_symmetry as symmetric_designs
import planning.test_formulas as plan_designs
import runs.test_skewed_runs as runs_designs
from podium.bayes._bradley_terry import _chains, counted_results, results_of
from podium.cases._all_pairs import all_pairs
from podium.cases.anytime import e_value
from podium.cases.binary import bonett_price, wilson
from podium.cases.clusters import mean_of_cases
from podium.cases.family import flip_family
from podium.cases.influence import placements
from podium.cases.planning import affordable, cases_needed, detectable_by_counts, mcnemar_power, minimum_detectable
from podium.cases.single import score_intervals
from podium.comparison.compare import compare
from podium.comparison.symmetry import CLEARLY, symmetry_pvalue
from podium.core.arrays import Floats
from podium.core.pairs import pair_indices
from podium.evidence.cases import Groups, as_cases
from podium.evidence.table import as_table
from podium.planning.cases import mcnemar_cases, plan
from podium.planning.detectable import detectable_difference, detectable_effect, typical_spread
from podium.runs.kernels import median_interval, stratified_spread, t_interval
from podium.stats.posthoc.all_pairs import all_pairs as over_datasets

HEAD = "what,design,n,before,after,se,draws"
Row = tuple[str, str, str, float, float, int]


def gate(draws: int = 4000) -> Iterator[Row]:
    """False answers of the gate of numbers on the worse side: one-sided t bounds, and the rule that allows for skew."""
    for law in skew_designs.LAWS:
        for n in (60, 100, 200):
            rng = np.random.default_rng(n)
            after = skew_designs.worst_tail(law, n, draws, rng)
            rows = skew_designs.LAWS[law](rng, (draws, n))
            p = stats.ttest_1samp(rows, 0.0, axis=1, alternative="greater").pvalue
            before = max(float((p < 0.05).mean()), float((p > 0.95).mean()))
            yield "gate of numbers", law, str(n), before, after, draws


def known_range(draws: int = 4000) -> Iterator[Row]:
    """False "not worse" at a drop by the margin, of differences within a known range: Student's bound, and Gaffke's."""
    for law, loss in skew_designs.LOSSES.items():
        for n in (60, 200):
            after = skew_designs.false_passes(law, n, draws, np.random.default_rng(n))
            rows = skew_designs.BOUNDED[law](np.random.default_rng(n), (draws, n)) + loss
            error = rows.std(axis=1, ddof=1) / np.sqrt(n)
            before = float((rows.mean(axis=1) > stats.t(n - 1).ppf(0.95) * error).mean())
            yield "gate of a known range", law, str(n), before, after, draws


def pairs(draws: int = 6000) -> Iterator[Row]:
    """Two equal algorithms told apart by numbers on cases, two-sided: Student's t, and the rule that allows for skew."""
    for law in skew_designs.LAWS:
        for n in (10, 30, 100):
            rows = skew_designs.LAWS[law](np.random.default_rng(n), (draws, n))
            before = float((stats.ttest_1samp(rows, 0.0, axis=1).pvalue <= 0.05).mean())
            after = float((skew_designs.unknown(rows).pvalue() <= 0.05).mean())
            yield "numbers on cases", law, str(n), before, after, draws


def macro(draws: int = 300, k: int = 7) -> Iterator[Row]:
    """Seven algorithms with the same mean over benchmarks, some told apart: sign flips, and the hybrid with Holm."""
    for design, (sizes, effects) in macro_designs.DESIGNS.items():
        place = np.repeat(np.arange(len(sizes)), sizes)
        weights = Groups(cluster=np.arange(len(place)), benchmark=place, macro=True).counted[:, None]
        rng, found = np.random.default_rng(k), np.zeros(2)
        for _ in range(draws):
            chance = 0.55 + np.array(effects)[:, None] * np.where(np.arange(k) % 2, 1, -1) * rng.uniform(0.5, 1, k)
            noise = np.sqrt(0.4) * rng.normal(size=(len(place), 1)) + np.sqrt(0.6) * rng.normal(size=(len(place), k))
            passed = (ndtr(noise) < chance[place]).astype(float)
            flips = flip_family(passed * weights, *pair_indices(k), draws=499, rng=rng)
            new = all_pairs(as_cases(passed, benchmarks=place))
            found += [(flips.adjusted <= 0.05).any(), (new.adjusted <= 0.05).any()]
        yield "mean over benchmarks", f"{design}, effects cancel", "", *(found / draws), draws


def pilots(draws: int = 400) -> Iterator[Row]:
    """Ranges of plans that hold the right number: by the kurtosis of the pilot, and by the rule for means of skewed numbers."""
    counts = {"pass or fail, 20% apart": (lambda rng, n: (rng.random(n) < 0.2) * rng.choice([-1.0, 1.0], n), 1.0)}
    for law, (draw, variance) in {**counts, **plan_designs.PILOTS}.items():
        for n in (40, 160):
            rng, counted = np.random.default_rng(n), "pass" in law
            values = [draw(rng, n) / np.sqrt(variance) for _ in range(draws)]
            plans = [
                plan({"a": (d > 0) * 1.0, "b": (d < 0) * 1.0} if counted else {"a": d, "b": 0 * d}, difference=0.1)
                for d in values
            ]
            right = (
                mcnemar_cases(0.2, 0.1, target_power=0.8, alpha=0.05)[0]
                if counted
                else cases_needed(0.1, between=1.0).cases
            )
            held = np.mean([design.low <= right <= design.high for one in plans for design in one.designs])
            df = 2 / (2 / (n - 1) + np.maximum(stats.kurtosis(values, axis=1, bias=False), -1.9) / n)
            seen = df * np.var(values, axis=1, ddof=1) / (0.19 if counted else 1.0)  # by the true variance
            before = np.mean((stats.chi2.ppf(0.1, df) <= seen) & (seen <= stats.chi2.ppf(0.9, df)))
            yield "range of plans", law, str(n), float(before), float(held), draws


def auc(draws: int = 1000) -> Iterator[Row]:
    """95% intervals near 1 that miss: of differences DeLong's, and their outer ends with score intervals; of one AUC Wilson's
    interval of so many cases as DeLong's variance speaks of, and the score interval.
    """
    for law in auc_designs.LAWS:
        shifts = (2.6, 1.8) if law == "uniform" else (2.9, 2.3)
        for sizes in ((5, 95), (20, 80), (100, 900)):
            after = auc_designs.cover(law, shifts, sizes, draws, np.random.default_rng(sizes[0]))
            before = _delong(law, shifts, sizes, draws, np.random.default_rng(sizes[0]))
            for what, was, now in zip(("AUC near 1", "single AUC near 1"), before, after, strict=True):
                yield what, law, f"{sizes[0]} + {sizes[1]}", was, 1 - now, draws


def _delong(
    law: str, shifts: tuple[float, float], sizes: tuple[int, int], draws: int, rng: np.random.Generator
) -> tuple[float, float]:
    """How often DeLong's variance alone misses, with degrees of freedom by class: the difference, and the first AUC."""
    positives = auc_designs.LAWS[law]
    zero = positives if law in ("exponential", "uniform") else auc_designs.LAWS["binormal"]
    background = np.sort(zero(rng, 200_000, 0.0))
    true = [float(np.searchsorted(background, positives(rng, 200_000, shift)).mean()) / 200_000 for shift in shifts]
    truth, missed, single = np.arange(sum(sizes)) < sizes[0], 0, 0
    for _ in range(draws):
        scores = [np.concatenate([positives(rng, sizes[0], s), zero(rng, sizes[1], 0.0)]) for s in shifts]
        placed = placements(truth, np.stack(scores, axis=1))
        sides = placed[truth], placed[~truth]
        error, df = _by_class([side[:, 0] - side[:, 1] for side in sides])
        half = stats.t(df).ppf(0.975) * error
        missed += abs((placed[truth, 0] - placed[truth, 1]).mean() - (true[0] - true[1])) > half
        error, df = _by_class([side[:, 0] for side in sides])
        value, rarest, most = float(placed[truth, 0].mean()), min(sizes), 4.0 * sum(sizes)
        size = np.clip(value * (1 - value) / error**2, rarest, most) if error > 0 else rarest
        low, high = wilson(value * size, size, stats.t(df).ppf(0.975))
        single += not low <= true[0] <= high
    return missed / draws, single / draws


def _by_class(sides: list[Floats]) -> tuple[float, float]:
    """The standard error of a sum of two means, and its degrees of freedom."""
    shares = np.array([side.var(ddof=1) / len(side) for side in sides])
    df = shares.sum() ** 2 / max((shares**2 / [len(side) - 1 for side in sides]).sum(), 1e-300)
    return float(np.sqrt(shares.sum())), max(float(df), 1.0)


def bradley_terry(draws: int = 150) -> Iterator[Row]:
    """95% intervals of P(a beats b) on a dataset that miss it, the worst pair: every result counts as one, and as 3 / (k + 1)."""
    for k, n, families in ((3, 30, None), (5, 10, None), (10, 30, None), (4, 100, None), (6, 60, (0, 0, 1, 1, 2, 2))):
        strengths = np.zeros(k) if families else np.linspace(0, 1.2, k)
        truth = 1 / (1 + np.exp(strengths[None, :] - strengths[:, None]))
        first, second = pair_indices(k)
        rng, missed = np.random.default_rng(k), np.zeros((2, len(first)))
        for _ in range(draws):
            _, results = results_of(bradley_terry_designs.ranked(strengths, n, rng, 1.5, families))
            weighted = counted_results(results)
            for row, wins in enumerate((weighted * (k + 1) / 3, weighted)):
                ability = _chains(wins, 800, rng, None).reshape(-1, k + 1)[:, 1:]  # the first column is the spread
                beats = 1 / (1 + np.exp(ability[:, second] - ability[:, first]))
                low, high = np.quantile(beats, [0.025, 0.975], axis=0)
                missed[row] += (truth[first, second] < low) | (truth[first, second] > high)
        design = (
            "families that rise and fall together, all equal" if families else f"{k} algorithms, strengths 0 to 1.2"
        )
        yield "Bradley-Terry", design, str(n), *(missed.max(axis=1) / draws), draws


def symmetry(draws: int = 2000) -> Iterator[Row]:
    """Symmetric differences that are called clearly skewed: Miao, Gel and Gastwirth's test at 0.01, and triples at 0.001."""
    for law, make in symmetric_designs.SYMMETRIC.items():
        for n in (15, 50):
            rows = make(np.random.default_rng(n), (draws, n))
            centre = np.median(rows, axis=1)
            scale = np.sqrt(np.pi / 2) * np.abs(rows - centre[:, None]).mean(axis=1)
            z = np.sqrt(n) * (rows.mean(axis=1) - centre) / np.where(scale > 0, scale, 1) / np.sqrt(np.pi / 2 - 1)
            after = np.mean([symmetry_pvalue(row) <= CLEARLY for row in rows])
            yield "clearly skewed", law, str(n), float((2 * ndtr(-np.abs(z)) <= 0.01).mean()), float(after), draws


def runs(draws: int = 3000) -> Iterator[Row]:
    """95% intervals of the mean over tasks of one agent that miss it: Student's, and its outer ends with Hall's; then equal agents
    whose runs have unlike shapes, told apart by their means.
    """
    chosen_by = "lognormal", "breakthroughs", "in half of the tasks", "a fifth worth tenfold", "rare and far"
    for law in (*chosen_by, "late collapse", "half of the tenfold", "gamma scales"):
        for shape in ((10, 3), (10, 5), (26, 3), (26, 5), (57, 3), (57, 5)):
            rng, missed = np.random.default_rng(shape[0]), np.zeros(2)
            for _ in range(draws):
                values, truth = getattr(runs_designs, law.replace(" ", "_"))(rng, shape)
                spread, centre = stratified_spread(values), float(values.mean())
                for place, skewed in enumerate((False, True)):
                    low, high = t_interval(centre, spread, 0.95, skewed=skewed)
                    missed[place] += not low <= truth.mean() <= high
            yield "mean of runs", law, f"{shape[0]} x {shape[1]}", *(missed / draws), draws
    for law in runs_designs.UNLIKE:
        for shape in ((10, 5), (26, 3)):
            rng = np.random.default_rng(shape[0])
            found = np.mean([runs_designs.told_apart(law, shape, rng) for _ in range(draws // 3)], axis=0)
            yield "means of two agents", law, f"{shape[0]} x {shape[1]}", *found, draws // 3


def medians(draws: int = 500) -> Iterator[Row]:
    """95% intervals of the median of tasks that miss it: by draws of the task means, and with order statistics."""
    for law in ("lognormal", "breakthroughs", "levels near", "levels apart", "late collapse"):
        for shape in ((10, 5), (26, 5), (57, 5), (26, 10), (57, 20)):
            rng, missed = np.random.default_rng(shape[0]), np.zeros(2)
            for _ in range(draws):
                values, truth = getattr(runs_designs, law.replace(" ", "_"))(rng, shape)
                error = values.std(axis=1, ddof=1) / np.sqrt(shape[1])
                drawn = values.mean(axis=1) + error * rng.standard_t(shape[1] - 1, (500, shape[0]))
                ends = np.quantile(np.median(drawn, axis=1), [0.025, 0.975]), median_interval(values, 0.95, rng, 500)
                missed += [not low <= np.median(truth) <= high for low, high in ends]
            yield "median of tasks", law, f"{shape[0]} x {shape[1]}", *(missed / draws), draws


def scores(draws: int = 1000) -> Iterator[Row]:
    """95% intervals of a mean accuracy over benchmarks that miss it: Wilson's by the plain variance, and with half a case added.

    The mean over eight draws of the accuracies of the benchmarks, from 0.5 to 0.98; the last two were not among the designs by which
    the rule was chosen.
    """
    for sizes in ((5, 20, 200), (8, 100, 1000), (12, 12, 40, 400), (6, 9)):
        rng, place, missed = np.random.default_rng(9), np.repeat(np.arange(len(sizes)), sizes), np.zeros(2)
        groups = Groups(cluster=np.arange(len(place)), benchmark=place, macro=True)
        for _ in range(8):
            chance = rng.uniform(0.5, 0.98, len(sizes))
            passed = (rng.random((len(place), draws // 8)) < chance[place][:, None]).astype(float)
            _, *now = score_intervals(as_cases(passed, benchmarks=place), macro=True)
            for row, (low, high) in enumerate((_plain_wilson(passed, groups), now)):
                missed[row] += (~((low <= chance.mean()) & (chance.mean() <= high))).sum()
        made = draws // 8 * 8
        yield "scores over benchmarks", " / ".join(map(str, sizes)), "", *(missed / made), made


def _plain_wilson(passed: Floats, groups: Groups) -> tuple[Floats, Floats]:
    """Wilson's interval of so many cases as the variance of a mean over benchmarks speaks of."""
    found = mean_of_cases(passed.T, groups)
    error, sizes = np.maximum(found.error, 1e-9), np.bincount(groups.benchmark)
    size = np.clip(found.mean * (1 - found.mean) / error**2, len(sizes) ** 2 / (1 / sizes).sum(), groups.n)
    return wilson(found.mean * size, size, stats.t.ppf(0.975, np.maximum(found.df, 1.0)))


def simultaneous(draws: int = 200) -> Iterator[Row]:
    """Tables of pass and fail in which some 95% interval of all pairs misses: at the largest flipped statistic, and Bonferroni's."""
    designs = {"equal, correlated 0.4": (0.7, 0.7, 0.4), "from 0.5 to 0.9": (0.5, 0.9, 0.4),
               "independent, near 1": (0.95, 0.95, 0.0), "three of four cases shared": (0.6, 0.7, 0.75)}  # fmt: skip
    for design, (lowest, highest, shared) in designs.items():
        for k, n in ((20, 100), (40, 100)):
            chance, (first, second) = np.linspace(lowest, highest, k), pair_indices(k)
            rng, missed = np.random.default_rng(k), np.zeros(2)
            for _ in range(draws):
                noise = np.sqrt(shared) * rng.normal(size=(n, 1)) + np.sqrt(1 - shared) * rng.normal(size=(n, k))
                passed = (ndtr(noise) < chance).astype(float)
                pairs_of_cases = all_pairs(as_cases(passed), draws=499, rng=rng)
                won = passed[:, first] - passed[:, second]
                flipped = np.abs(rng.choice([-1.0, 1.0], (499, n)) @ won) / np.sqrt(np.maximum((won**2).sum(axis=0), 1))
                critical = max(float(np.quantile(flipped.max(axis=1), 0.95)), stats.norm.ppf(0.975))
                old = bonett_price((won > 0).sum(axis=0), (won < 0).sum(axis=0), n, critical)
                truth = chance[first] - chance[second]
                for place, (low, high) in enumerate((old, (pairs_of_cases.low, pairs_of_cases.high))):
                    missed[place] += ((truth < low) | (truth > high)).any()
            yield "all intervals", f"{k} algorithms, {design}", str(n), *(missed / draws), draws


def stopping(draws: int = 1000) -> Iterator[Row]:
    """Running evaluations, looked at all the time: equal algorithms told apart by means of clusters, and by their sums;
    those of 51% wins that go on after so many cases, by 32 bets of equal distance, and by the formula.
    """
    for design, make in stop_designs.CLUSTERS.items():
        rng, found = np.random.default_rng(9), np.zeros(2)
        for _ in range(draws):
            sums, sizes = make(rng)
            means = stop_designs.cluster_evidence(sums / sizes, np.ones(len(sizes)), 1.0)
            by_sums = stop_designs.cluster_evidence(sums, sizes, sizes.max())
            found += [means.max() >= np.log(20), by_sums.max() >= np.log(20)]
        yield "false stops of clusters", design, "150", *(found / draws), draws
    bets, weights = np.polynomial.legendre.leggauss(32)
    for n in (20_000, 50_000, 200_000):
        rng, found = np.random.default_rng(n), np.zeros(2)
        for _ in range(200):
            wins = np.cumsum(rng.random(n) < 0.51)[99::100]
            losses = np.arange(100, n + 1, 100) - wins
            logs = wins[:, None] * np.log1p(bets) + losses[:, None] * np.log1p(-bets)
            found += [(np.exp(logs) @ weights / 2).max() < 20, e_value(wins, losses).max() < 20]
        yield "goes on", "51% wins", str(n), *(found / 200), 200


def copies(draws: int = 100) -> Iterator[Row]:
    """Tables with a warning of copies or variants, of which nothing was said before; the first two have none."""
    for design, make in copies_designs.TABLES.items():
        rng = np.random.default_rng(6)
        after = float(np.mean([copies_designs.warned(make(rng)) for _ in range(draws)]))
        yield "copies noticed", design, "", 0.0, after, draws


def powers(draws: int = 400) -> Iterator[Row]:
    """Differences that "would be found with a probability of 80%": how often they are, by the t law or a known spread, and now."""
    for n, apart in ((50, 0.1), (100, 0.05), (100, 0.3), (400, 0.1)):
        rng, shares = np.random.default_rng(n), np.zeros(2)
        for count in rng.binomial(n, apart, draws // 4):
            seen = max(count, 1) / n
            sizes = minimum_detectable(n, seen * n / (n - 1)), detectable_by_counts(n, (count + 2) / (n + 2)) or 1.0
            both = [(max(apart, size), size) for size in np.minimum(sizes, 1.0)]
            shares += [mcnemar_power(n, only_a=(a + d) / 2, only_b=(a - d) / 2) for a, d in both]
        yield "power on cases that pass or fail", f"{apart:.0%} apart", str(n), *(shares / (draws // 4)), draws // 4
    for n, k, scales in ((10, 2, (1, 1)), (10, 3, (1, 1, 1)), (20, 5, (1,) * 5), (14, 4, (1, 1, 1, 3))):
        rng, shares = np.random.default_rng(n), np.zeros(2)
        for _ in range(draws):
            table = as_table(rng.normal(size=(n, k)) * scales)
            found, m = over_datasets(table), k * (k - 1) / 2
            known = typical_spread(table, found) * detectable_effect("wilcoxon", n, 0.05 / m)
            fresh = rng.normal(size=(n, 2)) * scales[:2]
            for place, size in enumerate((known, detectable_difference(table, found, 0.05))):
                shares[place] += over_datasets(fresh + np.array([size, 0.0])).pvalue[0] <= 0.05 / m
        spreads = "equal spreads" if len(set(scales)) == 1 else "one spread three times as large"
        yield "power over datasets", f"{k} algorithms, {spreads}", str(n), *(shares / draws), draws


def settling(draws: int = 12, repeats: int = 100) -> Iterator[Row]:
    """ "N cases would settle the lead with a probability of 80%, if the observed difference is the true one": how often they do.

    Four algorithms on 150 cases that pass or fail; the cases are then drawn from those seen. Before, the pair had the level of all.
    """
    names, shares, rng = list("abcd"), [], np.random.default_rng(2)
    for _ in range(draws):
        noise = 0.7 * rng.normal(size=(150, 1)) + 0.7 * rng.normal(size=(150, 4))
        seen = (noise < stats.norm.ppf([0.8, 0.75, 0.6, 0.5])).astype(float)
        board = compare(pd.DataFrame(seen, columns=names), unit="case", direction="higher").extra("leaderboard")
        if board.cases_to_settle is None:
            continue
        one, other = names.index(board.leader), names.index(board.rival)
        differences = seen[:, one] - seen[:, other]
        usual = affordable(differences.mean(), differences.var(ddof=1), power=0.8, alpha=0.05 / 6) or 0
        found = []
        for n in (usual, board.cases_to_settle):
            drawn = [all_pairs(seen[rng.integers(0, 150, n)], draws=299) for _ in range(repeats)]
            place = drawn[0].position(f"algorithm {one + 1}", f"algorithm {other + 1}")[0]
            found.append(np.mean([pairs.adjusted[place] <= 0.05 for pairs in drawn]))
        shares.append(found)
    yield (
        "cases that settle the lead",
        "four algorithms, pass or fail",
        "150",
        *np.mean(shares, axis=0),
        len(shares) * repeats,
    )


PARTS = {
    part.__name__: part
    for part in (
        gate,
        known_range,
        pairs,
        macro,
        stopping,
        copies,
        pilots,
        powers,
        settling,
        auc,
        bradley_terry,
        symmetry,
        runs,
        medians,
        scores,
        simultaneous,
    )
}


def main(names: list[str]) -> None:
    if not names:
        print(HEAD)
    for name in names or PARTS:
        for what, design, n, before, after, draws in PARTS[name]():
            error = np.sqrt(max(after * (1 - after), 0.01) / draws)
            print(f'{what},"{design}",{n},{before:.3f},{after:.3f},{error:.4f},{draws}', flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
