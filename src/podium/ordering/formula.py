"""A formula of costs by name: `0.7*train_time + 0.3*space`. It is parsed as Python is, and only arithmetic passes; it runs nothing."""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from podium.core import check
from podium.core.errors import ArgumentError
from podium.core.names import quoted, shown

_SIGNS: Mapping[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}
_MASK = "cost_{}_"


@dataclass(frozen=True, slots=True, kw_only=True)
class Formula:
    """Arithmetic on named costs, each in its own unit: called with their values, it gives the sum to be paid."""

    text: str
    names: tuple[str, ...]
    tree: ast.expr

    @classmethod
    def of(cls, name: str) -> Formula:
        """A single cost."""
        return cls(text=name.strip(), names=(name,), tree=ast.Name(id=_MASK.format(0)))

    def __call__(self, values: Mapping[str, Any]) -> Any:
        """The sum, from the values of each name."""
        return _value(self.tree, {_MASK.format(place): values[name] for place, name in enumerate(self.names)})


def formula_of(text: str, vocabulary: Sequence[str], what: str, *, more: str = "") -> Formula:
    """The formula that was typed, of these known names (a name by itself is one); `what` they are is said where one is not known.

    >>> formula = formula_of("0.7*time + 0.3*top-1 space", ("time", "top-1 space"), "metric")
    >>> formula.names, formula({"time": 10.0, "top-1 space": 100.0})
    (('time', 'top-1 space'), 37.0)
    """
    if text in vocabulary:
        return Formula.of(text)
    longest_first = sorted(vocabulary, key=len, reverse=True)
    pattern = re.compile("|".join(rf"(?<!\w){re.escape(name)}(?!\w)" for name in longest_first if name.strip()))
    names = tuple(dict.fromkeys(match[0] for match in pattern.finditer(text))) if vocabulary else ()
    if not names:
        check.member(what, text, tuple(vocabulary), more=more)
    masked = pattern.sub(lambda match: _MASK.format(names.index(match[0])), text)
    try:
        tree = ast.parse(masked.strip(), mode="eval").body
        _value(tree, {_MASK.format(place): 1.0 for place in range(len(names))})
    except ZeroDivisionError:
        raise ArgumentError("{argument} divides by zero.", argument="cost") from None
    except (SyntaxError, ValueError, KeyError, RecursionError, MemoryError, OverflowError):
        raise ArgumentError(
            "{argument} {text} is not understood: write names and numbers with +, -, *, / and parentheses, as in "
            '"0.7*train_time + 0.3*space". The names are {vocabulary}.',
            argument="cost",
            text=shown(text, 200),
            vocabulary=quoted(list(vocabulary), 8),
        ) from None
    return Formula(text=" ".join(text.split()), names=names, tree=tree)


def _value(node: ast.expr, values: Mapping[str, Any]) -> Any:
    """What a part of the formula comes to; anything but arithmetic is a ValueError."""
    match node:
        case ast.BinOp(left=left, op=sign, right=right) if type(sign) in _SIGNS:
            return _SIGNS[type(sign)](_value(left, values), _value(right, values))
        case ast.UnaryOp(op=ast.UAdd() | ast.USub() as sign, operand=operand):
            return _value(operand, values) if isinstance(sign, ast.UAdd) else -_value(operand, values)
        case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
            return float(number)
        case ast.Name(id=name):
            return values[name]
    raise ValueError
