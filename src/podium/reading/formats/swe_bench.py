"""Results of SWE-bench: reports of the harness (old and new), the leaderboard's results.json, details of each instance.

Resolved is 1; unresolved, an empty patch and no patch are 0, also where an old report does not name the instance at all: some
systems list it in `no_generation`, others leave it out, and the leaderboard counts both as failed. An instance that failed for a reason outside the patch (error,
infrastructure, not submitted) is a hole, and `missing="wrong"` counts it as failed, as the leaderboard does. The
leaderboard's files name only what was resolved: which instances there are is read from instances.txt, from other files of
the comparison, from the name of the split, or asked for.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from podium.core.contents import is_regular, text_within
from podium.core.errors import DataError
from podium.core.names import quoted, shown
from podium.core.numbers import listed
from podium.reading.formats.compressed import stem_of
from podium.reading.logs.json_view import JsonView, dict_of, json_view, list_of, names_in
from podium.reading.logs.records import Log, Stream

BENCHMARK, METRIC = "SWE-bench", "resolve rate"
# How many instances a split of the leaderboard has, where a folder is named for it.
SPLITS = {"verified": 500, "lite": 300, "test": 2294, "multimodal": 517, "bash-only": 500}
_GENERIC = frozenset(
    """results result report reports final_report evaluation eval evals logs output outputs run_evaluation per_instance_details
    details all_preds preds trajs eval_results""".split()
)
_FAILED = ("unresolved_ids", "empty_patch_ids")
_HOLES = {"infra_failure_ids": "infrastructure", "error_ids": "error", "incomplete_ids": "not submitted"}
_OLD = frozenset(
    "no_generation generated with_logs no_logs install_fail reset_failed no_apply applied test_errored test_timeout".split()
)
_OLD_HOLES = {"install_fail": "install failed", "reset_failed": "reset failed"}
_LISTS = frozenset(
    "resolved_ids resolvedIds no_generation no_logs generated total_instances completed_ids submitted_ids".split()
)
# SWE-bench Pro's eval_results.json: {instance: true or false}.
_PASSED = re.compile(rb'\{\s*"(?:instance_)?[\w.\-]+__[^"\\]{2,200}"\s*:\s*(?:true|false)\s*[,}]')
_DETAILS = re.compile(rb'"[^"\\]{3,200}"\s*:\s*\{[^{}\[\]]{0,400}"resolved"\s*:\s*(true|false)')


def is_swe_bench(path: Path, head: bytes) -> bool:
    """Whether a file is one of the four kinds, by the names of its members."""
    if _LISTS & names_in(head):
        keys = set(json_view(path).keys())
        return bool({"resolved_ids", "resolvedIds"} & keys) or ("resolved" in keys and bool(_OLD & keys))
    if _PASSED.match(head.lstrip()):
        return True
    return _DETAILS.search(head) is not None and _kind(json_view(path)) in ("details", "systems")


def _kind(view: JsonView) -> str:
    """Which of the kinds a file is: "report", "old" report, "board", "details" of one system, or of several "systems"."""
    keys = set(view.keys())
    if {"resolved_ids", "resolvedIds"} & keys:
        return "report"
    if "resolved" in keys and _OLD & keys:
        return "board" if keys <= {"no_generation", "no_logs", "resolved"} else "old"
    first = next((member for _, member in view.members()), None)
    if first is None or first.get("resolved") is not None or isinstance(first.load(), bool):
        return "" if first is None else "details"
    inner = next((member for _, member in first.members()), None)
    return "systems" if inner is not None and inner.get("resolved") is not None else ""


@dataclass(slots=True)
class _Reports:
    """What was read so far: every instance that some file names, and the files whose other instances are not known."""

    instances: dict[str, None] = field(default_factory=dict)
    boards: dict[Path, tuple[str, list[str]]] = field(default_factory=dict)
    """The system and what it resolved, of files that name nothing else."""
    details: dict[tuple[str, Path], Path] = field(default_factory=dict)
    """The first file with details of a run of a system, which stands for all."""
    old: dict[Stream, set[str]] = field(default_factory=dict)
    """The instances that each old report names."""


def read_swe_bench(files: list[Path], log: Log) -> None:
    """Every file; boards are filled last, when it is known which instances there are, and come before logs of their systems."""
    reports = _Reports()
    kinds = {file: _kind(json_view(file)) for file in files}
    for file in sorted(files, key=lambda file: kinds[file] != "board"):
        view, kind = json_view(file), kinds[file]
        if kind == "report":
            _read_report(view, _name_of_report(file), log, reports)
        elif kind == "old":
            _read_old(view, _system_of(file), log, reports)
        elif kind == "board":
            reports.boards[file] = _system_of(file), _ids(view, "resolved")
        elif kind == "systems":
            for system, member in view.members():
                _read_details(member, system, file, log, reports)
        elif view.get(file.parent.name) is not None:  # the harness writes <run>/<model>/<instance>/report.json
            run = file.resolve().parent.parent
            _read_details(view, _system_of(run / "report"), run, log, reports)
        else:
            _read_details(view, _system_of(file), file, log, reports)
    if reports.boards:
        _read_boards(reports, log)
    if reports.old:
        _fill_old(reports, log)
    log.matched_by("instance_id")


# --- Names -----------------------------------------------------------------------------------------------------------


def _name_of_report(file: Path) -> str:
    """`<model>.<run>.json` is about the model; a last part of digits only belongs to the model's version."""
    stem = stem_of(file)
    model, _, run = stem.rpartition(".")
    name = model if model and not run.isdigit() else stem
    return _system_of(file) if name.lower() in _GENERIC else name


