"""Design: how the scores on one dataset were resampled."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from podium.core import check
from podium.core.errors import ArgumentError, DesignError


@dataclass(frozen=True, slots=True, kw_only=True)
class Design:
    """Repeats and folds, and the share of the cases that is tested on in each.

    Parameters
    ----------
    repeats : int, default 1
        Number of repeats.
    folds : int, default 1
        Number of folds of each repeat.
    test_fraction : float, optional
        Share of the cases that each split tests on; by default 1 / folds, as in cross-validation.

    Examples
    --------
    >>> Design(repeats=10, folds=10).rho
    0.1
    >>> Design(repeats=5, folds=2).is_5x2
    True
    """

    repeats: int = 1
    folds: int = 1
    test_fraction: float | None = None

    def __post_init__(self) -> None:
        if self.repeats < 1 or self.folds < 1:
            raise ArgumentError(f"A design has at least one repeat and one fold; got {self.repeats} x {self.folds}.")
        if self.test_fraction is not None and not 0 < self.test_fraction < 1:
            raise check.refused("test_fraction", self.test_fraction, "must lie between 0 and 1")

    @property
    def n_scores(self) -> int:
        """How many scores an algorithm has on one dataset."""
        return self.repeats * self.folds

    @property
    def is_5x2(self) -> bool:
        """Five repeats of two folds: what the 5x2 cv tests need."""
        return (self.repeats, self.folds) == (5, 2) and self.test_fraction in (None, 0.5)

    @property
    def rho(self) -> float:
        """The correlation of scores with overlapping training sets: n_test / (n_test + n_train)."""
        if self.test_fraction is not None:
            return self.test_fraction
        if self.folds < 2:
            raise DesignError(
                "The share of test cases is unknown. If each score is of another split of the data, give `test_fraction` (cross-validation of k "
                "folds has 1/k); if only the random seed differs, compare runs: set `unit` to 'run'."
            )
        return 1.0 / self.folds


def as_design(design: Any, shape: tuple[int, ...]) -> Design:
    """The design of scores of this shape, as a list or (repeats, folds); refused if it is another one."""
    if not isinstance(design, Design):
        raise DesignError(f"`design` must be a podium.Design, such as Design(repeats=10, folds=10); got {design!r}.")
    if math.prod(shape) != design.n_scores or (len(shape) == 2 and shape != (design.repeats, design.folds)):
        raise DesignError(f"A design of {design.repeats} x {design.folds} folds does not fit scores of shape {shape}.")
    return design
