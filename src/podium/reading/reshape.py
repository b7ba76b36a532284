"""Columns made over before a table is recognised.

Names in several columns: `model+variant` is one name made of two columns. Long tables on their side: folds in columns beside the
names (`dataset, algorithm, fold 1, fold 2`), columns named by algorithm and metric (`SVM_acc, SVM_f1, RF_acc, RF_f1`), a curve of
Weights & Biases per column, or a game per column.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from podium.core.errors import DataError
from podium.core.metric import known_metric
from podium.core.names import key_of, quoted, shown
from podium.core.registry import read_toml
from podium.reading.block import Labels
from podium.reading.options import ReadOptions
from podium.reading.question import Question
from podium.reading.roles import is_split, is_summary, role_of, says_otherwise, tested_first, words_of
from podium.reading.sheet import LONGEST_NAME, Sheet
from podium.reading.training_names import cleanrl_name, is_environment
from podium.reading.where import filtered

if TYPE_CHECKING:
    from podium.reading.columns import Columns, ColumnView


BETWEEN = " / "
_NUMBERED = re.compile(r"(?P<word>[a-z]+)[\s_#.-]*(?P<number>\d+)", re.IGNORECASE)
_ROLES = {word: role for role in ("fold", "repeat") for word in words_of(f"numbered.{role}")}
_NAMED_FOLD = re.compile(
    rf"(?P<name>.*[^\W_].*?)[\s_.:|/,(\[-]+(?P<word>{'|'.join(sorted(_ROLES))})[\s_#.=:-]*(?P<number>\d+)[)\]]?",
    re.IGNORECASE,
)
_METRIC_OF_FOLD = re.compile(
    rf"(?P<metric>.*[^\W\d_].*?)[\s_.:|/-]+(?P<word>{'|'.join(sorted(_ROLES))})?[\s_#.-]*(?P<number>\d+)", re.IGNORECASE
)
_NAMED_NUMBER = re.compile(r"(?P<name>.*[^\W_\d].*?)[_.](?P<word>)?(?P<number>\d+)")
_BETWEEN_PARTS = re.compile(r"[\s_.:|/(~-]+")
_BUDGETS = ("iter", "iteration", "sample")  # words that also say how long something was trained
_SIDES = ("end", "start")  # of a column's name, where the metric stands


def prepared(sheet: Sheet, options: ReadOptions) -> tuple[Sheet, ReadOptions]:
    """The rows that are wanted, with a column more for each name in several columns."""
    sheet = filtered(sheet, options.where) if options.where is not None else sheet
    for role in ("algorithm", "dataset"):
        names = _split(sheet, options.named(role))
        if len(names) < 2:
            continue
        places = [sheet.position(name, f"{role}_column") for name in names]
        header = "+".join(sheet.header[place].strip() for place in places)
        labels = joined_labels(sheet, places)
        cells = np.array([text or None for text in labels.names], dtype=object)
        frame = sheet.frame.assign(joined=cells[labels.codes])
        frame.columns = pd.RangeIndex(frame.shape[1])
        sheet = replace(sheet, header=(*sheet.header, header), frame=frame)
        ignored = (*options.named("ignore"), *(sheet.header[place] for place in places))
        changes: dict[str, Any] = {f"{role}_column": header, "ignore_column": ignored}
        options = replace(options, **changes)
        sheet = replace(sheet, parts={**sheet.parts, **dict.fromkeys(places, role)})
    return sheet, replace(options, where=None)


def _split(sheet: Sheet, names: tuple[str, ...]) -> list[str]:
    """The columns that are meant: "model+variant" is two, unless a column has this very name."""
    known = {header.strip() for header in sheet.header}
    return [part for name in names for part in ([name] if name.strip() in known else name.split("+")) if part.strip()]


def joined_labels(sheet: Sheet, places: list[int], between: str = BETWEEN) -> Labels:
    """The texts of several columns side by side; a blank part is left out of the name."""
    code, texts = np.zeros(sheet.n_rows, dtype=np.int64), [""]
    for place in places:
        names, codes = sheet.codes(place)
        used, code = np.unique(code * (len(names) + 1) + codes + 1, return_inverse=True)
        pairs = [(texts[pair // (len(names) + 1)], ["", *names][pair % (len(names) + 1)]) for pair in used.tolist()]
        texts = [between.join(filter(None, pair)) for pair in pairs]
    return Labels(texts, code)


def folds_as_rows(sheet: Sheet, options: ReadOptions) -> Sheet:
    """A row per score, where an algorithm's column stands beside numbered folds or runs (fold 1, acc_1); else the sheet as it is."""
    named = options.named("algorithm") or any(role_of(name) == "algorithm" for name in sheet.header)
    if not named or options.value_column is not None:
        return sheet
    numbered = {i: match for i, name in enumerate(sheet.header) if (match := _NUMBERED.fullmatch(name.strip()))}
    words = {match["word"].lower() for match in numbered.values()}
    others = [name for i, name in enumerate(sheet.header) if i not in numbered]
    if len(numbered) < 2 or len(words) != 1 or not words <= set(_ROLES):
        return _metrics_of_folds(sheet, others)
    if any(role_of(name) in ("fold", "repeat", "value", "metric") for name in others):
        return sheet
    numbers = {_ROLES[words.pop()]: [int(match["number"]) for match in numbered.values()]}
    return _numbered_as_rows(sheet, list(numbered), numbers)


