"""The driver: plan - done, carried out by an engine, every outcome kept at once."""

from __future__ import annotations

import contextlib
import math
import statistics
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from podium.bench import machine
from podium.bench._rescore import rescore_missing
from podium.bench.engines import Begun, Engine, LocalEngine
from podium.bench.guard import containment
from podium.bench.plan import Plan, Task, make_plan
from podium.bench.spec import STATUSES, Job, Outcome, Suite
from podium.bench.stopping import Stopping
from podium.bench.store import FINAL, Store, open_store
from podium.bench.suite import read_suite
from podium.core import check
from podium.core.errors import ArgumentError, StoreError
from podium.core.numbers import counted

# Work for which the machine is to blame is tried again in the same run, so often.
_LOST_AGAIN = 2
# A task under way when so many drivers died in turn is taken for their killer (the machine may have run out of memory).
_DEATHS = 3
_DEADLY = f"the run itself was ended {_DEATHS} times while this task was under way; `--retry crash` tries it again"
_LOOK = 0.2  # seconds between looks of a display


@dataclass(frozen=True, slots=True, kw_only=True)
class AlgorithmProgress:
    """Where one algorithm stands; `eta` is in seconds, as if it had all slots to itself."""

    name: str
    ok: int
    failed: int
    left: int
    eta: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """Where a run stands. `eta` is in seconds and counts what the running tasks have already done.

    `running` are the tasks that are under way, the one that has run longest first, with its `longest` seconds. `hint` says why
    nothing moves, if the engine knows.
    """

    total: int
    done: int
    failed: int
    running: tuple[str, ...]
    eta: float | None
    longest: float = 0.0
    algorithms: tuple[AlgorithmProgress, ...] = ()
    hint: str = ""


Watch = Callable[[Progress], None] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSummary:
    """What a run did: outcomes of this run by status, and what the whole plan looks like now.

    `notes` are those of the plan; `remarks` say what else became of the store.
    """

    planned: int
    already_done: int
    counts: Mapping[str, int]
    total_counts: Mapping[str, int]
    notes: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    stopped: bool = False
    seconds: float = 0.0

    @property
    def failed(self) -> int:
        """How many planned tasks went wrong; what was optional and skipped did not."""
        return _failed(self.total_counts)

    def summary(self) -> str:
        """One sentence, and the remarks."""
        parts = ", ".join(f"{count} {status}" for status, count in self.total_counts.items())
        kept = f" ({self.already_done} were there before)" if self.already_done else ""
        ended = "stopped: " if self.stopped else ""
        return " ".join((f"{ended}{counted(self.planned, 'task')} planned: {parts}{kept}.", *self.remarks))


def remaining_tasks(plan: Plan, store: Store, *, retry: Collection[str] = ()) -> list[Task]:
    """The plan without what is done; statuses in `retry` count as not done."""
    for status in retry:
        check.choice("retry", status, STATUSES)
    final = {status for status in FINAL if status not in retry}
    statuses = store.statuses()
    return [task for task in plan.tasks if statuses.get(task.key) not in final]


def tasks_of(plan: Plan, names: Collection[str]) -> list[Task]:
    """The tasks of these algorithms and datasets."""
    names = [names] if isinstance(names, str) else names
    listed = [*plan.facts, *(spec.name for spec in plan.suite.algorithms)]
    for name in names:
        check.member("redo", name, listed)
    return [task for task in plan.tasks if task.algorithm in names or task.dataset in names]


class _Pace:
    """How long tasks take: the mean of their kind, or a power of the dataset's size times the algorithm's own pace.

    The power is learnt from algorithms that were seen on datasets of several sizes, and is 1 until then.
    """

    def __init__(self, sizes: Mapping[str, int]) -> None:
        self.sizes = {name: math.log(max(size, 1)) for name, size in sizes.items()}
        self.seen: dict[tuple[str, str], tuple[int, float]] = {}
        self._law: tuple[float, dict[str, float]] | None = None

    def note(self, task: Task, wall: float) -> None:
        count, total = self.seen.get((task.algorithm, task.dataset), (0, 0.0))
        self.seen[task.algorithm, task.dataset] = (count + 1, total + wall)
        self._law = None

    def guess(self, algorithm: str, dataset: str) -> float:
        """Seconds of a task of this kind."""
        if (algorithm, dataset) in self.seen:
            count, total = self.seen[algorithm, dataset]
            return total / count
        if not self.seen:
            return 0.0
        power, paces = self._law = self._law or self.law()
        pace = paces.get(algorithm, statistics.fmean(paces.values()))
        return math.exp(pace + power * self.sizes[dataset])

    def law(self) -> tuple[float, dict[str, float]]:
        """The power of the size, and the logarithm of each algorithm's pace."""
        points: dict[str, list[tuple[float, float]]] = defaultdict(list)
        for (algorithm, dataset), (count, total) in self.seen.items():
            points[algorithm].append((self.sizes[dataset], math.log(max(total / count, 1e-4))))
        centres = {name: [*map(statistics.fmean, zip(*seen, strict=True))] for name, seen in points.items()}
        apart = [(x - centres[name][0], y - centres[name][1]) for name, seen in points.items() for x, y in seen]
        spread = sum(x * x for x, _ in apart)
        power = min(max(sum(x * y for x, y in apart) / spread, 0.0), 3.0) if spread > 1e-9 else 1.0
        return power, {name: y - power * x for name, (x, y) in centres.items()}


