"""Algorithms on the same cases against the obvious peers in one run, and how the cost grows.

python benchmarks/run.py cases                 # ratios
python benchmarks/cases.py growth              # growth in algorithms, cases and draws; writes docs/images/cases_growth.svg
python benchmarks/cases.py large [K N DRAWS]   # the largest leaderboards: 5,000 algorithms on 10,000 cases
"""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

import podium
from podium.cases import all_pairs, compare_predictions, rank_confidence_sets

PICTURE = Path(__file__).parents[1] / "docs" / "images" / "cases_growth.svg"


def outcomes(k: int, n: int, seed: int = 0) -> Any:
    """Pass or fail of k algorithms whose accuracies spread, on n cases that are hard or easy for all."""
    rng = np.random.default_rng(seed)
    passed = np.empty((n, k), dtype=np.uint8)
    chances = np.linspace(0.3, 0.8, k, dtype=np.float32)
    for start in range(0, n, 500):
        size = min(500, n - start)
        shared = rng.random((size, 1), dtype=np.float32)
        passed[start : start + size] = 0.5 * shared + 0.5 * rng.random((size, k), dtype=np.float32) < chances
    return passed


def seconds(call: Callable[[], Any]) -> float:
    """CPU seconds of one call, its threads included: other programs on the machine do not count."""
    start = time.process_time()
    call()
    return time.process_time() - start


def row(what: str, mine: float, peer: str, theirs: float | None, note: str) -> dict[str, Any]:
    ratio = None if theirs is None else mine / theirs
    return {"what": what, "podium_seconds": mine, "peer": peer, "peer_seconds": theirs, "ratio": ratio, "note": note}


def _statsmodels(data: Any) -> Callable[[], Any] | None:
    try:
        from statsmodels.stats.contingency_tables import mcnemar
        from statsmodels.stats.multitest import multipletests
    except ImportError:
        return None

    def loop() -> Any:
        k = data.shape[1]
        pvalues = []
        for i in range(k):
            for j in range(i + 1, k):
                a, b = data[:, i], data[:, j]
                only = int((a > b).sum()), int((b > a).sum())
                pvalues.append(mcnemar([[0, only[0]], [only[1], 0]], exact=True).pvalue)
        return multipletests(pvalues, method="holm")

    return loop


def _arch(data: Any, draws: int) -> Callable[[], Any] | None:
    try:
        from arch.bootstrap import MCS
    except ImportError:
        return None
    return lambda: MCS(1.0 - data.astype(float), size=0.05, reps=draws, method="R", seed=0).compute()


def _evalstats(data: Any, draws: int) -> Callable[[], Any] | None:
    try:
        import evalstats
        import pandas as pd
    except ImportError:
        return None
    wide = pd.DataFrame(data, columns=[f"s{i}" for i in range(data.shape[1])]).rename_axis("input").reset_index()
    given = evalstats.from_dataframe(wide.melt("input", var_name="template", value_name="score"), format="long")
    return lambda: evalstats.analyze(given, n_bootstrap=draws, p_values=True, rng=np.random.default_rng(0))


def _bootstrap_auc(truth: Any, scores: Any, draws: int) -> float:
    """Scikit-learn's AUC of two algorithms in a bootstrap loop."""
    from sklearn.metrics import roc_auc_score

    rng = np.random.default_rng(0)
    gaps = []
    for _ in range(draws):
        pick = rng.integers(0, len(truth), len(truth))
        gaps.append(roc_auc_score(truth[pick], scores[pick, 0]) - roc_auc_score(truth[pick], scores[pick, 1]))
    return float(np.quantile(gaps, 0.025))


