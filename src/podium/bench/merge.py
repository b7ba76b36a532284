"""Stores of parts of a suite, made one store: for arrays of jobs, matrices of CI, and any other scheduler."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from podium.bench.store import ATTEMPT, RUN, SCORE, TASK, Store, inserting, open_store
from podium.core.errors import StoreError


def merge_stores(target: str | Path, parts: Sequence[str | Path]) -> dict[str, int]:
    """Put what the parts hold into the target, which is made if it is not there; planned tasks by status afterwards.

    The parts must be of one suite. Where several have the same task, the one that is ok counts. Merging again
    changes nothing, so that parts can be merged while others still run.
    """
    places = [Path(part) for part in parts]
    if not places:
        raise StoreError("Name at least one store to merge.")
    if Path(target).resolve() in [place.resolve() for place in places]:
        raise StoreError(f"{str(target)!r} cannot be merged into itself: give the merged store another name.")
    with open_store(target, write=True) as whole:
        for place in places:
            with open_store(place) as part:
                _check_suite(whole, part)
                _add(whole, part)
        return whole.counts()


def _identity(store: Store) -> str | None:
    """What two parts of one suite have in common; None for a new store."""
    if not store.rows("SELECT 1 FROM run LIMIT 1"):
        return None
    said = store.definition()
    return json.dumps({key: said[key] for key in ("name", "seed", "protocol", "data", "datasets", "algorithms")})


def _check_suite(whole: Store, part: Store) -> None:
    known, new = _identity(whole), _identity(part)
    if new is None:
        raise StoreError(f"The store {str(part.path)!r} is empty: its run never began.")
    if known not in (None, new):
        raise StoreError(f"{str(part.path)!r} is of another suite than {str(whole.path)!r}: merge them apart.")


def _add(whole: Store, part: Store) -> None:
    """Everything of a part that the whole does not have yet: predictions first, as a run does."""
    there = whole.statuses()
    tasks = {str(row[0]): row for row in part.rows(f"SELECT {', '.join(TASK)} FROM task WHERE planned")}
    new = [key for key, row in tasks.items() if row[6] and there.get(key) != "ok" and there.get(key) != row[6]]
    with whole.explained():
        for key in new:
            for old, copy in (
                (part.prediction_path(key), whole.prediction_path(key)),
                (part.model_path(key), whole.model_path(key)),
            ):
                if old.is_file():
                    copy.parent.mkdir(parents=True, exist_ok=True)
                    shutil.copyfile(old, copy)
    scores, attempts = _rows_of(part, new, "score", SCORE), _rows_of(part, new, "attempt", ATTEMPT)
    run = part.rows(f"SELECT {', '.join(RUN)} FROM run ORDER BY id DESC LIMIT 1")[0]
    with whole.changing() as db:
        number = db.execute(inserting("run", RUN), run).lastrowid
        rows = [(number, *row) for row in part.environment().items()]
        db.executemany("INSERT INTO environment VALUES (?,?,?)", rows)
        for table in ("dataset", "source"):
            for row in part.rows(f"SELECT * FROM {table}"):
                db.execute(f"INSERT OR REPLACE INTO {table} VALUES ({','.join('?' * len(row))})", row)
        blank = [(*row[:6], None, "") for row in tasks.values()]
        db.executemany(inserting("task", TASK, "INSERT OR IGNORE"), blank)
        db.executemany("UPDATE task SET status = ?, message = ? WHERE key = ?", [(*tasks[key][6:], key) for key in new])
        db.executemany("DELETE FROM score WHERE key = ?", [(key,) for key in new])
        db.executemany(inserting("score", SCORE), scores)
        rows = [(row[0], number, *row[2:]) for row in attempts]
        db.executemany(inserting("attempt", ATTEMPT), rows)


def _rows_of(part: Store, keys: Sequence[str], table: str, columns: Sequence[str]) -> list[tuple[Any, ...]]:
    query = f"SELECT {', '.join(columns)} FROM {table} WHERE key IN (SELECT value FROM json_each(?))"
    return part.rows(query, json.dumps(keys))
