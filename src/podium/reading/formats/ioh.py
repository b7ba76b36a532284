"""IOHprofiler: a JSON file per function with the best value of every run (the `.dat` files beside it are their paths)."""

from __future__ import annotations

from pathlib import Path

from podium.core.numbers import counted
from podium.reading.logs.files import wrong
from podium.reading.logs.json_view import json_view, list_of, names_in
from podium.reading.logs.records import Log

METRIC = "best value"


def is_ioh(path: Path, head: bytes) -> bool:
    """Whether a JSON file describes runs of an algorithm on a function."""
    return names_in(head) >= {"function_id", "scenarios", "algorithm"}


def read_ioh(files: list[Path], log: Log) -> None:
    """The best value of every run; a function in one dimension and instance is a dataset, its runs are repeats."""
    budgets: set[int] = set()
    for file in files:
        view = json_view(file)
        log.beside |= {folder for folder in file.parent.glob("data_f*") if folder.is_dir()}
        name = view.value("algorithm", "name")
        system = str(name) if name else file.resolve().parent.name
        function = f"f{view.value('function_id')} {view.value('function_name', otherwise='')}".strip()
        direction = "higher" if view.value("maximization") is True else "lower"
        for scenario in view.items("scenarios"):
            dimension = scenario.value("dimension")
            counts: dict[str, int] = {}
            for run in list_of(scenario.value("runs")):
                best = run.get("best") if isinstance(run, dict) else None
                if not isinstance(best, dict):
                    raise wrong(file, "has a run without its best value.")
                instance = str(run.get("instance"))
                repeat = counts[instance] = counts.get(instance, -1) + 1
                if isinstance(run.get("evals"), int):
                    budgets.add(run["evals"])
                stream = log.stream(file=file, system=system, metric=METRIC, direction=direction, unit="dataset")
                dataset = f"{function}, {dimension}D, instance {instance}"
                stream.add(dataset, best.get("y"), repeat=repeat, traits={"family": f"{function}, {dimension}D"})
    log.matched_by("function, dimension and instance")
    if len(budgets) > 1:
        log.note(
            f"The runs were given between {counted(min(budgets), 'evaluation')} and {max(budgets)}: what had more had more "
            "chances."
        )
