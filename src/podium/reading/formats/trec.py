"""TREC: runs with the judgements (qrels) that score them, or what `trec_eval -q` printed of each run."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from podium.core.errors import DataError
from podium.core.names import quoted, shown
from podium.core.numbers import counted
from podium.reading.formats.compressed import stem_of
from podium.reading.logs.files import damaged_line, head_of, opened_text, wrong
from podium.reading.logs.packing import OPENERS
from podium.reading.logs.records import Log, number
from podium.reading.logs.trec_measures import MEASURES, by_score

HEADLINE = "map"
_NOT_SO = "not as TREC has it"
_LOOKED_AT = 8
# What trec_eval prints that is no score of a query.
_COUNTS = re.compile(r"runid|num_.*|relstring|relative.*|set_relative.*|.*_avgjg.*|11pt_avg_.*")
_USUAL = re.compile(
    r"map|gm_map|bpref|Rprec|(i?ndcg|recip_rank|infAP|utility)(_\w+)?|runid|num_\w+|(P|recall|success|map_cut|iprec_at_recall|set)_.+"
)
_BEIR = ["query-id", "corpus-id", "score"]  # how judgements begin that have no column of iterations
_RUN, _QRELS, _PRINTED = "run", "qrels", "printed"

Judgements = dict[str, dict[str, int]]


def is_trec(path: Path, head: bytes) -> bool:
    """Whether a file is a run, judgements, or what trec_eval printed."""
    return _kind(head) is not None


def _kind(head: bytes) -> str | None:
    """What a file is, by its first lines."""
    lines = head.splitlines()
    try:
        whole = b"\n".join(lines if len(lines) < 2 else lines[:-1]).decode("utf-8").splitlines()
    except UnicodeDecodeError:
        return None
    rows = [line.split() for line in whole[:_LOOKED_AT] if line.strip()]
    if rows[:1] == [_BEIR]:
        return _QRELS
    if not rows or any("," in "".join(row[:1]) for row in rows):
        return None
    if all(len(row) >= 6 and _whole(row[3]) and number(row[4]) is not None and _is_iteration(row) for row in rows):
        return _RUN
    if all(len(row) == 4 and _whole(row[3]) and _whole(row[1].upper().replace("Q", "")) for row in rows):
        return _QRELS
    if all(len(row) == 3 and re.fullmatch(r"[A-Za-z0-9][\w.,=-]*", row[0]) for row in rows):
        return _PRINTED if any(_USUAL.fullmatch(row[0]) for row in rows) else None
    return None


def _is_iteration(row: list[str]) -> bool:
    """Whether the second word of a run's line is the one that nobody uses: Q0, or 0 before a name that is not a number."""
    return row[1].upper() == "Q0" or (row[1] == "0" and number(row[2]) is None and number(row[5]) is None)


def _whole(text: str) -> bool:
    return re.fullmatch(r"[-+]?\d{1,9}", text) is not None


def read_trec(files: list[Path], log: Log) -> None:
    """Every run on every query; runs are scored here by the judgements, as trec_eval does."""
    kinds = {file: _kind(head_of(file)) for file in files}
    runs, qrels, printed = ([file for file in files if kinds[file] == kind] for kind in (_RUN, _QRELS, _PRINTED))
    if runs and not qrels and not printed:
        raise DataError(
            f"{runs[0].parent.name or '.'}: {counted(len(runs), 'run')} of TREC, but no judgements (qrels) to score them by: put "
            "the file of judgements beside them, or give what `trec_eval -q` printed of each run."
        )
    if runs and qrels:
        _score(runs, qrels, log)
        if printed:
            log.note(
                f"Not used, because the runs are there: what trec_eval printed in {quoted([f.name for f in printed], 4)}."
            )
    elif printed:
        _read_printed(printed, log)
        if qrels:
            log.note("The judgements are not needed: the scores are there.")
    else:
        raise DataError(f"{qrels[0].name} holds judgements of TREC only: give the runs beside it.")
    log.matched_by("query")


def _lines(file: Path, least: int) -> Iterator[tuple[int, list[str]]]:
    """The lines of a file in words."""
    with opened_text(file, errors="replace") as text:
        for line, row in enumerate(text, 1):
            words = row.split()
            if words and len(words) < least:
                raise damaged_line(file, line, _NOT_SO)
            if words:
                yield line, words


# --- Runs and judgements ---------------------------------------------------------------------------------------------


def _judgements(files: list[Path]) -> Judgements:
    judged: Judgements = {}
    for file in files:
        for line, words in _lines(file, 3):
            if words == _BEIR:
                continue
            query, document, level = words[0], *words[-2:]
            if not _whole(level):
                raise damaged_line(file, line, _NOT_SO)
            own = judged.setdefault(query, {})
            if own.get(document, int(level)) != int(level):
                raise wrong(file, f", line {line}: {document!r} has two judgements for the query {query!r}.")
            own[document] = int(level)
    return judged


