"""The way of every log: found by content, counted, chosen, matched; and formats that other packages add."""

import importlib
import json
import sys

import numpy as np
import pytest

import podium
from podium.core.errors import ArgumentError, DataError
from podium.reading import registry
from podium.reading.logs.json_view import json_view
from podium.reading.logs.records import Log, number, plain
from reading.test_logs_lm_eval import row, write_run
from refusals import refuses


def test_a_view_finds_what_json_finds(tmp_path):
    value = {"a": [1, {"b": 'q"\\"]}'}, [], "x"], "c": {"d": {"e": -1.5e3}}, "": None, "ü\n": True}
    path = tmp_path / "v.json"
    path.write_text(json.dumps(value, indent=1), encoding="utf-8")
    view = json_view(path)
    assert view.keys() == tuple(value)
    assert [item.load() for item in view.get("a").items()] == value["a"]
    assert view.value("c", "d", "e") == -1500
    assert view.get("c", "nothing", "e") is None
    assert view.load() == value


@pytest.mark.parametrize(
    "text", ['{"a": [1, 2', '{"a": "b', '{"a"', "[" * 100_000, '{"a": ' * 50_000, '"\\"' + '\\"' * 10**5]
)
def test_json_that_was_cut_off_is_named(tmp_path, text):
    path = tmp_path / "cut.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(DataError, match=r"cut\.json is not valid JSON"):
        json_view(path).keys()


def test_deep_json_is_refused_and_does_not_exhaust_the_stack(tmp_path):
    path = tmp_path / "deep.json"
    path.write_text("[" * 200_000 + "]" * 200_000, encoding="utf-8")
    with pytest.raises(DataError, match=r"deep\.json"):
        json_view(path).load()


def test_names_of_logs_cannot_break_a_line():
    assert plain("a\nb\x1b[31m") == "a b [31m"
    assert len(plain("x" * 10_000)) <= 300
    assert number("nan") is None
    assert number("1e999") is None


def test_a_stream_keeps_no_texts(tmp_path):
    log = Log()
    stream = log.stream(file=tmp_path, system="s", metric="acc")
    for i in range(5):
        stream.add("case", 1.0, sample=i, traits={"long": "x" * 1000, "topic": "t"})
    assert log.names == ["case"]
    assert log.traits == {"topic": {0: "t"}}


def test_other_files_and_damaged_ones_are_said(tmp_path):
    for model in "ab":
        write_run(tmp_path, model, [row(i, acc=1.0) for i in range(3)])
    (tmp_path / "README.md").write_text("# hello", encoding="utf-8")
    (tmp_path / "a" / "results_old.json").write_text('{"results": {"x": {"acc', encoding="utf-8")
    notes = " ".join(podium.read(tmp_path).notes)
    assert "1 other file left alone: 'README.md'" in notes
    assert "Damaged or cut off, and left out: 'results_old.json'" in notes


def test_options_of_tables_mean_nothing_for_logs(tmp_path):
    write_run(tmp_path, "a", [row(0, acc=1.0)])
    with refuses(ArgumentError, "separator"):
        podium.read(tmp_path, separator=";")
    with refuses(DataError, "where"):
        podium.read(tmp_path, where="weather == 'fine'")
    with refuses(DataError, "where"):
        podium.read(tmp_path, where="benchmark == 'other'")


def test_several_paths_are_one_comparison(tmp_path):
    write_run(tmp_path / "x", "a", [row(i, acc=1.0) for i in range(3)])
    write_run(tmp_path / "y", "b", [row(i, acc=0.0) for i in range(3)])
    assert podium.read([tmp_path / "x", tmp_path / "y"]).algorithms == ("a", "b")


def test_a_path_that_is_not_there_is_not_passed_over(tmp_path):
    write_run(tmp_path / "x", "a", [row(i, acc=1.0) for i in range(3)])
    with pytest.raises(DataError, match=r"There is no file .*nothing"):
        podium.read([tmp_path / "x", tmp_path / "nothing"])


def test_a_file_that_cannot_be_opened_is_a_sentence(tmp_path, monkeypatch):
    from podium.reading.logs import find

    def refuse(path):
        raise PermissionError(13, "Permission denied")

    path = tmp_path / "a.json"
    path.write_text("{}", encoding="utf-8")
    monkeypatch.setattr(find, "head_of", refuse)
    with pytest.raises(DataError, match=r"a\.json"):
        podium.read(path)


def test_long_names_stay_apart(tmp_path):
    """Names are cut to fit a page; two that begin alike are two all the same."""
    for model in ("m" * 400 + "1", "m" * 400 + "2"):
        rows = [{**row(0, acc=1.0), "doc_hash": "h" * 400 + end} for end in "xyz"]
        write_run(tmp_path / model[-1], "model", [{**one, "doc_id": i} for i, one in enumerate(rows)], model_name=model)
    cases = podium.read(tmp_path)
    assert cases.values.shape == (3, 2)
    assert max(map(len, cases.algorithms)) <= 300


def test_a_package_can_add_a_format(tmp_path, monkeypatch):
    """A distribution with an entry point of the group podium.formats, as pip would install it."""
    (tmp_path / "other_tool.py").write_text(
        """
import json
from podium.reading.registry import LogFormat

def mine(path, head):
    return head.startswith(b'{"other_tool"')

def read(files, log):
    for file in files:
        data = json.loads(file.read_text())
        stream = log.stream(file=file, system=data["model"], benchmark="b", metric="acc", direction="higher")
        for case, score in data["scores"].items():
            stream.add(case, score)
    log.matched_by("name")

FORMAT = LogFormat(name="other", told="Other Tool", home="other_tool:read", content="other_tool:mine", example="a\\nb")
""",
        encoding="utf-8",
    )
    about = tmp_path / "other_tool-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: other-tool\nVersion: 1.0\n", encoding="utf-8")
    (about / "entry_points.txt").write_text("[podium.formats]\nother = other_tool:FORMAT\n", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    importlib.invalidate_caches()
    registry.log_formats.cache_clear()
    logs = tmp_path / "logs"
    logs.mkdir()
    for model, score in (("x", 1), ("y", 0)):
        text = json.dumps({"other_tool": 1, "model": model, "scores": {"one": score, "two": True}})
        (logs / f"{model}.json").write_text(text, encoding="utf-8")
    try:
        cases = podium.read(logs)
    finally:
        registry.log_formats.cache_clear()
        sys.modules.pop("other_tool", None)
    assert cases.algorithms == ("x", "y")
    np.testing.assert_array_equal(cases.values, [[1, 0], [1, 1]])
    assert "Other Tool" in cases.notes[0]
