"""The store: one SQLite file in WAL mode, written by the driver only, and one .npz of predictions per task.

Primary key = hash of the task, so resuming is `plan - done`. A task's predictions are written to a temporary
name and renamed before its row is committed; whatever moment the driver dies at, a task is there whole or not at all.
"""

from __future__ import annotations

import contextlib
import errno
import io
import json
import os
import pickle
import platform
import sqlite3
import struct
import time
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, astuple
from pathlib import Path
from typing import TYPE_CHECKING, Any

from podium.bench.unix import fcntl
from podium.core.errors import StoreError
from podium.core.files import replace_file
from podium.core.numbers import counted

if TYPE_CHECKING:
    import pandas as pd

    from podium.bench.metrics import OwnMetric, Predictions
    from podium.bench.plan import Plan, Task
    from podium.bench.spec import Outcome

# A task with one of these is done; the others are tried again by the next run.
FINAL = ("ok", "error", "invalid", "timeout", "memout", "crash")

_SCHEMA = """
CREATE TABLE IF NOT EXISTS run (
  id INTEGER PRIMARY KEY, suite TEXT NOT NULL, definition TEXT NOT NULL, engine TEXT NOT NULL, slots INTEGER,
  started REAL NOT NULL, finished REAL);
CREATE TABLE IF NOT EXISTS environment (
  run INTEGER NOT NULL REFERENCES run(id), name TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (run, name));
CREATE TABLE IF NOT EXISTS dataset (
  name TEXT PRIMARY KEY, family TEXT NOT NULL, data_hash TEXT NOT NULL, cases INTEGER NOT NULL,
  features INTEGER NOT NULL, classes INTEGER NOT NULL, missing INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS source (algorithm TEXT PRIMARY KEY, digest TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS task (
  key TEXT PRIMARY KEY, dataset TEXT NOT NULL, algorithm TEXT NOT NULL, repeat INTEGER NOT NULL,
  fold INTEGER NOT NULL, planned INTEGER NOT NULL, status TEXT, message TEXT NOT NULL DEFAULT '') WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS attempt (
  id INTEGER PRIMARY KEY, key TEXT NOT NULL REFERENCES task(key), run INTEGER NOT NULL REFERENCES run(id),
  status TEXT NOT NULL, message TEXT NOT NULL, finished REAL NOT NULL, wall REAL, cpu REAL, peak_memory INTEGER,
  host TEXT NOT NULL, threads INTEGER, load REAL, calibration REAL, details TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS attempt_key ON attempt(key);
CREATE TABLE IF NOT EXISTS begun (key TEXT NOT NULL REFERENCES task(key), run INTEGER NOT NULL REFERENCES run(id));
CREATE TABLE IF NOT EXISTS score (
  key TEXT NOT NULL REFERENCES task(key), metric TEXT NOT NULL, value REAL, message TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (key, metric)) WITHOUT ROWID;
"""
RUN = ("suite", "definition", "engine", "slots", "started", "finished")
TASK = ("key", "dataset", "algorithm", "repeat", "fold", "planned", "status", "message")
ATTEMPT = "key run status message finished wall cpu peak_memory host threads load calibration details".split()
SCORE = ("key", "metric", "value", "message")
_APPLICATION_ID = 0x706F6469  # "podi"
# Of the schema. It grows when a table changes, and `_RENEWALS` has a step from each earlier one. Stores made before it was
# written have 0 and are like 1.
SCHEMA_VERSION = 1
_RENEWALS: Mapping[int, str] = {0: ""}


def inserting(table: str, columns: Sequence[str], how: str = "INSERT") -> str:
    """The statement that puts a row into a table.

    >>> inserting("source", ("algorithm", "digest"))
    'INSERT INTO source (algorithm, digest) VALUES (?,?)'
    """
    return f"{how} INTO {table} ({', '.join(columns)}) VALUES ({','.join('?' * len(columns))})"


def open_store(path: str | Path, *, write: bool = False) -> Store:
    """A store to read or to write. To write, it is created if it does not exist, and locked against a second driver."""
    return Store(Path(path), write=write)


