"""The same in Python and on the command line: what a page computed, as a program that can be kept."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping
from typing import Any

from podium.core.options import command_words, numbers, whole_numbers
from podium.ordering.costs import typed_costs
from podium.web.kept import identity
from podium.web.models import Options, PowerOptions, ReadingOptions

Recipe = dict[str, str]
EXAMPLES = {"compare": "benavoli2016", "order": "ulas2008"}
_WRITTEN = {"compare": ("--html", "report.html"), "order": ()}


class _Code(str):
    """Python that stands as it is."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


_RESULTS, _SCORES = _Code("results"), _Code("results.scores()")


def result_recipe(
    kind: str, name: str, reading: ReadingOptions, options: Options, more: Mapping[str, Any] | None = None
) -> Recipe:
    """A comparison, or an order by cost, again."""
    verb = "order" if kind == "order" else "compare"
    chosen = {**options.chosen(), **(more or {})}
    words = [verb, name, *command_words({**reading.chosen(), **chosen}), *_WRITTEN[verb]]
    if "cost" in chosen:
        given = chosen["cost"] if isinstance(chosen["cost"], list) else [chosen["cost"]]
        costs = [typed_costs(text) if any(sign in text for sign in "=,") else text for text in given]
        chosen["cost"] = costs[0] if len(costs) == 1 else costs
    return _recipe([_call(f"podium.{verb}", _RESULTS, **chosen)], words, read=(name, reading))


def example_recipe(then: str) -> Recipe:
    """What the start page does, on a table that everybody has."""
    name, cost = EXAMPLES[then], {"cost": "training_time"} if then == "order" else {}
    call = _call(f"podium.{then}", _Code(_call("podium.example", name)), **cost)
    return _recipe([call], [then, name, *command_words(cost), *_WRITTEN[then]])


def api_recipe(base: str) -> Recipe:
    """A table and its comparison through the API; the address of a table follows from its name and content."""
    text = "dataset,svm,forest\n" + "".join(f"d{i},0.{70 + i},0.{71 + i * 2}\n" for i in range(1, 9))
    table = identity("accuracy.csv", text.encode())
    sent = ({"name": "accuracy.csv", "text": text}, {"options": {"alpha": 0.01}})
    paths = ("api/tables/text", f"api/tables/{table}/comparisons")
    commands = [
        shlex.join(["curl", "-H", "Content-Type: application/json", "-d", json.dumps(body), f"{base}{path}"])
        for body, path in zip(sent, paths, strict=True)
    ]
    return {"python": "", "command": "\n".join(commands)}


def watch_recipe(store: str) -> Recipe:
    """How far a run is, and its scores, in the folder of its store."""
    return {
        "python": f"import podium\n\nprint(podium.read({store!r}).to_frame())",
        "command": shlex.join(["podium", "status", store, "--failures"]),
    }


def chance_recipe(kind: str, asked: dict[str, Any]) -> Recipe:
    """A calculation of chance again."""
    given = {key: value for key, value in asked.items() if value not in (None, [], "")}
    if kind == "plan":
        return _plan_recipe(given.pop("what"), given)
    command = ["chance", kind, *(["chart.pdf"] if kind == "chart" else []), *command_words(given)]
    if kind == "chart":
        return {"python": "", "command": shlex.join(["podium", *command])}
    if kind == "table":
        axes: dict[str, Any] = {
            key: whole_numbers(key, [given[key]]) for key in ("positives", "negatives", "competitors")
        }
        axes |= {"alphas": numbers("alphas", [given["alphas"]])}
        calls = [_call("podium.chance.critical_table", metric, **axes) for metric in given["metrics"]]
        return _recipe(calls, command, shows="to_frame")
    function = "podium.chance.critical_value" if kind == "value" else "podium.chance.pvalue"
    return _recipe([_call(function, given.pop("metric"), **given)], command)


def _plan_recipe(what: str, given: dict[str, Any]) -> Recipe:
    metric = given.get("metrics", ["auc"])[0]
    if what == "mix":
        used = _only(given, "metrics", "competitors", "alpha", *(("auc", "draws") if "auc" in given else ()))
        call = _call("podium.planning.plan_mix", given["cases"], **used)
        words = {"cases": given["cases"], **used}
    elif what == "competitors":
        used = _only(given, "positives", "negatives", "score", "alpha")
        call = _call("podium.planning.plan_competitors", metric, **used)
        words = {"metrics": metric, **used}
    else:
        used = _only(given, "share", "competitors", "alpha")
        call = _call("podium.planning.plan_cases", metric, given.get("score"), **used)
        words = {"metrics": metric, **_only(given, "score"), **used}
    return _recipe([call], ["chance", "plan", *command_words(words)])


def power_recipe(name: str | None, reading: ReadingOptions, options: PowerOptions) -> Recipe:
    """A plan of power again."""
    chosen = {key: value for key, value in options.chosen().items() if key != "table"}
    table = [name, *command_words(reading.chosen())] if name else []
    shared = _only(chosen, "a", "b", "shape", "spread", "alpha", "draws", "rng")
    pilot = {"pilot": _SCORES} if name else {}
    if options.wanted is not None and options.effects:
        goal = {"effect": options.effects[0], "wanted": options.wanted}
        calls = [
            _call("podium.planning.datasets_needed", **goal, test=test, **pilot, **shared) for test in options.tests
        ]
    elif name and not options.effects:
        goal = {"wanted": 0.8 if options.wanted is None else options.wanted}
        goal |= _only(chosen, "a", "b", "alpha", "draws", "rng")
        calls = [_call("podium.planning.smallest_effect", _SCORES, test=test, **goal) for test in options.tests]
    else:
        grid = {"effects": options.effects or [0.2, 0.5, 0.8], "sizes": options.sizes or [10, 20, 40]}
        calls = [_call("podium.planning.power", **grid, **_only(chosen, "tests", "folds"), **pilot, **shared)]
    command = ["study", "power", *table, *command_words(chosen)]
    return _recipe(calls, command, read=(name, reading) if name else None)


def _only(given: dict[str, Any], *keys: str) -> dict[str, Any]:
    return {key: given[key] for key in keys if key in given}


def _recipe(
    calls: list[str], command: list[str], *, read: tuple[str, ReadingOptions] | None = None, shows: str = "summary"
) -> Recipe:
    """Calls whose sentences (or tables) are printed, after what reads the table; and the command."""
    lines = ["import podium", ""]
    if read is not None:
        name, reading = read
        given = reading.given()
        lines.append(f"results = {_call('podium.read', name, **_only(given, *reading.chosen()))}")
    lines += [f"print({call}.{shows}())" for call in calls]
    return {"python": "\n".join(lines), "command": shlex.join(["podium", *command])}


def _call(function: str, *positional: Any, **named: Any) -> str:
    parts = [*map(repr, positional), *(f"{key}={value!r}" for key, value in named.items() if value is not None)]
    return f"{function}({', '.join(parts)})"
