"""All pairs by the exact Wilcoxon test with Holm's correction, against the strongest peers, in one run.

    python benchmarks/stats_pairs.py

scipy is measured in its fastest form: `wilcoxon(axis=0, method="asymptotic")` on blocks of differences. It gives
asymptotic p-values only; Podium's are exact. In tables rounded to 4, 3 and 2 decimals, as most are, no two pairs share
a null law. Seconds are the shortest of a few runs; processor time, which a busy machine changes less, is in the note.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import podium


def scores(n: int, k: int, decimals: int | None, seed: int = 0) -> np.ndarray:
    """Accuracies of k algorithms of unequal quality on n datasets of unequal difficulty."""
    random = np.random.default_rng(seed)
    made = 0.8 + 0.05 * random.standard_normal((n, 1)) + 0.02 * random.standard_normal((1, k))
    made = made + 0.03 * random.standard_normal((n, k))
    return made if decimals is None else np.round(made, decimals)


def best(call: Callable[[], Any], times: int = 5) -> tuple[float, float]:
    """The shortest of a few runs: seconds, and seconds of processor time."""
    found, cpu = [], []
    for _ in range(times):
        start, start_cpu = time.perf_counter(), time.process_time()
        call()
        found.append(time.perf_counter() - start)
        cpu.append(time.process_time() - start_cpu)
    return min(found), min(cpu)


def scipy_all_pairs(table: np.ndarray, block: int = 4000) -> np.ndarray:
    """scipy's fastest vectorised form, blocks of differences, then the same Holm."""
    from scipy.stats import wilcoxon

    first, second = np.triu_indices(table.shape[1], 1)
    parts = [
        wilcoxon(table[:, first[i : i + block]] - table[:, second[i : i + block]], axis=0, method="asymptotic").pvalue
        for i in range(0, len(first), block)
    ]
    return podium.stats.adjust(np.concatenate(parts), "holm")


def posthocs_all_pairs(table: np.ndarray) -> Any:
    """scikit-posthocs: one call of scipy per pair (its method only takes melted or listed groups)."""
    import scikit_posthocs

    return scikit_posthocs.posthoc_wilcoxon(list(table.T), p_adjust="holm")


def row(what: str, mine: float, peer: str, theirs: float | None, note: str = "") -> dict[str, Any]:
    ratio = None if theirs is None else theirs / mine
    return {"what": what, "podium_seconds": mine, "peer": peer, "peer_seconds": theirs, "ratio": ratio, "note": note}


def big_table() -> dict[str, Any]:
    """200 x 1000 in a process of its own, for its peak memory."""
    code = (
        "import time, resource, numpy as np, podium, sys; sys.path.insert(0, 'benchmarks');"
        "from stats_pairs import scores; x = scores(200, 1000, None); podium.stats.all_pairs(x[:, :3]).effect;"
        "s, c = time.perf_counter(), time.process_time(); r = podium.stats.all_pairs(x);"
        "t, c = time.perf_counter() - s, time.process_time() - c;"
        "r.effect; e = time.perf_counter() - s - t;"
        "print(t, c, e, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6)"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    seconds, cpu, effects, memory = (float(word) for word in done.stdout.split())
    note = f"p, Holm, wins; {cpu:.1f} s of processor time; effects {effects:.1f} s more; peak {memory:.2f} GB"
    return row("200 x 1000 untied, 499,500 pairs", seconds, "", None, note)


def passed(n: int, k: int, seed: int = 0) -> np.ndarray:
    """Whether k systems of unequal quality pass n items of unequal difficulty: 1 or 0."""
    random = np.random.default_rng(seed)
    skill = np.linspace(0.0, 0.2, k) + 0.3 * random.standard_normal((n, k))
    return (random.random((n, 1)) + skill > 0.5).astype(float)


def tables() -> dict[str, np.ndarray]:
    """The tables whose pairs are tested, by what they are."""
    kinds = {"untied": None, "4 decimals": 4, "3 decimals": 3, "2 decimals": 2}
    made = {f"121 x 179 {kind}, 15,931 pairs": scores(121, 179, decimals) for kind, decimals in kinds.items()}
    made["500 x 134 pass or fail, 8,911 pairs"] = passed(500, 134)
    made["900 x 8 2 decimals, 28 pairs"] = scores(900, 8, 2)
    return made


def run() -> list[dict[str, Any]]:
    """Every measurement; peers that are not installed are left out."""
    podium.stats.all_pairs(scores(121, 50, 3)).to_frame()  # compile, or load what was compiled
    rows = []
    for what, table in tables().items():
        mine, theirs = best(lambda t=table: podium.stats.all_pairs(t)), best(lambda t=table: scipy_all_pairs(t), 3)
        note = f"processor time {mine[1]:.3f} s and {theirs[1]:.3f} s, ratio {theirs[1] / mine[1]:.2g}"
        rows.append(row(what, mine[0], "scipy wilcoxon(axis=0), asymptotic", theirs[0], note))
    table = scores(121, 179, None)
    effects, _ = best(lambda: podium.stats.all_pairs(table).effect)
    rows.append(row("the same with effects and intervals", effects, "scipy (no effects)", rows[0]["peer_seconds"]))
    try:
        slowest, _ = best(lambda: posthocs_all_pairs(table), 1)
        rows.append(row("121 x 179 untied", rows[0]["podium_seconds"], "scikit-posthocs, Holm", slowest))
    except ImportError:
        pass
    rows.append(big_table())
    return rows


if __name__ == "__main__":
    for line in run():
        ratio = (
            "" if line["ratio"] is None else f"{line['peer']} {line['peer_seconds']:.3f} s, ratio {line['ratio']:.1f}"
        )
        print(f"{line['what']}: {line['podium_seconds']:.3f} s; {ratio} {line['note']}")
    print(f"peak memory of this process {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6:.2f} GB")
