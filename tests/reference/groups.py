"""Maximal groups of algorithms that are not told apart, by another way than the package's: insert and absorb.

After Piepho (2004): start from one group of all; for every pair that is told apart, split each group
that holds both; drop groups inside others.
"""

from __future__ import annotations

from collections.abc import Iterable


def groups_from_pairs(k: int, different: Iterable[tuple[int, int]]) -> tuple[tuple[int, ...], ...]:
    """The largest groups of 0 to k-1 in which no pair is told apart, sorted; all groups, also those of one member.

    >>> groups_from_pairs(3, [(0, 2)])
    ((0, 1), (1, 2))
    """
    # Sets as bits of a whole number: thousands of groups are compared quickly.
    groups = [(1 << k) - 1] if k else []
    for first, second in different:
        both = 1 << first | 1 << second
        hit = [group for group in groups if group & both == both]
        if not hit:
            continue
        kept = [group for group in groups if group & both != both]
        halves = [half for group in hit for half in (group & ~(1 << first), group & ~(1 << second))]
        groups = kept + _absorbed(halves, kept)
    members = (tuple(i for i in range(k) if group >> i & 1) for group in groups)
    return tuple(sorted(members))


def _absorbed(new: list[int], kept: list[int]) -> list[int]:
    """The new groups that are inside no other group."""
    found: list[int] = []
    for group in sorted(set(new), key=lambda bits: -bits.bit_count()):
        if not any(group & other == group for other in (*found, *kept)):
            found.append(group)
    return found
