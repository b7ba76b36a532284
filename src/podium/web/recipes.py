"""The same in Python and on the command line: what a page computed, as a program that can be kept."""

from __future__ import annotations

import shlex
from typing import Any

from podium.core.options import numbers, whole_numbers
from podium.web.costs import parsed_costs
from podium.web.models import ComparisonOptions, OrderOptions, PowerOptions, ReadingOptions

__all__ = ["Recipe", "chance_recipe", "compare_recipe", "order_recipe", "power_recipe"]

Recipe = dict[str, str]

_FLAGS = {
    "metric": "--metric",
    "layout": "--layout",
    "rows": "--rows",
    "algorithm_column": "--algorithm-column",
    "dataset_column": "--dataset-column",
    "fold_column": "--fold-column",
    "repeat_column": "--repeat-column",
    "seed_column": "--seed-column",
    "metric_column": "--metric-column",
    "value_column": "--value-column",
    "family_column": "--family-column",
    "message_column": "--message-column",
    "ignore_column": "--ignore-column",
    "dataset_name": "--dataset-name",
    "missing_marker": "--missing-marker",
    "summaries": "--summaries",
    "repeats": "--repeats",
    "draws": "--draws",
    "test_fraction": "--test-fraction",
    "encoding": "--encoding",
    "sheet": "--sheet",
    "algorithms": "--algorithms",
    "control": "--control",
    "rope": "--rope",
    "test": "--test",
    "omnibus": "--omnibus",
    "correction": "--correction",
    "alpha": "--alpha",
    "confidence": "--confidence",
    "positives": "--positives",
    "negatives": "--negatives",
    "competitors": "--competitors",
    "score": "--score",
    "unattainable": "--unattainable",
    "alphas": "--alphas",
    "metrics": "--metrics",
    "cases": "--cases",
    "share": "--share",
    "auc": "--auc",
    "chart": "--kind",
    "effects": "--effects",
    "datasets": "--sizes",
    "tests": "--tests",
    "wanted": "--wanted",
    "shape": "--shape",
    "spread": "--spread",
    "folds": "--folds",
    "repetitions": "--draws",
    "a": "--a",
    "b": "--b",
    "posthoc": "--posthoc",
    "cost_metrics": "--cost",
}
_SWITCHES = {
    "percent": "--percent",
    "mean_sd": "--mean-sd",
    "footnotes": "--footnotes",
    "text_as_missing": "--text-as-missing",
    "decimal_comma": "--decimal-comma",
}


def compare_recipe(name: str, reading: ReadingOptions, options: ComparisonOptions) -> Recipe:
    """A comparison again."""
    chosen = options.model_dump(exclude_defaults=True)
    words = _words({key: value for key, value in chosen.items() if key not in ("missing", "rng", "costs")})
    words += ["--missing", options.missing] if options.missing else []
    words += ["--rng", str(options.rng)] if options.rng else []
    typed = options.costs is not None and any(sign in options.costs for sign in "=,")
    if options.costs is not None:
        chosen["costs"] = parsed_costs(options.costs) if typed else options.costs
        words += [] if typed else ["--cost", options.costs]
    recipe = _recipe(
        _call("podium.compare", _RESULTS, **chosen),
        ["podium", "compare", name, *_reading_words(reading), *words, "--html", "report.html"],
        read=_read(name, reading),
    )
    return {**recipe, "command": recipe["command"] + ("  # costs typed by hand: in Python only" if typed else "")}


def order_recipe(name: str, reading: ReadingOptions, options: OrderOptions) -> Recipe:
    """An order by cost again."""
    chosen = options.model_dump(exclude_defaults=True)
    costs, metrics, weights = chosen.pop("costs", None), chosen.pop("cost_metrics", []), chosen.pop("weights", [])
    words = _words({**chosen, "cost_metrics": metrics})
    if costs:
        words += ["--cost", costs]
    words += ["--weights", ",".join(map(str, weights))] if weights else []
    prices = parsed_costs(costs) if costs else _Code(f"results.scores({metrics[0]!r})" if metrics else "COSTS")
    return _recipe(
        _call("podium.ordering.multi2test", _SCORES, prices, **chosen),
        ["podium", "order", name, *_reading_words(reading), *words],
        read=_read(name, reading),
    )


