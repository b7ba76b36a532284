"""Names that look alike: `hayes-roth` and `hayes.roth`, `Iris` and `iris`. They are said, and joined where asked for."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

from podium.core.numbers import counted
from podium.core.read.block import Block, Labels
from podium.core.read.names import quoted


def look(name: str) -> str:
    """What names that look alike share: small letters, and one sign for blanks, dots, hyphens and underscores.

    >>> look("Hayes-Roth") == look("hayes.roth"), look("svm-1.0") == look("svm-10")
    (True, False)
    """
    return re.sub(r"[\s._\-‐-–]+", "_", name.strip()).casefold()


def with_names(block: Block, notes: list[str], *, join: bool) -> Block:
    """The block with names that look alike joined under their first spelling, or as it is; the notes say so."""
    algorithm, dataset = (_looked_at(labels, kind, notes, join) for kind, labels in _kinds(block).items())
    return replace(block, algorithm=algorithm, dataset=dataset)


def _kinds(block: Block) -> dict[str, Labels]:
    return {"algorithm": block.algorithm, "dataset": block.dataset}


def _looked_at(labels: Labels, kind: str, notes: list[str], join: bool) -> Labels:
    present = [labels.names[code] for code in np.unique(labels.codes).tolist()]
    groups: dict[str, list[str]] = {}
    for name in present:
        groups.setdefault(look(name), []).append(name)
    alike = [names for names in groups.values() if len(names) > 1]
    if not alike:
        return labels
    shown = "; ".join(quoted(names) for names in alike[:4]) + (f"; and {len(alike) - 4} more" if len(alike) > 4 else "")
    if not join:
        notes.append(
            f"Names of {kind}s look alike ({shown}) and were kept apart: the option join_names takes them for one."
        )
        return labels
    notes.append(f"{counted(sum(map(len, alike)), f'{kind} name')} that look alike were joined: {shown}.")
    first = {name: groups[look(name)][0] for name in present}
    names = list(dict.fromkeys(first.get(name, name) for name in labels.names))
    place = np.array([names.index(first.get(name, name)) for name in labels.names], dtype=np.intp)
    return Labels(names, place[labels.codes])
