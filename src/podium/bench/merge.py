"""Stores of parts of a suite, made one store: for arrays of jobs, matrices of CI, and any other scheduler."""

from __future__ import annotations

import contextlib
import json
import shutil
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from podium.bench.metrics import COSTS
from podium.bench.seals import place_of, seal_suite, seal_tasks
from podium.bench.store import ATTEMPT, FINAL, RUN, SCORE, Store, inserting, mixed_versions, open_store
from podium.core import check
from podium.core.errors import StoreError
from podium.core.files import real
from podium.core.numbers import counted

_TASK = "key dataset algorithm repeat fold planned status message remark source predictions".split()
# Of metrics, and of the algorithms of finished tasks.
_SOURCES = """SELECT algorithm, digest FROM source
UNION SELECT algorithm, source FROM task WHERE planned AND status IS NOT NULL AND source != '' ORDER BY 1"""
_LISTED = 5  # contradictions that a refusal lists
_SUITE = ("name", "seed", "protocol", "data", "datasets", "algorithms")  # what two parts of one suite have in common


def merge_stores(
    target: str | Path,
    parts: Sequence[str | Path],
    *,
    prefer: str = "",
    tell: Callable[[str], None] = lambda sentence: None,
) -> dict[str, int]:
    """Put what the parts hold into the target, which is made if it is not there; planned tasks by status afterwards.

    The parts must be of one suite. Where several have the same task, the one that is ok counts; where two are ok and their
    scores differ, or an algorithm's source does, the merge is refused unless `prefer` says which counts, the "first" or the
    "last". All parts are merged or none. Merging again changes nothing, so that parts can be merged while others still run.
    `tell` is given sentences on what should be known of the merged scores.
    """
    check.choice("prefer", prefer, ("", "first", "last"))
    places = [Path(part) for part in parts]
    if not places:
        raise StoreError("Name at least one results database to merge.")
    if real(target) in [real(place) for place in places]:
        raise StoreError(f"{str(target)!r} cannot be merged into itself: give the merged database another name.")
    with contextlib.ExitStack() as opened:
        stores = [opened.enter_context(open_store(place)) for place in places]
        for store in stores:
            opened.enter_context(store.snapshot())  # a part may still run
            store.check()
        new = not Path(target).exists()
        whole = opened.enter_context(open_store(target, write=True))
        merge = _Merge(whole, prefer)
        try:
            merge.put_together(stores)
        except BaseException:
            merge.undo(everything=new)
            raise
        for sentence in merge.remarks:
            tell(sentence)
        return whole.counts()