def chance_recipe(kind: str, asked: dict[str, Any]) -> Recipe:
    """A calculation of chance again."""
    given = {key: value for key, value in asked.items() if value not in (None, [], "")}
    if kind == "plan":
        return _plan_recipe(given.pop("what"), given)
    command = ["podium", "chance", kind, *(["chart.pdf"] if kind == "chart" else []), *_words(given)]
    if kind == "chart":
        return {"python": "", "command": shlex.join(command)}
    if kind == "table":
        axes: dict[str, Any] = {
            key: whole_numbers(key, [given[key]]) for key in ("positives", "negatives", "competitors")
        }
        axes |= {"alphas": numbers("alphas", [given["alphas"]])}
        return _recipe(
            *(_call("podium.chance.critical_table", metric, **axes) for metric in given["metrics"]),
            command,
            shows="to_frame",
        )
    function = "podium.chance.critical_value" if kind == "value" else "podium.chance.pvalue"
    metric = given.pop("metric")
    return _recipe(_call(function, metric, **given), command)


def _plan_recipe(what: str, given: dict[str, Any]) -> Recipe:
    metrics = given.get("metrics", [])
    metric = (metrics or ["auc"])[0]
    if what == "mix":
        used = _only(given, "metrics", "competitors", "alpha", *(("auc", "draws") if "auc" in given else ()))
        call = _call("podium.chance.plan_mix", given["cases"], **used)
        words = _words({"cases": given["cases"], **used})
    elif what == "competitors":
        used = _only(given, "positives", "negatives", "score", "alpha")
        call = _call("podium.chance.plan_competitors", metric, **used)
        words = _words({"metrics": [metric], **used})
    else:
        used = _only(given, "share", "competitors", "alpha")
        call = _call("podium.chance.plan_cases", metric, given.get("score"), **used)
        words = _words({"metrics": [metric], **_only(given, "score"), **used})
    return _recipe(call, ["podium", "chance", "plan", *words])


def _only(given: dict[str, Any], *keys: str) -> dict[str, Any]:
    return {key: given[key] for key in keys if key in given}


def power_recipe(name: str | None, reading: ReadingOptions, options: PowerOptions) -> Recipe:
    """A plan of power again."""
    chosen = options.model_dump(exclude_defaults=True, exclude={"table", "seed"})
    command = ["podium", "study", "power", *([name, *_reading_words(reading)] if name else []), *_words(chosen)]
    command += ["--rng", str(options.seed)] if options.seed else []
    shared = _only(chosen, "a", "b", "shape", "spread", "alpha")
    pilot = {"pilot": _SCORES} if name else {}
    calls = []
    if options.wanted is not None and options.effects:
        for test in options.tests:
            goal = {"effect": options.effects[0], "wanted": options.wanted, "test": test}
            calls.append(_call("podium.studies.datasets_needed", **goal, **pilot, **shared))
    elif name and not options.effects:
        goal = {"wanted": 0.8 if options.wanted is None else options.wanted, **_only(chosen, "a", "b", "alpha")}
        calls = [_call("podium.studies.smallest_effect", _SCORES, test=test, **goal) for test in options.tests]
    else:
        grid: dict[str, Any] = {
            "effects": options.effects or [0.2, 0.5, 0.8],
            "sizes": options.datasets or [10, 20, 40],
        }
        grid |= _only(chosen, "tests", "folds", "repetitions")
        calls = [_call("podium.studies.power", **grid, **pilot, **shared)]
    return _recipe(*calls, command, read=_read(name, reading) if name else "")


class _Code(str):
    """Python that stands as it is."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


_RESULTS, _SCORES = _Code("results"), _Code("results.scores()")


def _recipe(*calls_and_command: Any, read: str = "", shows: str = "summary") -> Recipe:
    """Calls whose sentences (or tables) are printed, after what reads the table; last the command."""
    *calls, command = calls_and_command
    lines = ["import podium", "", *([read] if read else []), *(f"print({call}.{shows}())" for call in calls)]
    return {"python": "\n".join(lines), "command": shlex.join(command)}


def _read(name: str, reading: ReadingOptions) -> str:
    return f"results = {_call('podium.read', name, **reading.chosen())}"


def _call(function: str, *positional: Any, **named: Any) -> str:
    parts = [*map(repr, positional), *(f"{key}={value!r}" for key, value in named.items() if value is not None)]
    return f"{function}({', '.join(parts)})"


def _reading_words(reading: ReadingOptions) -> list[str]:
    chosen = reading.chosen()
    words = [_SWITCHES[key] for key in _SWITCHES if chosen.get(key)]
    words += ["--direction", chosen["direction"]] if "direction" in chosen else []
    words += (
        ["--separator", "tab" if chosen["separator"] == "\t" else chosen["separator"]] if "separator" in chosen else []
    )
    done = {*_SWITCHES, "direction", "separator"}
    return words + _words({key: value for key, value in chosen.items() if key not in done})


def _words(given: dict[str, Any]) -> list[str]:
    words: list[str] = []
    for key, value in given.items():
        for item in value if isinstance(value, list) else [value]:
            if item is not None:
                words += [_FLAGS[key], str(item)]
    return words
