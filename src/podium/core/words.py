"""The words that shared options can be, as types: an editor offers them, and a type checker finds one that is misspelt.

Types cannot be made from `options.toml` where a type checker sees them, so they are written here once; a test compares the two.
"""

from __future__ import annotations

from typing import Literal

Alternative = Literal["two-sided", "less", "greater"]
Intervals = Literal["simultaneous", "each"]
Missing = Literal["pairwise", "complete", "wrong", "refuse"]
MissingDatasets = Literal["complete", "refuse"]
MissingOutcomes = Literal["pairwise", "wrong", "refuse"]
Blocks = Literal["datasets", "folds"]
Mean = Literal["macro", "micro"]
AggregateName = Literal["iqm", "mean", "optimality_gap"]
Shape = Literal["normal", "heavy", "tied", "exponential", "skewed"]
Place = Literal["left", "rope", "right"]
Zeros = Literal["rope", "split"]
# How a table is read
Layout = Literal["auto", "wide", "long"]
Rows = Literal["auto", "datasets", "algorithms", "folds"]
Summaries = Literal["ask", "drop", "keep"]
SeveralRuns = Literal["ask", "newest", "repeats"]
Unit = Literal["dataset", "case", "run"]
