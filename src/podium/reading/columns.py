"""The columns of a sheet on the way to their roles: what each is called and holds, and which of them have no role yet."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property

import pandas as pd

from podium.core.arrays import Indices
from podium.core.errors import ArgumentError
from podium.core.metric import is_cost
from podium.core.names import key_of, quoted, shown
from podium.reading.cells import looks_numeric
from podium.reading.grades import are_grades, are_zero_one
from podium.reading.options import ReadOptions
from podium.reading.question import Question
from podium.reading.roles import is_called, mean_beside, role_of
from podium.reading.sheet import Sheet

NAMED = (
    *("algorithm", "dataset", "fold", "repeat", "seed", "metric", "family", "message"),
    *("case", "sample", "cluster", "benchmark", "weight", "cost"),
)  # the roles of one column that an option can name


class ColumnView:
    """One column: its name, the role that its name speaks for, and what its cells are. Each is found out once."""

    def __init__(self, sheet: Sheet, place: int) -> None:
        self.sheet, self.place = sheet, place
        self.name = sheet.header[place]
        self.role = role_of(self.name)

    @property
    def cells(self) -> pd.Series:
        """The cells as they stand."""
        return self.sheet.column(self.place)

    @property
    def names(self) -> list[str]:
        """The distinct cells as text."""
        return self.sheet.codes(self.place)[0]

    @property
    def codes(self) -> Indices:
        """Which of them each row has."""
        return self.sheet.codes(self.place)[1]

    @property
    def differ(self) -> bool:
        """Whether every row has another name."""
        return len(self.names) == self.sheet.n_rows

    @property
    def is_fixed(self) -> bool:
        """Whether a filter left one value of it."""
        return key_of(self.name) in self.sheet.fixed

    @cached_property
    def is_blank(self) -> bool:
        """Whether no cell holds anything."""
        return not self.cells.notna().any()

    @cached_property
    def numeric(self) -> bool:
        """Whether the cells look like numbers."""
        return looks_numeric(self.cells)

    @cached_property
    def graded(self) -> bool:
        """Whether the cells are words for right and wrong."""
        return self.cells.dtype.kind not in "iufmM" and are_grades(self.names)

    @cached_property
    def passes(self) -> bool:
        """Whether the cells say right or wrong, in words or as 1 and 0."""
        # A first column is read as text, as it mostly holds names.
        return self.graded or are_zero_one(self.cells) or (self.place == 0 and {*self.names} == {"0", "1"})

    @property
    def holds_outcomes(self) -> bool:
        """Whether the cells may be outcomes, or none."""
        return self.numeric or self.graded or self.is_blank

    @cached_property
    def has_fractions(self) -> bool:
        """Whether some number is no whole one."""
        present = self.cells.dropna()
        return self.cells.dtype.kind == "f" and bool((present != present.round()).any())

    def is_called(self, *kinds: str) -> bool:
        """Whether the name is one of the words of some kinds."""
        return is_called(self.name, *kinds)


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What was recognised: the layout, and the columns by role.

    `layout` is "wide" (a column per algorithm, or per dataset where `rows` is "algorithms"), "long" (a row per
    score) or "resamples" (a column per repeat or fold of one algorithm). `values` are the columns of scores. `rows`
    of a wide table are "datasets", "algorithms" or "folds" (of one dataset). `said` are the columns whose role an
    option names; `why` explains the others.
    """

    layout: str
    roles: dict[str, int] = field(default_factory=dict)
    values: tuple[int, ...] = ()
    ignored: tuple[int, ...] = ()
    rows: str = "datasets"
    said: frozenset[int] = frozenset()
    why: dict[int, str] = field(default_factory=dict)
    spreads: dict[int, int] = field(default_factory=dict)  # the column of scores -> that of their standard deviations
    noun: str = "case"
    """What one case is called, in a table of test cases."""

    def role(self, name: str) -> int | None:
        """The column that plays this role."""
        return self.roles.get(name)

    @property
    def named(self) -> tuple[str, ...]:
        """What names the rows of a table of scores."""
        if self.layout == "long":
            return ("algorithm", "dataset")
        return ("algorithm",) if self.rows == "algorithms" else ("dataset",)