def _metrics_of_folds(sheet: Sheet, others: list[str]) -> Sheet:
    """The same for metrics that are numbered: acc_1 to acc_5, f1_fold0 to f1_fold4; BLEU-1 to BLEU-4 are metrics of their own."""
    found = {i: match for i, name in enumerate(sheet.header) if (match := _metric_of_fold(name.strip()))}
    numbers: dict[str, list[int]] = {}
    for match in found.values():
        numbers.setdefault(match["metric"], []).append(int(match["number"]))
    first = next(iter(numbers.values()), [])
    in_order = first in (list(range(len(first))), list(range(1, len(first) + 1)))
    roles = {_ROLES.get((match["word"] or "fold").lower()) for match in found.values()}
    taken = any(role_of(name) in ("fold", "repeat", "metric") for name in others)
    if len(first) < 3 or not in_order or taken or len(roles) > 1 or any(own != first for own in numbers.values()):
        return sheet
    columns: dict[str, list[Any]] = {str(roles.pop()): [int(match["number"]) for match in found.values()]}
    return _numbered_as_rows(sheet, list(found), columns, [match["metric"].strip(" _.-") for match in found.values()])


def _metric_of_fold(name: str) -> re.Match[str] | None:
    """The metric, the word and the number of a column such as "acc_1".

    >>> _metric_of_fold("f1_fold0").groupdict(), _metric_of_fold("bleu_2")
    ({'metric': 'f1', 'word': 'fold', 'number': '0'}, None)
    """
    match = _METRIC_OF_FOLD.fullmatch(name)
    return match if match and _is_metric(match["metric"]) and not _is_metric(name) else None


def _numbered_as_rows(
    sheet: Sheet, places: list[int], columns: dict[str, list[Any]], metrics: Sequence[str] = ()
) -> Sheet:
    """A row per fold; columns that sum up the folds are left out."""
    summing = [i for i, name in enumerate(sheet.header) if i not in places and _sums_up(name)]
    first, last, (role,) = sheet.header[places[0]], sheet.header[places[-1]], columns
    note = f"The columns {first!r} to {last!r} were read as {role}s, one score each."
    if summing:
        sheet = replace(sheet, fixed=sheet.fixed | {key_of(sheet.header[i]) for i in summing})
    names = dict.fromkeys(metrics)
    more: dict[str, list[Any]] = {"metric": list(metrics)} if len(names) > 1 else {}
    return on_its_side(sheet, places, columns | more, note, next(iter(names)) if len(names) == 1 else "value")


def _sums_up(name: str) -> bool:
    """Whether a column beside folds is their mean or spread."""
    words = key_of(name).split("_")
    return is_summary(name) or is_summary(words[-1]) or is_summary(words[0])


