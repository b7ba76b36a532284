"""`explain` and `cite`: what Podium's methods do, assume and rest on, from the registries and their docstrings."""

from __future__ import annotations

import dataclasses
import importlib
import inspect
import re
import shutil
import textwrap
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from podium.bayes.registry import MODELS, STEPS
from podium.core import check
from podium.core.registry import read_toml
from podium.core.result import Result
from podium.report.bibliography import bibtex, entries, entry
from podium.stats.registry import CORRECTIONS, OMNIBUS, PAIRWISE, PROCEDURES

# Rooms whose public functions are methods: those that a paper may cite.
ROOMS = ("stats", "bayes", "cases", "ordering", "chance", "planning", "studies", "comparison")
PREFIXED = ("bayes", "cases")  # rooms whose methods are listed with their room: others have names in common with them
VERBS = {"compare": "podium.comparison.compare", "order": "podium.comparison.order"}  # offered by `podium` itself
WIDTH = 110


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Explanation:
    """A method: how it is called, what it does, assumes and gives, when to use it, whom it cites. It prints itself."""

    name: str
    signature: str
    title: str
    text: str
    result: str
    result_text: str
    assumes: str
    use: str
    references: tuple[str, ...]

    def __repr__(self) -> str:
        parts = [_filled(self.signature), *map(_folded, self.text.split("\n\n"))]
        parts += [_filled(f"Assumes: {self.assumes}")] if self.assumes else []
        parts += [_filled(f"When to use it: {self.use}")] if self.use else []
        parts += [f"Returns {self.result}:", *map(_folded, self.result_text.split("\n\n"))] if self.result else []
        if self.references:
            works = "\n".join(_filled(f"- {entry(key).text()}") for key in self.references)
            parts += [f"References (`podium cite {self.name}` gives their BibTeX):", works]
        return "\n\n".join(part for part in parts if part)


def _folded(paragraph: str) -> str:
    """A paragraph in lines of a terminal's width; one that is laid out, as code and lists are, stays as it is."""
    return paragraph if re.search(r"^(\s|- )", paragraph, re.MULTILINE) else _filled(paragraph, hanging="")


def _filled(text: str, hanging: str = "  ") -> str:
    """The text in lines of a terminal's width, hanging under its first word."""
    width = min(shutil.get_terminal_size().columns, WIDTH)
    return textwrap.fill(text, width, subsequent_indent=hanging, break_on_hyphens=False)


@cache
def explain(name: str) -> Explanation:
    """What a method does, assumes and gives, when to use it, and where it comes from.

    Parameters
    ----------
    name : str
        Name of a method: "wilcoxon", "bayes.sign", "compare", ...

    Returns
    -------
    Explanation
        What the method does; it prints itself.

    Examples
    --------
    >>> explain("wilcoxon").references[0]
    'wilcoxon1945'
    """
    room, called = _homes()[check.member("method", _known(name), method_names())]
    function: Callable[..., Any] = getattr(importlib.import_module(room), called)
    kind = _result_class(function)
    text = (inspect.getdoc(function) or "").partition("\n\nParameters\n")[0]  # `help` has the rest
    guide = _registered().get(_known(name), {})
    return Explanation(
        name=_known(name),
        signature=f"{'podium' if called in VERBS else room}.{called}{_signature(function)}",
        title=text.split("\n\n")[0].replace("\n", " "),
        text=text,
        result=kind.__name__ if kind else "",
        result_text=(inspect.getdoc(kind) or "") if kind else "",
        assumes=guide.get("assumes", ""),
        use=guide.get("use", ""),
        references=tuple(dict.fromkeys([*guide.get("references", ()), *_default_references(kind)])),
    )


def cite(*names: str) -> str:
    """The BibTeX entries of the papers behind these methods; a key of the bibliography stands for itself.

    Parameters
    ----------
    *names : str
        Names of methods, or keys of the bibliography.

    Returns
    -------
    str
        BibTeX.

    Examples
    --------
    >>> cite("hommel").count("@")
    2
    """
    return bibtex(key for name in names for key in keys_of(name))


