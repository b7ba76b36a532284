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
