"""MTEB results: `<model>/<revision>/<task>.json`, one file per task, with a `main_score` per split and language."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
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

    split: str = ""
    """The split that counts."""

    @property
    def own(self) -> dict[str, float | None]:
        """The scores of that split by subset; none where the file lacks it."""
        return self.scores.get(self.split, {})


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
    _name_revisions(tasks, log)
    kept = _one_revision(tasks, log)
    if kept:
        _choose_splits(kept)
        _tell(kept, _shared_language(kept), log)
    log.matched_by("task")


def _task(file: Path) -> _Task | None:
    """The scores in a file; None if it is of the old kind, which does not say which score is the main one."""
    view = json_view(file)
    splits = view.get("scores")
    if splits is None:
        return None
    name = view.value("task_name") or file.name.split(".")[0]
    version = tuple(int(part) for part in re.findall(r"\d{1,6}", str(view.value("mteb_version") or "")))
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
    if folder.parent.name == "experiments":  # <model>/<revision>/experiments/<name>: another system
        return f"{_system(folder.parent)} ({folder.name})"
    meta = folder / "model_meta.json"
    named = str(json_view(meta).value("name") or "").replace("/", "__") if meta.is_file() else ""
    is_own = named != "" and folder.name in (named, named.rpartition("__")[2])
    is_revision = not is_own and (_REVISION.fullmatch(folder.name) is not None or meta.is_file())
    return (folder.parent.name if is_revision and folder.parent.name else folder.name) or "model"


def _rank(task: _Task) -> tuple[bool, tuple[int, ...]]:
    """Which of several files of a task counts: of a revision before an import without one, then of the newest MTEB."""
    return task.revision not in _IMPORTED, task.version


def _name_revisions(tasks: list[_Task], log: Log) -> None:
    """Revisions with other scores, of which none comes before the others, are systems of their own."""
    several: dict[str, None] = {}
    for (system, _), own in grouped(tasks, lambda task: (task.system, task.task)).items():
        best = [task for task in own if _rank(task) == max(map(_rank, own))]
        several |= {system: None} if len({str(task.scores) for task in best}) > 1 else {}
    for task in tasks:
        if task.system in several:
            task.system = f"{task.system} ({task.revision[:8]})"
    if several:
        log.note(f"Several revisions with scores of their own are several systems: {quoted(several, 4)}.")


def _choose_splits(tasks: list[_Task]) -> None:
    """The split of each task, the same for all systems: test, or the first that most of them have."""
    for own in grouped(tasks, lambda task: task.task).values():
        counts = Counter(split for task in own for split in task.scores)
        order = [*_SPLITS, *counts]
        best = min(counts, key=lambda split: (split != "test", -counts[split], order.index(split)))
        for task in own:
            task.split = best


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
    """One file for each model and task."""
    kept, several = [], []
    for (system, name), own in grouped(tasks, lambda task: (task.system, task.task)).items():
        best = max(own, key=_rank)
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
    """English, where some task has several languages and every task has that one."""
    if all(len(task.own) == 1 for task in tasks if task.own):
        return None
    by_task: dict[str, set[str]] = defaultdict(set)
    for task in tasks:
        by_task[task.task] |= {task.languages[subset] for subset in task.own}
    return "eng" if "eng" in set.intersection(*by_task.values()) else None


def _tell(tasks: list[_Task], language: str | None, log: Log) -> None:
    """The streams: what is compared without a question, and the other splits and languages for those who ask."""
    mixed = language is None and any(len(task.own) > 1 for task in tasks)
    subsets: dict[str, set[str]] = defaultdict(set)  # of each task, of any model
    for task in tasks:
        subsets[task.task] |= task.own.keys()

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
    values = [task.own.get(subset) for subset in sorted(subsets)]
    present = [value for value in values if value is not None]
    if len(present) < len(values):
        return None, f"only {len(present)} of {len(values)} languages"
    return sum(present) / len(present), ""
