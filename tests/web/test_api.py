"""The API gives what the commands print, and every refusal is a sentence."""

import io
import json
import zipfile

import pandas as pd
import pytest
from typer.testing import CliRunner

import podium
from podium.cli.main import app
from podium.core.options import as_flag
from podium.report.documents import document
from web.load import TABLE, upload


def cli(*words):
    ran = CliRunner().invoke(app, [*map(str, words)], catch_exceptions=False)
    assert ran.exit_code == 0, ran.output
    return json.loads(ran.stdout)


def test_a_table_is_recognised(client, table):
    seen = client.get(f"/api/tables/{table}").json()
    assert (len(seen["datasets"]), seen["algorithms"]) == (54, ["C1", "C2", "C3", "C4", "C5", "C6", "C7"])
    assert seen["metric"] == {"name": "accuracy", "direction": "higher", "is_cost": False}
    assert (seen["missing_cells"], seen["question"]) == (6, None)
    assert seen["columns"][:2] == ["dataset", "C1"]
    lower = client.get(f"/api/tables/{table}", params={"direction": "lower"}).json()
    assert lower["metric"]["direction"] == "lower"


@pytest.mark.parametrize(
    "options", [{}, {"control": "C4", "alpha": 0.01}, {"rope": 1.0, "test": "sign", "correction": "hochberg"}]
)
def test_a_comparison_is_that_of_the_library(client, table, options):
    answer = client.post(f"/api/tables/{table}/comparisons", json={"options": options})
    expected = document(podium.compare(podium.read(TABLE), **options)).data
    assert answer.status_code == 201
    assert answer.json() == json.loads(json.dumps(expected))


def test_every_format_can_be_downloaded(client, table):
    address = client.post(f"/api/tables/{table}/comparisons", json={}).headers["location"]
    files = {form: client.get(f"/api{address}/{form}") for form in ("html", "latex", "markdown", "json", "csv")}
    assert all(answer.status_code == 200 for answer in files.values())
    assert files["html"].text.startswith("<!doctype html>")
    assert files["html"].headers["content-security-policy"].startswith("default-src 'none'; style-src 'sha256-")
    names = zipfile.ZipFile(io.BytesIO(files["latex"].content)).namelist()
    assert {"latex/report.tex", "latex/references.bib"} <= set(names)
    assert files["markdown"].text.startswith("# 7 algorithms on 54 datasets")
    assert files["json"].json()["schema"] == "podium.comparison/3"
    assert files["csv"].text.splitlines()[0].startswith("a,b,")


def test_the_order_by_cost_is_that_of_the_command(client, tmp_path):
    path = tmp_path / "ulas.csv"
    podium.example("ulas2008").write_csv(path)
    seen = upload(client, "ulas.csv", path.read_bytes()).json()
    assert seen["has_folds"]
    options = {"cost": ["training_time"]}
    answer = client.post(f"/api/tables/{seen['table']}/orders", json={"options": options})
    printed = cli("order", path, "--cost", "training_time", "--json", "-")
    assert {**answer.json(), "notes": printed["notes"]} == printed  # those of the file are on the table's page
    assert client.get(answer.headers["location"]).status_code == 200
    names = ",".join(answer.json()["prior"])
    typed = client.post(f"/api/tables/{seen['table']}/orders", json={"options": {"cost": [names]}}).json()
    assert typed["order"] == cli("order", path, "--cost", names, "--json", "-")["order"]
    path.with_name("costs.csv").write_text("algorithm,cost\n5nn,1\n")
    secret = client.post(f"/api/tables/{seen['table']}/orders", json={"options": {"cost": [str(path)]}})
    assert secret.status_code == 422  # no path is opened


