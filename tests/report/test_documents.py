"""Every result becomes a document that every renderer renders."""

import inspect
import json

import numpy as np
import pytest

import podium
from podium.report.document import TableBlock
from podium.report.documents import document
from podium.report.output import HOMES, show
from podium.report.render_html import read_embedded, render_html
from podium.report.render_json import render_csv, render_json
from podium.report.render_latex import render_latex
from podium.report.render_markdown import render_markdown
from podium.report.render_text import render_text

RNG = np.random.default_rng(7)
TABLE = 0.8 + 0.05 * RNG.standard_normal((12, 4)) + 0.03 * np.arange(4)
X, Y = TABLE[:, 0], TABLE[:, 1]

RESULTS = {
    "one pair": lambda: podium.stats.wilcoxon(X, Y),
    "omnibus": lambda: podium.stats.friedman(TABLE),
    "pairs": lambda: podium.stats.all_pairs(TABLE),
    "mean ranks": lambda: podium.stats.nemenyi(TABLE),
    "effects": lambda: podium.stats.effect_sizes(X, Y, draws=100, rng=1),
    "posterior": lambda: podium.bayes.signed_rank(X, Y, rope=0.01, draws=200, rng=1),
    "critical value": lambda: podium.chance.critical_value("auc", positives=20, negatives=30, competitors=5),
    "critical table": lambda: podium.chance.critical_table("auc", positives=[10, 20], negatives=[30], competitors=[5]),
}


@pytest.fixture(scope="module", params=RESULTS)
def result(request):
    return RESULTS[request.param]()


def test_every_result_has_a_document_in_every_format(result):
    made = document(result, notes=["A <note>."])
    assert result.summary().split()[0] in render_text(made)
    assert "A &lt;note&gt;." in render_markdown(made)
    assert r"\end{document}" in render_latex(made)
    assert read_embedded(render_html(made)) == json.loads(render_json(made))
    assert render_csv(made.main).count("\r\n") == len(next(iter(result.tables().values()))) + 1
    assert set(result.references) == set(made.references)


def test_the_json_is_the_result_after_schema_and_version(result):
    data = json.loads(render_json(document(result)))
    assert list(data)[:3] == ["schema", "podium", "kind"]
    assert data["kind"] == type(result).__name__
    assert {key: data[key] for key in result.to_dict()} == json.loads(json.dumps(result.to_dict()))


def test_intervals_and_records_share_a_column():
    made = document(podium.stats.all_pairs(TABLE))
    (table,) = [block for block in made.blocks() if isinstance(block, TableBlock)]
    kinds = {column.key: column.kind for column in table.columns}
    assert kinds["interval"] == "interval"
    assert kinds["record"] == "record"
    assert kinds["adjusted"] == "pvalue"
    assert "low" not in kinds
    assert "low,high" in render_csv(table)


def test_figures_come_along_where_the_result_has_some():
    made = document(podium.stats.all_pairs(TABLE))
    assert {"cd_diagram", "forest", "comparison_matrix"} <= set(made.figures())
    assert document(podium.stats.all_pairs(TABLE), drawn=False).figures() == {}
    # A density needs draws of the difference, and isolines need a surface: those figures are left out.
    assert list(document(RESULTS["posterior"]()).figures()) == ["simplex"]
    assert document(RESULTS["critical table"]()).figures() == {}


@pytest.fixture(scope="module")
def comparison():
    return podium.compare(TABLE, direction="higher", rows="datasets", rope=0.01)


@pytest.mark.parametrize("ending", [f".{form}" for form in HOMES])
def test_a_result_is_saved_in_the_format_that_the_ending_names(result, ending, tmp_path, capsys):
    path = result.save(tmp_path / f"new/report{ending}")
    assert path == tmp_path / f"new/report{ending}"
    assert result.save(str(path).upper().replace("NEW", "new")).read_bytes() == path.read_bytes()
    assert capsys.readouterr() == ("", "")
    if ending == ".json":
        assert json.loads(path.read_text(encoding="utf-8"))["kind"] == type(result).__name__


def test_saved_is_what_the_writers_make(comparison, tmp_path):
    assert comparison.save(tmp_path / "x.html").read_text(encoding="utf-8") == render_html(document(comparison))
    assert comparison.save(tmp_path / "x.tex").read_text(encoding="utf-8") == comparison.to_latex()
    assert comparison.to_latex() == render_latex(document(comparison))


def test_an_unknown_ending_and_an_input_are_refused(comparison, tmp_path):
    with pytest.raises(podium.ArgumentError, match=r"'\.html', '\.md', '\.json', '\.csv', '\.tex' or '\.pdf'"):
        comparison.save(tmp_path / "x.docx")
    source = tmp_path / "scores.csv"
    source.write_text("dataset,a,b\niris,0.9,0.8\nzoo,0.7,0.6\n", encoding="utf-8")
    found = podium.compare(source, metric="accuracy")
    with pytest.raises(podium.DataError, match="was read here"):
        found.save(source)
    assert "iris" in source.read_text(encoding="utf-8")


