"""One document in every format: golden files for a plain one, and names that try to do harm."""

import csv
import io
import json
import re
import subprocess

import numpy as np
import pandas as pd
import pytest

import podium
from needs import need_program
from podium.core.escape import xml
from podium.core.numbers import pvalue
from podium.report.document import Bullets, Document, Paragraph, Section
from podium.report.documents import document
from podium.report.figures import figure_block
from podium.report.render_json import render_csv, render_json
from podium.report.render_latex import breakable, latex_files, latex_part, paper_files, render_latex
from podium.report.render_markdown import escape_markdown, render_markdown, render_short_markdown
from podium.report.render_text import render_text
from report.golden import check_golden
from report.sample import HOSTILE, PLAIN, comparison, report, table


@pytest.fixture(scope="module")
def plain():
    return report()


@pytest.fixture(scope="module")
def hostile():
    return report(HOSTILE, rope=0.01)


def test_text_is_as_before(plain):
    check_golden("report.txt", render_text(plain))


def test_markdown_is_as_before(plain):
    check_golden("report.md", render_markdown(plain))


def test_latex_is_as_before(plain):
    files = latex_files(plain)
    check_golden("report.tex", "".join(f"%%% {name}\n{text}" for name, text in files.items()))


def test_json_is_as_before(plain):
    check_golden("report.json", render_json(plain))


def test_csv_is_as_before(plain):
    check_golden("pairs.csv", render_csv(plain.tables()["pairs"]))


@pytest.mark.parametrize("width", [60, 80, 100, 160])
def test_text_keeps_to_its_width_and_shows_whole_numbers(hostile, width):
    text = render_text(hostile, width=width)
    assert max(len(line) for line in text.splitlines()) <= width
    adjusted = comparison(HOSTILE, rope=0.01).to_frame()["adjusted"]
    hidden = re.search(r"Too narrow to show:[^.]*Adjusted\s+p", text)  # the probabilities of a rope come first
    assert hidden or all(pvalue(p) in text for p in adjusted)  # never cut


def test_text_has_no_control_character_and_reads_no_markup(hostile):
    text = render_text(hostile, width=200)
    assert "[red]$x$</style>|`*_\\u202egnp\\n" in text
    assert not re.search(r"[\x00-\x09\x0b-\x1f\u202a-\u202e]", text)


@pytest.mark.parametrize("width", range(40, 110, 7))
def test_sentences_lose_no_letter_whatever_the_width(width):
    sentence = "שלום is better than 🙂 smile and 日本語, but A & B_%# and =HYPERLINK(1) cannot be told apart from it."
    made = Document(
        title="t",
        subtitle="",
        sections=(Section(key="s", title="s", blocks=(Bullets(items=(sentence,)), Paragraph(text=sentence))),),
    )
    squeezed = re.sub(r"\s", "", render_text(made, width=width))
    assert squeezed.count(re.sub(r"\s", "", sentence)) == 2


def test_narrow_text_says_what_it_left_out(hostile):
    assert "Too narrow to show: " in render_text(hostile, width=80)


def test_long_tables_are_cut_in_the_terminal_and_say_so():
    names = tuple(f"algorithm {i}" for i in range(12))
    text = render_text(report(names), max_rows=10)
    assert "... and 56 more rows" in text


def test_markdown_tables_have_the_same_cells_in_every_row(hostile):
    text = render_markdown(hostile)
    for block in re.findall(r"(?:^\|.*\n)+", text, flags=re.MULTILINE):
        counts = {len(re.findall(r"(?<!\\)\|", line)) for line in block.splitlines()}
        assert len(counts) == 1
    assert "<script" not in text
    assert "</style>" not in text


def test_json_has_a_schema_everything_and_no_nan(hostile):
    data = json.loads(render_json(hostile))
    assert next(iter(data)) == "schema"
    assert data["schema"] == "podium.comparison/3"
    assert data["table"]["algorithms"] == list(HOSTILE)  # names are data here: as they are
    assert len(data["pairs"]["pvalue"]) == 10
    assert data["verdict"]


def test_csv_has_every_pair_and_no_formula(hostile):
    text = render_csv(hostile.tables()["pairs"])
    rows = list(csv.DictReader(io.StringIO(text)))
    assert len(rows) == 10
    assert all(not re.match(r"[=+@]", cell) for row in rows for cell in row.values())
    assert {row["a"] for row in rows} >= {"<script>alert(1)</script>", "A & B_%#"}
    expected = comparison(HOSTILE, rope=0.01).leader_first()["pvalue"]
    assert [float(row["pvalue"]) for row in rows] == expected.tolist()  # all digits