def test_one_dataset_is_ordered_too(client):
    rows = [
        f"iris,{name},{fold},{score + fold / 1000},{time}"
        for fold in range(5)
        for name, score, time in (("a", 0.9, 5), ("b", 0.7, 1))
    ]
    text = "\n".join(["dataset,algorithm,fold,accuracy,training_time", *rows])
    seen = upload(client, "one.csv", text.encode()).json()
    answer = client.post(f"/api/tables/{seen['table']}/orders", json={"options": {"cost": ["training_time"]}})
    assert answer.status_code == 201, answer.text
    assert answer.json()["summary"].startswith("The best first: a, b.")
    assert client.get(answer.headers["location"]).status_code == 200


CALCULATORS = [
    ("value", {"metric": "best_accuracy", "positives": 150, "negatives": 484, "competitors": 114, "alpha": 0.01}),
    ("value", {"metric": "auc", "positives": 50, "negatives": 50}),
    ("pvalue", {"metric": "auc", "score": 0.68, "positives": 50, "negatives": 50, "competitors": 10}),
    (
        "table",
        {"metrics": "tp10", "positives": "20,40", "negatives": "30:50:10", "competitors": "10", "alphas": "0.01"},
    ),
    ("plan", {"cases": 60, "competitors": 10}),
    ("plan", {"cases": 20, "auc": 0.7, "metrics": "auc", "draws": 60}),
    ("plan", {"score": 0.65, "share": 0.25, "competitors": 1000, "alpha": 0.01, "metrics": "auc"}),
    ("plan", {"positives": 30, "negatives": 40, "score": 0.8}),
]
_PLANS = {"cases": "mix", "share": "cases", "positives": "competitors"}


@pytest.mark.parametrize("kind, asked", CALCULATORS)
def test_calculators_agree_with_the_commands_to_the_last_digit(client, kind, asked):
    words = (word for name, value in asked.items() for word in (f"--{name}", value))
    params = {**asked, "what": next(_PLANS[name] for name in asked if name in _PLANS)} if kind == "plan" else asked
    assert client.get(f"/api/chance/{kind}", params=params).json() == cli("chance", kind, *words, "--json", "-")


@pytest.mark.parametrize(
    "asked, words",
    [
        ({"effects": [0.5], "sizes": [10, 20], "draws": 500}, []),
        ({"effects": [0.5], "target_power": 0.8, "tests": ["sign"], "draws": 500}, []),
    ],
)
def test_power_agrees_with_the_command(client, asked, words):
    for name, value in asked.items():
        for item in value if isinstance(value, list) else [value]:
            words = [*words, as_flag(name), item]
    assert client.get("/api/plan/datasets", params=asked).json() == cli("study", "power", *words, "--json", "-")


def test_power_with_a_pilot_table(client, table):
    found = client.get(
        "/api/plan/datasets", params={"table": table, "tests": ["wilcoxon"], "a": "C1", "b": "C7"}
    ).json()
    printed = cli("study", "power", TABLE, "--a", "C1", "--b", "C7", "--tests", "wilcoxon", "--json", "-")
    assert {**found, "notes": printed["notes"]} == printed


def test_charts_are_pictures(client):
    for chart in ("contours", "cdf", "competitors"):
        answer = client.get("/api/chance/chart", params={"kind": chart, "positives": 20, "negatives": 30})
        assert (answer.status_code, answer.headers["content-type"]) == (200, "image/svg+xml")
        assert "<svg" in answer.text


@pytest.mark.parametrize(
    "path, sentence",
    [
        (
            "/api/chance/value?positives=0&negatives=5",
            "`positives`: input should be greater than or equal to 1; got '0'.",
        ),
        ("/api/chance/value?positives=5", "`negatives`: field required."),
        ("/api/chance/value?positives=5&negatives=5&metric=acuracy", "acuracy"),
        ("/api/chance/value?positives=5&negatives=5&colour=red", "`colour`"),
        ("/api/chance/pvalue?positives=5&negatives=5&score=0.511", "0.511"),
        ("/api/plan/datasets?folds=1", "`folds`"),
        ("/api/tables/0123456789abcdef0123", "There is no such table (any more)"),
        ("/api/comparisons/0123456789abcdef0123/json", "There is no such comparison (any more)"),
        ("/api/watch", "No benchmark is watched"),
        ("/api/nothing", "There is no such page."),
    ],
)
def test_refusals_are_sentences(client, path, sentence):
    answer = client.get(path)
    assert answer.status_code in (404, 422)
    assert sentence in answer.json()["error"]


