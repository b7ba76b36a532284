"""AlpacaEval: `annotations.json`, a judge's preference between a reference and a system for each instruction."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

from podium.core.names import quoted, shown
from podium.reading.logs.files import form_of, head_of, wrong
from podium.reading.logs.json_view import json_view, names_in
from podium.reading.logs.records import Log, digest, number
from podium.reading.logs.tables import has_columns
from podium.reading.question import NothingToTest

_NEEDED = {"instruction", "generator_1", "generator_2", "preference"}
_LEADERBOARD = ("win_rate", "standard_error", "n_wins", "n_wins_base")
METRIC = "win rate"
LONGEST_LABEL = 60


def is_alpaca_eval(path: Path, head: bytes) -> bool:
    """Whether a JSON file is a list of annotated pairs, or a table the leaderboard that is made of many."""
    if has_columns(head, *_LEADERBOARD):
        return True
    names = names_in(head) & _NEEDED if head.lstrip().startswith(b"[") else frozenset()
    if not names or names == _NEEDED:
        return bool(names)
    return set(json_view(path).first().keys()) >= _NEEDED  # long outputs may come before the names


def read_alpaca_eval(files: list[Path], log: Log) -> None:
    """The probability that the system is preferred to the reference, for each instruction."""
    itself = []
    for file in files:
        if form_of(head_of(file)) != "json":
            log.beside.add(file)
            continue
        seen: Counter[tuple[str, str]] = Counter()
        for place, view in enumerate(json_view(file).items(), 1):
            row = view.load()
            if not isinstance(row, dict) or not row.keys() >= _NEEDED:
                raise wrong(file, f": entry {place} is not an annotated pair of outputs.")
            reference, system, judge = (str(row.get(name)) for name in ("generator_1", "generator_2", "annotator"))
            if reference == system:
                itself.append(system)
                continue
            fields = {"reference": reference, "annotator": judge}
            stream = log.stream(file=file, system=system, metric=METRIC, direction="higher", fields=fields)
            case = digest(f"{row.get('dataset')}\n{row['instruction']}")
            seen[system, case] += 1
            case += f" #{seen[system, case]}" if seen[system, case] > 1 else ""
            text = " ".join(str(row["instruction"]).split())
            name = text if len(text) <= LONGEST_LABEL else f"{text[: LONGEST_LABEL - 3]}..."
            score, why = _win(row.get("preference"), file, place)
            stream.add(case, score, name=name, why=why, traits={"dataset": row.get("dataset")})
    if len(log.beside) == len(files):
        raise NothingToTest(
            f"{files[0].name} is a leaderboard of AlpacaEval, with one score for each system, so there is nothing to test: give the "
            "folder of the annotations of each system (results/<model>/<annotator>/annotations.json)."
        )
    log.matched_by("dataset and instruction")
    if itself:
        log.note(f"Left out, because the reference is compared with itself: {quoted(dict.fromkeys(itself), 3)}.")


def _win(preference: Any, file: Path, place: int) -> tuple[float | None, str]:
    """How likely the system is the preferred one: 1 is the reference, 2 the system, 1.5 (or 0) a draw.

    >>> [_win(value, Path("x"), 1)[0] for value in (1, 1.5, 2.0, 0, None)]
    [0.0, 0.5, 1.0, 0.5, None]
    """
    value = number(preference)
    if value is None:
        return None, "not annotated"
    if value == 0:
        return 0.5, ""
    if not 1 <= value <= 2:
        raise wrong(
            file,
            f": the preference of entry {place} is {shown(str(preference))}; it must be between 1 (the reference) "
            "and 2 (the system).",
        )
    return value - 1, ""
