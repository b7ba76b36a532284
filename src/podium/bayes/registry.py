"""Every Bayesian model and every step around one, as plain data: what offers, names, explains or cites one reads it here.

A new model is one file with a function `fit` (see `all_pairs`) and an entry in `registry.toml`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from podium.core.registry import entries, read_toml


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A function of this room: `home` is its module, `references` are keys of the bibliography."""

    name: str
    home: str
    assumes: str
    use: str
    references: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Model(Step):
    """A model; `label` begins a sentence, `line` says it in a line, `phrase` is for a methods paragraph with `[@key]`.

    `over` is what it looks at: "datasets" (the two, one score per dataset), "folds" (the two on one dataset),
    "nested" (the two on every fold of every dataset), "cases" (the two on the same cases) or "pool" (all algorithms at once). `options` go to its `fit`,
    `function` is its name in this room, `width` what its region of equivalence is called.
    """

    over: str
    label: str
    line: str
    phrase: str
    function: str
    width: str = "rope"
    options: Mapping[str, Any] = field(default_factory=dict)


def _model(name: str, like: str = "", **entry: Any) -> Model:
    fields = {"function": name, **{**_TABLE["models"], **_TABLE["case_models"]}.get(like, {}), **entry}
    return Model(name=name, home=f"podium.bayes._{fields['function']}", **fields)


def _step(home: str, **entry: Any) -> Step:
    return Step(home=f"podium.bayes.{home}", **entry)


_TABLE = read_toml("bayes", "registry.toml")
MODELS, CASE_MODELS = (entries(_model, _TABLE[table]) for table in ("models", "case_models"))
STEPS = entries(_step, _TABLE["steps"])


def known_model(name: str) -> Model:
    """The model of that name, over datasets or of cases."""
    return {**MODELS, **CASE_MODELS}[name]
