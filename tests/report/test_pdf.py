"""The page on paper: heads repeat, folds are open, every sheet has the title."""

import subprocess

import pytest

from needs import need_program
from podium.core.errors import ArgumentError
from podium.report.output import show
from podium.report.render_pdf import browser, write_pdf
from report.sample import report


def test_without_a_browser_it_says_what_to_do(monkeypatch, tmp_path):
    monkeypatch.setattr("shutil.which", lambda name: None)
    monkeypatch.setattr("podium.report.render_pdf.ELSEWHERE", ())
    with pytest.raises(ArgumentError, match="Chromium or Chrome, and none was found"):
        write_pdf(tmp_path / "report.pdf", report())
    assert not (tmp_path / "report.pdf").exists()


def test_a_browser_that_fails_is_named(monkeypatch, tmp_path):
    monkeypatch.setenv("CHROMIUM", "false")
    if not browser().endswith("false"):
        pytest.skip("no program called false")
    with pytest.raises(ArgumentError, match=r"false did not print the page \(exit code 1\)"):
        write_pdf(tmp_path / "report.pdf", report())


def test_a_pdf_is_not_for_standard_output():
    with pytest.raises(ArgumentError, match="give its name"):
        show(report(), pdf="-", quiet=True)


@pytest.mark.chromium
def test_every_sheet_has_the_title_and_every_table_its_head(tmp_path):
    need_program("chromium", "pdftotext")
    made = report(n_datasets=150)  # the table of scores takes several sheets
    path = write_pdf(tmp_path / "out" / "report.pdf", made)
    text = subprocess.run(["pdftotext", "-layout", path, "-"], capture_output=True, text=True, check=True).stdout
    sheets = [sheet for sheet in text.split("\f") if sheet.strip()]
    assert len(sheets) > 3
    assert all(sheet.strip().startswith("5 algorithms on 150 datasets") for sheet in sheets)
    for row in (f"data {i}" for i in range(1, 151)):  # the folded scores are printed
        assert row in text
    with_rows = [sheet for sheet in sheets if sheet.count("\ndata ") > 5]
    assert len(with_rows) > 1
    assert all("Dataset" in sheet for sheet in with_rows)
