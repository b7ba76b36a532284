"""The calculators of chance and of planning, as plain data: what each asks for, and a question to begin with (`calculators.toml`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from podium.chance.registry import LEVEL
from podium.core.errors import ArgumentError
from podium.core.options import OPTIONS, Option, changed
from podium.core.registry import entries, read_toml
from podium.stats.registry import usual
from podium.web.models import Options, model_of
from podium.web.workers import Weight

_PILOT = Option(
    name="table", kind="text", help="The id of an uploaded pilot table.", limits={"pattern": "^[0-9a-f]{20}$"}
)
_USUAL: dict[str, dict[str, Any]] = {
    "chance": {"alpha": LEVEL},
    "plan": {"tests": usual("power"), "over": ("datasets",)},
}
_PLANS = {
    "mix": ("metrics", "cases", "competitors", "alpha", "auc", "draws"),
    "competitors": ("metrics", "positives", "negatives", "score", "alpha"),
    "cases": ("metrics", "score", "share", "competitors", "alpha"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Calculator:
    """`start` is what the page shows before anything was asked; `tasks.CALLS` has what answers it.

    A pilot table has rows of the `unit`; the options `alone` are asked for without one only, those `paired` with one only.
    """

    room: str
    tab: str
    about: str
    weight: Weight
    start: Mapping[str, Any]
    model: type[Options]
    unit: str = ""
    alone: tuple[str, ...] = ()
    paired: tuple[str, ...] = ()

    def hidden(self, *, pilot: bool) -> tuple[str, ...]:
        """The options that the form does not show."""
        return ("table", *(self.alone if pilot else self.paired))

    def used(self, options: Options) -> dict[str, Any]:
        """What is asked for, without options that have no part in it."""
        asked = {
            name: value for name, value in options.explicit().items() if value not in (None, []) and name != "table"
        }
        what = asked.pop("what", None)
        if what is None:
            return asked
        if what == "cases" and "score" not in asked:
            raise ArgumentError("Give the {argument} that is hoped for, such as 0.65.", argument="score")
        unused = () if "auc" in asked else ("draws",)
        return {name: asked[name] for name in _PLANS[what] if name in asked and name not in unused}


def _calculator(name: str, options: Mapping[str, Mapping[str, Any]], *, room: str, **fields: Any) -> Calculator:
    table = (_PILOT,) if "unit" in fields else ()
    model = model_of(*(_option(key, **row) for key, row in options.items()), *table, **_USUAL[room])
    return Calculator(model=model, room=room, **fields)


def _option(name: str, *, required: bool = False, **row: Any) -> Option:
    option = changed(name, **row) if name in OPTIONS else Option(name=name, **row)
    return replace(option, default=...) if required else option


CALCULATORS = entries(_calculator, read_toml("web", "calculators.toml"))


def in_room(room: str) -> dict[str, Calculator]:
    """The calculators of one page, the first of which opens it."""
    return {name: calculator for name, calculator in CALCULATORS.items() if calculator.room == room}
