"""Best accuracy of a random ranking, by the reflection principle.

Accuracy is (N + M) / T with M the largest lead of true over false positives along the ranking, and
P(M >= k) = C(T, P - k) / C(T, P) for k >= max(0, P - N).
"""

from __future__ import annotations

from podium.chance.jit import kernel

__all__ = ["accuracy_critical", "lead_tail"]


@kernel
def lead_tail(k: int, P: int, N: int) -> float:
    """P(M >= k), as a product of ratios below 1: relative error of a few rounding units times the steps."""
    first = max(0, P - N)
    survival = 1.0
    for j in range(first, min(k, P + 1)):
        survival *= (P - j) / (N + j + 1)
        if survival == 0.0:
            break
    return survival


@kernel
def accuracy_critical(P: int, N: int, level: float) -> int:
    """The smallest k with P(M > k) <= level."""
    k = max(0, P - N)
    survival = (P - k) / (N + k + 1)
    while survival > level:
        k += 1
        survival *= (P - k) / (N + k + 1)
    return k
