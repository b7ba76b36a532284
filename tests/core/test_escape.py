import csv
import io
import subprocess
import unicodedata
import xml.etree.ElementTree as ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from needs import need_program
from podium.core.escape import csv_cell, latex, spelled_out, visible, xml

HOSTILE = (
    "<script>alert(1)</script>",
    "A & B_%#",
    '=HYPERLINK("http://x")',
    "אלגוריתם",
    "\U0001f680",
    "$x^2$ \\input{x} ~^{}",
    "a\u202eb\nc\x1b[31m",
    "[bold]x[/bold] [/] \\",
    "]]> ' \" `",
)


@pytest.mark.parametrize(
    "text, shown",
    [
        ("plain", "plain"),
        ("a\tb\r\n", "a\\tb\\r\\n"),
        ("\u202eabc", "\\u202eabc"),
        ("\u2068a\u2069", "\u2068a\u2069"),
        ("\u2069a\u2068", "\\u2069a\\u2068"),
        ("\ud800", "\\ud800"),
        ("zero\u200bwidth", "zero\\u200bwidth"),
        ("é ש 算 \U0001f469\u200d\U0001f52c", "é ש 算 \U0001f469\u200d\U0001f52c"),
    ],
)
def test_visible(text, shown):
    assert visible(text) == shown


@given(st.text())
def test_visible_text_has_no_control_and_no_direction(text):
    shown = visible(text)
    assert not any(unicodedata.category(c) in ("Cc", "Cs") for c in shown)
    assert not any(unicodedata.bidirectional(c) in ("RLO", "LRO", "RLE", "LRE", "RLI", "LRI") for c in shown)
    assert shown.count("\u2068") == shown.count("\u2069")


@given(st.text() | st.sampled_from(HOSTILE))
def test_xml_reads_back_in_elements_and_attributes(text):
    element = ElementTree.fromstring(f"<a b=\"{xml(text)}\" c='{xml(text)}'>{xml(text)}</a>")
    assert (element.text or "") == element.get("b") == element.get("c") == visible(text)


@pytest.mark.parametrize(
    "text, cell",
    [
        ("plain", "plain"),
        ("-0.5", "-0.5"),
        ("+1e-3", "+1e-3"),
        ("=1+1", "'=1+1"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("-cmd|' /C calc'!A0", "'-cmd|' /C calc'!A0"),
        ("  =1", "'  =1"),
        ("\t=1", "'\\t=1"),
        ("a=b", "a=b"),
    ],
)
def test_csv_cells_are_never_formulas(text, cell):
    assert csv_cell(text) == cell


@given(st.text())
def test_csv_reads_back(text):
    output = io.StringIO()
    csv.writer(output).writerow([csv_cell(text), "x"])
    ((cell, last),) = csv.reader(io.StringIO(output.getvalue()))
    assert last == "x"
    assert cell in (visible(text), "'" + visible(text))
    assert not cell.startswith(("=", "@", "\t", "\r"))


@pytest.mark.parametrize(
    "text, source",
    [
        ("a-b", "a-b"),
        ("a--b", r"a-\kern0pt{}-b"),
        ("?`", r"?\kern0pt{}\textasciigrave{}"),
        ("x_1^2", r"x\_1\textasciicircum{}2"),
        ("é", r"\'{e}"),
        ("naïve", r"na\"{\i}ve"),
        ("α ≤ 1", r"\ensuremath{\alpha} \ensuremath{\leq} 1"),
        ("Łódź", r"\L{}\'{o}d\'{z}"),
    ],
)
def test_latex(text, source):
    assert latex(text) == source


def test_spelled_out():
    assert spelled_out("שלום") == "[shin-lamed-vav-final mem]"
    assert spelled_out("\U0001f469\u200d\U0001f52c") == "[woman-microscope]"


def compiled(source, folder, engine):
    (folder / "text.tex").write_text(source, encoding="utf-8")
    command = [engine, "-no-shell-escape", "-halt-on-error", "-interaction=nonstopmode", "text.tex"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace", check=False)
    assert done.returncode == 0, done.stdout[-1500:]
    text = subprocess.run(["pdftotext", "-layout", "text.pdf", "-"], cwd=folder, capture_output=True, check=True)
    return text.stdout.decode("utf-8")


# All printable characters up to Latin Extended-A, Greek, punctuation and signs; then names.
CHARACTERS = [chr(c) for c in (*range(0x20, 0x180), *range(0x386, 0x3CF), *range(0x2010, 0x2030), 0x20AC, 0x2264)]


@pytest.mark.latex
@pytest.mark.parametrize("fonts", ["", r"\usepackage[T1]{fontenc}\usepackage{lmodern}"], ids=["OT1", "T1"])
def test_all_escaped_text_compiles_with_pdflatex(fonts, tmp_path):
    need_program("pdflatex", "pdftotext")
    body = "\n\n".join(latex(text) for text in (*HOSTILE, *CHARACTERS))
    text = compiled(rf"\documentclass{{article}}{fonts}\begin{{document}}{body}\end{{document}}", tmp_path, "pdflatex")
    assert "[rocket]" in text
    assert "[alef-lamed-gimel-vav-resh-yod-tav-final mem]" in text
    if fonts:
        assert "A & B_%#" in text
        assert "<script>alert(1)</script>" in text
        assert "$x^2$ \\input{x} ~^{}" in text
