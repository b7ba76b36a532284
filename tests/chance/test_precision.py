"""Relative accuracy better than 1e-10 down to tails of 1e-12, at sizes where enumeration ends."""

import math
from fractions import Fraction

import numpy as np
import pytest

import podium
from podium.chance import mann_whitney, paths

TAILS = (0.3, 1e-2, 1e-4, 1e-7, 1e-10, 1e-12)


def points_at(law, tails=TAILS):
    """Attainable scores whose tails are about these, the lowest and the highest aside."""
    found = {law.critical(tail).exact: law.critical(tail) for tail in tails}
    return [point for point in found.values() if law.before(point) is not None]


@pytest.mark.parametrize("P, N, n", [(3, 5000, 40), (5000, 3, 10), (700, 300, 100), (2000, 2000, 50), (60, 90, 75)])
def test_top_n_against_whole_numbers(P, N, n):
    law = podium.chance.null_distribution(f"tp{n}", positives=P, negatives=N)
    for point in points_at(law):
        assert law.tail(point) == pytest.approx(float(law.exact_tail(point)), rel=1e-11)


def lead_tail(k, P, N):
    """P(the largest lead is at least k), by the reflection principle."""
    return Fraction(math.comb(P + N, P - k), math.comb(P + N, P))


@pytest.mark.parametrize("P, N", [(10, 100_000), (100_000, 40), (50_000, 50_000), (100_000, 99_000), (777, 1234)])
def test_best_accuracy_against_whole_numbers_up_to_100_000(P, N):
    law = podium.chance.null_distribution("best_accuracy", positives=P, negatives=N)
    for point in points_at(law, (1e-2, 1e-12)):
        assert law.tail(point) == pytest.approx(float(lead_tail(point.place, P, N)), rel=1e-10)


def count_pairs(P, N, top):
    """How many rankings have 0..top pairs in the wrong order, in whole numbers of any size."""
    few, many = min(P, N), max(P, N)
    counts = np.zeros(top + 1, dtype=object)
    counts[0] = 1
    for j in range(1, few + 1):
        if many + j <= top:
            counts[many + j :] -= counts[: top + 1 - many - j].copy()
        for start in range(min(j, top + 1)):
            counts[start::j] = np.cumsum(counts[start::j])
    return counts


@pytest.mark.parametrize("P, N", [(2, 300), (44, 60), (46, 142), (45, 150), (90, 90), (200, 50), (7, 900)])
def test_auc_against_whole_numbers(P, N):
    law = podium.chance.null_distribution("auc", positives=P, negatives=N)
    counts = count_pairs(P, N, P * N // 2)
    cumulative = np.cumsum(counts)
    total = math.comb(P + N, P)
    for point in points_at(law):
        wrong = P * N - point.place
        assert law.tail(point) == pytest.approx(float(Fraction(int(cumulative[wrong]), total)), rel=1e-11)
        assert law.mass(point) == pytest.approx(float(Fraction(int(counts[wrong]), total)), rel=1e-11)


def auc_tail_in_long_doubles(P, N, v, *, theta, step, nodes):
    """P(U <= v) by the contour integral in 64-bit mantissas, term by term, on another contour with more nodes."""
    half = (theta - 1j * step * np.arange(nodes + 1).astype(np.longdouble)).astype(np.clongdouble) / 2
    logs = np.zeros(nodes + 1, np.clongdouble)
    for k, h in enumerate(half):
        j = np.arange(1, P + 1).astype(np.longdouble)
        ratio = np.sinh((N + j) * h) / (N + j) * j / np.sinh(j * h)
        logs[k] = np.log(ratio).sum()
    w = 2 * half
    terms = np.exp(logs + w * (np.longdouble(v) - np.longdouble(P) * N / 2)) / (1 - np.exp(-w))
    terms[0] /= 2
    return float(terms.real.sum() * step / np.longdouble(np.pi))


@pytest.mark.parametrize("P, N", [(10_000, 10_000), (300, 9_000), (1_000, 1_000)])
@pytest.mark.parametrize("deviates", [1.5, 4.0, 7.0])
def test_auc_of_large_test_sets_against_long_doubles(P, N, deviates):
    sigma = mann_whitney.spread(P, N)
    v = int(P * N / 2 - deviates * sigma)
    z = deviates + 0.3
    step = 2 * np.pi / ((55 + z * z / 2) / z * sigma)
    expected = auc_tail_in_long_doubles(
        P, N, v, theta=np.longdouble(z / sigma), step=step, nodes=int(11 / (sigma * step))
    )
    law = podium.chance.null_distribution("auc", positives=P, negatives=N)
    assert law.tail(law.at(P * N - v)) == pytest.approx(expected, rel=1e-11)


PATHS = ["best_f1", "best_f2", "youden", "kappa", "mcc", "gmean", "fowlkes_mallows", "weighted_accuracy5"]


@pytest.mark.parametrize("metric", PATHS)
@pytest.mark.parametrize("P, N", [(3, 200), (150, 4), (60, 45), (100, 130)])
def test_paths_against_whole_numbers(metric, P, N):
    law = podium.chance.null_distribution(metric, positives=P, negatives=N)
    for point in points_at(law):
        assert law.tail(point) == pytest.approx(float(law.exact_tail(point)), rel=1e-11)


@pytest.mark.parametrize("metric", PATHS)
def test_masses_add_up_to_tails(metric):
    law = podium.chance.null_distribution(metric, positives=30, negatives=25)
    point = law.critical(1e-4)
    total, tail = 0.0, law.tail(point)
    while point is not None:
        total += law.mass(point)
        point = law.after(point)
    assert total == pytest.approx(tail, rel=1e-11)


@pytest.mark.parametrize("metric", ["best_f1", "mcc", "youden"])
@pytest.mark.parametrize("P, N", [(2000, 1500), (40, 3000)])
def test_paths_of_large_test_sets_against_the_full_count(metric, P, N):
    # The full forward count knows no band, no window and no anchor: O(T P), all positive.
    law = podium.chance.null_distribution(metric, positives=P, negatives=N)
    never = np.full(P + N + 1, P + 2)
    for point in points_at(law, (0.3, 1e-3, 1e-12)):
        c = law._boundary(law._key(point))
        assert law.tail(point) == pytest.approx(paths.touch_without(P, N, c, never), rel=1e-10)


def test_youden_of_10_000_against_reflection():
    # With as many positives as negatives, J = 2 accuracy - 1, whose law is closed.
    law = podium.chance.null_distribution("youden", positives=10_000, negatives=10_000)
    lead = 339
    assert law.tail(law.locate(lead / 10_000)) == pytest.approx(float(lead_tail(lead, 10_000, 10_000)), rel=1e-10)


@pytest.mark.parametrize("metric", ["auc", "best_f1", "youden", "mcc", "tp25", "best_accuracy"])
def test_the_law_agrees_with_itself(metric):
    law = podium.chance.null_distribution(metric, positives=70, negatives=110)
    for level in (0.5, 0.05, 1e-6):
        score = law.isf(level)
        assert law.sf(score) <= level < law.at_least(score)
        assert law.cdf(score) == pytest.approx(1 - law.sf(score))
        assert law.at_least(score) == pytest.approx(law.sf(score) + law.pmf(score), rel=1e-9)
        between = score + 1e-9
        assert law.pmf(between) == 0
        assert law.at_least(between) == pytest.approx(law.sf(score), rel=1e-12)
    assert law.quantile(0.95) == law.isf(0.05)
    assert law.sf(-2) == law.at_least(law.lowest.value) == 1
    assert law.sf(law.highest.value) == 0
