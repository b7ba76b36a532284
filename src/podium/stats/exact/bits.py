"""What processors say of the bits of a word, for compiled kernels."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types

from podium.core.compiled import intrinsic


@intrinsic
def count_bits(typingctx: Any, word: Any) -> Any:
    """How many bits are 1."""

    def generate(context: Any, builder: ir.IRBuilder, signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.int64(types.uint64), generate


@intrinsic
def lowest_bit(typingctx: Any, word: Any) -> Any:
    """The place of the lowest bit that is 1; 64 if none is."""

    def generate(context: Any, builder: ir.IRBuilder, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(types.uint64), generate
