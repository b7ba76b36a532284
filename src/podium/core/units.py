"""Which units there are, as plain data: what one row of evidence stands for, and the class that compares it (`units.toml`)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pkgutil import resolve_name
from typing import Any

from podium.core.registry import entries, read_toml


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitEntry:
    """A unit: its name, its class of evidence and the class that compares it, both as text, and how its algorithms are compared, for a sentence.

    `reader` is the function of a source and its options that reads such evidence, where the recognisers of tables and logs do not.
    """

    name: str
    evidence: str
    home: str
    compared: str
    reader: str = ""

    def load(self) -> Any:
        """The class, imported now."""
        return resolve_name(self.home)


UNITS: Mapping[str, UnitEntry] = entries(UnitEntry, read_toml("core", "units.toml"))


# Those that a source can be said to hold; a unit that shares its class of evidence with an earlier one is found in it.
_FIRST = {unit.evidence: name for name, unit in reversed([*UNITS.items()])}
READABLE: Mapping[str, UnitEntry] = {name: unit for name, unit in UNITS.items() if _FIRST[unit.evidence] == name}


def unit_of(evidence: Any) -> Any:
    """The class that compares such evidence."""
    return UNITS[evidence.unit].load()


def compared(units: Iterable[str]) -> str:
    """How algorithms of some units are compared, for a sentence.

    >>> compared(["dataset", "fold"])
    'over datasets or over the folds of one dataset'
    """
    return " or ".join(UNITS[name].compared for name in units)
