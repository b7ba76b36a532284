"""The scripts of the papers run, agree with the printed numbers, and their pages are those in docs."""

import importlib.util
import re
import sys
import tomllib
from pathlib import Path

import pytest

import podium
import program

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"


@pytest.fixture
def script(monkeypatch):
    """A function that loads a script of examples/ by its name."""
    monkeypatch.syspath_prepend(str(EXAMPLES))

    def load(name):
        spec = importlib.util.spec_from_file_location(f"example_{name}", EXAMPLES / f"{name}.py")
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    yield load
    sys.modules.pop("side_by_side", None)


DEMSAR_SIGN = [(8, 7), (11, 9), (13, 10), (14, 11), (16, 12), (18, 13), (19, 14), (21, 15), (22, 16)]
# Every difference from the printed numbers; each is explained in the page.
KNOWN = {
    "benavoli2016": ["printed about 1e-10, found 9.4e-10", "zoo far apart: printed 0.0002, found 0.0001"],
    "demsar2006": [
        "sign test rejects at 0.05: printed yes, found no",
        "5 datasets, 0.05: printed 5, found none",
        *(f"{n} datasets, 0.05: printed {w}, found {w + 1}" for n, w in DEMSAR_SIGN),
        "printed 0.607, found 0.608",
        "printed 2.724, found 2.734",
    ],
    "demsar2006_sl": [],  # it prints no numbers
    "forman2005": [],
    "ulas2008": [
        "mlp, lnp: printed 22, found 21",
        "lnp, mlp: printed 16, found 17",
        "5nn, lnp: printed 17, found 16",
        "printed 38, found 36",
        *(
            f"average rank of {name}"
            for name in (
                "mlp: printed 4.57, found 4.59",
                "lnp: printed 4.87, found 4.83",
                "5nn: printed 5.18, found 5.20",
            )
        ),
    ],
}
ROUNDED = {
    "benavoli2016": ["printed 2.518, found 2.5185", "printed 2.888, found 2.8889"],
    "demsar2006": [
        "printed 1.16, found 1.168",
        "printed 2.416, found 2.4154",
        "printed 2.343, found 2.3437",
        "printed 2.949, found 2.9483",
        "printed 2.459, found 2.4595",
    ],
    "demsar2006_sl": [],
    "forman2005": [],
    "ulas2008": ["printed 59.80, found 59.795"],
}


@pytest.mark.parametrize("name", KNOWN)
def test_printed_numbers_are_found_but_for_the_known_differences(script, name, tmp_path):
    module = script(name)
    page = (module.worked_examples if name == "demsar2006" else module.main)(tmp_path)
    assert page.compared > {"demsar2006_sl": -1, "forman2005": 3}.get(name, 30)
    for lines, expected in ((page.differences, KNOWN[name]), (page.roundings, ROUNDED[name])):
        assert len(lines) == len(expected)
        for line, known in zip(lines, expected, strict=True):
            assert known in line
    made = (tmp_path / f"{name}.md").read_text(encoding="utf-8")
    assert made == (ROOT / "docs" / "papers" / f"{name}.md").read_text(encoding="utf-8")
    for image in re.findall(r"\(images/(.*?)\)", made):
        assert words(tmp_path / "images" / image) == words(ROOT / "docs" / "papers" / "images" / image)


def words(picture):
    """What is written in a picture, titles included; how it is drawn is the business of figures."""
    return re.findall(r">([^<>]+)<", picture.read_text(encoding="utf-8"))


def test_a_difference_is_told(script, tmp_path):
    page = script("side_by_side").Page("made_up", "Title", "Words.", tmp_path)
    page.numbers([("a", "0.12", 0.1249), ("b", "7", 8), ("c", "x y", "x y")])
    page.matrix("Table", ["p", "q"], [["0", "1"], ["2", "0"]], [["0", "1"], ["3", "0"]])
    text = page.write()
    assert page.differences == ["b: printed 7, found 8.", "Table: q, p: printed 2, found 3."]
    assert "3 (printed 2)" in text
    assert "7 printed numbers and decisions were compared; 5 agree" in text


def test_a_rounding_is_not_called_a_difference(script, tmp_path):
    page = script("side_by_side").Page("made_up", "Title", "Words.", tmp_path)
    page.numbers([("cut", "1.16", 1.168), ("off", "1.16", 1.1701), ("small", "0.0002", 0.00012), ("count", "120", 121)])
    text = page.write()
    assert "| cut | 1.16 | 1.17 | equal but for rounding |" in text
    assert page.roundings == ["cut: printed 1.16, found 1.168."]
    assert len(page.differences) == 3
    assert "4 printed numbers and decisions were compared; 0 agree" in text


def test_wainers_procedure_on_the_suite(script, tmp_path):
    """What rests on no draws is the same in the page; the findings of the paper stand beside."""
    wainer = script("wainer2016")
    page = script("side_by_side").Page("wainer2016", "Title", "Words.", tmp_path)
    results = wainer.podium.example("wainer_real")
    errors = wainer.fourteen(results.scores("error"))
    order = wainer.ranking(page, errors, decimals=3)
    assert set(order[:4]) == {"rf", "svm-rbf", "gbm", "svm-poly"}  # the three best of the paper are among the four best
    assert {"bst", "nb"} < set(order[-3:])  # two of the three worst of the paper
    assert wainer.significance(page, errors, order[:3]) == 0
    page.text(wainer.other_kernel(results.scores("error"), order))
    rope = wainer.podium.bayes.rope_auto(errors, search=wainer.fourteen(results.scores("cv_error")))
    assert rope.rope == pytest.approx(0.0103, abs=5e-5)
    wainer.times(page, results)
    text = (ROOT / "docs" / "papers" / "wainer2016.md").read_text(encoding="utf-8")
    for part in page.parts[3:]:
        assert part in text


