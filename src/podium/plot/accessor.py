"""`result.plot`: the figures of a result as its methods; `registry.toml` says which these are."""

from __future__ import annotations

import functools
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from podium.core.errors import ArgumentError, PodiumError
from podium.plot.figure import Figure
from podium.plot.registry import FIGURES, FigureKind, figures_of, function, leading


class Plots:
    """The figures of one result: `result.plot()` draws the first, `result.plot.forest()` the one of that name.

    `dir(result.plot)` lists them, as the tab key does. Each takes the options of the function in `podium.plot`.
    """

    def __init__(self, result: Any) -> None:
        self._result = result

    def __call__(self, **options: Any) -> Figure:
        """The figure that shows most of the result; of a comparison the one of its verdict."""
        for name in dict.fromkeys((*leading(self._result), *dir(self))):
            draw: Callable[..., Figure] = getattr(self, name)
            with suppress(PodiumError):  # it may need more than the result has, such as draws
                return draw(**options)
        raise ArgumentError(f"There is no figure of {type(self._result).__name__}.")

    def __getattr__(self, name: str) -> Callable[..., Figure]:
        drawn = None if name.startswith("_") else drawn_of(self._result, FIGURES.get(name))
        if drawn is None:
            names = ", ".join(dir(self)) or "none"
            raise AttributeError(f"{type(self._result).__name__} has no figure {name!r}: its figures are {names}.")
        bound = functools.partial(function(name), drawn)
        bound.__doc__ = function(name).__doc__
        return bound

    def __dir__(self) -> list[str]:
        return [name for name, kind in FIGURES.items() if drawn_of(self._result, kind) is not None]

    def __repr__(self) -> str:
        return f"<Figures of {type(self._result).__name__}: {', '.join(dir(self)) or 'none'}>"


def drawn_of(result: Any, kind: FigureKind | None) -> Any:
    """What a figure draws of a result: the result itself or a part of it; None where it has nothing to show."""
    if kind is None:
        return None
    parts = getattr(result, "parts", ())
    if kind in figures_of(result) and not (parts and kind.of and result.part(kind.of) is None):
        return result
    return next((part for part in parts if kind in figures_of(part)), None)