def _score(files: list[Path], qrels: list[Path], log: Log) -> None:
    judged = _judgements(qrels)
    judged = {query: own for query, own in judged.items() if any(level > 0 for level in own.values())}
    if not judged:
        raise DataError(f"{qrels[0].name} judges no document as relevant: there is nothing to score by.")
    names = _systems(files, [_tag(file) for file in files])
    seen: set[str] = set()
    shared: dict[str, set[str]] = {}
    for file, name in zip(files, names, strict=True):
        run = _run(file)
        seen |= run.keys()
        own = shared[file.name] = run.keys() & judged.keys()
        if not own:
            raise wrong(file, f"has no query that {qrels[0].name} judges.")
        other = next((other for other, queries in shared.items() if queries.isdisjoint(own)), None)
        if other is not None:
            raise wrong(
                file, f"and {other} have no query in common: give the runs and judgements of one set of queries."
            )
        for query, levels in judged.items():
            ranked = by_score(run[query]) if query in run else None
            for metric, measure in MEASURES.items():
                score = measure(ranked, levels) if ranked is not None else None
                about = {"file": file, "system": name, "main": metric == HEADLINE}
                stream = log.stream(metric=metric, direction="higher", **about)
                stream.add(query, score, why="no document retrieved")
    unjudged = sorted(seen - judged.keys())
    if unjudged:
        queries = counted(len(unjudged), "query", "queries")
        log.note(f"{queries} without a relevant document left out: {quoted(unjudged, 4)}.")
    log.note(
        "Runs are scored as trec_eval does: by the scores, not the ranks that they state, and equal scores by the document's name, "
        "the last first. A query that a run lacks is missing, as with trec_eval; with `missing` set to 'wrong' it counts as 0."
    )


def _tag(file: Path) -> str:
    """The tag in the first line of a run."""
    return next((words[5] for _, words in _lines(file, 6)), "")


def _run(file: Path) -> dict[str, dict[str, float]]:
    """The score of every document that a run retrieves, by query."""
    retrieved: dict[str, dict[str, float]] = {}
    tag = _tag(file)
    for line, words in _lines(file, 6):
        if words[5] != tag:
            raise wrong(
                file, f", line {line}: it holds the runs {shown(tag)} and {shown(words[5])}; keep a file for each run."
            )
        score = number(words[4])
        if score is None:
            raise damaged_line(file, line, _NOT_SO)
        own = retrieved.setdefault(words[0], {})
        if words[2] in own:
            raise wrong(
                file, f", line {line}: the document {words[2]!r} is retrieved twice for the query {words[0]!r}."
            )
        own[words[2]] = score
    return retrieved


def _systems(files: list[Path], tags: list[str]) -> list[str]:
    """The tags of the runs where each has its own, the names of the files otherwise."""
    if len(set(tags)) == len(tags) and all(tags):
        return tags
    names = [file.stem if file.suffix in OPENERS else file.name for file in files]
    stems = [stem_of(file) for file in files]
    for chosen in (stems, names):
        if len(set(chosen)) == len(chosen):
            return chosen
    return [f"{file.parent.name}/{name}" for file, name in zip(files, names, strict=True)]


# --- What trec_eval printed ------------------------------------------------------------------------------------------


def _read_printed(files: list[Path], log: Log) -> None:
    tables = []
    empty = []
    for file in files:
        tag, rows = "", []
        for line, words in _lines(file, 3):
            if words[0] == "runid":
                tag = words[2]
            elif words[1] != "all" and not _COUNTS.fullmatch(words[0]):
                if number(words[2]) is None:
                    raise damaged_line(file, line, _NOT_SO)
                rows.append((words[0], words[1], words[2]))
        if rows:
            tables.append((file, tag, rows))
        else:
            empty.append(file.name)
    if empty:
        log.note(f"Left out, because only totals were printed (run trec_eval with -q): {quoted(empty, 4)}.")
    if not tables:
        raise DataError(f"{files[0].name} has no scores of queries: run trec_eval with -q.")
    measures = {measure for _, _, rows in tables for measure, _, _ in rows}
    names = _systems([file for file, _, _ in tables], [tag for _, tag, _ in tables])
    for (file, _, rows), name in zip(tables, names, strict=True):
        for measure, query, value in rows:
            about = {"file": file, "system": name, "main": HEADLINE not in measures or measure == HEADLINE}
            log.stream(metric=measure, direction="higher", **about).add(query, value)
