"""What a table is: candidates with what speaks for and against each, and the only one that is left; else one question.

No weights are summed. What speaks against a candidate removes it, a doubt makes it a question, and an option that somebody gave
removes all that contradict it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from podium.core.errors import ARRAY, FRAME, DataError
from podium.core.metric import is_cost, known_metric
from podium.core.names import key_of, quoted, shown
from podium.evidence.merging import combined
from podium.reading.columns import Columns, ColumnView
from podium.reading.judge import FEWEST_CASES, measured, one_row_per_case, unlike_measures
from podium.reading.question import MORE_SCORES, NothingToTest, Question
from podium.reading.replicates import has_digit
from podium.reading.reshape import games_in_columns, is_of_curves
from podium.reading.roles import (
    is_algorithm,
    is_called,
    is_dataset,
    is_of_split,
    is_score,
    is_summary,
    says_otherwise,
    words_of,
)

USUAL_FOLDS = (5, 10, 20, 25, 30, 50, 100)  # rows without a name that may well be folds of one dataset
MOST_METRICS = 200  # rows that may all be metrics: nobody measures more
_RESAMPLE = re.compile(
    rf"({'|'.join(sorted(words_of('numbered.fold', 'numbered.repeat')))})?[\s_#-]*\d+", re.IGNORECASE
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """One account of a table: what a row stands for or how the scores are laid out, and the options that choose it.

    `against` removes it; a `doubt` is the sentence of a question. Both are "" where nothing of the kind is to be said.
    """

    name: str
    answer: dict[str, Any] = field(default_factory=dict)
    against: str = ""
    doubt: str = ""


def resolve(candidates: Sequence[Candidate], **fields: Any) -> str:
    """The name of the only candidate that nothing speaks against; where it is in doubt, or there are several, they are asked about."""
    left = [candidate for candidate in candidates if not candidate.against]
    if not left:
        raise NothingToTest(candidates[0].against)
    if len(left) == 1 and not left[0].doubt:
        return left[0].name
    sentence = next(candidate.doubt for candidate in left if candidate.doubt)
    raise Question(sentence, *(candidate.answer for candidate in left), **fields)


# What one row of evidence stands for.


def unit_of(columns: Columns, units: Sequence[str] = ("run", "case", "dataset")) -> str:
    """The unit of a table: "run", "case" or "dataset"; only some `units` may be wanted."""
    if (said := columns.options.said_unit) is not None:
        return said
    played = are_runs(columns) and "run" in units
    tested = not played and are_cases(columns)
    named = [view.name for view in columns_of_cases(columns)]
    why = f"column {shown(named[0])} names cases" if named else "its scores are passed or failed"
    # Datasets may be numbered too: an "id" beside scores that neither pass nor fail is asked about.
    sure = any(view.passes or view.is_called("cases.clear") for view in columns.views)
    asked = "" if "case" in units and (sure or not tested) else one_row_per_case(columns.sheet, why)
    return resolve(
        [
            Candidate(name="run", against="" if played else "no column of agents, of games and of runs"),
            Candidate(
                name="case", answer={"unit": "case"}, doubt=asked, against="" if tested else "no column of cases"
            ),
            Candidate(name="dataset", against="it has agents and games" if played else why if tested else ""),
        ],
        **({"row": "case"} if asked else {}),
    )


def check_rows_of_cases(columns: Columns) -> None:
    """Refuse a table whose rows are clearly no test cases, where nobody says that they are."""
    views, played = columns.views, are_runs(columns)
    named = [
        view.name for view in views if view.role == "dataset" and view.differ and not view.is_called("cases.possible")
    ]
    clear = played or (named and not any(view.graded for view in views))
    if columns.options.said_unit is not None or are_cases(columns) or not clear:
        return
    row = "a run of an agent on a task" if played else f"one dataset (column {shown(named[0])})"
    raise DataError(
        f"One row of {columns.sheet.label} is {row}, and this is for test cases: use `podium compare`, and to plan "
        f"`{'runs_needed' if played else 'podium study power'}`. If each row is a test case, set {{unit}} to 'case'."
    )


def are_runs(columns: Columns) -> bool:
    """Whether a table has a column of games or environments, one of agents, and a run or several scores for each.

    Tasks are games where a column of returns or rewards says that agents played them, and without a column of tasks they played
    one. Games may also be columns, and runs curves of Weights & Biases.
    """
    if is_of_curves(columns.sheet) or games_in_columns(columns, asked=False):
        return True
    roles = {view.role for view in columns.views}
    played = bool(columns.called("runs.return"))
    games = columns.called("runs.game", *(["role.dataset"] if played else []))
    agents = columns.called("runs.agent", "role.algorithm")
    one_game = played and not games and bool(roles & {"seed", "repeat"})
    if not (games or one_game) or not agents or roles & {"fold", "metric", "case"}:
        return False
    known = [known_metric(view.name) for view in columns.views if not view.is_called("runs.return")]
    if any(metric is not None and not metric.is_cost for metric in known):
        return False  # accuracies and errors are scores of datasets, whatever these are called
    cells = len(np.unique(combined([agents[0].codes, *(game.codes for game in games[:1])])))
    return bool(roles & {"seed", "repeat"}) or cells < columns.sheet.n_rows


def are_cases(columns: Columns) -> bool:
    """Whether a table is clearly one of test cases: a column of cases and no fold, or nothing but grades for scores."""
    # "dev" and "test" are no folds, and what a filter fixed says nothing more.
    telling = (view for view in columns.views if view.role != "fold" or any(map(has_digit, view.names)))
    roles = {view.role for view in telling if not view.is_fixed}
    asked = {"rows", "dataset_column", "fold_column", "repeat_column", "seed_column", "family_column", "metric_column"}
    if roles & {"fold", "metric", "family"} or asked & set(columns.options.explicit):
        return False
    if len(columns_of_cases(columns)) == 1:
        return True
    graded = [view for view in columns.views if view.graded]
    named = any(view.is_called("cases.possible") for view in columns.views)
    if "algorithm" in roles:
        return bool(graded) and named and not any(known_metric(view.name, exact=True) for view in columns.views)
    rest = [view for view in columns.views if view not in graded]
    # Tasks are datasets elsewhere; where each is passed or failed, they are cases.
    return len(graded) > 1 and len(rest) <= 1 and (named or all(view.role != "dataset" for view in rest))


def columns_of_cases(columns: Columns) -> list[ColumnView]:
    """The columns that clearly name cases; one of "items" that says how many there are does not."""
    systems = [view for view in columns.views if view.is_called("role.algorithm", "cases.system")]
    each = columns.sheet.n_rows / max(1, len(systems[0].names) if systems else 1)  # rows of one system
    clear = [
        view
        for view in columns.views
        if view.is_called("cases.clear")
        and (not view.is_called("cases.counts") or not view.numeric or (each >= 2 and 10 * len(view.names) >= each))
    ]
    if clear or not systems:
        return clear
    return [view for view in columns.called("cases.counter") if _is_shared(columns, systems[0], view)]


def _is_shared(columns: Columns, system: ColumnView, view: ColumnView) -> bool:
    """Whether a column called "id" numbers cases: several systems have an outcome on each, and there is no dataset."""
    scored = any(each.is_called("outcomes.name", "outcomes.passing") for each in columns.views)
    of_data = any(each.role == "dataset" for each in columns.views)
    if not scored or of_data or len(view.names) < FEWEST_CASES or (view.codes < 0).any():
        return False
    each = np.unique(np.column_stack([view.codes, system.codes]), axis=0)[:, 0]
    return bool((np.bincount(each) > 1).all())


# How scores of datasets are laid out.


def layout_of(columns: Columns) -> str:
    """Whether scores of datasets stand one per row ("long") or one per cell of a "wide" table."""
    options = columns.options
    if options.layout != "auto":
        return options.layout
    doubt = _endings(columns)
    if doubt:
        both = [Candidate(name=name, answer={"layout": name}, doubt=doubt) for name in ("wide", "long")]
        return resolve(both)
    return "long" if _is_long(columns) else "wide"


def _is_long(columns: Columns) -> bool:
    options, roles = columns.options, columns.roles
    if options.value_column is not None or options.metric_column is not None:
        return True
    if options.rows != "auto":
        return False
    rest = [view for view in columns.free() if view.numeric]
    named = roles.keys() & {"algorithm", "dataset"}
    metrics = [view for view in rest if known_metric(view.name) is not None]
    if len(named) == 2 or ("value" in roles and ("metric" in roles or not rest)):
        return True
    if "algorithm" in roles and "value" in roles and is_of_split(columns.views[roles["value"]].name):
        return True  # mean_test_score beside the settings of a search
    if "algorithm" in roles and _hold_metrics(rest):
        return True
    if named:
        return bool(metrics) and len(metrics) == len(rest)
    scores = [view for view in metrics if known_metric(view.name, exact=True) and not is_cost(view.name)]
    return bool(scores) and len(metrics) == len(rest)  # which asks for the names


def _hold_metrics(views: list[ColumnView]) -> bool:
    """Whether columns beside one of algorithms are metrics, or returns of runs: where one is called so, none is a dataset."""
    if sum(is_dataset(view.name) for view in views) > 1:
        return False
    metrics = [view for view in views if known_metric(view.name, exact=True)]
    scores = [view for view in metrics if not is_summary(view.name) and not is_cost(view.name)]
    return bool(scores or any(view.is_called("runs.return") for view in views)) and any(
        view in metrics or not says_otherwise(view.name) for view in views
    )


def _endings(columns: Columns) -> str:
    """The doubt about svm_accuracy and knn_accuracy: the accuracies of two algorithms, or two metrics of one?"""
    options, roles = columns.options, columns.roles
    if (
        {"rows", "value_column", "metric_column"} & {*options.explicit}
        or "dataset" not in roles
        or "algorithm" in roles
    ):
        return ""
    names = [view.name for view in columns.free() if view.numeric]
    endings = {key_of(name).rpartition("_")[2] for name in names}
    known = all(known_metric(name) is not None and known_metric(name, exact=True) is None for name in names)
    if len(names) < 2 or len(endings) != 1 or not known or "value" in roles:
        return ""
    return (
        f"Are {quoted(names)} of {columns.sheet.label} algorithms, or metrics of one algorithm? Set {{layout}} to 'wide' (and "
        "give {metric}) for algorithms, to 'long' for metrics."
    )


# What the rows of a wide table are.


def are_algorithms(columns: Columns) -> bool:
    """Whether rows are algorithms: a column names them or describes algorithms, or the columns are well-known datasets."""
    if "algorithm" in columns.roles:
        return True
    names = [view.name for view in columns.free()]
    if any(map(is_algorithm, names)):
        return False
    described = [name for name in names if is_called(re.sub(r"\s*[(\[].*", "", name), "known.of_algorithms")]
    return len(described) > 1 or sum(map(is_dataset, names)) > 1


def are_resamples(names: Sequence[str]) -> bool:
    """Whether columns of scores are numbered resamples of one algorithm."""
    return all(_RESAMPLE.fullmatch(name.strip()) for name in names)


def rows_of(columns: Columns, rows: str, values: Sequence[int]) -> str:
    """What the rows of a wide table are: the datasets or algorithms that a column names, or folds of one dataset."""
    sheet, label = columns.sheet, columns.view(rows[:-1])
    names = [sheet.header[place] for place in values]
    if columns.options.rows != "auto":
        return resolve([Candidate(name=rows, against=_one_score_each(columns, rows, names, label))])
    rows = "datasets" if label is None else rows
    # Names that nobody has vouched for.
    own = None if "dataset" in columns.by_option or rows != "datasets" else label
    nothing = _one_score_each(columns, rows, names, label if rows == "algorithms" else own)
    turned = "" if own is None else _turned(columns, own, names)
    numbered = label is None and bool(columns.roles.keys() & {"fold", "repeat", "seed"})
    is_open = label is None and not numbered and not are_resamples(names)
    doubt = (
        f"The rows of {sheet.label} have no names: set {{rows}} to 'datasets' if each is another dataset, to 'folds' if all "
        "are folds of one dataset, or name the column of datasets with {dataset_column}."
        if is_open
        and (sheet.label not in (ARRAY, FRAME) or sheet.n_rows in USUAL_FOLDS)  # else numbered rows; a note says so
        else ""
    )
    turn = "" if turned or rows == "algorithms" else "nothing names algorithms"
    others = turned or ("" if turn and not numbered else "they are algorithms or folds")
    return resolve(
        [
            Candidate(name="datasets", answer={"rows": "datasets"}, against=nothing or others, doubt=doubt),
            Candidate(name="algorithms", answer={"rows": "algorithms"}, against=nothing or turn, doubt=turned),
            Candidate(
                name="folds",
                answer={"rows": "folds"},
                against=nothing or ("" if numbered or doubt else "they have names"),
                doubt=doubt,
            ),
        ]
    )


def _turned(columns: Columns, label: ColumnView, names: Sequence[str]) -> str:
    """The doubt about rows that are called like algorithms, where no column is."""
    rows = label.names[:MOST_METRICS]
    known = [] if any(map(is_algorithm, names)) else [name for name in rows if is_algorithm(name)]
    if len(known) < 2 or (len(known) == 2 and len(label.names) > 4):
        return ""
    return (
        f"The rows of {columns.sheet.label} are called like algorithms ({quoted(known, 3)}) and its columns are not: set {{rows}} to "
        "'algorithms' if the columns are datasets, to 'datasets' if they are algorithms."
    )


def _one_score_each(columns: Columns, rows: str, names: Sequence[str], label: ColumnView | None) -> str:
    """Why there is nothing to test in a wide table: its columns or rows are metrics, and each algorithm has one score of each."""
    of = columns.sheet.label
    if label is not None and label.differ and len(names) > 2 and {*map(str.strip, names)} == {*label.names}:
        return (
            f"The rows and the columns of {of} have the same names, as where they are compared with each other (correlations, p-values, "
            "confusions): these are not scores."
        )
    if rows == "algorithms":
        # A metric, its bounds, its mean over runs and what describes the algorithms are no datasets.
        scores = [name for name in names if known_metric(name, exact=True) is not None or is_score(name)]
        scores += measured([name for name in names if name not in scores and not says_otherwise(name)])
        scores = scores or [name for name in names if is_summary(name)]
        if scores and all(name in scores or says_otherwise(name) or is_summary(name) for name in names):
            return f"{of} has one score for each algorithm ({quoted(scores, 3)}), so there is nothing to test. {MORE_SCORES}"
        return ""
    kept = {columns.sheet.header[place] for place in columns.kept}
    free = [name for name in names if name not in kept]
    metrics = [name for name in free if known_metric(name, exact=True) is not None and not is_cost(name)]
    plain = [name for name in free if name in metrics or not says_otherwise(name)]
    if len(metrics) > 1 and 2 * len(metrics) >= len(plain):
        # Text that repeats, in a column whose name speaks for nothing else.
        free_views = [view for view in columns.free() if view.role is None and not view.numeric]
        groups = [view.name for view in free_views if 1 < len(view.names) < columns.sheet.n_rows]
        cure = f"say which column names the algorithms ({quoted(groups, 3)}) with {{algorithm_column}}"
        return (
            f"The columns of {of} are metrics ({quoted(metrics, 3)}) of one algorithm, so there is nothing to compare: "
            f"{cure if groups else 'add a column that names the algorithms'}, or give a folder with one such file for each."
        )
    if columns.options.layout == "auto" and (
        unlike := unlike_measures(of, [name for name in plain if not is_summary(name)])
    ):
        return unlike
    if label is None or not label.differ or len(label.names) > MOST_METRICS:
        return ""
    metrics = [name for name in label.names if known_metric(name, exact=True) is not None]
    metrics = label.names if label.role == "metric" and any(map(is_summary, free)) else metrics
    if len(metrics) < 2 or 2 * len(metrics) < len(label.names):
        return ""
    return (
        f"The rows of {of} are metrics ({quoted(metrics, 3)}): each algorithm has one score of each, so there is "
        f"nothing to test. {MORE_SCORES}"
    )
