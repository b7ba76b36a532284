"""Tables of runs that are wide: a curve of Weights & Biases per column, or a game per column. They become long ones."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from podium.core.errors import DataError
from podium.core.metric import known_metric
from podium.core.names import key_of, quoted, shown
from podium.core.registry import read_toml
from podium.reading.composite import on_its_side
from podium.reading.options import ReadOptions
from podium.reading.roles import is_summary, role_of, says_otherwise
from podium.reading.sheet import Sheet
from podium.reading.training_names import cleanrl_name, is_environment

if TYPE_CHECKING:
    from podium.reading.columns import Columns, ColumnView

_CURVE = re.compile(r"(?P<run>.+) - (?P<metric>.+?)")
_ENDS = ("__MIN", "__MAX")
# What a run has beside its scores: such a column is no game.
_OF_RUNS = re.compile(
    r"(.*_)?(episodes?|ep|len|length|steps?|frames?|time|returns?|rewards?|loss|lr|gamma|fps|sps|seconds)(_.*)?"
)


def is_game(name: str) -> bool:
    """Whether a name is that of an Atari game, or of an environment as Gymnasium writes them.

    >>> is_game("bank_heist"), is_game("CartPole-v1"), is_game("svm")
    (True, True, False)
    """
    known = {key_of(game).replace("_", "") for game in read_toml("data", "atari.toml")}
    return is_environment(name) or key_of(name).replace("_", "") in known


# Curves of Weights & Biases: "Step", "run - metric", "run - metric__MIN", "run - metric__MAX".


def is_of_curves(sheet: Sheet) -> bool:
    """Whether a table is an export of curves: each has its smallest and largest value beside it."""
    return bool(_curves(sheet))


def _curves(sheet: Sheet) -> dict[int, re.Match[str]]:
    header = [name.strip() for name in sheet.header]
    found = {i: _CURVE.fullmatch(name) for i, name in enumerate(header) if not name.endswith(_ENDS)}
    return {i: match for i, match in found.items() if match and all(header[i] + end in header for end in _ENDS)}


def curves_as_rows(sheet: Sheet, options: ReadOptions) -> Sheet:
    """An export of curves as a long table; the names of the runs must be those of CleanRL, which say who was trained on what."""
    import pandas as pd

    curves = _curves(sheet)
    metrics = list(dict.fromkeys(match["metric"] for match in curves.values()))
    wanted = next(iter(options.metrics), None)
    if wanted is None and len(metrics) > 1:
        raise DataError(f"{sheet.label} has several metrics ({quoted(metrics)}): choose one with {{metric}}.")
    metric = wanted or metrics[0]
    if metric not in metrics:
        raise DataError(f"{sheet.label} has no metric {shown(metric)}: it has {quoted(metrics)}.")
    rest = [i for i, name in enumerate(sheet.header) if i not in curves and not name.strip().endswith(_ENDS)]
    step = next((i for i in rest if _is_step(sheet.header[i])), None)
    chosen = {i: match["run"] for i, match in curves.items() if match["metric"] == metric}
    named = {run: cleanrl_name(run) for run in chosen.values()}
    if odd := next((run for run, name in named.items() if name is None), None):
        raise DataError(
            f"{sheet.label}: the run {shown(odd)} does not say agent, environment and seed. Curves are read where runs have "
            "CleanRL's names (environment__agent__seed__time); otherwise export the table of runs, with a column for each."
        )
    steps = sheet.column(step) if step is not None else pd.Series(range(sheet.n_rows))
    frame = pd.concat([steps, *(sheet.column(i) for i in chosen)], axis=1, ignore_index=True)
    names = [name for run in chosen.values() if (name := named[run]) is not None]
    columns = {"exp_name": [n.agent for n in names], "env_id": [n.task for n in names], "seed": [n.seed for n in names]}
    whole = replace(sheet, header=("step", *chosen.values()), frame=frame)
    made = on_its_side(whole, list(range(1, len(chosen) + 1)), columns, "", metric)
    scored = made.column(made.n_columns - 1).notna().to_numpy()
    return replace(made.rows(scored), notes=sheet.notes)


def _is_step(name: str) -> bool:
    return role_of(name) == "step" or key_of(name).startswith(("global_step", "relative_time", "wall_time"))


# A game per column: "agent", "seed", "Alien", "Amidar" ...


def games_in_columns(columns: Columns, *, asked: bool) -> list[int]:
    """The columns that are games, where no column names them; any numbers are games where the user says that rows are runs."""
    agents = columns.called("runs.agent", "role.algorithm")
    agent = columns.given.get("algorithm", agents[0].place if agents else None)
    if agent is None or columns.called("runs.game", "role.dataset") or "dataset" in columns.given or columns.values:
        return []
    left = [view for view in columns.views if view.place not in {agent, *columns.ignore} and view.name.strip()]
    left = [view for view in left if view.role not in ("seed", "repeat")]
    games = [view.place for view in left if is_game(view.name)]
    if len(games) < 2 or len(games) < len(left):
        games = [view.place for view in left] if asked and all(map(_may_be_game, left)) else []
    return games if len(games) > 1 else []


def _may_be_game(view: ColumnView) -> bool:
    name = view.name
    if known_metric(name) is not None or view.role is not None or says_otherwise(name) or is_summary(name):
        return False
    return view.cells.dtype.kind in "if" and not _OF_RUNS.fullmatch(key_of(name))
