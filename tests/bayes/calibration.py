"""Simulation-based calibration of every Bayesian model: with truths drawn from the prior, their ranks among the draws are uniform.

    PYTHONPATH=tests python -m bayes.calibration      # the page docs/internals/bayes_calibration.md and its picture

A prior without end cannot be drawn from. There the data are: under a flat prior of location and scale the rank of any fixed truth
is uniform, and a prior that stands at a single place (sign, signed rank) has first seen a few observations.
"""

import sys
import zlib
from pathlib import Path

import matplotlib
import numpy as np
from scipy import stats

from podium import bayes
from podium.bayes._bradley_terry import _chains
from podium.bayes._hierarchical import _by_importance
from podium.bayes._pass_fail import case_means, pass_fail
from podium.bayes.anova_fit import fit_normal, fit_robust
from podium.bayes.anova_model import standardised
from podium.bayes.hierarchical_data import GainFolds, gain_folds

DRAWS = 99  # so that there are 100 ranks
DOCS = Path(__file__).parents[2] / "docs" / "internals"


def sign(rng):
    """A Dirichlet prior of one observation in the rope that has seen two, three and four."""
    truth, seen = rng.dirichlet([2, 3 + 1, 4]), np.repeat([-1.0, 0.0, 1.0], [2, 3, 4])
    gains = np.concatenate([seen, rng.choice([-1.0, 0.0, 1.0], 12, p=truth)])
    drawn = bayes.sign(gains, 0 * gains, rope=0.5, draws=DRAWS + 1, rng=rng).draws
    return {f"share {side}": ranked(drawn[side], truth[i]) for i, side in enumerate(("left", "rope", "right"))}


def signed_rank(rng):
    """A Dirichlet process with half an observation at 0 that has seen seven gains."""
    places = np.array([0.0, -0.7, -0.3, 0.1, 0.4, 0.55, 0.9, 1.3])
    weights = rng.dirichlet([0.5, *np.ones(7)])
    sums = places[:, None] + places[None, :]
    truth = {"left": weights @ (sums < -0.4) @ weights, "right": weights @ (sums > 0.4) @ weights}
    gains = np.concatenate([places[1:], rng.choice(places, 12, p=weights)])
    drawn = bayes.signed_rank(gains, 0 * gains, rope=0.2, draws=DRAWS + 1, rng=rng).draws
    return {f"share {side}": ranked(drawn[side], value) for side, value in truth.items()}


def correlated_t(rng):
    """Differences on 3 x 4 folds whose training sets share three quarters of the cases."""
    shared, own = np.sqrt(0.25) * rng.normal(), np.sqrt(0.75) * rng.normal(size=(3, 4))
    return {"difference": percent(bayes.correlated_t(2.0 * (shared + own), np.zeros((3, 4))).p_left)}


def hierarchical(rng):
    """Fixed limits of the uniform priors."""
    limit, datasets, folds = 2.0, 6, 12
    delta0, std0 = rng.uniform(-limit, limit), rng.uniform(0, limit)
    df = 1 + rng.gamma(rng.uniform(1, 2), 1 / rng.uniform(0.01, 0.1))
    delta = delta0 + std0 * rng.standard_t(df, size=datasets)
    sigma, rho = rng.uniform(0.1, 0.6, size=datasets), 1 / folds
    common = rng.normal(0, np.sqrt(rho), (datasets, 1))
    x = delta[:, None] + sigma[:, None] * (common + rng.normal(0, np.sqrt(1 - rho), (datasets, folds)))
    reduced = gain_folds(x, np.zeros_like(x), None, None, 0.0)
    fields = {name: getattr(reduced, name) for name in GainFolds.__slots__}
    fields.update(largest=limit / reduced.unit, widest=limit / reduced.unit)
    drawn = _by_importance(GainFolds(**fields), 400, rng)[2] * (reduced.unit, reduced.unit, 1)
    truth = {"mean": delta0, "deviation": std0, "degrees of freedom": df}
    return {name: ranked(drawn[::4, i], truth[name]) for i, name in enumerate(truth)}


def anova(rng, robust=False):
    """sigma_y is drawn below 3, and so are the posterior's draws restricted."""
    top = 3.0
    sigma_y, sigma_a, sigma_d = rng.uniform(0.001, top), gamma_mode_sd(rng), gamma_mode_sd(rng)
    df = 1 + rng.exponential(29) if robust else np.inf
    a, d = rng.normal(0, sigma_a, 3), rng.normal(0, sigma_d, 7)
    noise = rng.standard_t(df, (7, 3)) if robust else rng.normal(size=(7, 3))
    data = standardised(rng.normal(0, 5) + a + d[:, None] + sigma_y * noise, mean=0.0, sd=1.0)
    fit = fit_robust(data, 0.0, 1600, 0.95, rng, None) if robust else fit_normal(data, 0.0, 1600, 0.95, rng)
    keep = np.flatnonzero(fit.sds["sd_errors"] < top)
    keep = keep[np.linspace(0, len(keep) - 1, DRAWS).astype(int)]
    drawn = {"gap": fit.effects[:, 0] - fit.effects[:, 1], **fit.sds}
    truth = {"gap": a[0] - a[1], "sd_errors": sigma_y, "sd_algorithms": sigma_a, "sd_datasets": sigma_d}
    if robust:
        drawn["df"], truth["df"] = fit.df, df
    return {name: ranked(drawn[name][keep], value) for name, value in truth.items()}