def test_the_bibliography_of_a_report_has_exactly_what_it_cites(plain):
    keys = re.findall(r"^@\w+\{(\w+),", latex_files(plain)["references.bib"], flags=re.MULTILINE)
    assert keys == list(plain.references)
    assert {"wilcoxon1945", "demsar2006", *comparison().references} <= set(keys)


def compile_latex(files, folder, document="report"):
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    pdflatex, draft = (
        ["pdflatex", "-interaction=nonstopmode", "-halt-on-error"],
        ["-draftmode"],
    )  # no PDF until the last
    for command in ([*pdflatex, *draft], ["bibtex"], [*pdflatex, *draft], pdflatex):
        run = subprocess.run([*command, document], cwd=folder, capture_output=True, check=False)
        assert run.returncode == 0, run.stdout.decode("utf-8", "replace")[-2000:]
    return (folder / f"{document}.log").read_text(encoding="utf-8", errors="replace")


@pytest.mark.latex
@pytest.mark.parametrize("name, parts", [("plain", True), ("plain", False), ("hostile", True)])
def test_latex_compiles_without_undefined_references(name, parts, request, tmp_path):
    need_program("pdflatex", "bibtex")
    made = request.getfixturevalue(name)
    files = latex_files(made) if parts else {"report.tex": render_latex(made)}
    log = compile_latex(files, tmp_path)
    assert "undefined" not in log
    assert (tmp_path / "report.pdf").stat().st_size > 10_000


@pytest.mark.latex
def test_long_latex_tables_break_over_pages(tmp_path):
    need_program("pdflatex", "bibtex")
    names = ("x" * 120, "W" * 40, *(f"an_algorithm_with_a_rather_long_name_{i}" for i in range(12)))
    made = report(names, n_datasets=60)
    assert r"\begin{longtable}" in latex_files(made)["table_pairs.tex"]
    for name in ("report", "paper"):
        log = compile_latex(latex_files(made), tmp_path, name)
        assert not re.findall(r"Overfull .*", log)


@pytest.mark.parametrize("algorithms", [5, 9])
def test_the_rows_of_a_table_for_a_column_stand_as_its_caption_says(algorithms):
    """All rows in the order of the whole table; of too many the significant ones, and the caption says so."""
    rng = np.random.default_rng(2)
    values = rng.random((14, algorithms)) + np.linspace(0, 1, algorithms)
    found = podium.compare(pd.DataFrame(values, columns=list("abcdefghi"[:algorithms])), metric="return")
    files = latex_files(document(found))

    def rows(name):
        plain = re.sub(r"\\textbf\{(.)\}", r"\1", files[name])
        return [frozenset(pair) for pair in re.findall(r"^\{\}([a-i]) & ([a-i]) &", plain, re.M)]

    whole, short = rows("table_pairs.tex"), rows("table_pairs_column.tex")
    significant = {
        frozenset(pair) for pair, p in zip(found.pairs.names, found.pairs.adjusted, strict=True) if p <= 0.05
    }
    assert 0 < len(significant) < len(whole)
    if algorithms == 5:
        assert short == whole
    else:
        assert short == sorted(whole, key=lambda pair: pair not in significant)[: len(short)]
        assert (
            f"Of the 36 rows {len(short)} are printed, those in bold before all others."
            in files["table_pairs_column.tex"]
        )


def test_long_names_make_no_latex_table_small():
    names = tuple(f"acme/alpha-7b-instruct (model_args=acme/alpha-7b,dtype=float16, num_fewshot={i})" for i in range(4))
    files = latex_files(report(names, n_datasets=20))
    for part in ("table_pairs.tex", "table_pairs_column.tex"):
        assert r"p{" in files[part].partition(r"\begin{tabular}")[2].partition("\n")[0]  # names in lines
    assert "instruct (num\\_fewshot=3)" in files["table_scores.tex"]  # a label
    names = files["table_names.tex"]
    assert "num\\_\\allowbreak{}fewshot=3" in names.partition(r"\begin{tabular}")[2]  # the key, once
    assert "forest & " in latex_files(report())["table_scores.tex"]  # names that have room stay
    assert not any(r"\resizebox" in text for text in files.values())


def test_a_figure_of_many_algorithms_is_laid_out_for_the_page_and_says_no_less():
    found = comparison(tuple(f"a{i}" for i in range(60)), n_datasets=5)
    block = figure_block("heatmap", found)
    text = latex_part(block)
    assert text.count(r"\node") >= len(block.figure.scene.texts)
    right = max(float(x) for x in re.findall(r"\(([\d.]+)(?:bp)?,", text))
    assert min(float(size) for size in re.findall(r"\\fontsize\{([\d.]+)bp\}", text)) * min(1, 459 / right) > 6.4
    matrix = figure_block("comparison_matrix", comparison(tuple(f"{'long name ' * 9}{i}" for i in range(5))))
    assert latex_part(matrix).count(r"\node") == len(
        matrix.figure.scene.texts
    )  # a narrow one would lack what its caption names


