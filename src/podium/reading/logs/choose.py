"""Which of the streams of some logs are compared: one metric, one variant per benchmark, one run per system.

What has one clear answer is taken and said; anything else is one question that names the options that settle it.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from podium.core import check
from podium.core.errors import DataError
from podium.core.names import in_order, quoted, shown
from podium.core.numbers import counted, listed
from podium.reading.logs.records import DONE, Log, Stream
from podium.reading.question import Question
from podium.reading.where import Condition, parsed

MOST_NAMED = 12
Variant = tuple[str, tuple[tuple[str, str], ...]]
_T = TypeVar("_T")
_K = TypeVar("_K", bound=Hashable)


@dataclass(slots=True)
class Choice:
    """The streams that are compared, those of their costs, and the sentences on what was left out."""

    scores: list[Stream]
    costs: list[Stream] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    rows: list[Condition] = field(default_factory=list)
    """Conditions on cases."""


def choose(log: Log, label: str, *, metric: tuple[str, ...], where: str | None, runs: str) -> Choice:
    """The streams of one question."""
    conditions = list(parsed(where)) if where is not None else []
    streams, rows = _kept(log, conditions, label)
    scored = [stream for stream in streams if not stream.is_cost]
    if not scored:
        raise DataError(f"{label} holds no score of any case.")
    notes: list[str] = []
    rows += _usual(log, scored, {condition.column for condition in conditions}, notes)
    scored = _of_finest_unit(scored, notes)
    if metric:
        names = dict.fromkeys(name for stream in scored for name in _called(stream))
        wanted = {check.member("metric", name, names) for name in metric}
        scored = [stream for stream in scored if wanted & _called(stream)]
    scored = _one_variant(scored, label, notes, many_metrics=scored[0].is_whole)
    scored = _one_run(scored, label, runs, notes)
    if scored[0].is_whole and not any(condition.column == "group" for condition in rows):
        _no_swamping(log, scored, label)
    compared = {(stream.system, stream.benchmark, stream.file) for stream in scored}
    costs = [s for s in streams if s.is_cost and (s.system, s.benchmark, s.file) in compared]
    if scored[0].is_whole:  # a dataset of which one run is taken has the costs of that run
        costs = _one_run(costs, label, runs, [])
    return Choice(scored, costs, list(dict.fromkeys(notes)), rows)


def _usual(log: Log, streams: list[Stream], asked: set[str], notes: list[str]) -> list[Condition]:
    """What is compared of several kinds of cases unless somebody chooses: of several splits, test."""
    conditions = []
    for trait, value in log.usual.items():
        values = log.traits.get(trait, {})
        kinds = {values.get(code, "") for stream in streams for code in set(stream.cases)}
        if trait not in asked and value in kinds and len(kinds) > 1:
            conditions.append(Condition(trait, "==", (value,)))
            notes.append(
                f"Only cases with {trait} {value!r} are compared; the others have {quoted(sorted(kinds - {value}))}."
            )
    return conditions


def _called(stream: Stream) -> set[str]:
    """What the metric of a stream may be called: a scorer is named as often as what it gives."""
    return {stream.metric, stream.fields.get("scorer") or stream.metric}


def _kept(log: Log, conditions: list[Condition], label: str) -> tuple[list[Stream], list[Condition]]:
    """The streams that meet the conditions, and the conditions that are on cases instead."""
    columns = list(dict.fromkeys(name for stream in log.streams for name in stream.traits()))
    streams, rows = log.streams, []
    for condition in conditions:
        if condition.column in columns:
            left = [s for s in streams if condition.holds(s.traits().get(condition.column, ""))]
            if not left:
                seen = sorted({stream.traits().get(condition.column, "") for stream in streams})
                raise DataError(f"{{where}}: no log has such a {condition.column} ({quoted(seen, MOST_NAMED)}).")
            streams = left
        elif condition.column in log.traits:
            rows.append(condition)
        else:
            names = quoted([*columns, *log.traits], 20)
            raise DataError(f"{label} has nothing called {shown(condition.column)} for {{where}}: it has {names}.")
    return streams, rows


def _of_finest_unit(streams: list[Stream], notes: list[str]) -> list[Stream]:
    """Cases where there are cases; scores of whole datasets beside them are the same outcomes once more, summed up."""
    by_case = [stream for stream in streams if not stream.is_whole]
    if len(by_case) in (0, len(streams)):
        return streams
    whole = [stream for stream in streams if stream.is_whole]
    systems: dict[int, set[str]] = defaultdict(set)
    for stream in whole:
        for code in stream.cases:
            systems[code].add(stream.system)
    if len({stream.system for stream in by_case}) == 1 and max(map(len, systems.values())) > 1:
        notes.append("The scores of whole datasets are compared: only one system has cases.")
        return whole
    benchmarks = {stream.benchmark for stream in by_case}
    datasets = {s.log.names[code] for s in streams if s.is_whole for code in s.cases}
    lost = sorted(datasets - benchmarks)
    if lost:
        notes.append(f"Left out, because only their totals are there and no cases: {quoted(lost)}.")
    alone = sorted({stream.system for stream in streams} - {stream.system for stream in by_case})
    if alone:
        notes.append(f"Left out, because only their totals are there and no cases: the systems {quoted(alone)}.")
    return by_case


def _variant(stream: Stream) -> Variant:
    return stream.metric, tuple(sorted(stream.fields.items()))


def _one_variant(streams: list[Stream], label: str, notes: list[str], *, many_metrics: bool) -> list[Stream]:
    """One variant of each benchmark: the only one, or the one that its format marks as the main one."""
    by_benchmark = grouped(streams, lambda s: (s.benchmark, s.metric if many_metrics else ""))
    chosen: dict[tuple[str, str], dict[Variant, list[Stream]]] = {}
    left: dict[str, None] = {}
    for place, own in by_benchmark.items():
        variants = grouped(own, _variant)
        main = {key: group for key, group in variants.items() if any(stream.main for stream in group)}
        chosen[place] = main or variants
        left |= {_said(key): None for key in variants if key not in chosen[place]}
    metrics = {variant[0] for variants in chosen.values() for variant in variants}
    if any(len(variants) > 1 for variants in chosen.values()) or (len(metrics) > 1 and not many_metrics):
        raise _question(chosen, label, metrics)
    if left:
        notes.append(f"Also there, and not compared: {listed(list(left), MOST_NAMED)}; `metric` and `where` choose.")
    return [stream for variants in chosen.values() for group in variants.values() for stream in group]


def _question(chosen: dict[tuple[str, str], dict[Variant, list[Stream]]], label: str, metrics: set[str]) -> DataError:
    """What is there to choose from, and an example of how to choose it."""
    lines, offers = [], []
    for (benchmark, _), variants in sorted(chosen.items(), key=lambda item: -len(item[1])):
        for variant, streams in variants.items():
            on = f" on {benchmark}" if benchmark else ""
            lines.append(f"{_said(variant)}{on} ({counted(len({s.system for s in streams}), 'system')})")
            everywhere = all(variant in own for own in chosen.values())
            terms = [] if everywhere else [f"benchmark == {benchmark!r}"]
            terms += [f"{n} == {value!r}" for n, value in variant[1] if len({dict(v[1]).get(n) for v in variants}) > 1]
            offer = {"metric": variant[0]} if len(metrics) > 1 else {}
            offers.append(offer | ({"where": " and ".join(terms)} if terms else {}))
    example = " ".join(
        f"{{{name}}} {value if name == 'metric' else f'{chr(34)}{value}{chr(34)}'}" for name, value in offers[0].items()
    )
    return Question(
        f"{label} holds several things that could be compared: {'; '.join(lines[:MOST_NAMED])}"
        f"{f'; and {len(lines) - MOST_NAMED} more' if len(lines) > MOST_NAMED else ''}. Choose one, as in {example}.",
        *(offer for at, offer in enumerate(offers) if offer not in offers[:at]),
        choices=tuple(lines),
    )


def _said(variant: Variant) -> str:
    metric, fields = variant
    details = [f"{name} {shown(value)}" for name, value in fields if value]
    return f"{metric} with {listed(details)}" if details else metric


def _one_run(streams: list[Stream], label: str, runs: str, notes: list[str]) -> list[Stream]:
    """One run of each system: of several, those that came to an end; of these, the copies once; then as `runs` says."""
    kept: list[Stream] = []
    several: dict[str, list[Stream]] = {}
    for own in grouped(streams, lambda s: (s.system, s.benchmark, s.metric)).values():
        done = [stream for stream in own if stream.status == DONE] or own
        for stream in own:
            if stream.status != DONE:
                what = "is used anyway: there is no other" if stream in done else "is left out"
                notes.append(f"{stream.file.name} ({stream.system}) was {stream.status}: it {what}.")
        distinct = _without_copies(done, notes)
        if len(distinct) > 1 and _overlap(distinct):
            parts = _by_dataset(distinct) if own[0].is_whole else [distinct]
            distinct = [stream for part in parts for stream in _settled(part, runs, several, notes)]
        kept += distinct
    if several:
        raise several_runs(label, {name: _paths(own) for name, own in several.items()})
    return kept


def _settled(own: list[Stream], runs: str, several: dict[str, list[Stream]], notes: list[str]) -> list[Stream]:
    """What counts of the runs of a system on the same cases; what somebody must say is put among the `several`."""
    if not _overlap(own):
        return own
    if runs == "newest":
        return [_newest(own, notes)]
    if runs == "repeats" or _other_seeds(own):
        _number(own, notes)
        return own
    first = own[0]
    place = first.benchmark or (first.log.names[first.cases[0]] if first.is_whole else "")
    several[f"{first.system} on {place}" if place else first.system] = own
    return own


def _by_dataset(streams: list[Stream]) -> list[list[Stream]]:
    """The parts of streams on one dataset each: what was run again may be a part of the datasets only."""
    parts: dict[int, list[Stream]] = defaultdict(list)
    for stream in streams:
        for code in dict.fromkeys(stream.cases):
            parts[code].append(stream.on(code))
    return list(parts.values())


def several_runs(label: str, runs: Mapping[str, Sequence[str]], differing: Sequence[str] = ()) -> DataError:
    """The question which of several runs count, from what was run, the names of its runs and the settings that differ."""
    name, own = next(iter(runs.items()))
    more = f", and several of {counted(len(runs) - 1, 'other')}" if len(runs) > 1 else ""
    return DataError(
        f"{label} has {len(own)} runs of {shown(name)} ({quoted(own, 4)}){more}: set {{runs}} to 'newest' to take the last one, or to "
        "'repeats' if each is a sample of the same system."
        + (
            f" They differ in {quoted(differing, 6)}: if that makes other systems or datasets, name them so."
            if differing
            else ""
        )
    )


def _number(streams: list[Stream], notes: list[str]) -> None:
    """Let all of several runs count: as samples of each case, or as repeats of each dataset."""
    for at, stream in enumerate(streams):
        stream.run = at
    several = "repeats on each dataset" if streams[0].is_whole else "samples of each case"
    notes.append(f"{len(streams)} runs of {shown(streams[0].system)} are its {several}.")


def _newest(streams: list[Stream], notes: list[str]) -> Stream:
    """The last of several runs: by their dates, or by name if they have none."""
    paths = dict(zip(streams, _paths(streams), strict=True))
    undated = [stream for stream in streams if not stream.when]
    if 0 < len(undated) < len(streams):
        raise DataError(
            f"{shown(paths[undated[0]])} has no date, so that nobody knows which run of {shown(undated[0].system)} is the newest: "
            "leave out the files that you do not want, or set {runs} to 'repeats'."
        )
    last = max(stream.when for stream in streams)
    latest = [stream for stream in streams if stream.when == last]
    newest = max(latest, key=lambda stream: in_order(str(stream.file)))
    how = "the newest" if len(latest) == 1 else "the last by name, because no date distinguishes them"
    notes.append(f"Of {len(streams)} runs of {shown(newest.system)} one is taken, {how}: {paths[newest]}.")
    return newest


def _paths(streams: list[Stream]) -> list[str]:
    """The names of the files of streams, with as many of their folders as tell them apart."""
    files = [stream.file for stream in streams]
    if len({file.name for file in files}) == len(files):
        return [file.name for file in files]
    shared = os.path.commonpath([file.parent for file in files])
    return [file.relative_to(shared).as_posix() for file in files]


def _without_copies(streams: list[Stream], notes: list[str]) -> list[Stream]:
    """Each run once: a file that says the same of the same cases as another one is a copy."""
    kept: list[Stream] = []
    for stream in streams:
        twin = next((other for other in kept if _same(stream, other)), None)
        if twin is None:
            kept.append(stream)
        else:
            copy, first = _paths([stream, twin])
            notes.append(f"{copy} says the same as {first}: it counts once.")
    return kept


def _same(one: Stream, other: Stream) -> bool:
    if one.file == other.file or len(one.values) != len(other.values):
        return False
    if one.seed != other.seed or (one.is_whole and one.when != other.when):  # few scores may be the same by chance
        return False
    return _content(one) == _content(other)


def _content(stream: Stream) -> list[tuple[int, int, int, str]]:
    """What a stream says, in an order of its own; the order of a file does not matter."""
    return sorted(zip(stream.cases, stream.samples, stream.repeats, map(repr, stream.values), strict=True))


def _overlap(streams: list[Stream]) -> bool:
    """Whether two runs are of the same case; parts of one run are not."""
    if len({stream.file for stream in streams}) == 1:
        return False
    seen: set[tuple[int, int, int]] = set()
    for stream in streams:
        own = set(zip(stream.cases, stream.samples, stream.repeats, strict=True))
        if own & seen:
            return True
        seen |= own
    return False


def _other_seeds(streams: list[Stream]) -> bool:
    """Whether every run says that it was made with a seed of its own."""
    seeds = [stream.seed for stream in streams]
    return all(seeds) and len(set(seeds)) == len(seeds)


def _no_swamping(log: Log, streams: list[Stream], label: str) -> None:
    """Subtasks of one group among other tasks would have most of the weight: somebody must say what is meant."""
    groups = log.traits.get("group", {})
    tasks = {code for stream in streams for code in stream.cases}
    members: dict[str, int] = defaultdict(int)
    for code in tasks:
        if groups.get(code):
            members[groups[code]] += 1
    big = {name: n for name, n in members.items() if n > 1 and n < len(tasks)}
    if not big:
        return
    name, n = max(big.items(), key=lambda item: item[1])
    raise DataError(
        f"{label}: {n} of the {len(tasks)} tasks are parts of {shown(name)} and would outweigh the others. Choose by "
        f'{{where}}: "group == \'\'" takes the tasks that are not parts, "group == {name!r}" only those parts, '
        f"\"group != 'none'\" every task."
    )


def grouped(items: Iterable[_T], key: Callable[[_T], _K]) -> dict[_K, list[_T]]:
    """The items that share a key, by key."""
    groups: dict[_K, list[_T]] = defaultdict(list)
    for item in items:
        groups[key(item)].append(item)
    return groups