def _failed(counts: Mapping[str, int]) -> int:
    """How many went wrong; what was optional and skipped did not."""
    return sum(count for status, count in counts.items() if status not in ("ok", "waiting", "skipped"))


class _Run:
    """The state of one run."""

    def __init__(
        self, plan: Plan, store: Store, engine: Engine, tasks: list[Task], stopping: Stopping, watch: Watch = None
    ) -> None:
        self.plan, self.store, self.engine, self.stopping, self.watch = plan, store, engine, stopping, watch
        self.tasks = {task.key: task for task in tasks}
        self.counts: Counter[str] = Counter()
        self.by_algorithm: dict[str, Counter[str]] = {task.algorithm: Counter() for task in tasks}
        self.open = dict(self.tasks)
        self.open_kinds = Counter((task.algorithm, task.dataset) for task in tasks)
        self.last_look = 0.0
        self.pace = _Pace({name: facts.cases * facts.features for name, facts in plan.facts.items()})
        self.lost: Counter[str] = Counter()
        self.deaths: dict[str, int] = {}
        self.stopped = False

    def settle(self, key: str, outcome: Outcome) -> None:
        """Keep an outcome."""
        task = self.open.pop(key)
        self.open_kinds[(task.algorithm, task.dataset)] -= 1
        with self.stopping.later():
            self.store.record(key, outcome)
        self.counts[outcome.status] += 1
        self.by_algorithm[task.algorithm][outcome.status] += 1
        if outcome.wall is not None:
            self.pace.note(task, outcome.wall)

    def jobs(self, tasks: list[Task]) -> Iterator[Job]:
        """The jobs of the tasks, without those that are skipped or deadly."""
        for task in tasks:
            if task.key in self.plan.skipped:
                self.settle(task.key, Outcome(status="skipped", message=self.plan.skipped[task.key]))
            elif self.deaths.get(task.key, 0) >= _DEATHS:
                self.settle(task.key, Outcome(status="crash", message=_DEADLY))
            else:
                yield self.plan.job(task)

    def progress(self) -> Progress:
        now = machine.clock()
        running = sorted(self.engine.running().items(), key=lambda entry: entry[1])
        seconds: dict[str, float] = defaultdict(float)
        left: Counter[str] = Counter()
        for (algorithm, dataset), count in self.open_kinds.items():
            left[algorithm] += count
            seconds[algorithm] += count * self.pace.guess(algorithm, dataset)
        for key, since in running:
            if key in self.open:  # what a running task has already done is not ahead of it
                task = self.open[key]
                seconds[task.algorithm] -= min(now - since, self.pace.guess(task.algorithm, task.dataset))
        names = [self.tasks[key] for key, _ in running if key in self.tasks]
        done = self.counts.total()

        def eta(ahead: float) -> float | None:
            return max(ahead, 0.0) / self.engine.jobs if done else None

        algorithms = []
        for name, counts in self.by_algorithm.items():
            ended = {"ok": counts["ok"] + counts["skipped"], "failed": _failed(counts)}
            algorithms.append(AlgorithmProgress(name=name, **ended, left=left[name], eta=eta(seconds[name])))
        return Progress(
            total=len(self.tasks),
            done=done,
            failed=_failed(self.counts),
            running=tuple(f"{task.algorithm} / {task.dataset} {task.repeat}.{task.fold}" for task in names),
            eta=eta(sum(seconds.values())),
            longest=now - running[0][1] if running else 0.0,
            hint=getattr(self.engine, "hint", ""),
            algorithms=tuple(algorithms),
        )

    def look(self) -> None:
        """Show where the run stands, a few times per second at most and once at the end."""
        if self.watch is not None and (machine.clock() - self.last_look > _LOOK or not self.open):
            self.last_look = machine.clock()
            self.watch(self.progress())

    def whole(self) -> list[str]:
        """The run from its beginning to its end, whatever ends it; what to say of it."""
        engine = self.engine
        described = machine.environment() | self.plan.versions() | {"containment": containment()}
        dropped = self.store.begin(self.plan, engine=engine.name, slots=engine.jobs, environment=described)
        self.deaths = self.store.deaths()
        remarks = []
        if dropped:
            are = f"of an earlier suite {'is' if dropped == 1 else 'are'} no longer planned"
            remarks.append(
                f"{counted(dropped, 'task')} {are}: kept in the results database, but not shown or compared."
            )
        try:
            self.carry_out([task for key, task in self.tasks.items() if key not in self.deaths])
            for task in self.tasks.values():
                if task.key in self.deaths:  # last and alone, so that it harms no other
                    self.carry_out([task])
            remarks += rescore_missing(self.store, self.plan.suite)
        except KeyboardInterrupt:
            self.stopped = True
        except BaseException:  # in order, too: no task is to blame for what the driver itself says
            self.stopping.ignore()
            with contextlib.suppress(StoreError):
                self.store.end_run(finished=False)
            raise
        self.stopping.ignore()
        self.store.end_run(finished=not self.stopped)
        return remarks

    def carry_out(self, tasks: list[Task]) -> None:
        """Run the tasks; what the engine lost goes round again a few times."""
        again: list[Task] = []
        for event in self.engine.run(self.jobs(tasks)):
            if isinstance(event, Begun):
                with self.stopping.later():
                    self.store.begin_task(event.key)
            elif event is not None and event.outcome.status == "lost" and self.lost[event.key] < _LOST_AGAIN:
                self.lost[event.key] += 1
                again.append(self.tasks[event.key])
            elif event is not None:
                self.settle(event.key, event.outcome)
            self.stopping.check()
            self.look()
        if again:
            self.carry_out(again)


