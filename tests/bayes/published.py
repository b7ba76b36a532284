"""The data of Benavoli et al. 2017 and posteriors of a general engine, read from tests/reference/bayes."""

import functools
import json
from pathlib import Path

import pandas as pd

FOLDER = Path(__file__).parent.parent / "reference" / "bayes"


@functools.cache
def accuracies():
    """Algorithm -> 54 datasets x 10 repeats x 10 folds, in percent."""
    frame = pd.read_csv(FOLDER / "benavoli2017_accuracies.csv")
    return {name: frame[name].to_numpy().reshape(54, 10, 10) for name in ("nbc", "aode", "hnb", "j48", "j48gr")}


@functools.cache
def mean_accuracies():
    """54 datasets x 5 algorithms, in percent."""
    index = [f"D{i:02d}" for i in range(1, 55)]
    return pd.DataFrame({name: values.mean(axis=(1, 2)) for name, values in accuracies().items()}, index=index)


@functools.cache
def references():
    """Posterior summaries by NUTS (make_references.py)."""
    return json.loads((FOLDER / "references.json").read_text())
