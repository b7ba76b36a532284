"""Every public function says what it takes and gives, as `help()`, editors and the reference show it (numpydoc)."""

import ast
import importlib
import inspect
import re
from pathlib import Path
from typing import Literal, get_args, get_origin

import pytest

import podium
from podium.core.result import Result

ROOMS = sorted(path.parent.name for path in Path(podium.__file__).parent.glob("*/__init__.pyi"))
UNWRITTEN = {"podium.read", "podium.compare", "podium.reading.ReadOptions"}
SECTION = re.compile(r"^(\w[\w ]+)\n-{3,}$", re.MULTILINE)
PARAMETER = re.compile(r"^(\*{0,2}\w+(?:, \*{0,2}\w+)*) : (\S.*)$", re.MULTILINE)


def public():
    """Name and thing of all that is called and that the reference lists; results and errors are not made by hand."""
    places = {"podium": podium, **{f"podium.{room}": importlib.import_module(f"podium.{room}") for room in ROOMS}}
    for place, module in places.items():
        for name in module.__all__:
            thing = getattr(module, name)
            made_by_hand = not (isinstance(thing, type) and issubclass(thing, Result | Exception))
            if callable(thing) and made_by_hand and f"{place}.{name}" not in UNWRITTEN:
                yield f"{place}.{name}", thing


PUBLIC = dict(public())


def sections(text):
    """What stands before the first section, and the text of each section."""
    parts = SECTION.split(inspect.cleandoc(text))
    return parts[0].strip(), dict(zip(parts[1::2], parts[2::2], strict=True))


def parameters(text):
    """Parameter -> what its line says behind the colon."""
    return {name: kind for names, kind in PARAMETER.findall(text) for name in names.split(", ")}


def shown(parameter):
    """A parameter as its line has it."""
    stars = {parameter.VAR_POSITIONAL: "*", parameter.VAR_KEYWORD: "**"}
    return stars.get(parameter.kind, "") + parameter.name


def problems(thing):
    """What the docstring of a function or a class lacks, or says otherwise than the signature."""
    before, parts = sections(inspect.getdoc(thing) or "")
    expected = {shown(parameter): parameter for parameter in inspect.signature(thing).parameters.values()}
    said = parameters(parts.get("Parameters", ""))
    if not re.match(r"\S.*[.?!]\Z", before.split("\n\n")[0]) or "\n" in before.split("\n\n")[0]:
        yield "the first line is not a sentence of one line"
    if list(said) != list(expected):
        yield f"Parameters has {list(said)} where the signature has {list(expected)}"
    for name in said.keys() & expected.keys():
        yield from _differences(name, said[name], expected[name])
    if not isinstance(thing, type) and thing.__annotations__.get("return") != "None" and not parts.get("Returns"):
        yield "Returns is missing"
    if ">>> " not in parts.get("Examples", ""):
        yield "Examples has no example"
    if ">>> " in before or set(parts) - {"Parameters", "Returns", "Examples", "Notes", "Raises", "See Also"}:
        yield "an example or a section stands where numpydoc has none"


def _differences(name, line, parameter):
    """Where the line of a parameter contradicts the signature: its default, or the words it can be."""
    usual = parameter.default
    default = re.search(r", default (.+)$", line)
    if usual is parameter.empty and (default or "optional" in line) and parameter.kind is parameter.KEYWORD_ONLY:
        yield f"{name} has no default"
    if usual is None or (isinstance(usual, str) and not usual):
        if not (default or line.endswith(", optional")):
            yield f"{name} is optional"
    elif isinstance(usual, bool | int | float | str) and (not default or ast.literal_eval(default[1]) != usual):
        yield f"{name} has the default {usual!r}"
    words = re.search(r"\{(\".*?\")\}", line)
    types = [part for part in (parameter.annotation, *get_args(parameter.annotation)) if get_origin(part) is Literal]
    if types and (words is None or set(ast.literal_eval(f"({words[1]},)")) != set(get_args(types[0]))):
        yield f"{name} can be {get_args(types[0])}"


@pytest.mark.parametrize("name", PUBLIC)
def test_a_docstring_says_what_goes_in_and_what_comes_out(name):
    assert list(problems(PUBLIC[name])) == []


GOOD = '''
    """Add.

    Parameters
    ----------
    x, y : float
        Numbers.
    how : {"up", "down"}, default "up"
        How.
    more : int, optional
        More.

    Returns
    -------
    float
        The sum.

    Examples
    --------
    >>> add(1, 2)
    3
    """
'''
SIGNATURE = 'def add(x: float, y: float, *, how: Literal["up", "down"] = "up", more: int | None = None) -> float:'


@pytest.mark.parametrize(
    "before, after",
    [
        ("Add.", "Add"),
        ("x, y :", "x :"),
        ("more : int, optional", "many : int, optional"),
        (', default "up"', ', default "down"'),
        ('{"up", "down"}', '{"up", "left"}'),
        (", optional", ""),
        ("Returns\n    -------", "Gives\n    -----"),
        (">>> ", ""),
    ],
)
def test_what_a_docstring_lacks_is_told(before, after):
    def made(text):
        place = {"Literal": Literal}
        exec(f"{SIGNATURE}{text}", place)
        return place["add"]

    assert list(problems(made(GOOD))) == []
    assert list(problems(made(GOOD.replace(before, after))))