def _repaired(store: Store) -> list[str]:
    """Take back finished tasks whose scores are not those that were kept, so that they run again; what to say of it."""
    store.check_pages()
    damaged = store.finished().damaged
    store.forget(damaged)
    if not damaged:
        return []
    ran = (
        "was damaged in the results database: it ran"
        if len(damaged) == 1
        else "were damaged in the results database: they ran"
    )
    return [f"{counted(len(damaged), 'finished task')} {ran} again."]


def run(
    suite: Suite | Plan | str | Path,
    store: Store | str | Path,
    *,
    engine: Engine | None = None,
    retry: Collection[str] = (),
    redo: Collection[str] = (),
    pilot: bool = False,
    pilot_only: bool = False,
    watch: Watch = None,
) -> RunSummary:
    """Run everything that is not done of a suite, and keep every outcome.

    Ctrl-C (KeyboardInterrupt), SIGTERM and SIGHUP stop cleanly: what has finished is kept, and the summary says `stopped`.

    Parameters
    ----------
    suite : Suite, Plan, str or pathlib.Path
        The suite, its TOML file, or the name of an embedded one ("mini", "wainer14", ...).
    store : Store, str or pathlib.Path
        Where the results go.
    engine : Engine, optional
        Where tasks run; by default one at a time on this machine.
    retry : collection of str, default ()
        Outcomes whose tasks run again: "timeout", "crash", "out_of_memory", "error", "invalid", "ok".
    redo : collection of str, default ()
        Algorithms and datasets whose tasks all run again, whatever their outcome.
    pilot : bool, default False
        Begin with the smallest task of every algorithm.
    pilot_only : bool, default False
        Stop after the smallest task of every algorithm.
    watch : callable, optional
        Called with the progress of the run.

    Returns
    -------
    RunSummary
        The outcomes of this run, and what the whole plan looks like now.

    Examples
    --------
    >>> summary = run("mini", "mini.db")  # doctest: +SKIP
    """
    if isinstance(store, str | Path):
        with open_store(store, write=True) as opened:
            chosen: dict[str, Any] = {"retry": retry, "redo": redo, "pilot": pilot, "pilot_only": pilot_only}
            return run(suite, opened, engine=engine, watch=watch, **chosen)
    if isinstance(suite, str | Path):
        suite = read_suite(suite)
    if isinstance(engine, str):
        examples = "podium.bench.LocalEngine(2), or podium.bench.ExecutorEngine(pool, jobs=2)"
        raise ArgumentError(f"`engine` must be an engine: {examples}.")
    plan = suite if isinstance(suite, Plan) else make_plan(suite)
    remarks = _repaired(store)
    store.forget(task.key for task in tasks_of(plan, redo))
    todo = remaining_tasks(plan, store, retry=[retry] if isinstance(retry, str) else retry)
    already = len(plan.tasks) - len(todo)
    if pilot or pilot_only:
        first = set(plan.pilot()) & set(todo)
        rest = [] if pilot_only else [task for task in todo if task not in first]
        todo = [task for task in todo if task in first] + rest
    engine = engine or LocalEngine(1, threads=plan.suite.limits.threads)
    started = machine.clock()
    remarks += store.what_changed(plan, todo)
    with Stopping() as stopping:
        work = _Run(plan, store, engine, todo, stopping, watch)
        try:
            remarks += work.whole()
        finally:
            stopping.ignore()
            engine.close()
    return RunSummary(
        planned=len(plan.tasks),
        already_done=already,
        counts=dict(work.counts),
        total_counts=store.counts(),
        notes=plan.notes,
        remarks=(*remarks, *store.remarks()),
        stopped=work.stopped,
        seconds=machine.clock() - started,
    )
