"""Every output has a JSON Schema, which real outputs of every unit keep to."""

import json
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest
from jsonschema import Draft202012Validator

import podium
from podium.report.schema import json_schema, kinds
from program import podium as run_podium
from report.schemas import check_schema

DATA = Path(__file__).parents[2] / "docs" / "data"
RNG = np.random.default_rng(3)
TRUTH = np.arange(60) % 3 == 0

COMPARED = {
    "datasets": lambda: podium.compare(podium.example("benavoli2016"), rope=1.0),
    "a control": lambda: podium.compare(podium.example("benavoli2016"), control="C3"),
    "costs": lambda: podium.compare(podium.example("ulas2008"), metric="accuracy", cost="training_time"),
    "folds": lambda: podium.compare(RNG.random((10, 3)), rows="folds", repeats=1, direction="higher"),
    "cases": lambda: podium.compare(DATA / "outcomes.csv"),
    "scored cases": lambda: podium.compare({n: TRUTH + RNG.normal(size=60) for n in "abc"}, truth=TRUTH, metric="auc"),
    "runs": lambda: podium.compare(DATA / "agents.csv"),
}


@pytest.mark.parametrize("name", COMPARED)
def test_the_json_of_a_comparison_of_every_unit_has_its_schema(name, tmp_path):
    comparison = COMPARED[name]()
    saved = json.loads(comparison.save(tmp_path / "report.json").read_text(encoding="utf-8"))
    assert saved["schema"] == "podium.comparison/3"
    assert saved == comparison.to_dict()
    check_schema(saved)


@pytest.mark.parametrize("file", ["outcomes.csv", "agents.csv", "demsar2006.csv", "predictions.csv"])
def test_the_json_of_show_has_its_schema(file):
    more = ["--truth", "y_true"] if file == "predictions.csv" else ["--metric", "auc"] if "demsar" in file else []
    ran = run_podium("show", str(DATA / file), *more, "--json", "-")
    check_schema(json.loads(ran.stdout))


def test_every_schema_is_one_and_names_its_kind():
    for name in kinds("bench"):
        schema = json_schema(name, "bench")
        Draft202012Validator.check_schema(schema)
        assert schema["properties"]["kind"] == {"const": name}
        assert {"schema", "kind", "references"} <= set(schema["required"])


def test_no_field_takes_the_place_of_a_key_that_all_outputs_have():
    for kind in kinds("bench").values():
        assert not {"schema", "kind", "podium", "summary"} & {field.name for field in fields(kind)}


def test_pairs_on_cases_keep_the_name_of_their_kind():
    found = podium.cases.all_pairs({"a": [1, 1, 0, 1, 0], "b": [0, 1, 0, 0, 0]})
    assert (found.to_dict()["kind"], found.to_dict()["values_are"]) == ("CasePairs", "pass_fail")
    check_schema({**found.to_dict(), "podium": "1", "summary": "", "notes": []})


def test_a_false_output_is_refused():
    data = json.loads(json.dumps(podium.stats.wilcoxon([0.9, 0.8, 0.7], [0.8, 0.6, 0.4]).to_dict()))
    whole = {**data, "podium": "1", "summary": "", "notes": []}
    check_schema(whole)
    for wrong in ({"pvalue": "small"}, {"wins": 1.5}, {"schema": "podium.result/1"}, {"new": 1}):
        with pytest.raises(AssertionError):
            check_schema({**whole, **wrong})


def test_the_command_lists_kinds_and_prints_a_schema():
    listed = run_podium("schema").stdout
    assert all(f"{name} " in listed for name in kinds("bench"))
    assert json.loads(run_podium("schema", "Comparison").stdout) == json_schema("Comparison", "bench")
    assert run_podium("schema", "Compare").returncode == 2