def test_a_long_word_may_be_broken_and_a_number_not():
    assert breakable("x" * 30) == r"\allowbreak{}".join("x" * 30)
    assert breakable("dtype=float16,learning_rate=0.5") == (
        r"dtype=\allowbreak{}float16,\allowbreak{}learning\_\allowbreak{}rate=\allowbreak{}0.5"
    )
    assert breakable("e\u0301" * 30) == r"\allowbreak{}".join([r"\'{e}"] * 30)  # accents stay with their letters
    assert breakable("It is 0.5 points, 95% of it.") == r"It is 0.5 points, 95\% of it."


@pytest.mark.parametrize("names", [PLAIN, HOSTILE, tuple(f"algorithm {i}" for i in range(16))])
def test_markdown_for_a_pull_request_is_short(names):
    made = report(names)
    text = render_short_markdown(made)
    lines = text.rstrip("\n").split("\n")
    assert len(lines) <= 30
    assert lines[0] == f"### {escape_markdown(comparison(names).verdict.headline)}"
    assert "<script" not in text
    rows = [line for line in lines if line.startswith("| ")]
    assert len(rows) == 2 + min(len(names), 12)
    if len(names) == 16:
        assert "... and 4 more." in lines


def test_other_documents_stay_whole_in_short_markdown():
    made = document(podium.stats.friedman(table()))
    assert render_short_markdown(made) == render_markdown(made)


def test_eighty_columns_keep_the_interval_and_three_probabilities_beside_a_rope():
    text = render_text(report(rope=0.01), width=80)
    head = next(line for line in text.splitlines() if line.strip().startswith("Algorithm") and "Versus" in line)
    assert "Interval" in head
    assert head.split()[-3:] == ["better", "equiv.", "better"]
    assert max(map(len, text.splitlines())) <= 80


@pytest.mark.parametrize("settings", [{}, {"control": "svm"}])
def test_a_notebook_shows_verdict_figure_and_ranking(settings):
    found = podium.compare(table(), direction="higher", **settings)
    html = found._repr_html_()
    assert xml(found.verdict.headline) in html
    assert html.index(xml(found.verdict.headline)) < html.index("<svg") < html.index("<table")
    assert re.search("p\u00a0[=<]\u00a0", html.replace("&lt;", "<"))  # not parted from its number
    assert re.search('<td style="text-align:right;white-space:nowrap[^>]*>[0-9]+/[0-9]+/[0-9]+<', html)  # nor a record
    assert all(f">{name}</td>" in html for name in PLAIN)


def test_hostile_names_stay_text_in_a_notebook():
    html = comparison(HOSTILE)._repr_html_()
    assert "<script" not in html
    assert "</style>" not in html


def test_significant_pairs_are_bold_in_latex(plain):
    text = latex_files(plain)["table_pairs.tex"]
    pairs = comparison().to_frame()
    told = int((pairs["adjusted"] <= 0.05).sum())
    assert 0 < told < len(pairs)
    assert sum(line.startswith(r"{}\textbf{") for line in text.splitlines()) == told


@pytest.mark.latex
@pytest.mark.parametrize("names", [PLAIN, HOSTILE])
def test_the_draft_of_a_paper_compiles_to_two_pages_and_its_scores(names, tmp_path):
    need_program("pdflatex", "bibtex", "pdfinfo")
    for name, text in latex_files(document(comparison(names))).items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    for command in ("pdflatex", "bibtex", "pdflatex", "pdflatex"):
        options = [] if command == "bibtex" else ["-interaction=nonstopmode", "-halt-on-error"]
        ran = subprocess.run([command, *options, "paper"], cwd=tmp_path, capture_output=True, check=False)
        assert ran.returncode == 0, ran.stdout[-2000:]
    told = subprocess.run(["pdfinfo", tmp_path / "paper.pdf"], capture_output=True, text=True, check=True).stdout
    assert re.search(r"Pages:\s+3\b", told)  # the scores on a page of their own


def test_the_draft_shows_the_costs_explains_no_column_that_it_leaves_out_and_keeps_letters_large():
    costs = paper_files(document(podium.compare(podium.example("ulas2008"), cost="training_time")))
    assert r"\input{figure_cost_plane_column}" in costs["paper.tex"]
    assert "Beats" not in costs["table_ranking_column.tex"]
    many = paper_files(document(comparison(tuple(f"algorithm {i}" for i in range(40)))))
    assert r"\begin{figure}" in many["figure_cd_diagram_column.tex"]  # a list, which has room in a column
    for files in (costs, many):
        assert all(
            float(size) > 6.4 for text in files.values() for size in re.findall(r"\\fontsize\{([\d.]+)bp\}", text)
        )
