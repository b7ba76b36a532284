"""Every answer that a question offers, followed as a tree: what is read at its ends, for tests of wrong tables."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from podium.comparison.compare import compare
from podium.core.errors import PodiumError
from podium.evidence.cases import Cases
from podium.evidence.runs import Runs
from podium.reading.question import joined, offers_of
from podium.reading.verbs import evidence_of

DEEPEST = 2  # rounds of answers


@dataclass(frozen=True)
class End:
    """Where a path of answers ends: with what was read, or with an error that offers nothing more."""

    answers: dict[str, Any]
    read: Any = None
    error: PodiumError | None = None
    rounds: int = 0

    @property
    def algorithms(self) -> set[str]:
        return set(self.read.predicted.columns if hasattr(self.read, "predicted") else self.read.algorithms)

    @property
    def rows(self) -> set[str]:
        names = (
            getattr(self.read, "datasets", None) or getattr(self.read, "cases", None) or getattr(self.read, "tasks", ())
        )
        return set(names)

    @property
    def metric(self) -> str:
        return str(self.read.metric.name)

    @property
    def unit(self) -> str:
        return "case" if isinstance(self.read, Cases) else "run" if isinstance(self.read, Runs) else "dataset"


def ends(source: Any, rounds: int = 0, **options: Any) -> Iterator[End]:
    """All ends of the answers that are offered, to a depth of two rounds."""
    try:
        made = evidence_of(source, verb="compare", **options)
    except PodiumError as error:
        offers = offers_of(error) if rounds < DEEPEST else ()
        if not offers:
            yield End(answers=options, error=error, rounds=rounds)
        for offer in offers:
            yield from ends(source, rounds + 1, **joined(options, offer))
        return
    yield End(answers=options, read=made[0] if isinstance(made, tuple) else made, rounds=rounds)


def held(source, *, algorithms, rows=None, unit="dataset", by=None, must_read=True, **options):
    """No path of answers leads to another table than this one; one at least leads to it."""
    reached = list(ends(source, **options))
    for end in reached:
        if end.read is None:
            continue
        assert end.unit == unit, end
        assert end.algorithms == set(algorithms), end
        assert rows is None or end.rows == set(rows), end
        assert by is None or end.metric == by, end
    found = [end for end in reached if end.read is not None]
    assert found or not must_read, [str(end.error) for end in reached]
    return found


def refused(source, **options):
    """Nothing is compared along any answer."""
    said = []
    for end in ends(source, **options):
        if end.read is None:
            said.append(str(end.error))
            continue
        with pytest.raises(PodiumError) as caught:
            compare(end.read)
        said.append(str(caught.value))
    return " ".join(said)