def robust_anova(rng):
    """The same with Student errors."""
    return anova(rng, robust=True)


def gamma_mode_sd(rng, mode=0.5, sd=2.0):
    """A draw of the Gamma distribution with this mode and standard deviation."""
    rate = (mode + np.sqrt(mode**2 + 4 * sd**2)) / (2 * sd**2)
    return rng.gamma(1 + mode * rate, 1 / rate)


def bradley_terry(rng):
    """Eight contests of each pair of four."""
    sigma = np.exp(0.5 * rng.normal())
    ability = rng.normal(0, sigma, 4)
    wins = np.zeros((4, 4))
    for i, k in zip(*np.triu_indices(4, 1), strict=True):
        wins[i, k] = rng.binomial(8, 1 / (1 + np.exp(ability[k] - ability[i])))
        wins[k, i] = 8 - wins[i, k]
    flat = _chains(wins, 16 * DRAWS, rng, None).reshape(-1, 5)[::16]
    truth = {"log sigma": np.log(sigma), **{f"ability {i + 1}": ability[i] for i in range(4)}}
    return {name: ranked(flat[:, i], truth[name]) for i, name in enumerate(truth)}


def of_pass_fail(rng):
    """The prior Dirichlet(1/2, 1/2, 1), and 30 cases."""
    shares = rng.dirichlet([0.5, 0.5, 1.0])
    truth = shares[0] - shares[1]
    found = pass_fail(*rng.multinomial(30, shares)[:2].tolist(), 30, rope=abs(truth))
    return {"difference": percent(1 - found.p_right if truth > 0 else found.p_left)}


def of_case_means(rng):
    """Twelve differences of cases."""
    values = rng.normal(size=12)
    numbers = (np.array([number]) for number in (values.mean(), stats.sem(values), 11.0, 12))
    return {"difference": percent(case_means(("a", "b"), *numbers, rope=0.0).p_left[0])}


def ranked(draws, truth):
    """How many of the draws are below the truth."""
    return int((draws[:DRAWS] < truth).sum())


def percent(probability):
    """The rank that a posterior's probability below the truth stands for."""
    return min(int(probability * (DRAWS + 1)), DRAWS)


# Model -> one round, how many are drawn in short, and how many for the page.
ROUNDS = {
    "anova": (anova, 50, 300),
    "robust_anova": (robust_anova, 40, 200),
    "hierarchical": (hierarchical, 30, 200),
    "signed_rank": (signed_rank, 200, 2000),
    "sign": (sign, 200, 2000),
    "correlated_t": (correlated_t, 200, 2000),
    "bradley_terry": (bradley_terry, 150, 1000),
    "pass_fail": (of_pass_fail, 60, 1000),
    "case_means": (of_case_means, 200, 2000),
}


def simulated(model, count):
    """Ranks of each quantity."""
    rng = np.random.default_rng(zlib.crc32(model.encode()))
    rounds = [ROUNDS[model][0](rng) for _ in range(count)]
    return {name: np.array([one[name] for one in rounds]) for name in rounds[0]}


def chi_square(ranks):
    """The p-value of the chi-square test of uniformity, in 5 or 10 bins."""
    bins = 5 if len(ranks) < 200 else 10
    return stats.chisquare(np.bincount(ranks * bins // (DRAWS + 1), minlength=bins)).pvalue


def excess(ranks):
    """The share of ranks up to each place, less what is expected."""
    places = np.arange(DRAWS + 1)
    return np.searchsorted(np.sort(ranks), places, side="right") / len(ranks) - (places + 1) / (DRAWS + 1)


def main() -> int:
    """Draw, write the table and the picture; 1 where some ranks are not uniform."""
    matplotlib.use("svg")
    from matplotlib import pyplot as plt

    matplotlib.rcParams["svg.hashsalt"] = "podium"
    figure, panels = plt.subplots(3, 3, figsize=(9, 7), sharex=True, sharey=True, layout="constrained")
    rows, all_uniform = [], True
    for panel, (model, (_, _, count)) in zip(panels.flat, ROUNDS.items(), strict=True):
        found = simulated(model, count)
        pvalue = min(1.0, len(found) * min(map(chi_square, found.values())))
        all_uniform &= pvalue > 0.001
        largest = max(float(np.abs(excess(ranks)).max()) for ranks in found.values())
        band = 1.358 / np.sqrt(count)  # Kolmogorov's 95%
        rows.append(f"| `{model}` | {', '.join(found)} | {count:,} | {largest:.3f} | {band:.3f} | {pvalue:.2f} |")
        panel.axhspan(-band, band, color="0.9")
        for ranks in found.values():
            panel.step(range(1, DRAWS + 2), excess(ranks), linewidth=1)
        panel.set_title(f"{model} ({count:,})", fontsize=10)
    figure.supxlabel("rank of the truth among the draws")
    figure.supylabel("share of ranks up to it, less what is expected")
    figure.savefig(DOCS / "images" / "bayes_calibration.svg", metadata={"Date": None})
    page = DOCS / "bayes_calibration.md"
    head, line, _ = page.read_text(encoding="utf-8").partition("| --- | --- | --- | --- | --- | --- |\n")
    page.write_text(head + line + "\n".join(rows) + "\n", encoding="utf-8")
    sys.stdout.write("\n".join(rows) + "\n")
    return 0 if all_uniform else 1


if __name__ == "__main__":
    raise SystemExit(main())
