import re
import subprocess

import pytest

from needs import need_program
from plot.gallery import HOSTILE, gallery
from podium.plot.draw_tikz import to_tikz
from podium.plot.scene import Circle, Curve, Line, Polygon, Polyline, Rect, Scene, Text


def compiled(source, folder):
    """Run pdflatex without the right to run programs; the pages as text."""
    (folder / "figure.tex").write_text(source, encoding="utf-8")
    command = ["pdflatex", "-no-shell-escape", "-halt-on-error", "-interaction=nonstopmode", "figure.tex"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace", check=False)
    assert done.returncode == 0, done.stdout[-1500:]
    text = subprocess.run(["pdftotext", "-layout", "figure.pdf", "-"], cwd=folder, capture_output=True, check=True)
    return text.stdout.decode("utf-8"), done.stdout


@pytest.mark.latex
def test_every_figure_compiles_in_a_plain_document_with_hostile_names(tmp_path):
    need_program("pdflatex", "pdftotext")
    pictures = "\n\\newpage\n".join(to_tikz(scene) for scene in gallery(HOSTILE).values())
    size = r"\pdfpagewidth=1600bp\pdfpageheight=1600bp\hsize=1500bp\textwidth=1500bp\textheight=1500bp\vsize=1500bp"
    source = rf"\documentclass{{article}}\usepackage{{tikz}}{size}\begin{{document}}{pictures}\end{{document}}"
    text, _ = compiled(source, tmp_path)
    # The fonts of such a document draw _, < and > in their own ways; the other signs can be read back.
    assert re.search(r"A & B.{0,3}%#", text)
    assert "script" in text
    assert "$x" in text


@pytest.mark.latex
def test_a_whole_document_is_one_page_of_the_size_of_the_figure(tmp_path):
    need_program("pdflatex", "pdftotext", "pdfinfo")
    scene = gallery(HOSTILE)["cd"]
    text, log = compiled(to_tikz(scene, standalone=True), tmp_path)
    assert "Overfull" not in log
    assert "A & B_%#" in text
    assert "$x^2$ \\input{x} ~^{}" in text
    assert "[rocket]" in text
    info = subprocess.run(["pdfinfo", "figure.pdf"], cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    fields = dict(line.split(":", 1) for line in info.splitlines())
    assert fields["Pages"].strip() == "1"
    width, height = (float(part) for part in fields["Page size"].replace("pts", "").split("x"))
    assert (width, height) == (pytest.approx(scene.width + 1, abs=0.1), pytest.approx(scene.height + 1, abs=0.1))


def test_every_kind_of_shape():
    shapes = (
        Line(0, 1, 2, 3.456, stroke="muted", dash="dashed"),
        Polyline(((0, 0), (1, 2), (3, 4))),
        Curve(((0, 0), (1, 1), (2, 1), (3, 0))),
        Polygon(((0, 0), (1, 0), (1, 1)), fill="blue", stroke=None, opacity=0.5),
        Rect(1, 2, 3, 4, fill="ramp:0"),
        Circle(1, 2, 3),
        Text(1, 2, "50 %", rotation=90, anchor="end", bold=True, size=10),
    )
    lines = to_tikz(Scene(width=9, height=8, shapes=shapes)).splitlines()
    assert lines[1:6] == [
        r"\definecolor{podium0072b2}{HTML}{0072B2}",
        r"\definecolor{podium1a1a1a}{HTML}{1A1A1A}",
        r"\definecolor{podium5c5c5c}{HTML}{5C5C5C}",
        r"\definecolor{podiumf7fbff}{HTML}{F7FBFF}",
        r"\useasboundingbox (0,0) rectangle (9,8);",
    ]
    assert lines[6:-1] == [
        r"\path[draw=podium5c5c5c, line width=1bp, dash pattern=on 4bp off 3bp] (0,1) -- (2,3.46);",
        r"\path[draw=podium1a1a1a, line width=1bp] (0,0) -- (1,2) -- (3,4);",
        r"\path[draw=podium1a1a1a, line width=1bp] (0,0) .. controls (1,1) and (2,1) .. (3,0);",
        r"\path[fill=podium0072b2, opacity=0.5] (0,0) -- (1,0) -- (1,1) -- cycle;",
        r"\path[fill=podiumf7fbff, draw=podium1a1a1a, line width=1bp] (1,2) rectangle (4,6);",
        r"\path[draw=podium1a1a1a, line width=1bp] (1,2) circle[radius=3bp];",
        r"\node[anchor=base east, text=podium1a1a1a, rotate=90, font=\fontsize{10bp}{10bp}\selectfont\bfseries] "
        r"at (4.65,2) {50 \%};",
    ]