def test_the_figures_of_a_result_are_its_methods(comparison):
    assert isinstance(comparison.plot(), podium.plot.Figure)
    assert comparison.plot().title == podium.plot.gaps(comparison).title
    assert {"forest", "gaps", "cd_diagram", "rope_matrix"} <= set(dir(comparison.plot))
    assert not {"cost_plane", "roc_curves", "score_intervals"} & set(dir(comparison.plot))  # it has nothing for them
    assert comparison.plot.forest(width="column").svg() == podium.plot.forest(comparison, width="column").svg()
    assert comparison.plot.rope_matrix().svg() == podium.plot.rope_matrix(comparison.practical).svg()
    assert next(iter(inspect.signature(comparison.plot.forest).parameters)) == "algorithm"
    assert comparison.plot.forest.__doc__ == podium.plot.forest.__doc__
    with pytest.raises(AttributeError, match="has no figure 'bars': its figures are cd_diagram, "):
        comparison.plot.bars()


def test_a_comparison_with_costs_plots_them(comparison):
    folds = podium.example("ulas2008")
    found = podium.compare(folds, metric="accuracy", cost="training_time")
    assert {"cost_plane", "order_graph", "sort_steps"} <= set(dir(found.plot))
    assert found.plot().title == podium.plot.cost_plane(found).title


def test_a_result_without_a_figure_says_so():
    with pytest.raises(podium.ArgumentError, match="no figure of PairResult"):
        RESULTS["one pair"]().plot()
    assert dir(RESULTS["posterior"]().plot) == ["density", "shrinkage", "simplex"]
    assert RESULTS["posterior"]().plot().title == podium.plot.simplex(RESULTS["posterior"]()).title


def test_a_title_of_its_own_leaves_the_results_title_to_the_section():
    result = RESULTS["omnibus"]()
    assert [section.title for section in document(result).sections] == ["Result"]
    assert [section.title for section in document(result, title="Mine").sections] == [result.title]


def test_further_results_have_their_own_sections():
    first, second = RESULTS["one pair"](), RESULTS["effects"]()
    made = document(first, second, title="Two", drawn=False)
    assert made.title == "Two"
    assert [section.title for section in made.sections] == [first.title, second.title]
    assert [other["kind"] for other in made.data["more"]] == ["EffectsResult"]


def test_show_writes_files_and_prints_for_people(tmp_path, capsys):
    made = document(RESULTS["pairs"]())
    written = show(
        made, html=tmp_path / "a.html", md=tmp_path / "a.md", csv=tmp_path / "a.csv", latex=tmp_path / "a.tex"
    )
    assert [path.name for path in written] == ["a.html", "a.md", "a.csv", "a.tex"]
    assert all(path.stat().st_size for path in written)
    out, err = capsys.readouterr()
    assert "6 pairs of 4 algorithms" in out
    assert err.count("Wrote ") == 4


def test_a_dash_is_standard_output_and_prints_nothing_else(capsys):
    made = document(RESULTS["pairs"]())
    show(made, json="-")
    assert json.loads(capsys.readouterr().out) == made.data


def test_quiet_prints_nothing(capsys):
    assert show(document(RESULTS["pairs"]()), quiet=True) == []
    assert capsys.readouterr() == ("", "")


def test_latex_in_a_folder_comes_in_parts(tmp_path):
    show(document(RESULTS["pairs"]()), latex=tmp_path / "paper", quiet=True)
    names = {path.name for path in (tmp_path / "paper").iterdir()}
    assert {"report.tex", "table_result.tex", "figure_forest.tex", "references.bib"} <= names


def test_a_place_that_cannot_be_written_is_said(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(podium.DataError, match="cannot be written"):
        show(document(RESULTS["pairs"]()), json=tmp_path / "file" / "x.json", quiet=True)


def test_the_repr_of_every_result_fits_a_screen(result):
    lines = repr(result).splitlines()
    assert len(lines) <= 24
    assert max(map(len, lines)) <= 100
    assert " ".join(result.summary().split()).startswith(lines[0])
    assert "e-01" not in result._repr_html_()


def test_a_comparison_shows_its_verdict_and_ranking():
    made = podium.compare(TABLE, direction="higher", rows="datasets")
    text = repr(made)
    assert len(text.splitlines()) <= 30
    assert made.verdict.headline.split(";")[0].split(".")[0][:60] in text
    assert all(row.algorithm in text for row in made.ranking)
    assert "Mean rank" in made._repr_html_()
