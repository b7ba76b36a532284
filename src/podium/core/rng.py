"""Random numbers: `rng=None | int | Generator` everywhere, no global state."""

from __future__ import annotations

import numpy as np

from podium.core import check

Rng = int | np.random.Generator | None


def generator(rng: Rng) -> np.random.Generator:
    """A generator from a seed, another generator (used as it is), or nothing (fresh entropy)."""
    if isinstance(rng, np.random.Generator):
        return rng
    if rng is None or (isinstance(rng, int | np.integer) and not isinstance(rng, bool) and rng >= 0):
        return np.random.default_rng(rng)
    raise check.refused("rng", rng, "must be None, an integer of at least 0 or a numpy Generator")


def streams(rng: Rng, count: int) -> list[np.random.Generator]:
    """Independent generators, one per piece of work.

    The pieces, not the cores, own the streams: equal seeds give equal numbers on any number of cores.
    """
    return generator(rng).spawn(count)
