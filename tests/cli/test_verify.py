"""`podium verify`: every published number is found, and one that is not is told."""

import dataclasses

from podium.studies.verify import Check, VerifyResult, verify


def test_every_published_number_is_found():
    found = verify()

    assert found.agrees, [check for check in found.checks if not check.agrees]
    assert len(found.checks) >= 28
    assert "agree to their printed digits" in found.summary()


def test_a_number_that_differs_is_told():
    good = Check(what="x", paper="p", place="t", printed="1.0", found="1.0")
    found = VerifyResult(checks=(good, dataclasses.replace(good, found="2.0")))

    assert not found.agrees
    assert found.summary().startswith("1 of 2")


def test_a_narrow_terminal_shows_whether_numbers_agree():
    from podium.report.documents import document
    from podium.report.render_text import render_text

    long = Check(
        what="a long name of a number", paper="Author and others 2006", place="section 3", printed="1", found="1"
    )
    text = render_text(document(VerifyResult(checks=(long,))), width=80)

    assert "Agrees" in text
    assert "Too narrow to show: Agrees" not in text