def _system_of(file: Path) -> str:
    """The first name on the way up from the file that is not one that every file has."""
    stem = stem_of(file)
    for name in (stem, *(parent.name for parent in file.resolve().parents)):
        if name and name.lower() not in _GENERIC and name.lower() not in SPLITS:
            return name
    return stem


# --- The kinds -------------------------------------------------------------------------------------------------------


def _ids(view: JsonView, name: str) -> list[str]:
    """The instances in a list, which some tools write as resolvedIds."""
    camel = re.sub(r"_([a-z])", lambda match: match[1].upper(), name)
    return list(dict.fromkeys(map(str, list_of(view.value(name)) or list_of(view.value(camel)))))


def _stream(file: Path, system: str, log: Log) -> Stream:
    return log.stream(file=file, system=system, benchmark=BENCHMARK, metric=METRIC, direction="higher")


def _add(stream: Stream, instance: str, score: float | None, why: str = "") -> None:
    repository, is_named, _ = instance.partition("__")
    stream.add(instance, score, why=why, traits={"repository": repository} if is_named else None)


def _read_report(view: JsonView, system: str, log: Log, reports: _Reports) -> None:
    """A report of the harness: infrastructure and errors come first, because they are among the unresolved ones, too."""
    lists = {"resolved_ids": (1.0, ""), **{name: (None, why) for name, why in _HOLES.items()}}
    lists |= dict.fromkeys(_FAILED, (0.0, "")) | dict.fromkeys(("completed_ids", "submitted_ids"), (None, "no outcome"))
    if not any(_ids(view, name) for name in lists if name != "resolved_ids"):
        reports.boards[view.path] = system, _ids(view, "resolved_ids")
        return
    named = _read_lists(view, system, lists, log, reports)
    total = view.value("total_instances")
    if isinstance(total, int) and total > named:
        log.note(f"{view.path.name} counts {total} instances and names {named}: the others are not compared.")


def _read_old(view: JsonView, system: str, log: Log, reports: _Reports) -> None:
    """A report of before 2024-06: what is in any list and was not resolved has failed."""
    lists: dict[str, tuple[float | None, str]] = {"resolved": (1.0, "")}
    lists |= {name: (None, why) for name, why in _OLD_HOLES.items()}
    rest = sorted((_OLD & set(view.keys())) - lists.keys())
    lists |= dict.fromkeys(rest, (0.0, ""))
    _read_lists(view, system, lists, log, reports)
    reports.old[_stream(view.path, system, log)] = {instance for name in lists for instance in _ids(view, name)}


def _fill_old(reports: _Reports, log: Log) -> None:
    """What an old report does not name had no patch, and failed; but not in one that names less than half: a part of a split, or
    another one.
    """
    without, few = [], []
    for stream, named in reports.old.items():
        absent = [instance for instance in reports.instances if instance not in named]
        if 2 * len(named) < len(reports.instances):
            few.append(f"{stream.system} ({len(named)} of {len(reports.instances)})")
        elif absent:
            without.append(f"{stream.system} ({len(absent)})")
            for instance in absent:
                _add(stream, instance, 0.0)
    if without:
        log.note(
            f"Instances in none of the lists of a report had no patch, and count as not resolved: {listed(without)}."
        )
    if few:
        log.note(
            f"Named less than half of the instances, and may be of another split: {listed(few)}. What they do not name stays missing."
        )


