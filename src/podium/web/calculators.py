"""The calculators of chance, as plain data: what each asks for, and a question to begin with (`calculators.toml`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from podium.chance.registry import LEVEL
from podium.core.errors import ArgumentError
from podium.core.options import OPTIONS, Option, changed
from podium.core.registry import entries, read_toml
from podium.web.models import Options, model_of
from podium.web.workers import Weight

_PLANS = {
    "mix": ("metrics", "cases", "competitors", "alpha", "auc", "draws"),
    "competitors": ("metrics", "positives", "negatives", "score", "alpha"),
    "cases": ("metrics", "score", "share", "competitors", "alpha"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Calculator:
    """`start` is what the page shows before anything was asked; `tasks.CALLS` has what answers it."""

    about: str
    weight: Weight
    start: Mapping[str, Any]
    model: type[Options]

    def used(self, options: Options) -> dict[str, Any]:
        """What is asked for, without options that have no part in it."""
        asked = {name: value for name, value in options.explicit().items() if value not in (None, [])}
        what = asked.pop("what", None)
        if what is None:
            return asked
        if what == "cases" and "score" not in asked:
            raise ArgumentError("Give the {argument} that is hoped for, such as 0.65.", argument="score")
        unused = () if "auc" in asked else ("draws",)
        return {name: asked[name] for name in _PLANS[what] if name in asked and name not in unused}


def _calculator(name: str, options: Mapping[str, Mapping[str, Any]], **fields: Any) -> Calculator:
    return Calculator(model=model_of(*(_option(key, **row) for key, row in options.items()), alpha=LEVEL), **fields)


def _option(name: str, *, required: bool = False, **row: Any) -> Option:
    option = changed(name, **row) if name in OPTIONS else Option(name=name, **row)
    return replace(option, default=...) if required else option


CALCULATORS = entries(_calculator, read_toml("web", "calculators.toml"))
