"""The page on paper: heads repeat, folds are open, every sheet has the title."""

import re
import subprocess

import pytest

import podium
from needs import need_program
from podium.core.errors import ArgumentError
from podium.report.documents import document
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


def sheets_of(path):
    """The words of each sheet."""
    text = subprocess.run(["pdftotext", "-layout", path, "-"], capture_output=True, text=True, check=True).stdout
    return [sheet for sheet in text.split("\f") if sheet.strip()]


def filled(path, folder):
    """How far down each sheet is filled, as a share of its height, without the page number."""
    from PIL import Image, ImageChops

    subprocess.run(["pdftoppm", "-r", "20", "-gray", path, folder / "sheet"], check=True)
    shares = []
    for file in sorted(folder.glob("sheet*.pgm")):
        sheet = Image.open(file).convert("L")
        body = sheet.crop((0, 0, sheet.width, int(0.95 * sheet.height)))
        box = ImageChops.invert(body).point(lambda grey: 255 * (grey > 40)).getbbox()
        shares.append(box[3] / sheet.height if box else 0.0)
    return shares


@pytest.mark.chromium
def test_the_first_sheet_has_the_ranking_and_no_sheet_is_half_empty(tmp_path):
    need_program("chromium", "pdftotext", "pdftoppm")
    path = write_pdf(tmp_path / "report.pdf", document(podium.compare(podium.example("benavoli2016"))))
    sheets = sheets_of(path)
    assert "Median accuracy, %" in sheets[0]
    shares = filled(path, tmp_path)
    assert len(shares) == len(sheets)
    assert min(shares[:-1]) > 0.7, shares


@pytest.mark.chromium
def test_a_table_too_wide_for_paper_is_said_to_be_and_makes_no_letter_smaller(tmp_path):
    need_program("chromium", "pdftotext")

    def height_of_a_heading(n_algorithms):
        path = write_pdf(tmp_path / f"{n_algorithms}.pdf", report(tuple(f"algorithm {i}" for i in range(n_algorithms))))
        text = subprocess.run(["pdftotext", "-bbox", path, "-"], capture_output=True, text=True, check=True).stdout
        # "Points a careful reviewer would raise"
        top, bottom = re.search(r'yMin="([\d.]+)" xMax="[\d.]+" yMax="([\d.]+)">careful<', text).groups()
        return float(bottom) - float(top), path

    few, _ = height_of_a_heading(5)
    many, path = height_of_a_heading(20)
    assert many == pytest.approx(few, rel=0.01)
    assert "too wide for paper" in " ".join(" ".join(sheets_of(path)).split())


@pytest.mark.chromium
def test_every_sheet_has_the_title_and_every_table_its_head(tmp_path):
    need_program("chromium", "pdftotext")
    made = report(n_datasets=150)  # the table of scores takes several sheets
    path = write_pdf(tmp_path / "out" / "report.pdf", made)
    sheets = sheets_of(path)
    text = "\f".join(sheets)
    assert len(sheets) > 3
    first, *others = sheets  # the first has it in its heading
    assert " ".join(first.split()).startswith("Podium 5 algorithms on 150 datasets")
    assert all(sheet.strip().startswith("5 algorithms on 150 datasets") for sheet in others)
    for row in (f"data {i}" for i in range(1, 151)):  # the folded scores are printed
        assert row in text
    with_rows = [sheet for sheet in sheets if sheet.count("\ndata ") > 5]
    assert len(with_rows) > 1
    assert all("Dataset" in sheet for sheet in with_rows)
