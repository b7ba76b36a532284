import math

import pytest

from podium.report.document import Column


@pytest.mark.parametrize(
    "kind, value, text",
    [
        ("number", -0.00001, "0.000"),  # no minus before zero
        ("number", math.nan, "–"),
        ("number", None, "–"),
        ("count", 3.0, "3"),
        ("pvalue", 0.0, "<0.0001"),
        ("pvalue", 0.00999, "0.0100"),
        ("interval", (None, 1.0), "[–, 1.000]"),
        ("interval", (None, None), "–"),
        ("interval", (-math.inf, math.inf), "[−∞, ∞]"),
        ("record", (3, 0, 12), "3–0–12"),
        ("standing", (3, 0, 12), "3/0/12"),
        ("text", "as it is", "as it is"),
    ],
)
def test_a_cell_reads(kind, value, text):
    assert Column(key="k", title="t", kind=kind).text(value) == text
