"""What can be asked for, by forms and by the API: the declared options, and limits that a server needs besides."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, create_model

from podium.core.options import COMPARING, OPTIONS, ORDERING, READING, Option, these

__all__ = [
    "ChanceChart",
    "ChancePlan",
    "ChancePvalue",
    "ChanceTable",
    "ChanceValue",
    "ComparisonOptions",
    "Options",
    "OrderOptions",
    "PowerOptions",
    "ReadingOptions",
]

Name = Annotated[str, Field(min_length=1, max_length=200)]
Fraction = Annotated[float, Field(gt=0, lt=1)]
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
    "rope": Annotated[float, Field(ge=0)] | Literal["auto"],
    "cost": Annotated[str, Field(max_length=5_000)],
    "effects": Annotated[list[float], Field(max_length=10)],
    "sizes": Annotated[list[Annotated[int, Field(ge=2, le=5_000)]], Field(max_length=20)],
    "weights": Annotated[list[Annotated[float, Field(ge=0)]], Field(max_length=20)],
    "spread": Annotated[float, Field(gt=0)],
    "folds": Annotated[int, Field(ge=2, le=100)],
    "draws": Annotated[int, Field(ge=100, le=10_000)],
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


def _declared(name: str, options: Iterable[Option]) -> Any:
    """A model with these options."""
    return create_model(name, __base__=Options, **{option.name: _field(option) for option in options})


def _field(option: Option) -> Any:
    choices = (*option.allowed(), *(("none",) if option.name == "omnibus" else ())) if option.kind == "choice" else ()
    typed: Any = _STRICTER.get(option.name) or (Literal[choices] if choices else _TYPES[option.kind])
    default = list(option.default) if isinstance(option.default, tuple) else option.default
    if option.many and option.name not in _STRICTER:
        typed = Annotated[list[typed], Field(max_length=2_000)]
    return typed if default is not None else typed | None, Field(default, title=option.label, description=option.help)


class ReadingOptions(_declared("Reading", these(*READING))):  # type: ignore[misc]
    """How a table is read; see `podium.read`. What is left out is recognised."""

    def given(self) -> dict[str, Any]:
        """The options of `podium.read`."""
        return {**self.model_dump(), "separator": "\t" if self.separator == "tab" else self.separator}


class ComparisonOptions(_declared("Comparing", these("metric", *COMPARING))):  # type: ignore[misc]
    """What to compare and how; see `podium.compare`. What is left out is chosen by rules that explain themselves."""


_ORDERING = these(*(name for name in ORDERING if name not in ("cost", "what_if")), correction="holm", over=("folds",))


class OrderOptions(_declared("Ordering", _ORDERING)):  # type: ignore[misc]
    """How to order by score and cost; see `podium.ordering.multi2test`."""

    cost: Annotated[list[Annotated[str, Field(max_length=5_000)]], Field(max_length=20)] = Field(
        [], title="Costs", description="Metrics of the table that are costs; or svm=3, knn=1; or names, cheapest first."
    )


_POWER = these(
    *("a", "b", "effects", "sizes", "wanted", "tests", "shape", "spread", "folds", "draws", "alpha", "rng"),
    draws=2000,
    effects=(),
    sizes=(),
    tests=("wilcoxon", "sign", "paired_t"),
)


class PowerOptions(_declared("Power", _POWER)):  # type: ignore[misc]
    """How likely a difference is to be found, and how many datasets it takes; see `podium.studies.power`."""

    table: Annotated[str, Field(pattern=r"^[0-9a-f]{20}$")] | None = Field(
        default=None, description="The id of an uploaded pilot table."
    )


Metric = Annotated[str, Field(max_length=40, title="Metric", description="auc, best_accuracy, best_f1, tp10, ...")]
Metrics = Annotated[list[Metric], Field(max_length=6, title="Metrics", description="Commas between: auc, best_f1.")]
Positives = Annotated[int, Field(ge=1, le=100_000, title="Positive test cases")]
Negatives = Annotated[int, Field(ge=1, le=100_000, title="Negative test cases")]
Competitors = Annotated[
    int,
    Field(ge=1, le=1_000_000_000, title="Competitors", description="How many were tried, the losers included."),
]
Level = Annotated[Fraction, Field(title=OPTIONS["alpha"].label, description=OPTIONS["alpha"].help)]
Sizes = Annotated[str, Field(max_length=200, pattern=r"^\d{1,6}(:\d{1,6}){0,2}(,\d{1,6}(:\d{1,6}){0,2})*$")]
_NUMBER = r"0?\.\d{1,9}"
Levels = Annotated[str, Field(max_length=100, pattern=rf"^{_NUMBER}(,{_NUMBER})*$", title="Levels")]


class ChanceValue(Options):
    """The score that a winner must exceed."""

    metric: Metric = "auc"
    positives: Positives
    negatives: Negatives
    competitors: Competitors = 1
    alpha: Level = 0.05


class ChancePvalue(Options):
    """How often the best of C random rankings scores at least this."""

    metric: Metric = "auc"
    score: float = Field(title="The winner's score")
    positives: Positives
    negatives: Negatives
    competitors: Competitors = 1
    unattainable: Literal["error", "nearest", "below"] = Field(
        "error",
        title="A score that no ranking can get",
        description="Say so, or take the nearest one or the one below.",
    )


class ChanceTable(Options):
    """Tables of critical values; 10:100:10 means 10, 20, ..., 100."""

    metrics: Metrics = ["auc"]
    positives: Sizes = Field("20:100:20", description="10:100:10 means 10, 20, ..., 100.")
    negatives: Sizes = "20:100:20"
    competitors: Sizes = "10,100,1000"
    alphas: Levels = "0.01"


class ChancePlan(Options):
    """Planning a test set: its mix, how many cases, or what the number of competitors changes."""

    what: Literal["mix", "cases", "competitors"] = Field(
        "mix",
        title="What to plan",
        description="Which mix is easiest, how many cases make a score significant, or what competitors change.",
    )
    metrics: Metrics = []
    cases: Annotated[int, Field(ge=2, le=5_000)] = Field(100, title="Labelled cases", description="For the mix.")
    score: float | None = Field(None, title="A score", description="For how many cases, or to mark on the curve.")
    share: Fraction = Field(0.5, title="Share of positives", description="For how many cases.")
    auc: Annotated[float, Field(gt=0.5, lt=1)] | None = Field(
        None, title="A true AUC", description="For the mix: compares the power of metrics, by simulation."
    )
    draws: Annotated[int, Field(ge=50, le=2_000)] = Field(
        400, title=OPTIONS["draws"].label, description="Simulations of each mix, with a true AUC."
    )
    positives: Positives = 50
    negatives: Negatives = 50
    competitors: Competitors = 1
    alpha: Level = 0.05


class ChanceChart(Options):
    """A chart of null laws or critical values."""

    chart: Literal["contours", "surface", "cdf", "competitors"] = Field(
        "contours",
        description="Critical values as contours or as a surface, the laws of random rankings, the curve over competitors.",
    )
    metrics: Metrics = []
    positives: Annotated[int, Field(ge=10, le=1_000)] = Field(100, description="The most, for contours and surface.")
    negatives: Annotated[int, Field(ge=10, le=1_000)] = 100
    competitors: Competitors = 1000
    alpha: Level = 0.01
    score: float | None = Field(None, title="A score to mark", description="In the curve over competitors.")