def folds_in_names(sheet: Sheet, options: ReadOptions) -> tuple[Sheet, ReadOptions]:
    """A row per score, where columns are named by algorithm and fold (knn-cv0, knn-cv1, nb-cv0 ...); else the sheet as it is.

    Bare numbers (knn_0, knn_1) may also tell models apart: these are asked about, and `number_folds` says that they are folds.
    """
    if options.layout != "auto" or options.named("value") or any(role_of(name) == "value" for name in sheet.header):
        return sheet, options
    left = set(sheet.positions("ignore", options))
    numbered = {i: match for i, name in enumerate(sheet.header) if i not in left and (match := _fold_of(name.strip()))}
    numbers: dict[str, list[int]] = {}
    for match in numbered.values():
        numbers.setdefault(match["name"], []).append(int(match["number"]))
    first = next(iter(numbers.values()), [])
    counted_up = first in (list(range(len(first))), list(range(1, len(first) + 1)))
    if len(numbers) < 2 or len(first) < 2 or not counted_up or any(own != first for own in numbers.values()):
        return sheet, options
    words = {(match["word"] or "").lower() for match in numbered.values()}
    names = list(numbers)
    if "" in words and not options.number_folds:
        raise Question(
            f"Columns of {sheet.label} are numbered ({quoted([sheet.header[i] for i in numbered], 3)}): if the numbers are folds of "
            f"{quoted(names, 3)}, give {{number_folds}}; if each column is an algorithm of its own, set {{layout}} to 'wide'.",
            {"number_folds": True},
            {"layout": "wide"},
        )
    role = _ROLES.get(words.pop(), "fold")
    note = f"The columns {sheet.header[min(numbered)]!r} to {sheet.header[max(numbered)]!r} were read as {role}s of {quoted(names)}."
    columns: dict[str, list[Any]] = {
        "algorithm": [match["name"] for match in numbered.values()],
        role: [int(m["number"]) for m in numbered.values()],
    }
    long = on_its_side(sheet, list(numbered), columns, note)
    changes: dict[str, Any] = {"number_folds": False}
    if options.dataset_column is None and not any(role_of(name) == "dataset" for name in sheet.header):
        texts = [
            i
            for i in range(sheet.n_columns)
            if i not in numbered and i not in left and sheet.column(i).dtype.kind not in "biuf"
        ]
        if len(texts) != 1:
            named = [sheet.header[i] for i in texts]
            raise Question(
                f"Which column of {sheet.label} names the datasets{f': {quoted(named)}' if named else ''}? Give {{dataset_column}}.",
                *({"dataset_column": name} for name in named),
            )
        changes["dataset_column"] = sheet.header[texts[0]]
    return long, replace(options, **changes)


def _named_fold(name: str) -> re.Match[str] | None:
    """The fold that a name ends with; none is looked for in a text, whose length would count by its square."""
    return _NAMED_FOLD.fullmatch(name) if len(name) <= LONGEST_NAME else None


def folds_in_cells(sheet: Sheet, options: ReadOptions, kind: str) -> Sheet:
    """Folds in a column of their own, where datasets (or algorithms) are named by them: adult_fold0, svm-seed1; else the sheet as it is."""
    roles = [role_of(name) for name in sheet.header]
    places = sheet.positions(kind, options) or [i for i, role in enumerate(roles) if role == kind]
    if options.layout != "auto" or len(places) != 1 or {"fold", "repeat", "seed"} & {*roles}:
        return sheet
    names, codes = sheet.codes(places[0])
    parts = [match for match in itertools.takewhile(bool, map(_named_fold, names)) if match]
    numbers: dict[str, set[int]] = {}
    for part in parts:
        numbers.setdefault(part["name"], set()).add(int(part["number"]))
    shared = {frozenset(own) for own in numbers.values()}
    words = {part["word"].lower() for part in parts}
    if (
        len(parts) < len(names)
        or (codes < 0).any()
        or len(words) != 1
        or len(shared) != 1
        or len(next(iter(shared))) < 2
    ):
        return sheet
    word = words.pop()
    role = _ROLES[word]
    if kind == "algorithm" and word in _BUDGETS and sorted(shared.pop())[0] > 1:
        return sheet  # xgb_iter100, xgb_iter200
    frame = sheet.frame.copy()
    frame.isetitem(places[0], np.array([part["name"] for part in parts], dtype=object)[codes])
    frame[sheet.n_columns] = np.array([int(part["number"]) for part in parts])[codes]
    note = f"Names of {kind}s were read as {kind} and {role}: {names[0]!r} is {role} {parts[0]['number']} of {parts[0]['name']!r}."
    return replace(sheet, header=(*sheet.header, role), frame=frame, notes=(*sheet.notes, note))