def test_wrong_options_of_a_comparison_are_named(client, table):
    for options, word in (({"control": "C9"}, "'C9'"), ({"test": "magic"}, "`test`"), ({"alpha": 2}, "`alpha`")):
        answer = client.post(f"/api/tables/{table}/comparisons", json={"options": options})
        assert answer.status_code == 422
        assert word in answer.json()["error"]


def test_other_files_are_read_too(client, tmp_path):
    frame = podium.read(TABLE).scores().table()
    wide = pd.DataFrame(frame.values, columns=frame.algorithms, index=pd.Index(frame.datasets, name="dataset"))
    wide.reset_index().to_excel(tmp_path / "accuracy.xlsx", index=False)
    wide.reset_index().to_parquet(tmp_path / "accuracy.parquet")
    for path in (tmp_path / "accuracy.xlsx", tmp_path / "accuracy.parquet"):
        seen = upload(client, path.name, path.read_bytes()).json()
        assert (len(seen["datasets"]), len(seen["algorithms"])) == (54, 7), seen


def test_the_description_lists_every_address(client):
    paths = client.get("/api/openapi.json").json()["paths"]
    assert len(paths) >= 12
    page = client.get("/api").text
    assert all(path in page for path in paths)


OUTCOMES = "item,ant,bee,cat\n" + "".join(
    f"i{i},{int(i % 4 > 0)},{int(i % 3 > 0)},{int(i % 5 == 0)}\n" for i in range(60)
)
PREDICTIONS = "id,label,ant,bee\n" + "".join(
    f"i{i},{i % 2},{(i * 7 % 10) / 10},{(i % 2 + i % 5) / 6}\n" for i in range(40)
)


def sent(client, name, text):
    return upload(client, name, text.encode()).json()["table"]


def test_outcomes_of_test_cases_are_recognised_and_compared(client, tmp_path):
    table = sent(client, "outcomes.csv", OUTCOMES)
    seen = client.get(f"/api/tables/{table}").json()
    assert (seen["question"], seen["algorithms"], seen["metric"]["name"]) == (None, ["ant", "bee", "cat"], "accuracy")
    assert "On 60 items." in seen["notes"][-1]
    assert {row["role"] for row in seen["reading"]["columns"]} == {"case", "outcomes of an algorithm"}
    answer = client.post(f"/api/tables/{table}/comparisons", json={"options": {"control": "bee"}})
    path = tmp_path / "outcomes.csv"
    path.write_text(OUTCOMES)
    expected = document(podium.compare(path, control="bee")).data
    assert answer.status_code == 201
    assert answer.json() == json.loads(json.dumps(expected))


def test_predictions_are_compared_by_their_truth_which_is_a_column_only(client, tmp_path):
    table = sent(client, "predictions.csv", PREDICTIONS)
    assert "test case" in client.get(f"/api/tables/{table}").json()["question"]
    reading = {"truth": "label"}
    assert client.get(f"/api/tables/{table}", params=reading).json()["algorithms"] == ["ant", "bee"]
    answer = client.post(f"/api/tables/{table}/comparisons", json={"reading": reading, "options": {"metric": "auc"}})
    assert answer.status_code == 201
    assert answer.json()["facts"]["metric"] == "auc"
    secret = tmp_path / "truth.csv"
    secret.write_text("id,label\ni0,1\ni1,0\n")
    refused = client.post(
        f"/api/tables/{table}/comparisons", json={"reading": {"truth": str(secret)}, "options": {"metric": "auc"}}
    )
    assert refused.status_code == 422
    assert "has no column" in refused.text
    wrong = client.post(f"/api/tables/{table}/comparisons", json={"reading": {"all_cases": str(secret)}})
    assert wrong.status_code == 422
