"""Digests in a store: of every finished task with its scores, and of what the store says of its suite.

What a disk or a copy has changed is noticed; somebody who changes a store on purpose can make its digests anew.
"""

from __future__ import annotations

import hashlib
import json
import math
import sqlite3
from array import array
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

# What the digest of a finished task is made of, with its scores: what it is, and what came of it.
_SEALED = "dataset, algorithm, repeat, fold, status, message, remark"
_SCORES = "SELECT key, metric, value, message FROM score ORDER BY key, metric"
_AS_SEALED = {"out_of_memory": "memout"}  # digests keep the word of the first stores
Score = tuple[str, float | None, str]  # metric, value, and why there is none


class Finished(NamedTuple):
    """What a store has finished: rows of tasks (key, digest, planned, then what `_SEALED` names), and scores by key."""

    tasks: list[tuple[Any, ...]]
    scores: Mapping[str, list[Score]]
    damaged: list[str]


def place_of(dataset: str, algorithm: str, repeat: int, fold: int) -> str:
    """A task in words."""
    return f"{algorithm} on {dataset}, repeat {repeat}, fold {fold}"


def _by_key(rows: Iterable[tuple[str, str, float | None, str]]) -> dict[str, list[Score]]:
    scores: defaultdict[str, list[Score]] = defaultdict(list)
    for key, metric, value, message in rows:
        scores[key].append((metric, value, message))
    return scores


def seal_of(row: Sequence[Any], scores: Sequence[Score]) -> str:
    """The digest of a finished task, from its outcome or from its rows; its scores in the order of their metrics."""
    # The numbers by their bits, which is far quicker than by their digits. SQLite keeps a nan as NULL and -0.0 as 0.0.
    values = array("d", [math.nan if value is None else value + 0.0 for _, value, _ in scores])
    said = (_AS_SEALED.get(word, word) for word in map(str, row))
    words = "\0".join([*said, *(word for metric, _, why in scores for word in (metric, why))])
    return hashlib.sha256(words.encode() + values.tobytes()).hexdigest()[:16]


def _is_kept(digest: str, row: Sequence[Any], scores: Sequence[Score]) -> bool:
    """Whether rows are as they were when their digest was made."""
    try:
        return digest == seal_of(row, scores)
    except TypeError:  # a flipped bit has made a text of a number, or bytes of a text
        return False


def finished(db: sqlite3.Connection) -> Finished:
    """All finished tasks and their scores, in one pass."""
    query = f"SELECT key, digest, planned, {_SEALED} FROM task WHERE status IS NOT NULL ORDER BY key"
    tasks, scores = db.execute(query).fetchall(), _by_key(db.execute(_SCORES))
    damaged = [key for key, digest, _, *row in tasks if digest and not _is_kept(digest, row, scores.get(key, []))]
    return Finished(tasks, scores, damaged)


def seal_tasks(db: sqlite3.Connection, keys: Collection[str]) -> None:
    """Keep the digests of these tasks, as their rows are now."""
    listed, chosen = [json.dumps(list(keys))], "key IN (SELECT value FROM json_each(?))"
    scores = _by_key(db.execute(_SCORES.replace("ORDER", f"WHERE {chosen} ORDER"), listed))
    tasks = db.execute(f"SELECT key, {_SEALED} FROM task WHERE {chosen}", listed).fetchall()
    digests = [(seal_of(row, scores.get(key, [])), key) for key, *row in tasks]
    db.executemany("UPDATE task SET digest = ? WHERE key = ?", digests)


def suite_seal(db: sqlite3.Connection) -> str:
    """A digest of what the store says of its suite: the last definition, the datasets, and how many tasks are planned."""
    definition = db.execute("SELECT suite, definition FROM run ORDER BY id DESC LIMIT 1").fetchone()
    datasets = db.execute("SELECT * FROM dataset ORDER BY name").fetchall()
    planned = db.execute("SELECT count(*) FROM task WHERE planned").fetchone()
    return hashlib.sha256(json.dumps((definition, datasets, planned)).encode()).hexdigest()[:16]


def seal_suite(db: sqlite3.Connection) -> None:
    """Keep the digest of what the store says of its suite now."""
    db.execute("UPDATE run SET digest = ? WHERE id = (SELECT max(id) FROM run)", (suite_seal(db),))