def _fold_of(name: str) -> re.Match[str] | None:
    """The algorithm, the word and the number of a column such as "knn-cv0"; bare numbers stand behind a sign.

    >>> _fold_of("nb fold 3").groupdict()
    {'name': 'nb', 'word': 'fold', 'number': '3'}
    >>> _fold_of("knn_2").groupdict(), _fold_of("svm")
    ({'name': 'knn', 'word': '', 'number': '2'}, None)
    """
    return _named_fold(name) or _NAMED_NUMBER.fullmatch(name)


def on_its_side(sheet: Sheet, places: list[int], names: dict[str, list[Any]], note: str, value: str = "value") -> Sheet:
    """A row per cell of some columns, with what each column is called in columns of their own; the cells become a `value`."""
    others = [i for i in range(sheet.n_columns) if i not in places]
    frame = sheet.frame.iloc[np.repeat(np.arange(sheet.n_rows), len(places)), others].reset_index(drop=True)
    for role, of_columns in names.items():
        frame[role] = np.tile(np.array(of_columns, dtype=object), sheet.n_rows)
    frame["value"] = pd.concat([sheet.column(i) for i in places], axis=1).to_numpy().ravel()
    frame.columns = pd.RangeIndex(frame.shape[1])
    header = (*(sheet.header[i] for i in others), *names, value)
    parts = {others.index(place): role for place, role in sheet.parts.items()}
    return replace(sheet, header=header, frame=frame.infer_objects(), notes=(*sheet.notes, note), parts=parts)


def metrics_as_rows(sheet: Sheet, options: ReadOptions) -> Sheet:
    """A row per score, where columns are named by algorithm and metric; else the sheet as it is."""
    said = options.layout != "auto" or options.named("value") or options.metric_column
    ignored = sheet.positions("ignore", options)
    roles = {role_of(name) for i, name in enumerate(sheet.header) if i not in ignored}
    other = "dataset" if options.named("algorithm") or "algorithm" in roles else "algorithm"
    said_names = [name for role in ("algorithm", "dataset") for name in _split(sheet, options.named(role))]
    rows = {*ignored, *(i for i, name in enumerate(sheet.header) if name.strip() in map(str.strip, said_names))}
    free = [i for i, name in enumerate(sheet.header) if name.strip() and i not in rows and role_of(name) is None]
    if said or roles & {"metric", "value"} or (other == "dataset" and ("dataset" in roles or options.named("dataset"))):
        return sheet
    if any(known_metric(sheet.header[i], exact=True) is not None and not is_summary(sheet.header[i]) for i in free):
        return sheet  # metrics of something that has no name here: train_acc, test_acc
    grid = next(filter(None, (_grid(sheet, free, side) for side in _SIDES)), {})
    if not grid:
        return sheet
    _check_rest(sheet, [i for i in free if i not in grid], [sheet.header[i] for i in grid])
    names = {other: [name for name, _ in grid.values()], "metric": [metric for _, metric in grid.values()]}
    metrics, things = (quoted(dict.fromkeys(names[role]), 4) for role in ("metric", other))
    note = f"Names of columns were read as {other} and metric: {metrics} are metrics, {things} {other}s."
    return on_its_side(sheet, list(grid), names, note)


def _is_metric(name: str) -> bool:
    return known_metric(name, exact=True) is not None


def _grid(
    sheet: Sheet, places: list[int], side: str, is_second: Callable[[str], bool] = _is_metric
) -> dict[int, tuple[str, str]]:
    """The algorithm and the metric of each column that is named by both; none unless each of two or more algorithms has the same
    two or more metrics."""
    pairs = {i: parts for i in places if (parts := name_and_metric(sheet.header[i].strip(), side, is_second))}
    by_algorithm: dict[str, list[str]] = {}
    for name, metric in pairs.values():
        by_algorithm.setdefault(name, []).append(metric)
    sets = {frozenset(metrics) for metrics in by_algorithm.values()}
    whole = (
        len(by_algorithm) > 1
        and len(sets) == 1
        and len(next(iter(sets))) > 1
        and len(set(pairs.values())) == len(pairs)
    )
    return pairs if whole else {}