class _Merge:
    """What is put into the whole: collected and checked first, then written in one transaction."""

    def __init__(self, whole: Store, prefer: str) -> None:
        self.whole, self.prefer = whole, prefer
        self.chosen: dict[str, tuple[Store, tuple[Any, ...]]] = {}  # of every task, the store that it is taken from
        self.contradictions: list[str] = []
        self.remarks: list[str] = []
        self.copied: list[Path] = []
        self.scores: dict[Path, dict[str, dict[str, float | None]]] = {}

    def put_together(self, parts: Sequence[Store]) -> None:
        """Check everything, and only then write."""
        stores = list(parts)
        if self.whole.rows("SELECT 1 FROM run LIMIT 1"):
            self.whole.check()
            stores.insert(0, self.whole)
        for store in stores:
            self.check_suite(stores[0], store)
            self.collect(store)
        for name, places in _differing(stores, "SELECT name, data_hash FROM dataset WHERE data_hash != '' ORDER BY 1"):
            # No preference makes one suite of them.
            raise StoreError(f"Nothing was merged: the data of {name!r} are not the same in {places}.")
        self.check_keys()
        sources = _differing(stores, _SOURCES)
        self.contradictions += [f"the source of {name!r} is not the same in {places}" for name, places in sources]
        if self.contradictions and not self.prefer:
            listed = "; ".join(self.contradictions[:_LISTED])
            more = f"; and {len(self.contradictions) - _LISTED} more" if len(self.contradictions) > _LISTED else ""
            raise StoreError(
                f"The parts contradict each other: {listed}{more}. Nothing was merged: leave out the parts that are wrong, or "
                "say with {prefer} which of two counts.",
                options=["prefer"],
            )
        if self.contradictions:
            said = counted(len(self.contradictions), "contradiction")
            self.remarks.append(f"{said} between the parts: the {self.prefer} counts, as you asked.")
        self.remarks += mixed_versions(parts, "parts")
        self.copy_files()
        with self.whole.changing() as db:
            for part in parts:
                self.add_history(db, part)
            self.add_tasks(db)
            seal_suite(db)
        self.rename_files()

    def check_suite(self, first: Store, store: Store) -> None:
        if not store.rows("SELECT 1 FROM run LIMIT 1"):
            raise StoreError(f"The results database {str(store.path)!r} is empty: its run never began.")
        said, expected = store.definition(), first.definition()
        if any(said[key] != expected[key] for key in _SUITE):
            raise StoreError(f"{str(store.path)!r} is of another suite than {str(first.path)!r}: merge them apart.")

    def check_keys(self) -> None:
        """Refuse a task that has two keys: another version of Podium has planned it, and computes it in another way."""
        stores: dict[tuple[Any, ...], Store] = {}
        for store, row in self.chosen.values():
            if row[1:5] in stores:
                other = f"in another way in {str(store.path)!r} than in {str(stores[row[1:5]].path)!r}"
                raise StoreError(
                    f"Nothing was merged: {place_of(*row[1:5])} was defined {other}: run the parts with one version."
                )
            stores[row[1:5]] = store

    def collect(self, store: Store) -> None:
        """Of every planned task, the outcome that counts: ok before failed, failed before lost, the first of equals."""
        scores: dict[str, dict[str, float | None]] = {}
        for key, metric, value in store.rows("SELECT key, metric, value FROM score"):
            if metric not in COSTS:  # those differ from run to run
                scores.setdefault(key, {})[metric] = value
        self.scores[store.path] = scores
        for row in store.rows(f"SELECT {', '.join(_TASK)} FROM task WHERE planned"):
            key, status = str(row[0]), row[6]
            held = self.chosen.get(key)
            if held is None:
                self.chosen[key] = store, row
                continue
            rank, before = _rank(status), _rank(held[1][6])
            if status == "ok" == held[1][6] and self.contradict(held[0], store, row):
                rank += self.prefer == "last"
            elif rank == before and held[0] is self.whole and self.lacks_files(store, key):
                rank += 1  # a merge was killed when its rows were there, and its files not yet
            if rank > before:
                self.chosen[key] = store, row

    def lacks_files(self, store: Store, key: str) -> bool:
        """Whether a part has a file of a task that the whole has not."""
        pairs = zip(_files(store, key), _files(self.whole, key), strict=True)
        return any(old.is_file() and not new.is_file() for old, new in pairs)

    def contradict(self, first: Store, store: Store, row: tuple[Any, ...]) -> bool:
        """Whether two stores have other scores of one task, which is noted."""
        mine, other = (self.scores[place.path].get(row[0], {}) for place in (first, store))
        differing = [name for name in mine if name in other and mine[name] != other[name]]
        for name in differing[:1]:
            values = f"{name} is {mine[name]} in {str(first.path)!r} and {other[name]} in {str(store.path)!r}"
            self.contradictions.append(f"{place_of(*row[1:5])}: {values}")
        return bool(differing)

    # ---- files ------------------------------------------------------------------------------------------------

    def copy_files(self) -> None:
        """The predictions and models of what comes from parts, under other names until the rows are there."""
        with self.whole.explained():
            for left in self.whole.predictions.parent.glob(f"{self.whole.predictions.stem}.*/*/*.merged"):
                left.unlink()
            for key, (store, row) in self.chosen.items():
                if store is self.whole or row[6] is None:
                    continue
                for old, new in zip(_files(store, key), _files(self.whole, key), strict=True):
                    if old.is_file():
                        new.parent.mkdir(parents=True, exist_ok=True)
                        copy = new.with_name(new.name + ".merged")
                        self.copied.append(copy)
                        shutil.copyfile(old, copy)
            for copy in self.copied:  # rather none than those of other scores, should this be killed now
                copy.with_suffix("").unlink(missing_ok=True)

    def rename_files(self) -> None:
        with self.whole.explained():
            for copy in self.copied:
                copy.replace(copy.with_suffix(""))

    def undo(self, *, everything: bool) -> None:
        """Leave nothing of a merge that was refused or failed."""
        for copy in self.copied:
            copy.unlink(missing_ok=True)
        if everything:
            self.whole.remove()

    # ---- rows -------------------------------------------------------------------------------------------------

    def add_history(self, db: sqlite3.Connection, part: Store) -> None:
        """The runs of a part with their attempts, and its datasets and sources: what is not there yet."""
        for number, *run in part.rows(f"SELECT id, {', '.join(RUN)} FROM run ORDER BY id"):
            same = "SELECT id FROM run WHERE suite = ? AND definition = ? AND engine = ? AND slots IS ? AND started = ?"
            held = db.execute(same, run[:5]).fetchone()
            new = held[0] if held else db.execute(inserting("run", RUN), run).lastrowid
            described = part.rows("SELECT name, value FROM environment WHERE run = ?", number)
            db.executemany("INSERT OR IGNORE INTO environment VALUES (?,?,?)", [(new, *row) for row in described])
            there = set(db.execute("SELECT key, finished FROM attempt WHERE run = ?", (new,)))
            attempts = part.rows(f"SELECT {', '.join(ATTEMPT)} FROM attempt WHERE run = ? ORDER BY id", number)
            rows = [(row[0], new, *row[2:]) for row in attempts if (row[0], row[4]) not in there]
            db.executemany(inserting("attempt", ATTEMPT), rows)
        for table in ("dataset", "source"):
            for row in part.rows(f"SELECT * FROM {table}"):
                db.execute(f"INSERT OR IGNORE INTO {table} VALUES ({','.join('?' * len(row))})", row)

    def add_tasks(self, db: sqlite3.Connection) -> None:
        """The outcome that counts of every task that comes from a part."""
        taken = {key: (store, row) for key, (store, row) in self.chosen.items() if store is not self.whole}
        db.executemany(inserting("task", _TASK, "INSERT OR REPLACE"), [row for _, row in taken.values()])
        db.executemany("DELETE FROM score WHERE key = ?", [(key,) for key in taken])
        for store in {store for store, _ in taken.values()}:
            keys = json.dumps([key for key, (place, _) in taken.items() if place is store])
            query = f"SELECT {', '.join(SCORE)} FROM score WHERE key IN (SELECT value FROM json_each(?))"
            db.executemany(inserting("score", SCORE), store.rows(query, keys))
        seal_tasks(db, [key for key, (_, row) in taken.items() if row[6] is not None])


def _differing(stores: Sequence[Store], query: str) -> Iterator[tuple[str, str]]:
    """What has other digests in a later store than in the first that has it, and the two stores, in words."""
    first: dict[str, tuple[set[str], Store]] = {}
    for store in stores:
        here: dict[str, set[str]] = {}
        for name, digest in store.rows(query):
            here.setdefault(name, set()).add(digest)
        for name, digests in here.items():
            before, where = first.setdefault(name, (digests, store))
            if before != digests:
                yield name, f"{str(where.path)!r} and {str(store.path)!r}"


def _rank(status: str | None) -> int:
    """How much an outcome counts; the steps leave room for a preference among equals."""
    return 0 if status is None else 6 if status == "ok" else 4 if status in FINAL else 2


def _files(store: Store, key: str) -> tuple[Path, Path]:
    return store.prediction_path(key), store.model_path(key)
