"""Every public function says what it takes and gives, as `help()`, editors and the reference show it (numpydoc)."""

import ast
import importlib
import inspect
import re
import sys
from pathlib import Path
from typing import Literal, get_args, get_origin, get_type_hints

import pytest

import podium
from podium.core.options import COMPARING_CASES, OPTIONS
from podium.core.result import Result
from podium.reading import keywords
from podium.reading.keywords import CompareKeywords
from podium.reading.options import ReadOptions

ROOMS = sorted(path.parent.name for path in Path(podium.__file__).parent.glob("*/__init__.pyi"))
ELSEWHERE = {"podium.reading.ReadOptions"}  # its fields are the options of `podium.read`, which says what they mean
SECTION = re.compile(r"^(\w[\w ]+)\n-{3,}$", re.MULTILINE)
PARAMETER = re.compile(r"^(\*{0,2}\w+(?:, \*{0,2}\w+)*) : (\S.*)$", re.MULTILINE)


def public():
    """Name and thing of all that is called and that the reference lists; results and errors are not made by hand."""
    places = {"podium": podium, **{f"podium.{room}": importlib.import_module(f"podium.{room}") for room in ROOMS}}
    for place, module in places.items():
        for name in module.__all__:
            thing = getattr(module, name)
            made_by_hand = not (isinstance(thing, type) and issubclass(thing, Result | Exception))
            if callable(thing) and made_by_hand and f"{place}.{name}" not in ELSEWHERE:
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


def taken(thing):
    """What a function takes, as its docstring may list it: with its keywords as one, or with each of them."""
    own = {shown(parameter): parameter for parameter in inspect.signature(thing).parameters.values()}
    others = next((parameter for name, parameter in own.items() if name.startswith("**")), None)
    found = others and re.match(r"Unpack\[(\w+)\]", str(others.annotation))
    if not found:
        return own, own
    listed = {name: parameter for name, parameter in own.items() if parameter is not others}
    for name, kind in get_type_hints({**vars(keywords), **namespace(thing)}[found[1]]).items():
        usual = getattr(ReadOptions.__dataclass_fields__.get(name), "default", None)
        listed[name] = others.replace(name=name, kind=others.KEYWORD_ONLY, default=usual, annotation=kind)
    return own, listed


def namespace(thing):
    """The names that the annotations of a function or a class can use."""
    return vars(sys.modules[thing.__module__])


def words_of(annotation, names):
    """The words that an annotation allows; none where it allows others, too."""
    try:
        kind = eval(annotation, names) if isinstance(annotation, str) else annotation
    except NameError:  # a type that is imported for type checkers only
        return ()
    parts = [part for part in (kind, *get_args(kind)) if get_origin(part) is Literal]
    return get_args(parts[0]) if parts else ()


def problems(thing):
    """What the docstring of a function or a class lacks, or says otherwise than the signature."""
    before, parts = sections(inspect.getdoc(thing) or "")
    own, listed = taken(thing)
    said = parameters(parts.get("Parameters", ""))
    expected = own if any(name.startswith("**") for name in said) else listed
    if not re.match(r"\S.*[.?!]\Z", before.split("\n\n")[0]) or "\n" in before.split("\n\n")[0]:
        yield "the first line is not a sentence of one line"
    if sorted(said) != sorted(expected):
        yield f"Parameters has {list(said)} where the signature has {list(expected)}"
    for name in said.keys() & expected.keys():
        yield from _differences(name, said[name], expected[name], namespace(thing))
    if not isinstance(thing, type) and thing.__annotations__.get("return") != "None" and not parts.get("Returns"):
        yield "Returns is missing"
    if ">>> " not in parts.get("Examples", ""):
        yield "Examples has no example"
    if ">>> " in before or set(parts) - {"Parameters", "Returns", "Examples", "Notes", "Raises", "See Also"}:
        yield "an example or a section stands where numpydoc has none"


def _differences(name, line, parameter, names):
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
    allowed, listed = words_of(parameter.annotation, names), re.match(r"\{(\".*?\")\}", line)
    if len(allowed) > 1 and (listed is None or set(ast.literal_eval(f"({listed[1]},)")) != set(allowed)):
        yield f"{name} can be {allowed}"


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
        place = {"Literal": Literal, "__name__": __name__}
        exec(f"{SIGNATURE}{text}", place)
        return place["add"]

    assert list(problems(made(GOOD))) == []
    assert list(problems(made(GOOD.replace(before, after))))


# --- Words and keywords ------------------------------------------------------------------------------------------------

# Options whose words mean something else in these functions.
OTHER_WORDS = {
    ("podium.stats.equivalence", "test"): "the test at each end of the rope",
    ("podium.stats.sign", "ties"): "equal scores of two algorithms, not of two cases",
    ("podium.bayes.bradley_terry", "ties"): "datasets on which neither wins",
    ("podium.bayes.sign", "place"): "any is a function of its own, `imprecise`",
    ("podium.bayes.signed_rank", "place"): "any is a function of its own, `imprecise`",
    ("podium.bayes.imprecise", "model"): "the two models that have a place of the prior",
}


def typed_words():
    """Function, parameter and words of every parameter that is called as an option with fixed words."""
    for name, thing in PUBLIC.items():
        for parameter in taken(thing)[1].values():
            allowed = words_of(parameter.annotation, namespace(thing))
            option = OPTIONS.get(parameter.name)
            if allowed and option is not None and option.kind == "choice" and (name, parameter.name) not in OTHER_WORDS:
                yield name, option, set(allowed)


def test_the_words_of_types_are_those_of_the_options():
    found = list(typed_words())
    policies = set(COMPARING_CASES[0].allowed()) | set(OPTIONS["missing"].allowed())
    wrong = [
        (name, option.name, allowed)
        for name, option, allowed in found
        if not (allowed <= policies if option.name == "missing" else allowed == set(option.allowed()))
    ]
    assert wrong == []
    assert len(found) > 30


@pytest.mark.parametrize("name", ["podium.read", "podium.compare", "podium.order"])
def test_options_with_fixed_words_are_typed_by_their_words(name):
    thing = PUBLIC[name]
    for parameter in taken(thing)[1].values():
        option = OPTIONS.get(parameter.name)
        if option is not None and option.kind == "choice" and not isinstance(option.choices, str):
            assert words_of(parameter.annotation, namespace(thing)), parameter


def test_the_keywords_of_read_are_its_options():
    typed = {name: kind.__forward_arg__ for name, kind in CompareKeywords.__annotations__.items() if name != "reading"}
    fields = {name: kind for name, kind in ReadOptions.__annotations__.items() if name not in ("metric", "direction")}
    assert typed == fields
