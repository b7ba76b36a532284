"""Speed of the Bayesian models beside the strongest peers, in the same run.

    python benchmarks/bayes.py

Peers that are not installed (baycomp; JAGS as the program `jags`) are left out and said so in the note.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import podium
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
    for line in run():
        print(
            f"{line['what']:48s} {line['podium_seconds']:8.3f} s   {line['peer']:16s} {line['peer_seconds']:9.2f} s   "
            f"x {line['ratio']:7.1f}   {line['note']}"
        )
