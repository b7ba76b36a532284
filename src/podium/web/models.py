"""What can be asked for, by forms and by the API: the declared options, and limits that a server needs besides."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, create_model

from podium.chance.registry import LEVEL
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
from podium.runs._normalise import WAYS
from podium.stats.registry import usual

Name = Annotated[str, Field(min_length=1, max_length=200)]
Fraction = Annotated[float, Field(gt=0, lt=1)]
Cost = Annotated[str, Field(max_length=5_000)]
_TYPES: dict[str, Any] = {
    "text": Name,
    "name": Name,
    "column": Name,
    "number": float,
    "fraction": Fraction,
    "whole": Annotated[int, Field(ge=0, le=2**32 - 1)],
    "flag": bool,
}
# Where a server is stricter than the library.
_STRICTER: dict[str, Any] = {
    "metric": Name,
    "direction": Literal["higher", "lower"],
    "separator": Literal[",", ";", "|", "tab"],
    "encoding": Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,30}$")],
    "repeats": Annotated[int, Field(ge=1, le=10_000)],
    "all_cases": Annotated[str, Field(pattern=r"^\d{1,7}$")],  # never the path of a file of the server
    "rope": Annotated[float, Field(ge=0)] | Literal["auto"],
    "normalise": Literal[*WAYS],  # never the path of a file of the server
    "cost": Cost,
    "effects": Annotated[list[float], Field(max_length=10)],
    "sizes": Annotated[list[Annotated[int, Field(ge=2, le=5_000)]], Field(max_length=20)],
    "weights": Annotated[list[Annotated[float, Field(ge=0)]], Field(max_length=20)],
    "spread": Annotated[float, Field(gt=0)],
    "folds": Annotated[int, Field(ge=2, le=100)],
    "draws": Annotated[int, Field(ge=100, le=10_000)],
    "metrics": Annotated[list[Annotated[str, Field(max_length=40)]], Field(max_length=6)],
    "positives": Annotated[int, Field(ge=1, le=100_000)],
    "negatives": Annotated[int, Field(ge=1, le=100_000)],
    "competitors": Annotated[int, Field(ge=1, le=1_000_000_000)],
    "cases": Annotated[int, Field(ge=2, le=5_000)],
    "auc": Annotated[float, Field(gt=0.5, lt=1)],
}


class Options(BaseModel):
    """The base of all: nothing else may be given, and numbers are finite."""

    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)

    def given(self) -> dict[str, Any]:
        """The options as keyword arguments."""
        return self.model_dump()

    def chosen(self) -> dict[str, Any]:
        """Only what differs from the usual."""
        return self.model_dump(exclude_defaults=True)


def _declared(*names: str | Option, stricter: dict[str, Any] | None = None, **usual: Any) -> Any:
    """A model with these options, of which some are stricter here, or have another default."""
    types = _STRICTER | (stricter or {})
    fields = {option.name: _field(option, types.get(option.name)) for option in these(*names, **usual)}
    return create_model("Declared", __base__=Options, **fields)


def _field(option: Option, typed: Any) -> Any:
    default = list(option.default) if isinstance(option.default, tuple) else option.default
    if typed is None:
        none = ("none",) if option.name == "omnibus" else ()
        typed = Literal[*option.allowed(), *none] if option.kind == "choice" else _TYPES[option.kind]
        typed = Annotated[list[typed], Field(max_length=2_000)] if option.many else typed
    return typed | None if default is None else typed, Field(default, title=option.label, description=option.help)


# What the command line takes a file for.
_TOLD = {
    "direction": "Which scores are better.",
    "truth": "The table has predictions: the column with the truth.",
    "all_cases": "How many cases there are in all, if the logs do not name those that nobody solved.",
    "normalise": "How scores of different tasks become comparable: by human scores (Atari games), by references that came with "
    "the runs, by minimum and maximum, or not at all.",
    "cost": "A metric of the table, or svm=3, knn=1, or names, cheapest first; needs folds.",
    "algorithms": "Take only these algorithms.",
    "shape": "The shape of the differences, without a table.",
    "spread": "The standard deviation of the differences, without a table.",
}


def _on_the_page(*names: str | Option) -> list[str | Option]:
    """Options as a page has them, which takes no files but the upload."""
    return [changed(name, help=_TOLD[name]) if isinstance(name, str) and name in _TOLD else name for name in names]


class ReadingOptions(_declared(*_on_the_page(*READING, *TEST_CASES))):  # type: ignore[misc]
    """How a table is read; see `podium.read`. What is left out is recognised."""

    def given(self) -> dict[str, Any]:
        """The options of `podium.read`."""
        return {**self.model_dump(), "separator": "\t" if self.separator == "tab" else self.separator}


_USUAL = tuple(name for name in COMPARING if name != "missing")


class ComparisonOptions(_declared("metric", *COMPARING_CASES, *_on_the_page(*AGENTS, *_USUAL))):  # type: ignore[misc]
    """What to compare and how; see `podium.compare`. What is left out is chosen by rules that explain themselves."""


_COSTS = changed(
    "cost", default=(), help="Metrics of the table that are costs; or svm=3, knn=1; or names, cheapest first."
)
_MANY_COSTS = {"cost": Annotated[list[Cost], Field(max_length=20)]}


class OrderOptions(_declared(_COSTS, *ORDERING, stricter=_MANY_COSTS, over=("folds",), correction="holm")):  # type: ignore[misc]
    """How to order by score and cost; see `podium.order`."""


_POWER = ("a", "b", "effects", "sizes", "wanted", "tests", "shape", "spread", "folds", "draws", "alpha", "rng")
_USUAL_POWER = {"over": ("datasets",), "draws": 2000, "effects": (), "sizes": (), "tests": usual("power")}


class PowerOptions(_declared(*_on_the_page(*_POWER), **_USUAL_POWER)):  # type: ignore[misc]
    """How likely a difference is to be found, and how many datasets it takes; see `podium.planning.power`."""

    table: Annotated[str, Field(pattern=r"^[0-9a-f]{20}$")] | None = Field(
        default=None, description="The id of an uploaded pilot table."
    )


_METRIC = changed("metric", default="auc", help="auc, best_accuracy, best_f1, tp10, ...")
_SIZES = Annotated[str, Field(max_length=200, pattern=r"^\d{1,6}(:\d{1,6}){0,2}(,\d{1,6}(:\d{1,6}){0,2})*$")]
_LEVELS = Annotated[str, Field(max_length=100, pattern=r"^0?\.\d{1,9}(,0?\.\d{1,9})*$")]


_COUNTS = ("positives", "negatives", "competitors")


class ChanceValue(_declared(_METRIC, *_COUNTS, "alpha", alpha=LEVEL)):  # type: ignore[misc]
    """The score that a winner must exceed."""


class ChancePvalue(_declared(_METRIC, "score", *_COUNTS, "unattainable", score=...)):  # type: ignore[misc]
    """How often the best of C random rankings scores at least this much."""


_AXES = (
    changed("positives", default="20:100:20", help="10:100:10 means 10, 20, ..., 100."),
    changed("negatives", default="20:100:20"),
    changed("competitors", default="10,100,1000"),
    changed("alphas", default=str(LEVEL)),
)
_AS_TEXT = {**dict.fromkeys(_COUNTS, _SIZES), "alphas": _LEVELS}


class ChanceTable(_declared("metrics", *_AXES, stricter=_AS_TEXT, metrics=("auc",))):  # type: ignore[misc]
    """Critical values for every combination of sizes, competitors and levels; 10:100:10 means 10, 20, ..., 100."""


_PLAN = ("metrics", "cases", "score", "share", "auc", "draws", *_COUNTS, "alpha")
_USUAL_PLAN = {"metrics": (), "cases": 100, "draws": 400, "positives": 50, "negatives": 50, "alpha": LEVEL}
_FEW_DRAWS = {"draws": Annotated[int, Field(ge=50, le=2_000)]}


class ChancePlan(_declared(*_PLAN, stricter=_FEW_DRAWS, **_USUAL_PLAN)):  # type: ignore[misc]
    """Plan a test set: its mix, how many cases, or what the number of competitors changes."""

    what: Literal["mix", "cases", "competitors"] = Field(
        "mix", title="What to plan", description="The easiest mix, how many cases, or what competitors change."
    )


_USUAL_CHART = {"metrics": (), "positives": 100, "negatives": 100, "competitors": 1000, "alpha": LEVEL}
_LARGER = dict.fromkeys(("positives", "negatives"), Annotated[int, Field(ge=10, le=1_000)])


class ChanceChart(_declared("kind", "metrics", *_COUNTS, "alpha", "score", stricter=_LARGER, **_USUAL_CHART)):  # type: ignore[misc]
    """A chart of null laws or critical values."""
