"""The store: one SQLite file in WAL mode, written by the driver only, and one .npz of predictions per task.

Primary key = hash of the task, so resuming is `plan - done`. A task's predictions (`copies`) are there before its row is
committed; whatever moment the driver dies at, a task is there whole or not at all. Rows have digests (`seals`).
"""

from __future__ import annotations

import contextlib
import errno
import io
import json
import operator
import os
import pickle
import platform
import shutil
import sqlite3
import stat
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, astuple
from pathlib import Path
from typing import TYPE_CHECKING, Any

from podium.bench import seals
from podium.bench.copies import Copies
from podium.bench.unix import fcntl
from podium.core.errors import StoreError
from podium.core.files import protect
from podium.core.numbers import counted

if TYPE_CHECKING:
    import pandas as pd

    from podium.bench.metrics import CustomMetric, Predictions
    from podium.bench.plan import Plan, Task
    from podium.bench.spec import Outcome

# A task with one of these is done; the others are tried again by the next run.
FINAL = ("ok", "error", "invalid", "timeout", "out_of_memory", "crash")

_SCHEMA = """
CREATE TABLE IF NOT EXISTS run (
  id INTEGER PRIMARY KEY, suite TEXT NOT NULL, definition TEXT NOT NULL, engine TEXT NOT NULL, slots INTEGER,
  started REAL NOT NULL, finished REAL, digest TEXT NOT NULL DEFAULT '');
CREATE TABLE IF NOT EXISTS environment (
  run INTEGER NOT NULL REFERENCES run(id), name TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (run, name));
CREATE TABLE IF NOT EXISTS dataset (
  name TEXT PRIMARY KEY, family TEXT NOT NULL, data_hash TEXT NOT NULL, cases INTEGER NOT NULL,
  features INTEGER NOT NULL, classes INTEGER NOT NULL, missing INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS source (algorithm TEXT PRIMARY KEY, digest TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS task (
  key TEXT PRIMARY KEY, dataset TEXT NOT NULL, algorithm TEXT NOT NULL, repeat INTEGER NOT NULL,
  fold INTEGER NOT NULL, planned INTEGER NOT NULL, status TEXT, message TEXT NOT NULL DEFAULT '',
  remark TEXT NOT NULL DEFAULT '', digest TEXT NOT NULL DEFAULT '', source TEXT NOT NULL DEFAULT '',
  predictions TEXT NOT NULL DEFAULT '') WITHOUT ROWID;
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
TASK = ("key", "dataset", "algorithm", "repeat", "fold", "planned")
ATTEMPT = "key run status message finished wall cpu peak_memory host threads load calibration details".split()
SCORE = ("key", "metric", "value", "message")
_BESIDE = ("-wal", "-shm", ".lock")  # files that SQLite and Podium keep beside a store
_APPLICATION_ID = 0x706F6469  # "podi"
# Of the schema. It grows when a table changes, and `_RENEWALS` has a step from each earlier one. Stores made before it was
# written have 0 and are like 1.
SCHEMA_VERSION = 4
_RENEWALS: Mapping[int, tuple[tuple[str, str], ...]] = {  # columns that a version added, by table
    0: (),
    1: (("run", "digest"), ("task", "remark"), ("task", "digest")),
    2: (("task", "source"), ("task", "predictions")),
    3: (),
}
# Of an earlier store only the source of an algorithm as a whole is known.
_OF_ALL_TASKS = """UPDATE task SET source = coalesce((SELECT digest FROM source s WHERE s.algorithm = task.algorithm), '')
WHERE status IS NOT NULL AND source = ''; DELETE FROM source;"""

_RENAMED = "".join(
    f"UPDATE {table} SET status = 'out_of_memory' WHERE status = 'memout';" for table in ("task", "attempt")
)


def inserting(table: str, columns: Sequence[str], how: str = "INSERT") -> str:
    """The statement that puts a row into a table.

    >>> inserting("source", ("algorithm", "digest"))
    'INSERT INTO source (algorithm, digest) VALUES (?,?)'
    """
    return f"{how} INTO {table} ({', '.join(columns)}) VALUES ({','.join('?' * len(columns))})"


def open_store(path: str | Path, *, write: bool = False) -> Store:
    """A store to read or to write.

    Parameters
    ----------
    path : str or pathlib.Path
        The file of the store.
    write : bool, default False
        Create it if it does not exist, and lock it against a second driver.

    Returns
    -------
    Store
        The store, to be used as a context manager.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder, open_store(f"{folder}/suite.db", write=True) as store:
    ...     store.path.name
    'suite.db'
    """
    return Store(Path(path), write=write)


class Store(Copies):
    """The results of a suite on disk. Use as a context manager."""

    def __init__(self, path: Path, *, write: bool = False) -> None:
        super().__init__(path)
        protect(self.place, self.predictions, *map(self.beside, (*_BESIDE, ".models")))
        self.write = write
        self.run_id = 0
        self._sources: Mapping[str, str] = {}
        self._lock: io.TextIOWrapper | None = None
        self._orderly = True  # whether the last run came to its end, by whatever way
        new_lock = write and not self.beside(".lock").exists()
        if not write and not path.is_file():
            raise StoreError(f"There is no results database {str(path)!r}: `podium run` makes one.")
        try:
            with self.explained():
                if write:
                    self._take_lock()
                self._db = self._connect()
        except StoreError:
            ours = new_lock and self._lock is not None
            self.close()
            if ours:  # beside a file that is none of ours nothing is left
                self.beside(".lock").unlink(missing_ok=True)
            raise

    def _connect(self) -> sqlite3.Connection:
        db = sqlite3.connect(self.place, isolation_level=None, timeout=30) if self.write else self._connect_to_read()
        application = db.execute("PRAGMA application_id").fetchone()[0]
        empty = db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0
        if application != _APPLICATION_ID and not (empty and self.write):
            db.close()  # not ours: leave it as it is
            raise StoreError(
                f"{str(self.path)!r} is a database, but not a results database of Podium: choose another name."
            )
        version = int(db.execute("PRAGMA user_version").fetchone()[0])
        if version > SCHEMA_VERSION:
            db.close()
            raise StoreError(
                f"{str(self.path)!r} was made by a newer Podium (its schema is {version}, this one knows {SCHEMA_VERSION}): "
                "update Podium."
            )
        if self.write:
            db.execute("PRAGMA journal_mode = WAL")
            # In WAL mode NORMAL survives the death of the driver; after a loss of power the last rows may be redone.
            db.execute("PRAGMA synchronous = NORMAL")
            _renew(db, version)
            if self._orderly:  # on a full disk the end of a run cannot be noted here
                db.execute("DELETE FROM begun")
            self.predictions.mkdir(exist_ok=True)
        elif version < SCHEMA_VERSION:  # an older store is read as if it had been renewed
            copy = sqlite3.connect(":memory:", isolation_level=None)
            db.backup(copy)
            db.close()
            _renew(copy, version)
            return copy
        return db

    def _connect_to_read(self) -> sqlite3.Connection:
        """Where nothing can be written SQLite cannot share a file in WAL mode; one without a log needs no sharing."""
        place = self.place.as_uri()  # a path may hold # ? and %
        db = sqlite3.connect(f"{place}?mode=ro", uri=True, isolation_level=None, timeout=30)
        try:
            db.execute("SELECT count(*) FROM sqlite_master")
        except sqlite3.OperationalError:
            db.close()
            log = self.beside("-wal")
            if os.access(self.place.parent, os.W_OK) or (log.exists() and log.stat().st_size > 0):
                raise
            db = sqlite3.connect(f"{place}?immutable=1", uri=True, isolation_level=None)
        return db

    def _take_lock(self) -> None:
        """One driver per store; the lock ends with the process, however it ends."""
        folder = str(self.place.parent)
        if not self.place.parent.is_dir():
            raise StoreError(
                f"There is no folder {folder!r} for the results database: create it, or choose another folder."
            )
        if self.place.name.endswith(_BESIDE):  # of another store, whose file it would replace
            raise StoreError(
                f"{str(self.path)!r} ends as the files beside a results database do: choose another name for the results database."
            )
        if self.place.exists() and not self.place.is_file():
            raise StoreError(
                f"{str(self.path)!r} is a folder, a device or a pipe: choose another name for the results database."
            )
        if self.place.is_file() and self.place.stat().st_nlink > 1:
            raise StoreError(f"{str(self.path)!r} has a second name (a hard link), which no lock can see: remove one.")
        lock = _open_lock(self.beside(".lock"))
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.seek(0)
            holder = lock.read().strip() or "another process"
            lock.close()
            cure = "wait for it, stop it, or choose another database"
            raise StoreError(f"{str(self.path)!r} is being written by {holder}: {cure}.") from None
        lock.seek(0)
        self._orderly = not lock.read().strip()  # whoever comes to an end empties it, which needs no room on the disk
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
        except (sqlite3.Error, OSError, UnicodeDecodeError) as error:
            raise StoreError(_explain(error, self.path, write=self.write)) from None

    def close(self) -> None:
        """Close the file and give up the lock."""
        with contextlib.suppress(AttributeError, sqlite3.Error):
            self._db.close()
        if self._lock is not None:
            if self._orderly:
                with contextlib.suppress(OSError):
                    self._lock.truncate(0)
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

    @contextlib.contextmanager
    def snapshot(self) -> Iterator[None]:
        """What is read within is of one moment, whatever a run writes meanwhile."""
        with self.explained():
            self._db.execute("BEGIN")
            try:
                yield
            finally:
                self._db.execute("ROLLBACK")

    # ---- writing ----------------------------------------------------------------------------------------------

    def begin(self, plan: Plan, *, engine: str, slots: int, environment: Mapping[str, str]) -> int:
        """Note a run and its plan; tasks of earlier plans that are no longer in it stay, unplanned: how many."""
        definition = json.dumps(asdict(plan.suite), default=str)
        self._sources = plan.sources
        with self.changing() as db:
            row = (plan.suite.name, definition, engine, slots, time.time())
            self.run_id = int(db.execute(inserting("run", RUN[:5]), row).lastrowid or 0)
            described = [(self.run_id, *row) for row in environment.items()]
            db.executemany("INSERT INTO environment VALUES (?,?,?)", described)
            datasets = [astuple(facts)[:7] for facts in plan.facts.values()]
            db.executemany("INSERT OR REPLACE INTO dataset VALUES (?,?,?,?,?,?,?)", datasets)
            before = {key for (key,) in db.execute("SELECT key FROM task WHERE planned")}
            db.execute("UPDATE task SET planned = 0 WHERE planned")
            planned = [(*task, 1) for task in plan.tasks]
            db.executemany(f"{inserting('task', TASK)} ON CONFLICT (key) DO UPDATE SET planned = 1", planned)
            seals.seal_suite(db)
        return len(before.difference(task.key for task in plan.tasks))

    def forget(self, tasks: Iterable[str]) -> None:
        """Take back what is known of tasks (their keys), so that they run again; their attempts stay."""
        keys = [(key,) for key in tasks]
        with self.changing() as db:
            db.executemany("UPDATE task SET status = NULL, message = '', remark = '', digest = '' WHERE key = ?", keys)
            db.executemany("DELETE FROM score WHERE key = ?", keys)
        with self.explained():
            for (key,) in keys:
                self.prediction_path(key).unlink(missing_ok=True)

    def what_changed(self, plan: Plan, todo: Iterable[Task]) -> list[str]:
        """Sentences on what finished tasks that do not run again were not run with; called before `begin`.

        Scores of a metric whose source has changed are taken back, so that it is computed again.
        """
        data = dict(self.rows("SELECT name, data_hash FROM dataset WHERE data_hash != ''"))
        said = [
            f"The data of {name!r} have changed: its tasks run again."
            for name, facts in plan.facts.items()
            if facts.data_hash and data.get(name, facts.data_hash) != facts.data_hash
        ]
        kept = {task.key for task in plan.tasks}.difference(task.key for task in todo)
        finished = self.rows("SELECT key, algorithm, source FROM task WHERE status IS NOT NULL AND source != ''")
        old = Counter(name for key, name, source in finished if key in kept and source != plan.sources.get(name))
        said += [
            f"The source of {name!r} has changed since {counted(count, 'task')} of it ran: "
            f"what was done is kept; run it again with --redo {name}."
            for name, count in sorted(old.items())
        ]
        before = dict(self.rows("SELECT algorithm, digest FROM source"))
        edited = [name for name, now in plan.metric_sources.items() if before.get(name, now) != now]
        said += [f"The source of the metric {name!r} has changed: it is computed again." for name in edited]
        with self.changing() as db:
            keys = {key for name in edited for (key,) in db.execute("SELECT key FROM score WHERE metric = ?", (name,))}
            db.executemany("DELETE FROM score WHERE metric = ?", [(name,) for name in edited])
            seals.seal_tasks(db, keys)
            db.executemany("INSERT OR REPLACE INTO source VALUES (?,?)", plan.metric_sources.items())
        return said

    def begin_task(self, key: str) -> None:
        """Note that a worker has a task. If the driver dies, the note stays and tells what may have killed it."""
        with self.changing() as db:
            db.execute("INSERT INTO begun VALUES (?,?)", (key, self.run_id))

    def deaths(self) -> dict[str, int]:
        """How many earlier drivers died while a task was under way, where any did."""
        return dict(self.rows("SELECT key, count(DISTINCT run) FROM begun WHERE run != ? GROUP BY key", self.run_id))

    def end_run(self, *, finished: bool) -> None:
        """Note that the driver lives to see the end of its run, and whether all its work is done."""
        self._orderly = True
        with self.changing() as db:
            db.execute("DELETE FROM begun WHERE run = ?", (self.run_id,))
            if finished:
                db.execute("UPDATE run SET finished = ? WHERE id = ?", (time.time(), self.run_id))

    def record(self, key: str, outcome: Outcome) -> None:
        """Keep an outcome: the predictions, then all rows in one transaction."""
        with self.explained():
            predictions = self.keep_files(key, outcome)
        with self.changing() as db:
            self._insert(db, key, outcome, predictions)
        if outcome.status != "ok":  # of an earlier attempt that went well
            with self.explained():
                self.prediction_path(key).unlink(missing_ok=True)

    def _insert(self, db: sqlite3.Connection, key: str, outcome: Outcome, predictions: str = "") -> None:
        scores: list[seals.Score] = [(metric, value, "") for metric, value in outcome.scores.items()]
        scores += [(metric, None, reason) for metric, reason in outcome.holes.items()]
        place = db.execute("SELECT dataset, algorithm, repeat, fold FROM task WHERE key = ?", (key,)).fetchone()
        if place is None:
            raise StoreError(f"The results database {str(self.path)!r} has no task {key!r} in its plan.")
        row = (outcome.status, outcome.message, outcome.remark)
        digest = seals.seal_of((*place, *row), sorted(scores, key=operator.itemgetter(0)))
        more = (digest, self._sources.get(place[1], ""), predictions, key)
        changed = "status = ?, message = ?, remark = ?, digest = ?, source = ?, predictions = ?"
        db.execute(f"UPDATE task SET {changed} WHERE key = ?", (*row, *more))
        details = json.dumps(outcome.details, default=str)
        own = {"key": key, "run": self.run_id, "finished": time.time(), "details": details}
        db.execute(inserting("attempt", ATTEMPT), [own[n] if n in own else getattr(outcome, n) for n in ATTEMPT])
        db.execute("DELETE FROM begun WHERE key = ?", (key,))
        db.execute("DELETE FROM score WHERE key = ?", (key,))
        db.executemany(inserting("score", SCORE), [(key, *score) for score in scores])

    def add_scores(self, rows: Sequence[tuple[str, str, float | None, str]]) -> None:
        """Add or renew scores (key, metric, value, message) of finished tasks."""
        with self.changing() as db:
            db.executemany(inserting("score", SCORE, "INSERT OR REPLACE"), rows)
            seals.seal_tasks(db, {row[0] for row in rows})

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

    def check_pages(self) -> None:
        """Refuse a file whose pages do not hold together."""
        problems = self.rows("PRAGMA quick_check(1)")
        if problems != [("ok",)]:
            raise StoreError(_damage(self.path, str(problems[0][0]).splitlines()[-1]))

    def finished(self) -> seals.Finished:
        """All finished tasks and their scores, with the keys of those that are not as they were kept."""
        with self.explained():
            return seals.finished(self._db)

    def check(self) -> seals.Finished:
        """What has finished; a store that the disk, or whoever carried it here, has changed is refused."""
        self.check_pages()
        sealed = self.rows("SELECT digest FROM run ORDER BY id DESC LIMIT 1")
        with self.explained():
            if sealed and sealed[0][0] not in ("", seals.suite_seal(self._db)):
                raise StoreError(
                    f"The results database {str(self.path)!r} is damaged: what it says of its suite and datasets is not as it was kept. "
                    "Run the suite again, which writes it again, or restore the database from a copy."
                )
        outcomes = self.finished()
        if keys := outcomes.damaged:
            place = next(seals.place_of(*row[3:7]) for row in outcomes.tasks if row[0] == keys[0])
            which = f"are not as they were kept (first: {place})"
            which = f"is not as it was kept ({place})" if len(keys) == 1 else which
            raise StoreError(
                f"The results database {str(self.path)!r} is damaged: {len(keys)} of {len(outcomes.tasks)} finished tasks {which}. "
                "Run the suite again, which computes them again, or restore the database from a copy."
            )
        return outcomes

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
        rows = self.rows("SELECT definition FROM run ORDER BY id DESC LIMIT 1")
        if not rows:
            raise StoreError(f"The results database {str(self.path)!r} is empty: its run never began.")
        loaded: dict[str, Any] = json.loads(rows[0][0])
        loaded["protocol"].pop("method", None)  # earlier versions had others than the grid, under other keys of tasks
        return loaded

    def own_metrics(self) -> dict[str, CustomMetric]:
        """The metrics of the user's that the suite has, by name."""
        from podium.bench.metrics import CustomMetric

        return {entry["name"]: CustomMetric(**entry) for entry in self.definition().get("own_metrics", ())}

    def environment(self) -> dict[str, str]:
        """The machine and the versions of the last run."""
        return dict(self.rows("SELECT name, value FROM environment WHERE run = (SELECT max(id) FROM run)"))

    def remarks(self) -> list[str]:
        """Sentences on finished tasks whose scores should be read with care."""
        from podium.bench.spec import CANDIDATES_FAILED, NOT_CONVERGED

        query = "SELECT count(*), sum(remark LIKE ?), sum(remark LIKE ?) FROM task WHERE planned AND status = 'ok'"
        ok, fits, searches = self.rows(query, f"%{NOT_CONVERGED}%", f"%{CANDIDATES_FAILED}%")[0]
        said = [f"{fits} of {counted(ok, 'fit')} warned: not converged."] if fits else []
        if searches:
            said.append(f"In {searches} of {counted(ok, 'task')} candidates of the search failed, and were left out.")
        several = """SELECT algorithm, count(DISTINCT source) FROM task WHERE planned AND status IS NOT NULL AND source != ''
        GROUP BY algorithm HAVING count(DISTINCT source) > 1 ORDER BY algorithm"""
        said += [
            f"The scores of {name!r} come from {count} versions of its source: run it again with --redo {name}."
            for name, count in self.rows(several)
        ]
        return said

    def lacking(self, metric: str) -> list[str]:
        """The keys of planned tasks that are ok and have no score of a metric, nor a reason why there is none."""
        query = """SELECT key FROM task t WHERE planned AND status = 'ok'
        AND NOT EXISTS (SELECT 1 FROM score s WHERE s.key = t.key AND s.metric = ?)"""
        return [str(key) for (key,) in self.rows(query, metric)]

    def load_predictions(self, key: str) -> Predictions:
        """The kept predictions of a task; others than those behind its scores are refused."""
        rows = self.rows("SELECT predictions FROM task WHERE key = ?", key)
        return self.predictions_of(key, rows[0][0] if rows else "")

    def remove(self) -> None:
        """Close the store and remove all its files: of one that was made in vain."""
        self.close()
        for ending in ("", "-wal", "-shm", ".lock"):
            self.beside(ending).unlink(missing_ok=True)
        for ending in (".predictions", ".models"):
            shutil.rmtree(self.beside(ending), ignore_errors=True)

    def load_model(self, dataset: str, algorithm: str, repeat: int = 0, fold: int = 0) -> Any:
        """A kept model. Unpickling runs code: load only what you or people you trust have made."""
        query = "SELECT key FROM task WHERE planned AND dataset = ? AND algorithm = ? AND repeat = ? AND fold = ?"
        rows = self.rows(query, dataset, algorithm, repeat, fold)
        path = self.model_path(str(rows[0][0])) if rows else None
        if path is None or not path.is_file():
            raise StoreError(
                f"The results database {str(self.path)!r} has no model of {algorithm!r} on {dataset!r} (repeat {repeat}, fold {fold}): "
                "set `keep_models = true` in the suite, and run with `--retry ok`."
            )
        return pickle.loads(path.read_bytes())

    def failures(self) -> pd.DataFrame:
        """The planned tasks that are not ok, with their last message."""
        return self.frame("""SELECT t.dataset, t.algorithm, t.repeat, t.fold, t.status, t.message, a.wall, a.cpu
        FROM task t LEFT JOIN attempt a ON a.id = (SELECT max(id) FROM attempt WHERE key = t.key) WHERE t.planned
        AND t.status IS NOT NULL AND t.status != 'ok' ORDER BY t.algorithm, t.dataset, t.repeat, t.fold""")


