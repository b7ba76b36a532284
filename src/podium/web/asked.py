"""What a result was asked for with: the table, how it was read, the settings, and what was looked at before they were chosen."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from podium.core.numbers import counted, listed
from podium.core.options import OPTIONS
from podium.web.models import Options, ReadingOptions
from podium.web.uploads import Upload

# What an empty field means, where it is not "what the rules choose".
_EMPTY = {"algorithms": "all", "control": "none", "rope": "none", "cost": "none", "positive": "none"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One question. `before` are the settings of the results that were looked at before these were chosen, the first first."""

    options: Options
    reading: ReadingOptions = field(default_factory=ReadingOptions)
    table: str = ""
    upload: Upload | None = None
    before: tuple[Options, ...] = ()

    @property
    def name(self) -> str:
        """The name of the file."""
        return "" if self.upload is None else self.upload.name

    def after(self, earlier: Asked) -> Asked:
        """The same, chosen after looking at an earlier result; what was chosen before looking stays so."""
        if (earlier.table, earlier.reading) != (self.table, self.reading):
            return self  # another question
        looked = (*earlier.before, earlier.options)
        return replace(self, before=looked[: looked.index(self.options)] if self.options in looked else looked)

    @property
    def changes(self) -> str:
        """What was changed after looking, as a sentence for the result; empty where nothing was."""
        if not self.before:
            return ""
        first, now = self.before[0].explicit(), self.options.explicit()
        changed = [
            f"{OPTIONS[name].label} ({_told(name, now[name])} instead of {_told(name, first[name])})"
            for name in now
            if now[name] != first[name]
        ]
        return (
            f"These settings were chosen after looking at {counted(len(self.before), 'result')} with other settings. Changed since "
            f"the first: {listed(changed)}. P-values and intervals hold for settings that are chosen before looking: report what "
            "came first as well."
        )


def _told(name: str, value: Any) -> str:
    if value is None or value == []:
        return _EMPTY.get(name, "the rules' choice")
    return listed([str(item) for item in value]) if isinstance(value, list) else str(value)
