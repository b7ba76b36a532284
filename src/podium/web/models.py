"""What can be asked for: the same words for the API and for the forms, with their limits."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

__all__ = [
    "ChanceChart",
    "ChancePlan",
    "ChancePvalue",
    "ChanceTable",
    "ChanceValue",
    "ComparisonOptions",
    "OrderOptions",
    "PowerOptions",
    "ReadingOptions",
]

Name = Annotated[str, Field(min_length=1, max_length=200)]
Level = Annotated[float, Field(gt=0, lt=1, description="The level of significance.")]
MetricWord = Annotated[str, Field(max_length=40, description="auc, best_accuracy, best_f1, tp10, ...")]
Metrics = Annotated[list[MetricWord], Field(max_length=6)]
Cases = Annotated[int, Field(ge=1, le=100_000)]
Competitors = Annotated[int, Field(ge=1, le=1_000_000_000, description="How many were tried, the losers included.")]
Sizes = Annotated[str, Field(max_length=200, pattern=r"^\d{1,6}(:\d{1,6}){0,2}(,\d{1,6}(:\d{1,6}){0,2})*$")]
_NUMBER = r"0?\.\d{1,9}"
Levels = Annotated[str, Field(max_length=100, pattern=rf"^{_NUMBER}(,{_NUMBER})*$")]


class _Options(BaseModel):
    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)

    def given(self) -> dict[str, Any]:
        """The options as keyword arguments."""
        return self.model_dump()


class ReadingOptions(_Options):
    """How a table is read; see `podium.read`. What is left out is recognised."""

    metric: Name | None = None
    direction: Literal["higher", "lower"] | None = None
    layout: Literal["auto", "wide", "long"] = "auto"
    rows: Literal["auto", "datasets", "algorithms"] = "auto"
    algorithm_column: Name | None = None
    dataset_column: Name | None = None
    fold_column: Name | None = None
    repeat_column: Name | None = None
    seed_column: Name | None = None
    metric_column: Name | None = None
    value_column: Name | None = None
    family_column: Name | None = None
    message_column: Name | None = None
    ignore_column: Annotated[list[Name], Field(max_length=100)] = []
    dataset_name: Name | None = None
    missing_marker: Annotated[list[Name], Field(max_length=100)] = []
    decimal_comma: bool = False
    percent: bool = False
    mean_sd: bool = False
    footnotes: bool = False
    text_as_missing: bool = False
    summaries: Literal["ask", "drop", "keep"] = "ask"
    repeats: Annotated[int, Field(ge=1, le=10_000)] | None = None
    test_fraction: Annotated[float, Field(gt=0, lt=1)] | None = None
    encoding: Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,30}$")] | None = None
    separator: Literal[",", ";", "|", "tab"] | None = None
    sheet: Name | None = None

    def given(self) -> dict[str, Any]:
        """The options of `podium.read`."""
        options = self.model_dump()
        return {**options, "separator": "\t" if self.separator == "tab" else self.separator}

    def chosen(self) -> dict[str, Any]:
        """Only what differs from the usual."""
        usual = ReadingOptions().given()
        return {name: value for name, value in self.given().items() if value != usual[name]}


class ComparisonOptions(_Options):
    """What to compare and how; see `podium.compare`. What is left out is chosen by rules that explain themselves."""

    metric: Name | None = None
    algorithms: Annotated[list[Name], Field(max_length=2_000)] | None = None
    control: Name | None = None
    rope: Annotated[float, Field(ge=0)] | Literal["auto"] | None = None
    costs: Annotated[str, Field(max_length=5_000)] | None = Field(
        default=None, description="A metric of the table that is a cost, or svm=3, knn=1, or names, cheapest first."
    )
    test: Name | None = None
    omnibus: Name | None = None
    correction: Name | None = None
    missing: Literal["pairwise", "complete"] | None = None
    alpha: Level = 0.05
    confidence: Annotated[float, Field(gt=0, lt=1)] = 0.95
    rng: Annotated[int, Field(ge=0, le=2**32 - 1)] = 0


class OrderOptions(_Options):
    """How to order by score and cost; see `podium.ordering.multi2test`."""

    cost_metrics: Annotated[list[Name], Field(max_length=20)] = []
    costs: Annotated[str, Field(max_length=5_000)] | None = None
    weights: Annotated[list[Annotated[float, Field(ge=0)]], Field(max_length=20)] = []
    test: Name = "cv52_f"
    posthoc: Literal["nemenyi", "wilcoxon", "sign"] = "nemenyi"
    correction: Name = "holm"
    alpha: Level = 0.05


class ChanceValue(_Options):
    """The score that a winner must exceed."""

    metric: MetricWord = "auc"
    positives: Cases
    negatives: Cases
    competitors: Competitors = 1
    alpha: Level = 0.05


class ChancePvalue(_Options):
    """How often the best of C random rankings scores at least this."""

    metric: MetricWord = "auc"
    score: float
    positives: Cases
    negatives: Cases
    competitors: Competitors = 1
    unattainable: Literal["error", "nearest", "below"] = "error"


class ChanceTable(_Options):
    """Tables of critical values; 10:100:10 means 10, 20, ..., 100."""

    metrics: Metrics = ["auc"]
    positives: Sizes = "20:100:20"
    negatives: Sizes = "20:100:20"
    competitors: Sizes = "10,100,1000"
    alphas: Levels = "0.01"


class ChancePlan(_Options):
    """Planning a test set: its mix, how many cases, or what the number of competitors changes."""

    what: Literal["mix", "cases", "competitors"] = "mix"
    metrics: Metrics = []
    cases: Annotated[int, Field(ge=2, le=5_000)] = 100
    score: float | None = None
    share: Annotated[float, Field(gt=0, lt=1)] = 0.5
    auc: (
        Annotated[float, Field(gt=0.5, lt=1, description="A true AUC: compares the power of metrics, for a mix.")]
        | None
    ) = None
    draws: Annotated[int, Field(ge=50, le=2_000, description="Simulations of each mix, with `auc`.")] = 400
    positives: Cases = 50
    negatives: Cases = 50
    competitors: Competitors = 1
    alpha: Level = 0.05


class ChanceChart(_Options):
    """A chart of null laws or critical values."""

    chart: Literal["surface", "contours", "cdf", "competitors"] = "contours"
    metrics: Metrics = []
    positives: Annotated[int, Field(ge=10, le=1_000)] = 100
    negatives: Annotated[int, Field(ge=10, le=1_000)] = 100
    competitors: Competitors = 1000
    alpha: Level = 0.01
    score: float | None = None


class PowerOptions(_Options):
    """How likely a difference is to be found, and how many datasets it takes; see `podium.studies.power`."""

    table: Annotated[str, Field(pattern=r"^[0-9a-f]{20}$")] | None = Field(
        default=None, description="The id of an uploaded pilot table."
    )
    a: Name | None = None
    b: Name | None = None
    effects: Annotated[list[float], Field(max_length=10)] = []
    datasets: Annotated[list[Annotated[int, Field(ge=2, le=5_000)]], Field(max_length=20)] = []
    wanted: Annotated[float, Field(gt=0, lt=1)] | None = None
    tests: Annotated[list[Literal["wilcoxon", "sign", "paired_t"]], Field(max_length=3, min_length=1)] = [
        "wilcoxon",
        "sign",
        "paired_t",
    ]
    shape: Literal["normal", "heavy", "tied", "skewed"] = "normal"
    spread: Annotated[float, Field(gt=0)] = 1.0
    folds: Annotated[int, Field(ge=2, le=100)] | None = None
    repetitions: Annotated[int, Field(ge=100, le=10_000)] = 2000
    alpha: Level = 0.05
    seed: Annotated[int, Field(ge=0, le=2**32 - 1)] = 0