def test_what_differs_from_wainer_is_said(script, tmp_path):
    page = script("side_by_side").Page("wainer2016", "Title", "Words.", tmp_path)
    script("wainer2016").differences(page)
    text = (ROOT / "docs" / "papers" / "wainer2016.md").read_text(encoding="utf-8")
    assert all(part in text for part in page.parts[-2:])
    assert "| folds of the search | 5 | 5 |" in page.parts[-2]


def test_the_recipe_for_wainers_own_results_works(script, tmp_path):
    """On a file with the columns that it names: a few of the scores here stand for his."""
    recipe = script("wainer2016").RECIPE
    frame = podium.example("wainer_real").frame
    some = frame["dataset"].isin(sorted(set(frame["dataset"]))[:6]) & frame["algorithm"].isin(["rf", "gbm", "knn"])
    wide = frame[some & frame["metric"].isin(["error", "cv_error"])].pivot_table(
        index=["dataset", "algorithm", "fold"], columns="metric", values="value"
    )
    wide.reset_index().to_csv(tmp_path / "his.csv", index=False)
    commands = re.findall(r"^\$ podium (.*)$", recipe, re.MULTILINE)
    said = ["Times", "Nemenyi", "Bayesian ANOVA, rope", "Robust Bayesian ANOVA, rope"]
    for command, word in zip(commands, said, strict=True):
        ran = program.podium(*command.split(), cwd=tmp_path)
        assert ran.returncode == 0, ran.stderr
        assert word in ran.stdout


ROWS = {"benavoli2016": 31, "forman2005": 39, "ulas2008": 36, "wainer2016": 19, "demsar2006": 15, "demsar2006_sl": 28}


@pytest.mark.parametrize("name", ROWS)
def test_every_row_of_a_paper_has_a_command_and_both_numbers(name):
    """The build of the documentation runs the rows, and refuses one whose output does not hold what it says."""
    rows = tomllib.loads((ROOT / "docs" / "papers" / "rows" / f"{name}.toml").read_text(encoding="utf-8"))["row"]
    assert len(rows) >= ROWS[name]
    for row in rows:
        assert ("run" in row) != ("python" in row), row
        assert all(row[key].strip() for key in ("paper", "printed", "here")), row
        assert row.get("run", "podium ").startswith("podium "), row
    assert len({row["paper"] for row in rows}) == len(rows)
    assert f"```{{paper}} {name}\n```" in (ROOT / "docs" / "papers" / f"{name}.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["demsar2006", "ulas2008"])
def test_the_rows_of_a_paper_are_run_and_a_wrong_one_is_refused(name, monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "docs"))
    import expand

    known = expand.paper_rows(name)
    known["row"] = [row for row in known["row"] if "python" in row][:4]
    monkeypatch.setattr(expand, "paper_rows", lambda name: known)
    made = expand.expand(f"```{{paper}} {name}\n```\n")
    assert sum(line.startswith("| ") for line in made.splitlines()) == 5  # the header and four rows
    known["row"][0]["here"] = "no such number"
    with pytest.raises(expand.PageError, match="no such number"):
        expand.expand(f"```{{paper}} {name}\n```\n")


def test_no_row_of_a_paper_is_met_by_a_word_that_says_nothing():
    """A bare small number, a name that was typed, or an explanation would be found whatever the command printed."""
    for name in ROWS:
        rows = tomllib.loads((ROOT / "docs" / "papers" / "rows" / f"{name}.toml").read_text(encoding="utf-8"))["row"]
        for row in rows:
            here = row["here"]
            assert len(here) > 2, row
            assert not row.get("run", "").startswith("podium explain"), row
            assert "run" not in row or here not in row["run"].split(), row
            assert "run" not in row or not re.fullmatch(r"[\d.]+", here), row
            assert re.search(r"\d", here) or len(re.findall(r"\w+", here)) > 1, row  # the name of a test, or "<svg"


def test_every_script_is_run_by_make_papers():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    papers = re.search(r"for paper in (.*?);", makefile)[1].split()
    assert papers == sorted(path.stem for path in EXAMPLES.glob("*2*.py"))
    for paper in papers:
        assert (EXAMPLES / f"{paper}.py").exists()


def test_wainers_times_are_tested_by_halves_as_he_does():
    """Section on time: "we perform the demsar statistical analysis using the subsets as subject indicator"."""
    times = podium.example("wainer_real").scores("one_train_test_time")
    halves = times.blocks()
    assert halves.values.shape == (2 * len(times.datasets), 15, 1, 1)
    assert (halves.values[1, :, 0, 0] == times.values[0, :, 0, 1]).all()
    assert halves.datasets[1].startswith(times.datasets[0])
    told = {}
    for blocks in ("datasets", "folds"):
        found = podium.compare(times, test="nemenyi", blocks=blocks, algorithms=list(times.algorithms))
        told[blocks] = found.pairs.pair("elm", "knn").adjusted <= 0.05
    assert told == {"datasets": False, "folds": True}
