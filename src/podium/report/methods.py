"""What Podium's methods do and rest on, from their docstrings, their results and the bibliography."""

from __future__ import annotations

import ast
import dataclasses
import importlib
import inspect
import textwrap
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from podium.bayes.registry import MODELS, STEPS, Step
from podium.core import check
from podium.core.result import Result
from podium.report.bibliography import entries

__all__ = ["Method", "keys_of", "method", "method_names", "methods"]

# Rooms whose public functions are methods: those that a paper may cite.
ROOMS = ("stats", "bayes", "ordering", "chance", "studies", "comparison")

# Functions that return bare numbers carry no references of their own.
_BY_HAND = {
    "adjust": ("holm1979", "garcia2008"),
    "all_pairs": ("benavoli2016", "garcia2008"),
    "benjamini_hochberg": ("benjamini1995",),
    "benjamini_yekutieli": ("benjamini2001",),
    "bergmann_hommel": ("bergmann1988", "garcia2008"),
    "bonferroni": ("dunn1961",),
    "compare": ("demsar2006", "benavoli2016"),
    "critical_difference": ("nemenyi1963", "demsar2006"),
    "finner": ("finner1993",),
    "hochberg": ("hochberg1988",),
    "holland": ("holland1987",),
    "holm": ("holm1979",),
    "holm_sidak": ("holm1979", "sidak1967"),
    "hommel": ("hommel1988",),
    "li": ("li2008",),
    "rom": ("rom1990",),
    "shaffer": ("shaffer1986", "garcia2008"),
    "sidak": ("sidak1967",),
    "versus_control": ("demsar2006", "garcia2010"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Method:
    """A public function: how it is called, what it does, assumes and gives, when to use it, whom it cites."""

    name: str
    signature: str
    title: str
    text: str
    result: str
    result_text: str
    assumes: str
    use: str
    references: tuple[str, ...]


def method_names() -> tuple[str, ...]:
    """The names of all methods, sorted; nothing heavy is loaded for it."""
    return tuple(sorted(_homes()))


@cache
def _homes() -> dict[str, str]:
    """Method -> the room it lives in; Bayesian ones are called bayes.sign, as stats has a sign test too."""
    found = {"compare": "podium"}
    for room in ROOMS:
        names = (name for name in importlib.import_module(f"podium.{room}").__all__ if name.islower())
        found |= {f"bayes.{name}" if room == "bayes" else name: f"podium.{room}" for name in names}
    return found


def methods() -> tuple[Method, ...]:
    """All methods, by name."""
    return tuple(map(method, method_names()))


@cache
def method(name: str) -> Method:
    """One method; an unknown name is refused with the nearest one."""
    check.member("method", name, method_names())
    home = _homes()[name]
    function: Callable[..., Any] = getattr(importlib.import_module(home), name.removeprefix("bayes."))
    kind = _result_class(function)
    text = inspect.getdoc(function) or ""
    return Method(
        name=name,
        signature=f"{home}.{function.__name__}{_signature(function)}",
        title=text.split("\n\n")[0].replace("\n", " "),
        text=text,
        result=kind.__name__ if kind else "",
        result_text=(inspect.getdoc(kind) or "") if kind else "",
        assumes=_guided(name, "assumes"),
        use=_guided(name, "use"),
        references=_references(name, function, kind),
    )


def _bayes(name: str) -> Step | None:
    """The entry of the registry of Bayesian models, where the method is one of that room."""
    room, _, function = name.rpartition(".")
    return {**MODELS, **STEPS}.get(function) if room == "bayes" else None


def _guided(name: str, what: str) -> str:
    known = _bayes(name)
    return getattr(known, what) if known else _guide().get(name, {}).get(what, "")


def keys_of(name: str) -> tuple[str, ...]:
    """The keys that a method cites; a key of the bibliography stands for itself."""
    if name in entries():
        return (name,)
    known = (*method_names(), *entries())
    check.member("method or reference", name, known)
    return method(name).references


@cache
def _guide() -> dict[str, dict[str, str]]:
    return tomllib.loads(files("podium.report").joinpath("guide.toml").read_text(encoding="utf-8"))


def _signature(function: Callable[..., Any]) -> str:
    """The arguments without their types: those are in the text."""
    bare = inspect.signature(function)
    shown = [argument.replace(annotation=inspect.Parameter.empty) for argument in bare.parameters.values()]
    return str(bare.replace(parameters=shown, return_annotation=inspect.Signature.empty))


def _result_class(function: Callable[..., Any]) -> type[Result] | None:
    """The class of the result, from the annotation of what is returned."""
    annotation = getattr(function, "__annotations__", {}).get("return")
    if isinstance(annotation, str):
        module = importlib.import_module(function.__module__)
        annotation = getattr(module, annotation, None)
    return annotation if isinstance(annotation, type) and issubclass(annotation, Result) else None


def _references(name: str, function: Callable[..., Any], kind: type[Result] | None) -> tuple[str, ...]:
    """Keys that the function itself gives to its result, those of the result's class, and those known by hand."""
    known = _bayes(name)
    if known is not None:
        return known.references
    own = [text for text in _strings_of(function) if text in entries()]
    return tuple(dict.fromkeys([*own, *_default_references(kind), *_BY_HAND.get(name, ())]))


def _default_references(kind: type[Result] | None) -> tuple[str, ...]:
    if kind is None:
        return ()
    default = next(field.default for field in dataclasses.fields(kind) if field.name == "references")
    return default if isinstance(default, tuple) else ()


def _strings_of(function: Callable[..., Any]) -> list[str]:
    """Every string in the source of a function, in order; nothing where there is no source."""
    try:
        source = textwrap.dedent(inspect.getsource(function))
    except (OSError, TypeError):
        return []
    constants = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Constant))
    return [node.value for node in constants if isinstance(node.value, str)]