def _read_lists(
    view: JsonView, system: str, lists: Mapping[str, tuple[float | None, str]], log: Log, reports: _Reports
) -> int:
    """The instances in lists that say what became of them, each by the first list that has it; how many they are."""
    outcome: dict[str, tuple[float | None, str]] = {}
    for name, own in lists.items():
        for instance in _ids(view, name):
            outcome.setdefault(instance, own)
    stream = _stream(view.path, system, log)
    for instance, (score, why) in outcome.items():
        _add(stream, instance, score, why)
    reports.instances |= dict.fromkeys(outcome)
    return len(outcome)


def _read_details(view: JsonView, system: str, run: Path, log: Log, reports: _Reports) -> None:
    """{instance: {resolved, cost, api_calls}}, as mini-SWE-agent has it, or the report of one instance; {instance: true}, as SWE-bench Pro."""
    if system in (board for board, _ in reports.boards.values()):
        log.beside.add(view.path)
        return
    for instance, member in view.members():
        about = member.load()
        resolved = about if isinstance(about, bool) else dict_of(about).get("resolved")
        file = view.path if isinstance(about, bool) else reports.details.setdefault((system, run), view.path)
        score = float(resolved) if isinstance(resolved, bool) else None
        _add(_stream(file, system, log), instance, score, "no outcome")
        reports.instances[instance] = None
        costs = {cost: dict_of(about).get(cost) for cost in ("cost", "api_calls")}
        log.spend(costs, {"file": file, "system": system, "benchmark": BENCHMARK}, instance)


# --- The leaderboard's files -----------------------------------------------------------------------------------------


def _read_boards(reports: _Reports, log: Log) -> None:
    instances = _universe(reports, log)
    reports.instances |= dict.fromkeys(instances)
    names = set(instances)
    for file, (system, resolved) in reports.boards.items():
        unknown = [instance for instance in resolved if instance not in names]
        if unknown:
            raise DataError(
                f"{file}: {len(unknown)} resolved instances ({quoted(unknown, 3)}) are not among all {len(names)}: give "
                "{all_cases} the instances of this split, and files of one split only."
            )
        stream, right = _stream(file, system, log), set(resolved)
        for instance in instances:
            _add(stream, instance, float(instance in right))


def _universe(reports: _Reports, log: Log) -> list[str]:
    """All instances: as somebody says, as instances.txt lists them, as other files name them, or as many as the split has."""
    seen = reports.instances | dict.fromkeys(name for _, resolved in reports.boards.values() for name in resolved)
    if log.all_cases is not None:
        said = log.all_cases.strip()
        return _padded(seen, int(said)) if said.isdigit() else _lines(Path(log.all_cases))
    above = (folder / "instances.txt" for file in reports.boards for folder in list(file.resolve().parents)[:6])
    named = next((path for path in above if is_regular(path)), None)
    if named is not None:
        names = _lines(named)
        log.beside |= {folder / named.name for file in reports.boards for folder in list(file.parents)[:6]}
        log.note(
            f"The {len(names)} instances are those of {named.name}; one that no file names was resolved by nobody."
        )
        return names
    splits = {part.lower() for file in reports.boards for part in file.parts} & SPLITS.keys()
    if len(splits) == 1 and len(seen) <= max(SPLITS[split] for split in splits):
        split = splits.pop()
        log.note(
            f"The folder {split!r} has {SPLITS[split]} instances; those that no file names were resolved by nobody."
        )
        return _padded(seen, SPLITS[split])
    if reports.instances:
        log.note(f"The instances are the {len(seen)} that the files name.")
        return list(seen)
    raise DataError(
        f"{next(iter(reports.boards)).name} names only what was resolved ({len(seen)} instances in all files): give {{all_cases}}, a file "
        "with all instances, one per line, or how many there are (SWE-bench Verified has 500, Lite 300)."
    )


def _padded(seen: dict[str, None], total: int) -> list[str]:
    """The instances that are named, and the others by number: nobody resolved them, so their names do not matter."""
    if not len(seen) <= total <= 1_000_000:
        raise DataError(
            f"The files name {len(seen)} resolved instances, so there cannot be {total} in all: give {{all_cases}} the right number."
        )
    return [*seen, *(f"resolved by nobody {i + 1}" for i in range(total - len(seen)))]


def _lines(path: Path) -> list[str]:
    try:
        text = text_within(path)
    except (OSError, UnicodeError, ValueError):
        raise DataError(
            f"{shown(str(path))} cannot be read: give {{all_cases}} a text file with one instance per line, or a number."
        ) from None
    return list(dict.fromkeys(line.strip() for line in text.splitlines() if line.strip()))
