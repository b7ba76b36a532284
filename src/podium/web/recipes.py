"""The same in Python and on the command line: what a page computed, as a program that can be kept."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping
from typing import Any

from podium.core.options import command_words
from podium.ordering.costs import typed_costs
from podium.web.kept import identity
from podium.web.models import Options, ReadingOptions
from podium.web.tasks import Code, call_text

Recipe = dict[str, str]
EXAMPLES = {"compare": "benavoli2016", "order": "ulas2008"}
_WRITTEN = {"compare": ("--html", "report.html"), "order": ()}


def result_recipe(
    kind: str, name: str, reading: ReadingOptions, options: Options, more: Mapping[str, Any] | None = None
) -> Recipe:
    """A comparison, an order by cost or a gate, again."""
    chosen = {**options.chosen(), **(more or {})}
    if kind == "gate":
        both = [chosen.pop("baseline"), chosen.pop("candidate")]
        words = [kind, *both, "--results", name, *command_words({**reading.chosen(), **chosen})]
        call = call_text("podium.cases.gate", Code("results"), baseline=both[0], candidate=both[1], **chosen)
        calls = [] if "truth" in reading.chosen() else [call]  # predictions are scored by the command
        return _recipe(calls, words, read=(name, reading))
    verb = "order" if kind == "order" else "compare"
    words = [verb, name, *command_words({**reading.chosen(), **chosen}), *_WRITTEN[verb]]
    if "cost" in chosen:
        texts = chosen["cost"] if isinstance(chosen["cost"], list) else [chosen["cost"]]
        costs = [typed_costs(text) if any(sign in text for sign in "=,") else text for text in texts]
        chosen["cost"] = costs[0] if len(costs) == 1 else costs
    return _recipe([call_text(f"podium.{verb}", Code("results"), **chosen)], words, read=(name, reading))


def example_recipe(then: str) -> Recipe:
    """What the start page does, on a table that everybody has; a gate has files of one's own."""
    if then not in EXAMPLES:
        return {"python": "", "command": f"podium {then} baseline.csv candidate.csv --margin 0.02"}
    name, cost = EXAMPLES[then], {"cost": "training_time"} if then == "order" else {}
    call = call_text(f"podium.{then}", Code(call_text("podium.example", name)), **cost)
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


_COMMANDS = {"datasets": ("study", "power"), "cases": ("plan",), "chart": ("chance", "chart", "chart.pdf")}


def calculator_recipe(
    kind: str, used: dict[str, Any], calls: list[str], name: str | None, reading: ReadingOptions
) -> Recipe:
    """A calculation again, by the calls that answered it; a pilot table has a `name`."""
    words = list(_COMMANDS.get(kind, ("chance", kind)))
    if name is not None:
        words += [*(["--from"] if kind == "cases" else []), name, *command_words(reading.chosen())]
    shows = "to_frame" if kind == "table" else "summary"
    return _recipe(calls, [*words, *command_words(used)], read=None if name is None else (name, reading), shows=shows)


def _recipe(
    calls: list[str], command: list[str], *, read: tuple[str, ReadingOptions] | None = None, shows: str = "summary"
) -> Recipe:
    """Calls whose sentences (or tables) are printed, after what reads the table; and the command."""
    lines = ["import podium", ""]
    if read is not None:
        name, reading = read
        options = {key: value for key, value in reading.explicit().items() if key in reading.chosen()}
        lines.append(f"results = {call_text('podium.read', name, **options)}")
    lines += [f"print({call}.{shows}())" for call in calls]
    return {"python": "\n".join(lines) if calls else "", "command": shlex.join(["podium", *command])}