def keys_of(name: str) -> tuple[str, ...]:
    """The keys that a method cites."""
    if name in entries():
        return (name,)
    check.member("method or reference", _known(name), (*method_names(), *entries()))
    return explain(name).references


def method_names() -> tuple[str, ...]:
    """The names of all methods, sorted; nothing heavy is loaded for it."""
    return tuple(sorted(_homes()))


def is_method(name: str) -> bool:
    """Whether a method has this name, as it is listed or with its room."""
    return _known(name) in _homes()


def methods_about(text: str) -> tuple[str, ...]:
    """The methods that are explained with all of these words (of three or more: all but one), by how many their name and title have.

    >>> methods_about("imprecise Dirichlet process")
    ('bayes.imprecise',)
    """
    wanted = _words(text)
    about = {name: _words(f"{name} {explain(name)!r}") for name in method_names()}
    lacking = {name: len(wanted - words) for name, words in about.items() if wanted}
    least = min(lacking.values(), default=0)
    fitting = [name for name, lacks in lacking.items() if lacks == least <= (len(wanted) > 2)]
    return tuple(sorted(fitting, key=lambda name: _distance(name, wanted)))


def _distance(name: str, wanted: set[str]) -> tuple[int, int]:
    """How far a method is from these words: those that its name and title lack, then what else its name says."""
    return len(wanted - _words(f"{name} {explain(name).title}")), len(_words(name) - wanted)


def _words(text: str) -> set[str]:
    """The words of a text without the ends of plurals, and without those that nearly every method has."""
    words = re.findall(r"[a-z0-9]+", text.casefold().replace("'s", ""))
    return {word.removesuffix("s") for word in words} - {"test", "of", "the", "a", "and", "on", "over"}


def _known(name: str) -> str:
    """The name as it is listed: without its room, but for those of a room that has names in common with another."""
    bare = name.removeprefix("podium.").removeprefix("stats.").replace(" ", "_").casefold()
    listed = (bare, *(f"{room}.{bare}" for room in PREFIXED))
    return next((one for one in listed if one in _homes()), bare)


@cache
def _homes() -> dict[str, tuple[str, str]]:
    """Method -> its room and the function in it."""
    homes = {name: (module, name) for name, module in VERBS.items()}
    for room in ROOMS:
        public = (name for name in importlib.import_module(f"podium.{room}").__all__ if name.islower())
        before = f"{room}." if room in PREFIXED else ""
        homes |= {f"{before}{name}": (f"podium.{room}", name) for name in public}
    return homes


@cache
def _registered() -> dict[str, Mapping[str, Any]]:
    """Method -> what it assumes, when to use it, and what it cites."""
    guide: dict[str, Mapping[str, Any]] = read_toml("report", "guide.toml")
    tables: tuple[tuple[str, Mapping[str, Any]], ...] = (
        *(("", table) for table in (PAIRWISE, OMNIBUS, CORRECTIONS, PROCEDURES)),
        *(("bayes.", table) for table in (MODELS, STEPS)),
    )
    for room, table in tables:
        for name, method in table.items():
            guide[room + name] = {"assumes": method.assumes, "use": method.use, "references": method.references}
    return guide


def _signature(function: Callable[..., Any]) -> str:
    """The arguments without their types: `help` has those."""
    bare = inspect.signature(function)
    shown = [argument.replace(annotation=inspect.Parameter.empty) for argument in bare.parameters.values()]
    return str(bare.replace(parameters=shown, return_annotation=inspect.Signature.empty))


def _result_class(function: Callable[..., Any]) -> type[Result] | None:
    """The class of the result, from the annotation of what is returned."""
    annotation = getattr(function, "__annotations__", {}).get("return")
    if isinstance(annotation, str):
        annotation = getattr(importlib.import_module(function.__module__), annotation, None)
    return annotation if isinstance(annotation, type) and issubclass(annotation, Result) else None


def _default_references(kind: type[Result] | None) -> tuple[str, ...]:
    if kind is None:
        return ()
    default = next(field.default for field in dataclasses.fields(kind) if field.name == "references")
    return default if isinstance(default, tuple) else ()
