"""What can be asked for, by forms and by the API: the declared options, within the limits that a server needs."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field, create_model

from podium.core.options import (
    AGENTS,
    COMPARING,
    COMPARING_CASES,
    ORDERING,
    READING,
    TEST_CASES,
    Option,
    changed,
    these,
)

_TYPES: dict[str, type] = {"number": float, "fraction": float, "whole": int, "flag": bool}
_LIMITS: dict[str, dict[str, Any]] = {
    "number": {},
    "fraction": {"gt": 0, "lt": 1},
    "whole": {"ge": 0, "le": 2**32 - 1},
    "flag": {},
}
_TEXT = {"min_length": 1, "max_length": 200}
_MOST_ITEMS = 2_000


class Options(BaseModel):
    """The base of all: nothing else may be given, and numbers are finite."""

    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)
    declared: ClassVar[tuple[Option, ...]] = ()

    def explicit(self) -> dict[str, Any]:
        """The options as keyword arguments."""
        return self.model_dump()

    def chosen(self) -> dict[str, Any]:
        """Only what differs from the usual."""
        return self.model_dump(exclude_defaults=True)


def model_of(*names: str | Option, **usual: Any) -> Any:
    """A model with these options as the page has them, some with another default."""
    options = tuple(replace(option, **option.page) for option in these(*names, **usual))
    model = create_model("Declared", __base__=Options, **{option.name: _field(option) for option in options})
    model.declared = options
    return model


def _field(option: Option) -> Any:
    default = list(option.default) if isinstance(option.default, tuple) else option.default
    limits = {**_LIMITS.get(option.kind, _TEXT), **option.limits}
    most = limits.pop("items", _MOST_ITEMS)
    typed: Any = Annotated[_TYPES.get(option.kind, str), Field(**limits)]
    if option.kind == "choice":
        typed = Literal[*option.allowed()]
    elif option.word:
        typed = typed | Literal[option.word]
    if option.many:
        typed = Annotated[list[typed], Field(max_length=most)]
    return typed | None if default is None else typed, Field(default, title=option.label, description=option.help)


class ReadingOptions(model_of(*READING, *TEST_CASES)):  # type: ignore[misc]
    """How a table is read; see `podium.read`. What is left out is recognised."""

    def explicit(self) -> dict[str, Any]:
        """The options of `podium.read`."""
        return {**self.model_dump(), "separator": "\t" if self.separator == "tab" else self.separator}


_USUAL = tuple(name for name in COMPARING if name != "missing")


class ComparisonOptions(model_of("metric", *COMPARING_CASES, *AGENTS, *_USUAL)):  # type: ignore[misc]
    """What to compare and how; see `podium.compare`. What is left out is chosen by documented rules."""


_COSTS = changed(
    "cost",
    many=True,
    default=(),
    page={
        "help": "Metrics of the table that are costs; or 0.7*train_time + 0.3*space; or svm=3, knn=1; or names, cheapest first."
    },
    limits={"max_length": 5_000, "items": 20},
)


class OrderOptions(model_of(_COSTS, *ORDERING, over=("folds",))):  # type: ignore[misc]
    """How to order by score and cost; see `podium.order`."""


_MARGIN = "Largest acceptable drop of the candidate, in the metric's units: 0.02 for 2 percentage points."
_GATE = (
    Option(name="baseline", kind="name", label="Baseline", help="The algorithm in use.", default=...),
    Option(name="candidate", kind="name", label="Candidate", help="The one that may replace it.", default=...),
    changed("margin", kind="number", many=False, help=_MARGIN, default=..., limits={"ge": 0}),
    changed("missing", choices=("pairwise", "wrong", "refuse"), help="How missing outcomes are handled."),
    *("positive", "alpha", "anytime", "largest_cluster", "bound", "aa_test", "per_benchmark", "mean", "draws", "rng"),
)


class GateOptions(model_of(*_GATE, draws=1000)):  # type: ignore[misc]
    """Which two to check, and the drop that would not matter; see `podium.cases.gate`."""
