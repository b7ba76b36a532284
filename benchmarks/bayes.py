"""Speed of the Bayesian models beside the strongest peers, in the same run; and how often their claims are wrong.

    python benchmarks/bayes.py
    python benchmarks/bayes.py --claims > docs/data/bayes_claims.csv     # four minutes of processor time

Peers that are not installed (baycomp; JAGS as the program `jags`) are left out and said so in the note.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

import podium
from podium.bayes._all_pairs import all_pairs
from podium.bayes._decide import decide
from podium.bayes.diagnostics import chain_diagnostics


def seconds(call: Callable[[], Any], repeats: int = 3) -> tuple[float, str]:
    """The best of a few runs, after one to warm up; and its processor time, for busy machines, as a note."""
    call()
    times, busy = [], []
    for _ in range(repeats):
        start, cpu = time.perf_counter(), time.process_time()
        call()
        times.append(time.perf_counter() - start)
        busy.append(time.process_time() - cpu)
    return min(times), f"processor time {min(busy):.2f} s"


def row(what: str, mine: float, peer: str, theirs: float, note: str) -> dict[str, Any]:
    ratio = theirs / mine if np.isfinite(theirs) else float("nan")
    return {"what": what, "podium_seconds": mine, "peer": peer, "peer_seconds": theirs, "ratio": ratio, "note": note}


def signed_rank(rng: np.random.Generator) -> dict[str, Any]:
    """All 21 pairs of 54 x 7 with 50,000 draws each; baycomp on two pairs, times 10.5."""
    table = rng.normal(0.8, 0.1, (54, 1)) + rng.normal(0, 0.02, (54, 7))
    mine, cpu = seconds(lambda: podium.bayes.all_pairs(table, rope=0.01, draws=50_000, rng=1))
    what = "signed rank, 21 pairs of 54 x 7, 50,000 draws"
    try:
        import baycomp
    except ImportError:
        return row(what, mine, "baycomp", float("nan"), f"{cpu}; baycomp is not installed")
    start = time.perf_counter()
    for k in (1, 2):
        baycomp.SignedRankTest.probs(table[:, 0], table[:, k], 0.01, nsamples=50_000)
    theirs = (time.perf_counter() - start) * 10.5
    return row(what, mine, f"baycomp {baycomp.__version__}" if hasattr(baycomp, "__version__") else "baycomp", theirs,
               f"{cpu}; baycomp timed on 2 of the 21 pairs")  # fmt: skip


def hierarchical(rng: np.random.Generator) -> dict[str, Any]:
    """One pair of 54 x 100; JAGS on the same sufficient statistics."""
    gains = rng.normal(0.01, 0.02, (54, 1)) + rng.normal(0, 0.04, (54, 100))
    design = podium.Design(repeats=10, folds=10)
    zeros = np.zeros_like(gains)
    mine, cpu = seconds(lambda: podium.bayes.hierarchical(gains, zeros, rope=0.01, design=design, rng=1))
    ess = podium.bayes.hierarchical(gains, zeros, rope=0.01, design=design, rng=1).details["diagnostics"].ess
    what = "hierarchical, one pair of 54 x 100"
    if shutil.which("jags") is None:
        return row(what, mine, "JAGS", float("nan"), f"{cpu}; JAGS is not installed")
    theirs, their_ess = jags_hierarchical(gains, design.rho)
    return row(what, mine, "JAGS", theirs, f"{cpu}; {rates(ess / mine, their_ess / theirs)}")


def rates(mine: float, theirs: float) -> str:
    return f"effective draws per second: {mine:.0f} against {theirs:.0f}, ratio {mine / theirs:.0f}"


def anova(rng: np.random.Generator, *, robust: bool) -> dict[str, Any]:
    """14 algorithms x 115 datasets, all 91 pairs; JAGS beside the normal one, in effective draws per second."""
    table = rng.normal(0.8, 0.15, (115, 1)) + rng.normal(0, 0.02, 14) + 0.05 * rng.standard_t(3, (115, 14))
    mine, cpu = seconds(lambda: podium.bayes.anova(table, rope=0.01, robust=robust, rng=1), repeats=2)
    ess = podium.bayes.anova(table, rope=0.01, robust=robust, rng=1).diagnostics.ess
    what = f"ANOVA 14 x 115, {'robust' if robust else 'normal'}, all pairs"
    if robust or shutil.which("jags") is None:
        why = "JAGS not run: minutes" if robust else "JAGS is not installed"
        return row(what, mine, "JAGS", float("nan"), f"{cpu}; {ess / mine:.0f} effective draws per second; {why}")
    theirs, their_ess = jags_anova(table)
    note = f"{cpu}; {rates(ess / mine, their_ess / theirs)}"
    return row(what, mine, "JAGS", theirs, note)


ANOVA_MODEL = """model {
  for (n in 1:N) { y[n] ~ dnorm(b0 + a[alg[n]] + d[dat[n]], 1 / sy^2) }
  b0 ~ dnorm(m, 1 / (5 * s)^2)
  for (i in 1:I) { a[i] ~ dnorm(0, 1 / sa^2) }
  for (j in 1:J) { d[j] ~ dnorm(0, 1 / sd^2) }
  sy ~ dunif(s / 1000, 1000 * s)
  sa ~ dgamma(shape, rate)
  sd ~ dgamma(shape, rate)
}"""
HIERARCHICAL_MODEL = """model {
  for (i in 1:Q) {
    mean[i] ~ dnorm(delta[i], k / sigma[i]^2)
    S[i] ~ dgamma((n - 1) / 2, 1 / (2 * sigma[i]^2))
    delta[i] ~ dt(delta0, 1 / std0^2, nu)
    sigma[i] ~ dunif(0, 1000 * within)
  }
  delta0 ~ dunif(-largest, largest)
  std0 ~ dunif(0, 1000 * among)
  nu <- 1 + rest
  rest ~ dgamma(alpha, beta)
  alpha ~ dunif(1, 2)
  beta ~ dunif(0.01, 0.1)
  out[1] <- delta0
  out[2] <- log(std0)
  out[3] <- log(nu)
}"""
SCRIPT = """model in "model.txt"
data in "data.txt"
compile, nchains(1)
initialize
update 500
monitor {what}
update 4000
coda *
"""


def jags(model: str, numbers: dict[str, Any], what: str) -> tuple[float, np.ndarray]:
    """Seconds of a JAGS process (one chain, 500 + 4000 sweeps) and the draws of `what`, draws x quantities."""
    with tempfile.TemporaryDirectory() as folder:
        lines = []
        for name, value in numbers.items():
            text = f"c({','.join(repr(float(v)) for v in value)})" if np.ndim(value) else repr(float(value))
            lines.append(f'"{name}" <- {text}')
        files = {"data.txt": "\n".join(lines), "model.txt": model, "script.txt": SCRIPT.format(what=what)}
        for name, text in files.items():
            Path(folder, name).write_text(text + "\n")
        start = time.perf_counter()
        subprocess.run(["jags", "script.txt"], cwd=folder, check=True, capture_output=True)
        took = time.perf_counter() - start
        values = np.loadtxt(Path(folder, "CODAchain1.txt"))[:, 1].reshape(-1, 4000).T
    return took, values


def jags_anova(table: np.ndarray) -> tuple[float, float]:
    """Seconds, and the smallest effective size of the centred effects."""
    rows, columns = table.shape
    s = table.std(ddof=1)
    rate = (0.5 * s + np.sqrt(0.25 * s**2 + 16 * s**2)) / (8 * s**2)
    algorithms, datasets = np.tile(np.arange(1, columns + 1), rows), np.repeat(np.arange(1, rows + 1), columns)
    numbers = {"y": table.ravel(), "alg": algorithms, "dat": datasets, "N": table.size, "I": columns, "J": rows}
    numbers |= {"m": table.mean(), "s": s, "rate": rate, "shape": 1 + 0.5 * s * rate}
    took, values = jags(ANOVA_MODEL, numbers, "a")
    effects = values - values.mean(axis=1, keepdims=True)
    return took, chain_diagnostics(effects[None])[0]


def jags_hierarchical(gains: np.ndarray, rho: float) -> tuple[float, float]:
    """Seconds, and the smallest effective size of (delta0, log std0, log nu), from sufficient statistics."""
    q, n = gains.shape
    mean = gains.mean(axis=1)
    squares = ((gains - mean[:, None]) ** 2).sum(axis=1)
    numbers = {"mean": mean, "S": squares / (1 - rho), "Q": q, "n": n, "k": n / (1 + (n - 1) * rho)}
    numbers |= {"within": gains.std(axis=1).mean(), "among": mean.std(), "largest": np.abs(gains).max()}
    took, values = jags(HIERARCHICAL_MODEL, numbers, "out")
    return took, chain_diagnostics(values[None])[0]


def bradley_terry(rng: np.random.Generator) -> dict[str, Any]:
    """14 algorithms x 115 datasets."""
    table = rng.normal(0.8, 0.15, (115, 1)) + rng.normal(0, 0.02, 14) + rng.normal(0, 0.05, (115, 14))
    mine, cpu = seconds(lambda: podium.bayes.bradley_terry(table, rng=1), repeats=2)
    return row(
        "Bradley-Terry 14 x 115, 8000 draws", mine, "bbtcomp (Stan)", float("nan"), f"{cpu}; bbtcomp needs a compiler"
    )


# The errors of scores, datasets x algorithms: mean 0, standard deviation 1 of most algorithms.
DESIGNS: dict[str, Callable[[np.random.Generator, int, int], np.ndarray]] = {
    "normal": lambda rng, n, k: rng.normal(size=(n, k)),
    "heavy tails": lambda rng, n, k: rng.standard_t(3, (n, k)) / np.sqrt(3),
    "skewed": lambda rng, n, k: np.where(np.arange(k) % 2, rng.normal(size=(n, k)), 1 - rng.exponential(size=(n, k))),
    "one volatile": lambda rng, n, k: rng.normal(size=(n, k)) * np.where(np.arange(k), 1, 3),
    "one fails": lambda rng, n, k: (
        rng.normal(size=(n, k)) - np.where(np.arange(k), 0, 5 * ((rng.random((n, k)) < 0.1) - 0.1))
    ),
    "unequal datasets": lambda rng, n, k: rng.normal(size=(n, k)) * np.exp(0.75 * rng.normal(size=(n, 1)) - 0.5625),
}
SIZES = ((2, 30, 160), (4, 15, 60), (4, 30, 60), (4, 54, 60), (10, 30, 24))  # algorithms, datasets, tables drawn
CLAIMS = "design,algorithms,datasets,model,claim,pairs,claims,wrong_mean,se_mean,wrong_typical,se_typical,wrong_frequent,seconds"


def claims() -> Iterator[str]:
    """How many differences are called practical or negligible at 95%, and how many of these claims are false.

    Effects of algorithms are normal with standard deviation 0.7, the rope is 0.5 or 1. What is true is judged by the mean
    difference, by the typical (pseudo-median) difference, and by the most frequent region of averages of two datasets,
    the signed-rank model's own question. Standard errors are over tables.
    """
    yield CLAIMS
    for (name, draw), (k, n, tables) in product(DESIGNS.items(), SIZES):
        models = {"signed_rank": 4000, "anova": 4000} | ({"robust_anova": 1000} if (k, n) == (4, 30) else {})
        counts = {model: np.zeros((tables, 2, 5)) for model in models}
        spent = dict.fromkeys(models, 0.0)
        rng = np.random.default_rng([n, k])
        averages = _averages(draw, k)
        for t in range(tables):
            effects, rope = 0.7 * rng.normal(size=k), 0.5 + 0.5 * (t % 2)
            table = 2 * rng.normal(size=(n, 1)) + effects + draw(rng, n, k)
            truths = _truths(effects, averages, rope)
            for model, draws in models.items():
                start = time.process_time()
                verdicts = decide(all_pairs(table, model=model, rope=rope, draws=draws, rng=t)).verdicts
                spent[model] += time.process_time() - start
                counts[model][t] = _counted(np.array(verdicts), truths)
        for model, claim in product(models, (0, 1)):
            pairs, claimed, *wrong = counts[model][:, claim].sum(axis=0).astype(int)
            told = f"{pairs},{claimed}"
            for place, count in enumerate(wrong[:2], start=2):
                of_tables = counts[model][:, claim]
                off = of_tables[:, place] - of_tables[:, 1] * count / max(claimed, 1)
                told += f",{count},{np.sqrt((off**2).sum()) / max(claimed, 1):.4f}"
            told += f",{wrong[2]},{spent[model] / tables:.3f}"
            yield f"{name},{k},{n},{model},{('better', 'equivalent')[claim]},{told}"


def _averages(draw: Callable[..., np.ndarray], k: int) -> dict[tuple[int, int], np.ndarray]:
    """For each pair of algorithms of equal effects, sorted averages of the differences on two datasets."""
    errors = draw(np.random.default_rng(1), 40_000, k)
    return {
        (i, j): np.sort((errors[:, i] - errors[:, j]).reshape(2, -1).mean(axis=0))
        for i, j in product(range(k), range(k))
        if i < j
    }


def _truths(effects: np.ndarray, averages: dict[tuple[int, int], np.ndarray], rope: float) -> np.ndarray:
    """What is true of each pair by the mean, the typical difference and the most frequent region: pairs x 3."""
    rows = []
    for (i, j), values in averages.items():
        shift = effects[i] - effects[j]
        below, above = np.searchsorted(values, [-rope - shift, rope - shift]) / len(values)
        regions = [_region(shift, rope), _region(shift + float(np.median(values)), rope)]
        rows.append([*regions, ("b", "equivalent", "a")[int(np.argmax([below, above - below, 1 - above]))]])
    return np.array(rows)


def _region(difference: float, rope: float) -> str:
    return "equivalent" if abs(difference) <= rope else ("a" if difference > 0 else "b")


def _counted(verdicts: np.ndarray, truths: np.ndarray) -> np.ndarray:
    """Of claims of a better one, and of equivalence: pairs, claims, and the false ones by each truth."""
    false = (verdicts[:, None] != truths).T
    claimed = (np.isin(verdicts, ("a", "b")), verdicts == "equivalent")
    return np.array([[len(verdicts), said.sum(), *(false & said).sum(axis=1)] for said in claimed])


def run() -> list[dict[str, Any]]:
    rng = np.random.default_rng(0)
    return [
        signed_rank(rng),
        hierarchical(rng),
        anova(rng, robust=False),
        anova(rng, robust=True),
        bradley_terry(rng),
    ]


if __name__ == "__main__":
    if "--claims" in sys.argv:
        for text in claims():
            print(text, flush=True)
        sys.exit()
    for line in run():
        print(
            f"{line['what']:48s} {line['podium_seconds']:8.3f} s   {line['peer']:16s} {line['peer_seconds']:9.2f} s   "
            f"x {line['ratio']:7.1f}   {line['note']}"
        )
