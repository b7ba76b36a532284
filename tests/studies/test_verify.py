"""`podium verify`: every published number is found, and one that is not is told."""

import dataclasses

import numpy as np
import pytest

import podium
from podium.studies import verify as published
from podium.studies.verify import Check, VerifyResult, _read_from_chart, _simulated_cell, verify


@pytest.fixture(scope="module")
def found():
    return verify()


def test_the_data_of_the_papers_are_theirs():
    """Average ranks in the last row of Demsar's Table 6; the sums of R's example(wilcox.test)."""
    assert (published._DEMSAR_RANKS.sum(axis=1) == 10).all()
    assert published._DEMSAR_RANKS.mean(axis=0).round(3).tolist() == [3.143, 2.0, 2.893, 1.964]
    assert np.sum(published._DEPRESSION, axis=1) == pytest.approx([15.9, 12.013])


def test_every_published_number_is_found(found):
    assert found.agrees, [check for check in found.checks if not check.agrees]
    assert "agree to their printed digits" in found.summary()
    assert len({(check.what, check.place) for check in found.checks}) == len(found.checks)  # distinct numbers


def test_the_numbers_of_forman_stand_in_his_paper(found):
    """At least 50 cells of Appendix B over all metrics and competitors, and the numbers of the text; nothing of our own."""
    checks = [check for check in found.checks if check.paper.startswith("Forman")]
    cells = [check for check in checks if check.place.startswith("Appendix B")]
    text = {check.printed for check in checks if not check.place.startswith("Appendix B")}

    assert text == {"99.8995", "9950416", "0.95", "0.67", "0.65"}
    assert len(cells) >= 50
    assert {check.place for check in cells} == {f"Appendix B, Table {number}" for number in range(1, 10)}
    printed = podium.reading.example_frame("forman2005/critical_values_alpha01")
    known = {
        (
            f"{row.metric}, {row.positives} + {row.negatives} cases, {row.competitors} competitors",
            f"{row.critical_value:.3f}",
        )
        for row in printed.itertuples()
    }
    assert {(check.what, check.printed) for check in cells} <= known
    assert 0 < sum(not check.exactly for check in cells) < 0.4 * len(cells)  # noisy ones are told, most agree


def test_the_misprint_of_forman_is_not_called_noise():
    # Best F-measure, 100 competitors, 70 positives and 700 negatives: printed .259, exactly .25749.
    assert _simulated_cell("best_f1", 70, 700, 100, 0.259)[1] == ""
    assert _simulated_cell("auc", 20, 400, 1000, 0.775)[1] != ""


def test_a_number_read_from_a_chart_may_be_wrong_too():
    assert _read_from_chart(0.6411, 0.65) == 'read from a chart: "about 0.65"'
    assert _read_from_chart(0.6611, 0.65) == ""


def test_a_number_that_differs_is_told():
    good = Check("x", "p", "t", "1.0", "1.0")
    found = VerifyResult(checks=(good, dataclasses.replace(good, found="2.0")))

    assert not found.agrees
    assert found.summary().startswith("1 of 2")


def test_a_narrow_terminal_shows_whether_numbers_agree():
    from podium.report.documents import document
    from podium.report.render_text import render_text

    long = Check("a long name of a number", "Author and others 2006", "section 3", "1", "1")
    text = render_text(document(VerifyResult(checks=(long,))), width=80)

    assert "Agreement" in text
    assert "Too narrow to show: Agreement" not in text


def test_every_number_is_printed(found):
    from podium.report.documents import document
    from podium.report.render_text import render_text

    text = render_text(document(found), width=300)
    assert all(check.what in text for check in found.checks)
    assert text.count("within noise") == sum(not check.exactly for check in found.checks) > 0


def test_the_numbers_of_ulas_stand_in_his_tables(found):
    """Average ranks and orders as they are printed; a count of rows that agree stands in no paper."""
    checks = [check for check in found.checks if check.paper.startswith("Ula")]
    assert {check.place for check in checks} == {
        "section 3.1",
        *(f"Table 4.{n} ({part})" for n in (4, 5) for part in "ad"),
    }
    assert not any("of" in check.printed for check in checks)
