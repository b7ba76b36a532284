"""MTEB results: `<model>/<revision>/<task>.json`, one file per task, with a `main_score` per split and language."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from podium.core.names import quoted
from podium.core.numbers import counted, listed
from podium.reading.logs.choose import grouped
from podium.reading.logs.files import wrong
from podium.reading.logs.json_view import json_view, list_of, names_in
from podium.reading.logs.records import Log, number

_SCORES = re.compile(rb'"scores"\s*:\s*\{\s*"\w+"\s*:\s*\[\s*\{[^{}]*"hf_subset"\s*:')
_REVISION = re.compile(r"[0-9a-f]{32,64}|\d{1,3}|external|no_revision_available|no_revision|main")
_IMPORTED = ("external", "no_revision_available", "no_revision")
_SPLITS = ("test", "validation", "dev", "val")
METRIC = "main_score"


@dataclass(slots=True)
class _Task:
    """What one file says: the scores of one model on one task, by split and subset."""

    file: Path
    system: str
    revision: str
    task: str
    version: tuple[int, ...]
    scores: dict[str, dict[str, float | None]] = field(default_factory=dict)
    languages: dict[str, str] = field(default_factory=dict)

    @property
    def split(self) -> str:
        """The split that counts: test, or what there is instead."""
        return next((name for name in _SPLITS if name in self.scores), next(iter(self.scores)))


def is_mteb(path: Path, head: bytes) -> bool:
    """Whether a JSON file is the result of a task of MTEB, new or old."""
    return bool({"mteb_version", "mteb_dataset_name"} & names_in(head)) or _SCORES.search(head) is not None


def read_mteb(files: list[Path], log: Log) -> None:
    """Every model on every task by its main score; the tasks are the datasets."""
    log.beside |= {file.parent / "model_meta.json" for file in files}
    by_file = {file: _task(file) for file in files}
    tasks, old = [task for task in by_file.values() if task], [file for file, task in by_file.items() if not task]
    if old:
        names = [f"{_system(file)}/{file.name}" for file in old]
        log.note(
            f"{counted(len(old), 'file')} of MTEB before version 1.11 left out, because they do not say which score is the main one: "
            f"{quoted(names, 3)}. `mteb.TaskResult.from_disk(path).to_disk(path)` writes such a file anew."
        )
    kept = _one_revision(tasks, log)
    if kept:
        _tell(kept, _shared_language(kept), log)
    log.matched_by("task")


def _task(file: Path) -> _Task | None:
    """The scores in a file; None if it is of the old kind, which does not say which score is the main one."""
    view = json_view(file)
    splits = view.get("scores")
    if splits is None:
        return None
    name = view.value("task_name") or file.name.split(".")[0]
    version = tuple(int(part) for part in re.findall(r"\d{1,6}", str(view.value("mteb_version") or ""))[:3])
    task = _Task(file, _system(file), file.resolve().parent.name, str(name), version)
    for split, rows in splits.members():
        own: dict[str, float | None] = {}
        for row in rows.items():
            subset = str(row.value("hf_subset", otherwise="default"))
            own[subset] = number(row.value(METRIC))
            task.languages[subset] = _language(subset, row.value("languages"))
        if own:
            task.scores[split] = own
    if not task.scores:
        raise wrong(file, f"of {task.system} has no scores: restore it, or leave it out.")
    return task


def _system(file: Path) -> str:
    """The folder of the model: the one above the revision, or the one the file is in."""
    folder = file.resolve().parent
    is_revision = _REVISION.fullmatch(folder.name) is not None or (folder / "model_meta.json").is_file()
    return (folder.parent.name if is_revision and folder.parent.name else folder.name) or "model"


def _language(subset: str, languages: Any) -> str:
    """The language of a subset that stands for it, and otherwise the subset's own name.

    >>> _language("en-en", ["eng-Latn"]), _language("en-de", ["eng-Latn", "deu-Latn"]), _language("en-ext", ["eng-Latn"])
    ('eng', 'en-de', 'en-ext')
    """
    codes = {str(name).split("-")[0] for name in list_of(languages)}
    if len(codes) != 1:
        return "eng" if subset == "default" and not codes else subset
    code = codes.pop()
    parts = set(subset.replace("_", "-").split("-"))
    whole = subset in ("default", code) or (len(parts) == 1 and len(next(iter(parts))) <= 3) or parts <= {code, "Latn"}
    return code if whole else subset


def _one_revision(tasks: list[_Task], log: Log) -> list[_Task]:
    """One file for each model and task: of a revision before an import without one, then of the newest MTEB."""
    kept, several = [], []
    for (system, name), own in grouped(tasks, lambda task: (task.system, task.task)).items():
        best = max(own, key=lambda t: (t.revision not in _IMPORTED, t.version, t.revision))
        if len({str(task.scores) for task in own}) > 1:
            several.append(f"{system} on {name}")
        kept.append(best)
    if several:
        log.note(
            f"Several revisions of a model have scores that differ: {quoted(several, 4)}. A known revision is taken before an "
            "imported one, then the one that the newest MTEB made."
        )
    imported = sum(task.revision in _IMPORTED for task in kept)
    if imported:
        log.note(f"{counted(imported, 'score')} of {len(kept)} come from imports that name no revision of the model.")
    return kept


def _shared_language(tasks: list[_Task]) -> str | None:
    """The language that every task has, where some task has several."""
    if all(len(task.scores[task.split]) == 1 for task in tasks):
        return None
    by_task: dict[str, set[str]] = defaultdict(set)
    for task in tasks:
        by_task[task.task] |= {task.languages[subset] for subset in task.scores[task.split]}
    return min(set.intersection(*by_task.values()), default=None)


def _tell(tasks: list[_Task], language: str | None, log: Log) -> None:
    """The streams: what is compared without a question, and the other splits and languages for those who ask."""
    mixed = language is None and any(len(task.scores[task.split]) > 1 for task in tasks)
    subsets: dict[str, set[str]] = defaultdict(set)  # of each task, of any model
    for task in tasks:
        subsets[task.task] |= set(task.scores[task.split])

    def add(task: _Task, name: str, score: float | None, why: str = "", main: bool = True, **fields: str) -> None:
        about: dict[str, Any] = {"file": task.file, "system": task.system, "unit": "dataset", "main": main}
        stream = log.stream(metric=METRIC, direction="higher", fields=fields, **about)
        stream.add(name, score, why=why)

    for task in tasks:
        for split, own in task.scores.items():
            beside = {} if split == task.split else {"split": split}
            for subset, score in own.items():
                spoken = task.languages[subset]
                alone = len(own) == 1 if language is None else spoken == language
                if alone and not mixed:
                    add(task, task.task, score, main=not beside, **beside)
                else:
                    add(task, f"{task.task} ({subset})", score, main=False, language=spoken, **beside)
        if mixed:
            add(task, task.task, *_mean(task, subsets[task.task]))
    if language is not None:
        log.note(f"Of tasks in several languages the part in {language!r} is taken, which every task has.")
    if mixed:
        log.note("The score of a task in several languages is the mean over its languages.")
    splits = sorted({task.split for task in tasks} - {"test"})
    if splits:
        log.note(f"Tasks without a test split are judged by another one: {listed(splits)}.")


def _mean(task: _Task, subsets: set[str]) -> tuple[float | None, str]:
    """The mean over all subsets of a task; none where the model lacks one of them."""
    own = task.scores[task.split]
    values = [own.get(subset) for subset in sorted(subsets)]
    present = [value for value in values if value is not None]
    if len(present) < len(values):
        return None, f"only {len(present)} of {len(values)} languages"
    return sum(present) / len(present), ""
