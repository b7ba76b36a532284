"""How often the gate answers what when nothing has changed: identical runs, from samples or by swapping the two."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from podium.cases.gate_kernels import GateDesign, answers_of_rows
from podium.core.arrays import Floats, Indices
from podium.core.rng import Rng, generator
from podium.evidence.cases import Cases, kind_of

_CELLS = 2_000_000  # differences at a time


@dataclass(frozen=True, slots=True, kw_only=True)
class IdenticalRuns:
    """The shares of the three answers among gates on two runs of the same algorithm.

    `flips` is the probability that two such gates give different answers. `source` says where the runs come from, and
    `samples` how many samples of a case each run has.
    """

    metric: str
    benchmark: str
    not_worse: float
    worse: float
    inconclusive: float
    flips: float
    runs: int
    samples: int
    source: str


def identical_runs(
    cases: Cases, differences: Floats, design: GateDesign, *, benchmark: str, draws: int, rng: Rng
) -> IdenticalRuns:
    """Gates on identical runs: from two or more samples of the baseline, else by swapping the two on every case at random.

    `cases` has the baseline first; `differences` are those that the gate looked at.
    """
    drawn = generator(rng)
    baseline = None if cases.samples is None else cases.samples[:, 0]
    counts = np.zeros(cases.n_cases) if baseline is None else (~np.isnan(baseline)).sum(axis=1)
    if baseline is not None and (counts >= 2).all():
        each = int(counts.min()) // 2
        source, rows = f"samples of {cases.algorithms[0]}", _split_samples(baseline, each, draws, drawn)
        design = replace(design, kind=kind_of(baseline)) if each == 1 else design
    else:
        each, source = 1, "the two, swapped on every case at random"
        rows = _swapped(differences, design.cluster, draws, drawn)
    counted = np.zeros(3)
    for block in rows:
        passed, worse = answers_of_rows(block, design)
        counted += [passed.sum(), worse.sum(), (~(passed | worse)).sum()]
    shares = counted / counted.sum()
    return IdenticalRuns(
        metric=cases.metric.name,
        benchmark=benchmark,
        not_worse=float(shares[0]),
        worse=float(shares[1]),
        inconclusive=float(shares[2]),
        flips=float(1 - (shares**2).sum()),
        runs=draws,
        samples=each,
        source=source,
    )


def power_if_unchanged(differences: Floats, design: GateDesign, *, draws: int, rng: Rng) -> float:
    """The share of "not worse" among gates that swap the two at random on every case (or cluster)."""
    rows = _swapped(differences, design.cluster, draws, generator(rng))
    return float(np.concatenate([answers_of_rows(block, design)[0] for block in rows]).mean())


def _blocks(draws: int, n: int, make: Callable[[int], Floats]) -> Iterator[Floats]:
    size = max(1, _CELLS // n)
    for start in range(0, draws, size):
        yield make(min(size, draws - start))


def _swapped(differences: Floats, cluster: Indices, draws: int, drawn: np.random.Generator) -> Iterator[Floats]:
    """Differences whose signs are turned at random, those of a cluster together."""
    groups = int(cluster.max()) + 1

    def make(count: int) -> Floats:
        signs = drawn.integers(0, 2, size=(count, groups)) * 2.0 - 1.0
        return np.asarray(differences * signs[:, cluster])

    return _blocks(draws, len(differences), make)


def _split_samples(samples: Floats, each: int, draws: int, drawn: np.random.Generator) -> Iterator[Floats]:
    """Differences of the means of two disjoint sets of samples of every case, drawn at random."""
    n, most = samples.shape
    absent = np.isnan(samples)

    def make(count: int) -> Floats:
        keys = np.where(absent, np.inf, drawn.random((count, n, most)))
        order = np.argsort(keys, axis=2)[:, :, : 2 * each]
        chosen = np.take_along_axis(np.broadcast_to(samples, (count, n, most)), order, axis=2)
        return np.asarray(chosen[:, :, :each].mean(axis=2) - chosen[:, :, each:].mean(axis=2))

    return _blocks(draws, n * most, make)