class Store:
    """The results of a suite on disk. Use as a context manager."""

    def __init__(self, path: Path, *, write: bool = False) -> None:
        self.path, self.write = path, write
        self.predictions = path.with_name(path.name + ".predictions")
        self.run_id = 0
        self._lock: io.TextIOWrapper | None = None
        if not write and not path.is_file():
            raise StoreError(f"There is no store {str(path)!r}: `podium run` makes one.")
        try:
            with self.explained():
                if write:
                    self._take_lock()
                self._db = self._connect()
        except StoreError:
            self.close()
            raise

    def _connect(self) -> sqlite3.Connection:
        db = sqlite3.connect(self.path, isolation_level=None, timeout=30) if self.write else self._connect_to_read()
        application = db.execute("PRAGMA application_id").fetchone()[0]
        empty = db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0
        if application != _APPLICATION_ID and not (empty and self.write):
            db.close()  # not ours: leave it as it is
            raise StoreError(f"{str(self.path)!r} is a database, but not a store of podium: choose another name.")
        version = int(db.execute("PRAGMA user_version").fetchone()[0])
        if version > SCHEMA_VERSION:
            db.close()
            raise StoreError(
                f"{str(self.path)!r} was made by a newer Podium (its schema is {version}, this one knows {SCHEMA_VERSION}): "
                "update Podium."
            )
        if self.write:
            for old in range(version, SCHEMA_VERSION):
                db.executescript(f"BEGIN; {_RENEWALS[old]} PRAGMA user_version = {old + 1}; COMMIT;")
            db.execute(f"PRAGMA application_id = {_APPLICATION_ID}")
            db.execute("PRAGMA journal_mode = WAL")
            # In WAL mode NORMAL survives the death of the driver; after a loss of power the last rows may be redone.
            db.execute("PRAGMA synchronous = NORMAL")
            db.executescript(_SCHEMA)
            self.predictions.mkdir(exist_ok=True)
        return db

    def _connect_to_read(self) -> sqlite3.Connection:
        """Where nothing can be written SQLite cannot share a file in WAL mode; one without a log needs no sharing."""
        place = self.path.resolve().as_uri()  # a path may hold # ? and %
        db = sqlite3.connect(f"{place}?mode=ro", uri=True, isolation_level=None, timeout=30)
        try:
            db.execute("SELECT count(*) FROM sqlite_master")
        except sqlite3.OperationalError:
            db.close()
            log = self.path.with_name(self.path.name + "-wal")
            if os.access(self.path.parent, os.W_OK) or (log.exists() and log.stat().st_size > 0):
                raise
            db = sqlite3.connect(f"{place}?immutable=1", uri=True, isolation_level=None)
        return db

    def _take_lock(self) -> None:
        """One driver per store; the lock ends with the process, however it ends."""
        if not self.path.parent.is_dir():
            raise StoreError(
                f"There is no folder {str(self.path.parent)!r} for the store: make it, or choose another place."
            )
        lock = open(self.path.with_name(self.path.name + ".lock"), "a+", encoding="utf-8")  # noqa: SIM115 (held until close)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.seek(0)
            holder = lock.read().strip() or "another process"
            lock.close()
            raise StoreError(
                f"{str(self.path)!r} is being written by {holder}: wait for it, stop it, or choose another store."
            ) from None
        lock.truncate(0)
        lock.write(f"process {os.getpid()} on {platform.node()}")
        lock.flush()
        self._lock = lock

    @contextlib.contextmanager
    def explained(self) -> Iterator[None]:
        """Turn what the disk and SQLite say into one sentence."""
        try:
            yield
        except StoreError:
            raise
        except (sqlite3.Error, OSError) as error:
            raise StoreError(_explain(error, self.path, write=self.write)) from None

    def close(self) -> None:
        """Close the file and give up the lock."""
        with contextlib.suppress(AttributeError, sqlite3.Error):
            self._db.close()
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextlib.contextmanager
    def changing(self) -> Iterator[sqlite3.Connection]:
        """Changes that are made together or not at all."""
        with self.explained(), self._db as db:  # committed at the end, or rolled back
            db.execute("BEGIN IMMEDIATE")
            yield db

    # ---- writing ----------------------------------------------------------------------------------------------

    def begin(self, plan: Plan, *, engine: str, slots: int, environment: Mapping[str, str]) -> int:
        """Note a run and its plan; tasks of earlier plans that are no longer in it stay, unplanned: how many."""
        definition = json.dumps(asdict(plan.suite), default=str)
        with self.changing() as db:
            row = (plan.suite.name, definition, engine, slots, time.time())
            self.run_id = int(db.execute(inserting("run", RUN[:5]), row).lastrowid or 0)
            described = [(self.run_id, *row) for row in environment.items()]
            db.executemany("INSERT INTO environment VALUES (?,?,?)", described)
            known = [astuple(facts)[:7] for facts in plan.facts.values()]
            db.executemany("INSERT OR REPLACE INTO dataset VALUES (?,?,?,?,?,?,?)", known)
            before = {key for (key,) in db.execute("SELECT key FROM task WHERE planned")}
            db.execute("UPDATE task SET planned = 0 WHERE planned")
            planned = [(*task, 1) for task in plan.tasks]
            db.executemany(f"{inserting('task', TASK[:6])} ON CONFLICT (key) DO UPDATE SET planned = 1", planned)
        return len(before.difference(task.key for task in plan.tasks))

    def forget(self, tasks: Iterable[Task]) -> None:
        """Take back what is known of tasks, so that they run again; their attempts stay."""
        keys = [(task.key,) for task in tasks]
        with self.changing() as db:
            db.executemany("UPDATE task SET status = NULL, message = '' WHERE key = ?", keys)
            db.executemany("DELETE FROM score WHERE key = ?", keys)
        with self.explained():
            for (key,) in keys:
                self.prediction_path(key).unlink(missing_ok=True)

    def what_changed(self, plan: Plan) -> list[str]:
        """Sentences on data and own classes that are not what finished tasks were run with; called before `begin`."""
        data = dict(self.rows("SELECT name, data_hash FROM dataset WHERE data_hash != ''"))
        said = [
            f"The data of {name!r} have changed: its tasks run again."
            for name, facts in plan.facts.items()
            if facts.data_hash and data.get(name, facts.data_hash) != facts.data_hash
        ]
        known = dict(self.rows("SELECT algorithm, digest FROM source"))
        done = dict(self.rows("SELECT algorithm, count(*) FROM task WHERE status IS NOT NULL GROUP BY 1"))
        kept = {name for name, now in plan.sources.items() if known.get(name, now) != now and done.get(name)}
        said += [
            f"The source of {name!r} has changed since {counted(done[name], 'task')} of it ran: "
            f"what was done is kept; run it again with --redo {name}."
            for name in sorted(kept)
        ]
        with self.changing() as db:
            rows = [(name, digest) for name, digest in plan.sources.items() if name not in kept]
            db.executemany("INSERT OR REPLACE INTO source VALUES (?,?)", rows)
        return said

    def begin_task(self, key: str) -> None:
        """Note that a task is under way. If the driver dies, the note stays and tells what may have killed it."""
        with self.changing() as db:
            db.execute("INSERT INTO begun VALUES (?,?)", (key, self.run_id))

    def deaths(self) -> dict[str, int]:
        """How many earlier drivers died while a task was under way, where any did."""
        return dict(self.rows("SELECT key, count(*) FROM begun WHERE run != ? GROUP BY key", self.run_id))

    def end_run(self, *, finished: bool) -> None:
        """Note that the driver lives to see the end of its run, and whether all its work is done."""
        with self.changing() as db:
            db.execute("DELETE FROM begun WHERE run = ?", (self.run_id,))
            if finished:
                db.execute("UPDATE run SET finished = ? WHERE id = ?", (time.time(), self.run_id))

    def record(self, key: str, outcome: Outcome) -> None:
        """Keep an outcome: the predictions first, then all rows in one transaction."""
        with self.explained():
            if outcome.predictions is not None:
                self._keep_predictions(key, outcome)
            if outcome.model is not None:
                path = self.model_path(key)
                path.parent.mkdir(parents=True, exist_ok=True)
                replace_file(path, outcome.model, temporary=path.with_suffix(".tmp"))
        with self.changing() as db:
            self._insert(db, key, outcome)
        if outcome.status != "ok":  # of an earlier attempt that went well
            with self.explained():
                self.prediction_path(key).unlink(missing_ok=True)

    def _insert(self, db: sqlite3.Connection, key: str, outcome: Outcome) -> None:
        changed = db.execute(
            "UPDATE task SET status = ?, message = ? WHERE key = ?", (outcome.status, outcome.message, key)
        )
        if changed.rowcount != 1:
            raise StoreError(f"The store {str(self.path)!r} has no task {key!r} in its plan.")
        details = json.dumps(outcome.details, default=str)
        own = {"key": key, "run": self.run_id, "finished": time.time(), "details": details}
        row = [own[name] if name in own else getattr(outcome, name) for name in ATTEMPT]
        db.execute(inserting("attempt", ATTEMPT), row)
        db.execute("DELETE FROM begun WHERE key = ?", (key,))
        db.execute("DELETE FROM score WHERE key = ?", (key,))
        scores = [(key, metric, value, "") for metric, value in outcome.scores.items()]
        holes = [(key, metric, None, reason) for metric, reason in outcome.holes.items()]
        db.executemany(inserting("score", SCORE), [*scores, *holes])

    def add_scores(self, rows: Iterable[tuple[str, str, float | None, str]]) -> None:
        """Add or renew scores (key, metric, value, message) of finished tasks."""
        with self.changing() as db:
            db.executemany(inserting("score", SCORE, "INSERT OR REPLACE"), rows)

    # ---- predictions ------------------------------------------------------------------------------------------

    def prediction_path(self, key: str) -> Path:
        """Where the predictions of a task are; 256 folders keep each of them small."""
        return self.predictions / key[:2] / f"{key}.npz"

    def model_path(self, key: str) -> Path:
        """Where the trained model of a task is, if the suite keeps them."""
        return self.path.with_name(self.path.name + ".models") / key[:2] / f"{key}.pickle"

    def load_model(self, dataset: str, algorithm: str, repeat: int = 0, fold: int = 0) -> Any:
        """A kept model. Unpickling runs code: load only what you or people you trust have made."""
        query = "SELECT key FROM task WHERE planned AND dataset = ? AND algorithm = ? AND repeat = ? AND fold = ?"
        found = self.rows(query, dataset, algorithm, repeat, fold)
        path = self.model_path(str(found[0][0])) if found else None
        if path is None or not path.is_file():
            raise StoreError(
                f"The store {str(self.path)!r} has no model of {algorithm!r} on {dataset!r} (repeat {repeat}, fold {fold}): "
                "set `keep_models = true` in the suite, and run with `--retry ok`."
            )
        return pickle.loads(path.read_bytes())

    def _keep_predictions(self, key: str, outcome: Outcome) -> None:
        """Written whole to a temporary name, then renamed. The outcome goes along, so that it can be adopted."""
        import numpy as np

        assert outcome.predictions is not None
        path = self.prediction_path(key)
        path.parent.mkdir(exist_ok=True)
        rest = {name: getattr(outcome, name) for name in _KEPT}
        arrays = asdict(outcome.predictions)
        content = io.BytesIO()
        np.savez_compressed(
            content,
            allow_pickle=False,
            outcome=np.array(json.dumps(rest, default=str)),
            **{name: array for name, array in arrays.items() if array is not None},
        )
        replace_file(path, content.getvalue(), temporary=path.with_suffix(".tmp"))

    def load_predictions(self, key: str) -> Predictions:
        """The kept predictions of a task."""
        from podium.bench.metrics import Predictions

        kept = self._archive(key)
        arrays = {name: array for name, array in kept.items() if name not in ("outcome", "classes")}
        try:
            return Predictions(classes=int(kept["classes"]), **arrays)
        except (KeyError, TypeError, ValueError) as error:
            raise self._damaged(key, error) from None

    def adoptable(self, key: str) -> Outcome | None:
        """The outcome of a task whose predictions were written but whose row was not: the driver died in between."""
        from podium.bench.spec import Outcome

        if not self.prediction_path(key).is_file():
            return None
        try:
            return Outcome(**json.loads(str(self._archive(key)["outcome"])), predictions=None)
        except (StoreError, KeyError, ValueError, TypeError):
            return None

    def _archive(self, key: str) -> dict[str, Any]:
        """Everything in the file of a task's predictions."""
        import numpy as np

        try:
            content = io.BytesIO(self.prediction_path(key).read_bytes())
            with np.load(content, allow_pickle=False) as archive:
                return {name: archive[name] for name in archive.files}
        except _UNREADABLE as error:
            raise self._damaged(key, error) from None

    def _damaged(self, key: str, error: Exception) -> StoreError:
        path = self.prediction_path(key)
        if not path.is_file():
            return StoreError(f"There are no predictions {str(path)!r}: make them again with `podium run --retry ok`.")
        words = str(error).strip(" .") or type(error).__name__
        return StoreError(
            f"The predictions {str(path)!r} cannot be read ({words}): make them again with `podium run --retry ok`."
        )

    # ---- reading ----------------------------------------------------------------------------------------------

    def rows(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        """The rows of a query."""
        with self.explained():
            return self._db.execute(query, values).fetchall()

    def frame(self, query: str, *values: Any) -> pd.DataFrame:
        """The rows of a query as a table."""
        import pandas as pd

        with self.explained():
            return pd.read_sql_query(query, self._db, params=values)

    def statuses(self) -> dict[str, str]:
        """The status of every task that has one."""
        return dict(self.rows("SELECT key, status FROM task WHERE status IS NOT NULL"))

    def counts(self) -> dict[str, int]:
        """Planned tasks by status; "waiting" are those without one."""
        query = "SELECT coalesce(status, 'waiting'), count(*) FROM task WHERE planned GROUP BY 1"
        return {str(status): int(count) for status, count in self.rows(query)}

    def by_algorithm(self) -> pd.DataFrame:
        """How many of each algorithm's planned tasks are done, and the processor seconds that they took."""
        return self.frame("""SELECT algorithm, sum(coalesce(status, '') = 'ok') AS ok,
        sum(coalesce(status, 'ok') NOT IN ('ok', 'skipped')) AS failed,
        sum(coalesce(status, '') = 'skipped') AS skipped, sum(status IS NULL) AS waiting, coalesce(
        (SELECT sum(a.cpu) FROM attempt a JOIN task u USING (key) WHERE u.algorithm = t.algorithm AND u.planned), 0.0)
        AS cpu FROM task t WHERE planned GROUP BY algorithm ORDER BY algorithm""")

    def definition(self) -> dict[str, Any]:
        """The suite of the last run, as plain values."""
        found = self.rows("SELECT definition FROM run ORDER BY id DESC LIMIT 1")
        if not found:
            raise StoreError(f"The store {str(self.path)!r} is empty: its run never began.")
        loaded: dict[str, Any] = json.loads(found[0][0])
        return loaded

    def own_metrics(self) -> dict[str, OwnMetric]:
        """The metrics of the user's that the suite has, by name."""
        from podium.bench.metrics import OwnMetric

        return {entry["name"]: OwnMetric(**entry) for entry in self.definition().get("own_metrics", ())}

    def environment(self) -> dict[str, str]:
        """The machine and the versions of the last run."""
        return dict(self.rows("SELECT name, value FROM environment WHERE run = (SELECT max(id) FROM run)"))

    def failures(self) -> pd.DataFrame:
        """The planned tasks that are not ok, with their last message."""
        return self.frame("""SELECT t.dataset, t.algorithm, t.repeat, t.fold, t.status, t.message, a.wall, a.cpu
        FROM task t LEFT JOIN attempt a ON a.id = (SELECT max(id) FROM attempt WHERE key = t.key) WHERE t.planned
        AND t.status IS NOT NULL AND t.status != 'ok' ORDER BY t.algorithm, t.dataset, t.repeat, t.fold""")


# What a damaged .npz makes numpy and zipfile raise.
_UNREADABLE = (OSError, ValueError, EOFError, KeyError, TypeError, AttributeError, RuntimeError, MemoryError,
               zipfile.BadZipFile, zlib.error, struct.error)  # fmt: skip

_KEPT = "status message scores holes details wall cpu peak_memory host threads load calibration".split()


def _explain(error: Exception, path: Path, *, write: bool) -> str:
    text = str(error).lower()
    place = repr(str(path))
    code = getattr(error, "errno", None)
    if code in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG) or "is full" in text:
        return f"The disk is full at {place}: finished tasks are safe; free some space and run again."
    if code in (errno.EROFS, errno.EACCES, errno.EPERM, errno.ENOENT) or "readonly" in text or "unable to open" in text:
        if not write:
            return f"{place} cannot be read: change its permissions, or copy it and its -wal file to a folder of yours."
        return f"{place} cannot be written: choose another place for the store, or change its permissions."
    if "not a database" in text:
        return f"{place} is not a store of podium: choose another name."
    if "malformed" in text or "disk image" in text:
        return f"The store {place} is damaged ({error}): restore it from a copy, or run the suite into a new one."
    return f"The store {place} cannot be used: {error}."
