"""The data of Benavoli et al. 2017 and posteriors of a general engine, kept in tests/reference."""

import functools
import json
from pathlib import Path

from reference.published import benavoli_2017 as accuracies
from reference.published import benavoli_2017_means as mean_accuracies

__all__ = ["accuracies", "mean_accuracies", "references"]

FOLDER = Path(__file__).parent.parent / "reference" / "bayes"


@functools.cache
def references():
    """Posterior summaries by NUTS (make_references.py)."""
    return json.loads((FOLDER / "references.json").read_text())
