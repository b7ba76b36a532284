"""Every Bayesian model is calibrated by simulation: in short here, at length in `make calibrate`, which writes the page."""

import pytest

from bayes.calibration import DOCS, ROUNDS, chi_square, simulated
from podium.bayes.registry import CASE_MODELS, MODELS


@pytest.mark.parametrize("model", sorted({*MODELS, *CASE_MODELS}))
def test_ranks_are_uniform(model):
    found = simulated(model, ROUNDS[model][1])
    assert min(map(chi_square, found.values())) > 0.001 / len(found), found


def test_the_page_has_every_model():
    page = (DOCS / "bayes_calibration.md").read_text(encoding="utf-8")
    assert [line.split("`")[1] for line in page.splitlines() if line.startswith("| `")] == list(ROUNDS)
