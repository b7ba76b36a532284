"""Reports of Yandex' tabular deep learning papers (TabR and others): `<model>/<dataset>/0-evaluation/<seed>/report.json`."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

from podium.core.errors import DataError
from podium.core.numbers import counted
from podium.reading.logs.json_view import json_view
from podium.reading.logs.records import Log, number

_START = re.compile(rb'\{\s*"(?:function|program)"\s*:\s*"(?:bin|lib)[./]')
_EVALUATION = re.compile(r"(.*?)-?evaluation")
# By what a task is judged, in this order; `score` is the same number, signed so that higher is better.
_METRICS = {"accuracy": "higher", "rmse": "lower"}


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a report lies: its model, the variant of it, the dataset and the seed."""

    model: str
    variant: str
    dataset: str
    seed: int


def is_tabular_dl(path: Path, head: bytes) -> bool:
    """Whether a JSON file is the report of one training."""
    return _START.match(head.lstrip()) is not None and b'"config"' in head


def read_tabular_dl(files: list[Path], log: Log) -> None:
    """Every model on every dataset by its score on the test set; its seeds are repeats, which are not paired."""
    found = [(file, place) for file in files if (place := _place(file)) is not None]
    if len(found) < len(files):
        log.note(f"{counted(len(files) - len(found), 'report')} of tuning or of ensembles left alone.")
    variants: dict[tuple[str, str], set[str]] = defaultdict(set)
    for _, place in found:
        if place.variant.isdigit():
            variants[place.model, place.dataset].add(place.variant)
    several = {model for (model, _), own in variants.items() if len(own) > 1}
    first: dict[str, Path] = {}
    for file, place in found:
        test = json_view(file).get("metrics", "test")
        scores = {name: number(view.load()) for name, view in test.members() if view.kind not in "{["} if test else {}
        judged = next((name for name in _METRICS if name in scores), None)
        if judged is None:
            raise DataError(
                f"{'/'.join(file.parts[-4:])} has neither an accuracy nor an rmse of the test set.", file=str(file)
            )
        named = place.variant and (not place.variant.isdigit() or place.model in several)
        system = f"{place.model}/{place.variant}" if named else place.model
        values = [(judged, _METRICS[judged], True)] + ([("score", "higher", False)] if "score" in scores else [])
        for metric, direction, main in values:
            about = {"file": first.setdefault(system, file), "system": system, "unit": "dataset", "main": main}
            stream = log.stream(metric=metric, direction=direction, **about)
            stream.add(place.dataset, scores[metric], repeat=place.seed)
    log.matched_by("dataset")


def _place(file: Path) -> _Place | None:
    """Where a report lies; None where it is not of the evaluation of a model."""
    parts = file.resolve().parts
    if len(parts) < 5:
        return None
    model, dataset, step, seed = parts[-5:-1]
    found = _EVALUATION.fullmatch(step)
    if found is None or not re.fullmatch(r"\d{1,9}", seed):
        return None
    return _Place(model, found[1], dataset, int(seed))
