import pytest

from podium.core.errors import ArgumentError
from podium.core.numbers import decimals
from podium.report.document import Column, Note, Notes, TableBlock
from refusals import refuses


def test_a_row_of_the_wrong_width_is_refused():
    with pytest.raises(ValueError, match="row 1 of table 't' has 1 cells, not 2"):
        TableBlock(
            key="t", caption="", columns=(Column(key="a", title="a"), Column(key="b", title="b")), rows=((1, 2), (3,))
        )


def test_the_heaviest_remark_comes_first():
    notes = Notes(notes=tuple(Note(topic=w, sentence="", weight=w) for w in ("note", "warning", "caution")))
    assert [note.weight for note in notes.notes] == ["warning", "caution", "note"]


def test_an_unknown_weight_is_refused():
    with refuses(ArgumentError, "weight"):
        Notes(notes=(Note(topic="t", sentence="s", weight="fatal"),))


@pytest.mark.parametrize(
    "values, digits",
    [([0.0, 0.0], 3), ([float("nan"), None], 3), ([12.5], 2), ([-1234567.0], 0), ([0.00001], 7), ([1.0], 3)],
)
def test_digits_follow_the_size_of_the_numbers(values, digits):
    assert decimals(values) == digits
