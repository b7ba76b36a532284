"""The table of runs in docs/data: made-up scores of three agents on twelve Atari games, five seeds each.

python docs/make_runs.py
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd

from podium.runs import atari_scores

DATA = Path(__file__).parent / "data"
GAMES = 12
SEEDS = 5
SKILL = {"rainbow": 0.9, "ppo": 0.72, "dqn": 0.45}  # as shares of a human's score


def agents() -> pd.DataFrame:
    """Raw scores: a game is harder for some agents than for others, and runs scatter."""
    random = np.random.default_rng(21)
    rows = []
    for game, scale in list(atari_scores(only_100k=True).items())[:GAMES]:
        ease = random.lognormal(0, 0.5)
        for agent, skill in SKILL.items():
            level = skill * ease * random.lognormal(0, 0.15)
            for seed in range(1, SEEDS + 1):
                share = level * random.lognormal(0, 0.25)
                rows.append((agent, game, seed, round(scale.zero + share * (scale.one - scale.zero), 1)))
    return pd.DataFrame(rows, columns=["agent", "game", "seed", "score"])


if __name__ == "__main__":
    agents().to_csv(DATA / "agents.csv", index=False)
