"""Multiplying a law by (1 + z^r)^t, four sums at a time.

Compiled loops over single numbers take two to three times as long: the compiler cannot see that a value which was read once
serves t + 1 sums. So the vectors are spelled out here, in the language of the compiler behind numba. A law is an array of
how often each sum occurs, sum 0 at some place of it, and zeros before.
"""

from __future__ import annotations

from math import comb
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils

from podium.core.compiled import intrinsic

LANES = 4
MOST_AT_ONCE = 8  # equal ranks: more values than that do not fit into the registers
WIDE = 8  # lanes where few values are kept
FEW = 4  # equal ranks
_AT_A_TIME = 2  # steps of a walk that are written out
_NUMBER = ir.IntType(64)
_FUSED = ("contract",)  # a product is added in one step


def _vector(lanes: int) -> ir.VectorType:
    return ir.VectorType(ir.DoubleType(), lanes)


def _load(builder: ir.IRBuilder, place: Any, lanes: int = LANES) -> Any:
    found = builder.load(builder.bitcast(place, _vector(lanes).as_pointer()))
    found.align = 8
    return found


def _store(builder: ir.IRBuilder, vector: Any, place: Any) -> None:
    builder.store(vector, builder.bitcast(place, vector.type.as_pointer())).align = 8


def _power(builder: ir.IRBuilder, terms: list[Any]) -> Any:
    """The sum of terms[i] C(t, i), i = 0 .. t: equal coefficients share a product."""
    last, total = len(terms) - 1, None
    for i in range(last // 2 + 1):
        part = terms[i] if 2 * i == last else builder.fadd(terms[i], terms[last - i], flags=_FUSED)
        if i > 0:
            part = builder.fmul(part, ir.Constant(part.type, [float(comb(last, i))] * part.type.count), flags=_FUSED)
        total = part if total is None else builder.fadd(total, part, flags=_FUSED)
    return total


def _data(context: Any, builder: ir.IRBuilder, signature: Any, args: Any, place: int) -> Any:
    """Where the values of an argument that is an array begin."""
    return context.make_array(signature.args[place])(context, builder, args[place]).data


def _kept(builder: ir.IRBuilder, value: Any) -> Any:
    """A place for a value that changes from step to step."""
    return cgutils.alloca_once_value(builder, value)  # type: ignore[no-untyped-call]


def _walk(times: int) -> Any:
    """walk(new, law, start, step, count): new = law times (1 + z^step)^times at start, start + step, ... (`count` places),
    four sums at each, or eight. Before `start` the law is zero, and what was read stays at hand: each value is read once."""

    def walk(typingctx: Any, new: Any, law: Any, start: Any, step: Any, count: Any) -> Any:
        return types.void(new, law, types.int64, types.int64, types.int64), generate

    def generate(context: Any, builder: ir.IRBuilder, signature: Any, args: Any) -> Any:
        start, step, count = args[2:]
        into, source = (
            _kept(builder, builder.gep(_data(context, builder, signature, args, i), [start])) for i in (0, 1)
        )
        lanes = WIDE if times <= FEW else LANES
        zeros = ir.Constant(_vector(lanes), [0.0] * lanes)
        behind = [_kept(builder, zeros) for _ in range(times)]

        def steps(number: int) -> None:
            values, place = [builder.load(value) for value in behind], builder.load(source)
            for _ in range(number):
                values.append(_load(builder, place, lanes))
                place = builder.gep(place, [step])
            builder.store(place, source)
            place = builder.load(into)
            for i in range(number):
                _store(builder, _power(builder, values[i : i + times + 1]), place)
                place = builder.gep(place, [step])
            builder.store(place, into)
            for value, place in zip(values[number:], behind, strict=True):
                builder.store(value, place)

        whole = ir.Constant(_NUMBER, _AT_A_TIME)
        with cgutils.for_range(builder, builder.sdiv(count, whole)):
            steps(_AT_A_TIME)
        with cgutils.for_range(builder, builder.srem(count, whole)):
            steps(1)
        return context.get_dummy_value()

    return intrinsic(walk)


walk_2, walk_3, walk_4, walk_5, walk_6, walk_7, walk_8 = (_walk(times) for times in range(2, MOST_AT_ONCE + 1))


@intrinsic
def add_two(typingctx: Any, new: Any, law: Any, start: Any, count: Any, one: Any, two: Any) -> Any:
    """new = law times (1 + z^one) (1 + z^two) at `count` places from `start` on, and up to seven more."""

    def generate(context: Any, builder: ir.IRBuilder, signature: Any, args: Any) -> Any:
        start, count, one, two = args[2:]
        into, source = (builder.gep(_data(context, builder, signature, args, i), [start]) for i in (0, 1))
        sources = [source, *(builder.gep(source, [builder.neg(by)]) for by in (builder.add(one, two), one, two))]
        width, most = ir.Constant(_NUMBER, 2 * LANES), ir.Constant(_NUMBER, 2 * LANES - 1)
        with cgutils.for_range(builder, builder.sdiv(builder.add(count, most), width)) as loop:
            for part in (0, LANES):
                here = builder.add(builder.mul(loop.index, width), ir.Constant(_NUMBER, part))
                values = [_load(builder, builder.gep(place, [here])) for place in sources]
                sums = [builder.fadd(*values[i : i + 2], flags=_FUSED) for i in (0, 2)]
                _store(builder, builder.fadd(*sums, flags=_FUSED), builder.gep(into, [here]))
        return context.get_dummy_value()

    return types.void(new, law, types.int64, types.int64, types.int64, types.int64), generate


@intrinsic
def turn_over(typingctx: Any, law: Any, start: Any, count: Any, end: Any, whole: Any, sign: Any) -> Any:
    """law[s] = whole + sign * law[end - s] for s from `start` on, at `count` places and up to three more."""

    def generate(context: Any, builder: ir.IRBuilder, signature: Any, args: Any) -> Any:
        data = _data(context, builder, signature, args, 0)
        start, count, end = args[1:4]
        places = ir.VectorType(ir.IntType(32), LANES)

        def spread(number: Any) -> Any:
            one = builder.insert_element(
                ir.Constant(_vector(LANES), ir.Undefined), number, ir.Constant(places.element, 0)
            )
            return builder.shuffle_vector(one, one, ir.Constant(places, [0] * LANES))

        whole, sign = spread(args[4]), spread(args[5])
        width, most = ir.Constant(_NUMBER, LANES), ir.Constant(_NUMBER, LANES - 1)
        with cgutils.for_range(builder, builder.sdiv(builder.add(count, most), width)) as loop:
            place = builder.add(start, builder.mul(loop.index, width))
            found = _load(builder, builder.gep(data, [builder.sub(builder.sub(end, place), most)]))
            turned = builder.shuffle_vector(found, found, ir.Constant(places, list(range(LANES))[::-1]))
            made = builder.fadd(whole, builder.fmul(sign, turned, flags=_FUSED), flags=_FUSED)
            _store(builder, made, builder.gep(data, [place]))
        return context.get_dummy_value()

    return types.void(law, types.int64, types.int64, types.int64, types.float64, types.float64), generate