class Columns:
    """The columns under some options: `roles` begins with those that options name, and shapes `take` the others one by one."""

    def __init__(self, sheet: Sheet, options: ReadOptions) -> None:
        self.sheet, self.options = sheet, options
        self.views = [ColumnView(sheet, place) for place in range(sheet.n_columns)]
        self.by_option = {role: places[0] for role in NAMED if (places := sheet.positions(role, options))}
        if len(set(self.by_option.values())) < len(self.by_option):
            raise ArgumentError("One column was named for two roles: name a different column for each.")
        self.roles = dict(self.by_option)
        self.kept = set(sheet.positions("keep", options))
        self.values = sheet.positions("value", options)
        self.spreads = {
            view.place: mean
            for view in self.views
            if (mean := mean_beside(view.name, (other for other in sheet.header if other != view.name))) is not None
            and view.place not in {*self.by_option.values(), *self.values, *self.kept}
        }
        self.ignore = {*sheet.positions("ignore", options), *self.spreads}

    def free(self, *besides: str) -> list[ColumnView]:
        """The columns without a role that are not left out, and are not called so."""
        taken = {*self.roles.values(), *self.ignore}
        return [view for view in self.views if view.place not in taken and not (besides and view.is_called(*besides))]

    def called(self, *kinds: str, fits: Callable[[ColumnView], bool] = lambda view: True) -> list[ColumnView]:
        """The free columns that have one of these names, those of the first kind first."""
        return [view for kind in kinds for view in self.free() if view.is_called(kind) and fits(view)]

    def take(self, role: str, views: Iterable[ColumnView]) -> bool:
        """Give a role to the first of these columns, if it is not given yet; whether some column has it now."""
        if role not in self.roles and (view := next(iter(views), None)) is not None:
            self.roles[role] = view.place
        return role in self.roles

    def view(self, role: str) -> ColumnView | None:
        """The column that plays a role."""
        return self.views[self.roles[role]] if role in self.roles else None

    def value(self, *likely: list[ColumnView], what: str) -> int:
        """The one column of values: the one that is named, or called as the metric, or the only one of the first likely ones."""
        if self.values:
            return self.values[0]
        metric = next(iter(self.options.metrics), None)
        if metric in self.sheet.header:
            return self.sheet.header.index(metric)
        views = next(filter(None, likely), [])
        if len(views) == 1:
            return views[0].place
        names = [view.name for view in views or self.free()]
        listed = quoted(names, 12) if names else "none is left"
        raise Question(
            f"{self.sheet.label}: which column has the {what} ({listed})? Give {{value_column}}.",
            *({"value_column": view.name} for view in views),
        )

    def plan(self, layout: str, values: Iterable[int], **more: object) -> Plan:
        """What was recognised, when every role is taken; the rest is left out."""
        chosen = tuple(values)
        used = {*chosen, *self.roles.values()}
        said = {*self.by_option.values(), *self.ignore, *self.values} - self.spreads.keys()
        why = {place: f"the spread of {shown(mean)}" for place, mean in self.spreads.items()}
        return Plan(
            layout=layout,
            roles=dict(self.roles),
            values=chosen,
            ignored=tuple(view.place for view in self.views if view.place not in used and view.name.strip()),
            said=frozenset(said),
            why=why,
            spreads={self.sheet.header.index(mean): place for place, mean in reversed(self.spreads.items())},
            **more,  # type: ignore[arg-type]
        )


def is_any_cost(view: ColumnView) -> bool:
    """Whether a column is called like a cost: of time or memory, or what somebody paid."""
    return is_cost(view.name) or view.is_called("cases.cost")
