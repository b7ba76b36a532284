"""A sheet: the cells of one table as they stand, before anything is understood."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

import numpy as np

from podium.core.arrays import Bools, Indices
from podium.core.errors import ArgumentError, DataError, shown
from podium.core.names import key_of, quoted

if TYPE_CHECKING:
    import pandas as pd

    from podium.reading.options import ReadOptions


LONGEST_NAME = 300  # characters of a cell in which a number of a fold is looked for: that takes the square of them
_LONGEST_HEADER = 5_000  # characters: a question of a survey fits, and looking for words in it is quick


def _signs(name: str) -> str:
    """What is neither a word nor what parts words: "(M)" is not "M", and "(a+)+$" is no column "A"."""
    return re.sub(r"[\w\s./-]", "", name)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Sheet:
    """The header and the columns (numbered from 0) of one table; blank cells are nan.

    `label` names the source in sentences, `stem` is the file name without its ending ("" for a DataFrame).
    """

    header: tuple[str, ...]
    frame: pd.DataFrame
    label: str
    stem: str = ""
    notes: tuple[str, ...] = ()
    parts: dict[int, str] = field(default_factory=dict)
    """The columns that an option joins into a name, with the role of that name."""
    fixed: frozenset[str] = frozenset()
    """The columns, by the words of their names, that say no more of a row: a filter left one value of them, or they sum up its folds."""
    named: tuple[str, ...] = ()
    """The header as the source has it: a question can name no other columns."""
    _codes: dict[int, tuple[list[str], Indices]] = field(default_factory=dict, init=False, repr=False)
    _columns: list[pd.Series] = field(default_factory=list, init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "named", self.named or self.header)
        longest = max(self.header, key=len, default="")
        if len(longest) > _LONGEST_HEADER:
            raise DataError(
                f"A column name of {self.label} has {len(longest)} characters ({shown(longest, limit=60)}): shorten it, "
                "or check the quotes of the file."
            )

    @property
    def n_rows(self) -> int:
        """The number of rows below the header."""
        return len(self.frame)

    @property
    def n_columns(self) -> int:
        """The number of columns."""
        return len(self.header)

    def column(self, position: int) -> pd.Series:
        """The cells of one column."""
        if not self._columns:  # pandas takes longer to find one than to look at it
            self._columns.extend(column for _, column in self.frame.items())
        return self._columns[position]

    def rows(self, keep: Bools) -> Sheet:
        """The same with some rows only."""
        return replace(self, frame=self.frame[keep].reset_index(drop=True))

    def codes(self, position: int) -> tuple[list[str], Indices]:
        """The distinct cells of one column as stripped text, and which of them each row has; -1 is a blank cell."""
        if position not in self._codes:  # every recogniser asks for the same columns
            self._codes[position] = self._factorized(position)
        return self._codes[position]

    def _factorized(self, position: int) -> tuple[list[str], Indices]:
        column = self.column(position)
        if column.dtype.kind == "f":
            present = column.dropna()
            if len(present) and (present == present.round()).all() and (present.abs() < 1e15).all():
                column = column.astype("Int64")  # whole numbers, read as floats because of blanks
        codes, distinct = column.factorize()
        texts = [str(cell).strip() for cell in distinct.tolist()]
        names = list(dict.fromkeys(filter(None, texts)))
        if len(names) == len(texts):
            return names, codes
        place = {name: code for code, name in enumerate(names)} | {"": -1}
        merged = np.array([*(place[text] for text in texts), -1], dtype=np.intp)
        return names, merged[codes]

    def filled(self, position: int, cure: str) -> tuple[list[str], Indices]:
        """The same of a column in which no cell may be blank; the `cure` ends the sentence that names the row of one."""
        names, codes = self.codes(position)
        blank = np.flatnonzero(codes < 0)
        if len(blank):
            few = 3 * len(blank) <= self.n_rows  # where most are blank, names reach over several rows
            offers = ({"where": f"`{self.header[position].strip()}` != ''"},) if few else ()
            raise DataError(f"{self.label}: row {int(blank[0]) + 1} below the header has {cure}", offers=offers)
        return names, codes

    def position(self, name: str, option: str) -> int:
        """The column of that name, by its exact spelling or else by its words and signs; an unknown one is refused."""
        exact = [header.strip() for header in self.header]
        if name.strip() in exact:
            return exact.index(name.strip())
        key, signs = key_of(name), _signs(name)
        for place, header in enumerate(self.header):
            if key and key_of(header) == key and signs in ("", _signs(header)):
                return place
        raise ArgumentError(
            f"{self.label} has no column {name!r} (for {{argument}}): it has {quoted(self.header, 12)}.",
            argument=option,
        )

    def positions(self, role: str, options: ReadOptions) -> list[int]:
        """The columns that an option names for a role."""
        return [place for name in options.named(role) for place in self._meant(name, role)]

    def _meant(self, name: str, role: str) -> list[int]:
        """The column of a name; all that fit a pattern such as "*_std", of columns to leave out or to keep."""
        if role not in ("ignore", "keep") or not set(name) & set("*?") or name.strip() in self.header:
            return [self.position(name, f"{role}_column")]
        fitting = [i for i, header in enumerate(self.header) if fnmatchcase(header.strip(), name.strip())]
        return fitting or [self.position(name, f"{role}_column")]
