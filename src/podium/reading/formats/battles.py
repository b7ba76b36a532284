"""Battles: a judge's choice between two systems, a row each (as an arena keeps them)."""

from __future__ import annotations

from pathlib import Path

from podium.core.errors import DataError
from podium.reading.logs.json_view import names_in
from podium.reading.logs.records import Log
from podium.reading.logs.tables import header_of

_SIDES = (
    *(("model_a", "model_b"), ("left", "right"), ("player_a", "player_b"), ("a", "b"), ("winner", "loser")),
    *(("model_1", "model_2"), ("model1", "model2"), ("player1", "player2"), ("left_model", "right_model")),
    *(("team_a", "team_b"), ("agent_a", "agent_b"), ("system_a", "system_b")),
)
_OUTCOMES = set("winner result vote preference chosen winner_model_a score_a score_1 score1 left_score".split())


def is_battles(path: Path, head: bytes) -> bool:
    """Whether the first line has two systems and a winner, or the first record of JSON has."""
    header = names_in(head) or set(header_of(head))
    if "conversation_a" in header:  # long ones come before the names
        return True
    return bool(_OUTCOMES & header) and any(set(sides) <= header for sides in _SIDES)


def read_battles(files: list[Path], log: Log) -> None:
    """Refuse: nobody answered the same cases as everybody else, and so there is nothing to pair."""
    raise DataError(
        f"{files[0].name} holds battles between two systems: no case is judged for all systems, and so they cannot be paired by "
        "case. If opponents were drawn at random, write one row per prompt and system with its share of battles won (a tie is half "
        "a win) in the columns prompt, model and win_rate, and compare that table with {case_column} 'prompt'; otherwise fit a "
        "Bradley-Terry model to the battles with another tool.",
        file=str(files[0]),
    )