def check_parts_of_data(sheet: Sheet, options: ReadOptions) -> None:
    """Ask which part of the data counts, where columns are named by algorithm and part: svm_train, svm_test, rf_train, rf_test."""
    left = {*sheet.positions("ignore", options), *sheet.positions("keep", options)}
    free = [i for i in range(sheet.n_columns) if i not in left and sheet.column(i).dtype.kind in "iuf"]
    grid = next(filter(None, (_grid(sheet, free, side, is_split) for side in _SIDES)), {})
    if options.named("value") or not grid or any(_is_metric(name) for name, _ in grid.values()):
        return
    parts = list(dict.fromkeys(part for _, part in grid.values()))
    others = {part: tuple(sheet.header[i] for i, (_, own) in grid.items() if own != part) for part in parts}
    first = tested_first(parts)
    raise Question(
        f"Columns of {sheet.label} are named by algorithm and part of the data ({quoted(first)}), which are not compared with "
        f"each other: to take {shown(first[0])}, leave out the others with {{ignore_column}} {quoted(others[first[0]], 12)}.",
        *({"ignore_column": others[part]} for part in first),
    )


def name_and_metric(header: str, side: str, is_second: Callable[[str], bool] = _is_metric) -> tuple[str, str] | None:
    """The two parts of a column's name, the metric at this side; the longest one that is a metric.

    >>> name_and_metric("kNN (training time)", "end"), name_and_metric("acc_SVM", "start"), name_and_metric("SVM", "end")
    (('kNN', 'training time'), ('SVM', 'acc'), None)
    """
    cuts = [match.span() for match in _BETWEEN_PARTS.finditer(header)]
    for start, stop in cuts if side == "end" else reversed(cuts):
        before, after = header[:start].strip(), header[stop:].strip().removesuffix(")")
        name, metric = (before, after) if side == "end" else (after, before)
        if name and metric and is_second(metric):
            return name, metric
    return None


def _check_rest(sheet: Sheet, rest: list[int], named: list[str]) -> None:
    """Ask about numbers without a metric beside columns that name one."""
    odd = next((sheet.header[i] for i in rest if sheet.column(i).dtype.kind in "iuf"), None)
    if odd is not None:
        raise DataError(
            f"Columns of {sheet.label} are named by algorithm and metric ({quoted(named, 3)}), and column {shown(odd)} is not: leave it "
            f"out with {{ignore_column}} {shown(odd)}, or set {{layout}} to 'wide' if every column is an algorithm."
        )


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
    matches = {i: _CURVE.fullmatch(name) for i, name in enumerate(header) if not name.endswith(_ENDS)}
    return {i: match for i, match in matches.items() if match and all(header[i] + end in header for end in _ENDS)}


def curves_as_rows(sheet: Sheet, options: ReadOptions) -> Sheet:
    """An export of curves as a long table; the names of the runs must be those of CleanRL, which say who was trained on what."""
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
    long = on_its_side(whole, list(range(1, len(chosen) + 1)), columns, "", metric)
    scored = long.column(long.n_columns - 1).notna().to_numpy()
    return replace(long.rows(scored), notes=sheet.notes)


def _is_step(name: str) -> bool:
    return role_of(name) == "step" or key_of(name).startswith(("global_step", "relative_time", "wall_time"))


# A game per column: "agent", "seed", "Alien", "Amidar" ...


def games_in_columns(columns: Columns, *, asked: bool) -> list[int]:
    """The columns that are games, where no column names them; any numbers are games where the user says that rows are runs."""
    agents = columns.called("runs.agent", "role.algorithm")
    agent = columns.by_option.get("algorithm", agents[0].place if agents else None)
    if agent is None or columns.called("runs.game", "role.dataset") or "dataset" in columns.by_option or columns.values:
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
