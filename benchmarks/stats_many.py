"""Speed of the tests of many algorithms and of the corrections, with the strongest peer in the same run.

python benchmarks/stats_many.py
"""

import math
import time

import numpy as np

import podium
from podium.stats.exact.studentized_range import range_tail


def seconds(call, repeat=3):
    """The best of a few runs, after one that compiles and fills caches."""
    call()
    times = []
    for _ in range(repeat):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return min(times)


def row(what, ours, peer="", theirs=None, note=""):
    ratio = None if theirs is None else theirs / ours
    return {"what": what, "podium_seconds": ours, "peer": peer, "peer_seconds": theirs, "ratio": ratio, "note": note}


def run():
    rng = np.random.default_rng(0)
    return [*corrections(rng), *rank_tests(rng)]


def corrections(rng):
    rows = []
    for k in (12, 16):
        pvalues = rng.random(k * (k - 1) // 2) / k**2
        ours = seconds(lambda p=pvalues: podium.stats.bergmann_hommel(p), repeat=1)
        rows.append(row(f"Bergmann-Hommel, {k} algorithms", ours, note="scmamp (R): 75 s at 9, its limit"))
    many = rng.random(499_500) ** 2
    rows.append(
        row(
            "Shaffer, 1000 algorithms", seconds(lambda: podium.stats.shaffer(many), repeat=1), note="peers: 118 s at 20"
        )
    )
    few = many[:15_931]
    hommel_many = seconds(lambda: podium.stats.hommel(many))
    ours = seconds(lambda: podium.stats.hommel(few))
    try:
        from statsmodels.stats.multitest import multipletests
    except ImportError:
        rows.append(row("Hommel, 15,931 p-values", ours, note="statsmodels is not installed"))
    else:
        rows.append(
            row("Hommel, 15,931 p-values", ours, "statsmodels", seconds(lambda: multipletests(few, method="hommel"), 1))
        )
        theirs = seconds(lambda: multipletests(many, method="holm"))
        rows.append(row("Holm, 499,500 p-values", seconds(lambda: podium.stats.holm(many)), "statsmodels", theirs))
    rows.append(row("Hommel, 499,500 p-values", hommel_many, note="statsmodels: more than 300 s"))
    return rows


def rank_tests(rng):
    from scipy.stats import friedmanchisquare, studentized_range

    table = rng.random((121, 179))
    wide = rng.random((200, 1000))
    rows = []
    ours = seconds(lambda: podium.stats.nemenyi(table))
    q = np.abs(podium.stats.nemenyi(table).statistic[:20])
    theirs = seconds(lambda: studentized_range.sf(q, 179, np.inf), repeat=1) * 15_931 / 20
    rows.append(
        row("Nemenyi, 121 x 179", ours, "scipy studentized_range", theirs, "20 pairs measured, scaled to 15,931")
    )
    try:
        import scikit_posthocs
    except ImportError:
        pass
    else:
        theirs = seconds(lambda: scikit_posthocs.posthoc_nemenyi_friedman(table), repeat=1)
        rows.append(row("Nemenyi, 121 x 179", ours, "scikit-posthocs", theirs))
    rows.append(row("Nemenyi, 200 x 1000 (499,500 pairs)", seconds(lambda: podium.stats.nemenyi(wide))))
    rows.append(
        row("Exact rank sums, 200 x 1000", seconds(lambda: podium.stats.rank_sums(wide), repeat=1), note="no peer")
    )
    asymptotic = seconds(lambda: podium.stats.friedman(wide, variant="chi2"))
    rows.append(row("Friedman, 200 x 1000", asymptotic, "scipy", seconds(lambda: friedmanchisquare(*wide.T))))
    exact = rng.random((20, 4))
    podium.stats.friedman(exact)
    rows.append(row("Friedman, exact, 20 x 4", first_time(), note="law computed again, ties or not"))
    direct = seconds(lambda: range_tail(3.63 / math.sqrt(2), 4))
    rows.append(row("one studentized range", direct, "scipy", seconds(lambda: studentized_range.sf(3.63, 4, np.inf))))
    return rows


def first_time():
    """The exact law without its cache."""
    from podium.stats.exact import friedman as law

    table = np.random.default_rng(1).random((20, 4))
    law._law.cache_clear()
    start = time.perf_counter()
    podium.stats.friedman(table)
    return time.perf_counter() - start


if __name__ == "__main__":
    for line in run():
        peer = (
            ""
            if line["peer_seconds"] is None
            else f"{line['peer']} {line['peer_seconds']:.4g} s, {line['ratio']:.1f} times"
        )
        print(f"{line['what']:40s} {line['podium_seconds']:.4g} s   {peer}   {line['note']}")