def mixed_versions(stores: Iterable[Store], what: str) -> list[str]:
    """Sentences on what the scores depend on, where the runs that made them had several versions of it."""
    versions: dict[str, dict[str, None]] = {}
    for store in stores:
        for name, version in store.rows(
            "SELECT DISTINCT name, value FROM environment WHERE run IN (SELECT run FROM attempt) "
            "AND name NOT IN ('system', 'host', 'processor', 'cores', 'containment') ORDER BY name, value"
        ):
            versions.setdefault(name, {})[version] = None
    return [
        f"The {what} ran with different versions of {name} ({', '.join(several)})."
        for name, several in versions.items()
        if len(several) > 1
    ]


def _open_lock(path: Path) -> io.TextIOWrapper:
    """The file that is locked; a link or a pipe of its name is not written to, wherever it leads."""
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_NONBLOCK, 0o666)
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise OSError(errno.ELOOP, "not a regular file")
    return open(handle, "a+", encoding="utf-8")


def _renew(db: sqlite3.Connection, version: int) -> None:
    """Make the tables, or bring them up to date: at once, so that a kill leaves all of it or nothing."""
    added = ""
    for table, column in (each for old in range(version, SCHEMA_VERSION) for each in _RENEWALS[old]):
        columns = [row[1] for row in db.execute(f"PRAGMA table_info({table})")]
        if columns and column not in columns:
            added += f"ALTER TABLE {table} ADD COLUMN {column} TEXT NOT NULL DEFAULT '';"
            added += _OF_ALL_TASKS if column == "source" else ""
    marks = f"PRAGMA application_id = {_APPLICATION_ID}; PRAGMA user_version = {SCHEMA_VERSION};"
    db.executescript(f"BEGIN IMMEDIATE; {added} {_SCHEMA} {_RENAMED if version < 4 else ''} {marks} COMMIT;")


def _damage(path: Path, what: str) -> str:
    return f"The results database {str(path)!r} is damaged ({what}): restore it from a copy, or run the suite into a new one."


def _explain(error: Exception, path: Path, *, write: bool) -> str:
    text = str(error).lower()
    place = repr(str(path))
    code = getattr(error, "errno", None)
    if code in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG) or "is full" in text:
        return f"The disk is full at {place}: finished tasks are safe; free some space and run again."
    if code in (errno.EROFS, errno.EACCES, errno.EPERM, errno.ENOENT) or "readonly" in text or "unable to open" in text:
        if not write:
            return f"{place} cannot be read: change its permissions, or copy it and its -wal file to a folder of yours."
        return f"{place} cannot be written: choose another folder for the results database, or change its permissions."
    if code in (errno.ELOOP, errno.EISDIR, errno.EEXIST, errno.ENOTDIR):
        return f"{place} or one of the files beside it is a link, a folder or a pipe where a file should be: remove it."
    if "not a database" in text:
        return f"{place} is not a results database of Podium: choose another name."
    if "malformed" in text or "disk image" in text or "decode" in text:
        return _damage(path, str(error))
    return f"The results database {place} cannot be used: {error}."