def run() -> Iterator[dict[str, Any]]:
    rank_confidence_sets(outcomes(20, 30))
    all_pairs(outcomes(30, 2000).astype(float))  # compiles
    for k, n in ((134, 500), (200, 2000)):
        data = outcomes(k, n).astype(float)
        mine = seconds(lambda data=data: all_pairs(data).better(0.05))
        loop = _statsmodels(data)
        theirs = None if loop is None else seconds(loop)
        yield row(
            f"pass or fail, {k} x {n}, all pairs",
            mine,
            "statsmodels' mcnemar in a loop, Holm",
            theirs,
            "CPU; 9,999 flips",
        )
        frame = __import__("pandas").DataFrame(data, columns=[f"s{i}" for i in range(k)])
        whole = seconds(lambda frame=frame: podium.compare(frame, unit="case"))
        yield row(f"the same with ranks, words and remarks, {k} x {n}", whole, "", None, "CPU; podium.compare")
        mine = seconds(lambda data=data: rank_confidence_sets(data))
        yield row(f"rank sets alone, {k} x {n}", mine, "", None, "CPU; 9,999 flips")
    small = outcomes(30, 500).astype(float)
    mine = seconds(lambda: all_pairs(small, draws=1000))
    for peer, made in (("arch's model confidence set", _arch), ("evalstats' analysis of all pairs", _evalstats)):
        call = made(small, 1000)
        yield row("30 x 500, 1,000 draws", mine, peer, None if call is None else seconds(call), "CPU")
    rng = np.random.default_rng(1)
    truth = rng.random(10_000) < 0.3
    scores = rng.normal(size=(10_000, 100)) + truth[:, None] * np.linspace(0.5, 1.5, 100)
    mine = seconds(lambda: compare_predictions(truth.astype(int), scores, metric="auc"))
    each = seconds(lambda: _bootstrap_auc(truth, scores, 20)) / 40  # one AUC of one resample
    peer = "scikit-learn's AUC of all in 1,000 resamples (from 40 such AUCs)"
    yield row("AUC, 100 x 10,000, all pairs", mine, peer, each * 100 * 1000, "CPU")


def large(k: int = 5000, n: int = 10_000, draws: int | None = None) -> str:
    rank_confidence_sets(outcomes(20, 30))
    data = outcomes(k, n)
    start, clock = time.perf_counter(), time.process_time()
    found = rank_confidence_sets(data, draws=draws)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    return (
        f"{k} algorithms x {n} cases, {found.n_pairs:,} pairs, {found.draws:,} draws, {found.rounds} rounds: "
        f"{time.perf_counter() - start:.0f} s, {time.process_time() - clock:.0f} s of CPU, {memory:.1f} GB at most"
    )


def growth() -> None:
    """CPU seconds against k, n and draws, each from a common middle, with the exponent of the upper half."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    rank_confidence_sets(outcomes(20, 30))
    middle = {"k": 400, "n": 1000, "draws": 999}
    sweeps = {"k": (100, 200, 400, 800, 1600), "n": (250, 500, 1000, 2000, 4000), "draws": (249, 499, 999, 1999, 3999)}
    names = {"k": "algorithms", "n": "cases", "draws": "draws"}
    figure, axes = plt.subplots(1, 3, figsize=(9, 3), sharey=True, layout="constrained")
    for axis, (name, values) in zip(axes, sweeps.items(), strict=True):
        spent = []
        for value in values:
            at = {**middle, name: value}
            data = outcomes(at["k"], at["n"])
            spent.append(
                min(seconds(lambda data=data, at=at: rank_confidence_sets(data, draws=at["draws"])) for _ in range(2))
            )
        power = float(np.polyfit(np.log(values[-3:]), np.log(spent[-3:]), 1)[0])
        print(f"{names[name]}: {[round(s, 3) for s in spent]} s of CPU, exponent {power:.2f}", flush=True)
        axis.loglog(values, spent, "o-", color="#1f77b4")
        axis.set_xlabel(names[name])
        axis.set_title(f"grows as {names[name]} to the {power:.1f}", fontsize=9)
    axes[0].set_ylabel("seconds of CPU")
    figure.savefig(PICTURE)


if __name__ == "__main__":
    if sys.argv[1:2] == ["growth"]:
        growth()
    elif sys.argv[1:2] == ["large"]:
        print(large(*map(int, sys.argv[2:])))
    else:
        raise SystemExit(__doc__)
