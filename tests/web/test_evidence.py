"""What the page takes besides tables of datasets: runs of agents, and folders of logs of other tools."""

import html
import io
import json
import shlex
import zipfile

import numpy as np
import pytest
from typer.testing import CliRunner

import podium
from podium.cli.main import app
from podium.core.errors import DataError
from podium.report.documents import document
from podium.web.settings import Limits
from podium.web.uploads import MOST_FILES, checked_folder
from web.load import upload
from web.test_pages import problem, recipe


def runs_table():
    """Three agents on four games, five seeds each."""
    rng = np.random.default_rng(0)
    rows = [
        f"{agent},{game},{seed},{mean + rng.normal():.3f}"
        for agent, mean in (("dqn", 1.0), ("ppo", 4.0), ("sac", 4.2))
        for game in ("maze", "cart", "lake", "taxi")
        for seed in range(5)
    ]
    return "\n".join(["agent,game,seed,score", *rows]) + "\n"


def test_runs_are_recognised_and_reported_as_the_library_does(client, tmp_path):
    path = tmp_path / "runs.csv"
    path.write_text(runs_table())
    seen = upload(client, "runs.csv", path.read_bytes()).json()
    assert (seen["unit"], seen["question"], seen["algorithms"]) == ("run", None, ["dqn", "ppo", "sac"])
    assert "3 agents on 4 tasks" in seen["notes"][0]
    options = {"aggregate": "mean", "control": "dqn", "paired": False}
    answer = client.post(f"/api/tables/{seen['table']}/comparisons", json={"options": options})
    assert answer.status_code == 201, answer.text
    assert answer.json() == json.loads(json.dumps(document(podium.compare(path, **options)).data))
    page = client.get(answer.headers["location"])
    assert "Aggregates and profiles" in page.text
    words = shlex.split(recipe(page, "command"))
    assert words[1:-2] == ["compare", "runs.csv", "--aggregate", "mean", "--control", "dqn"]
    wrong = client.post(f"/tables/{seen['table']}/comparisons", data={"compare.test": "sign"})
    assert "“One row is” to 'dataset'" in problem(wrong)


def test_reference_scores_are_never_a_file_of_the_server(client, tmp_path):
    secret = tmp_path / "references.csv"
    secret.write_text("maze,0,1\n")
    table = upload(client, "runs.csv", runs_table().encode()).json()["table"]
    answer = client.post(f"/api/tables/{table}/comparisons", json={"options": {"normalise": str(secret)}})
    assert (answer.status_code, "`normalise`" in answer.json()["error"]) == (422, True)


def swe_bench(solved):
    """A report of SWE-bench's harness."""
    ids = [f"case-{i}" for i in range(40)]
    resolved = [name for i, name in enumerate(ids) if i % solved]
    report = {
        "total_instances": 40, "submitted_instances": 40, "completed_instances": 40, "resolved_instances": len(resolved),
        "unresolved_instances": 40 - len(resolved), "empty_patch_instances": 0, "error_instances": 0,
        "unstopped_instances": 0, "completed_ids": ids, "submitted_ids": ids, "resolved_ids": resolved,
        "unresolved_ids": [name for name in ids if name not in resolved], "incomplete_ids": [], "empty_patch_ids": [],
        "error_ids": [], "unstopped_containers": [], "unremoved_images": [], "schema_version": 2,
    }  # fmt: skip
    return json.dumps(report).encode()


FILES = {"acme__ant.run1.json": swe_bench(4), "acme__bee.run1.json": swe_bench(2), "README.md": b"# Logs"}


@pytest.mark.parametrize("folder", ["", "reports/", "reports/2026/"])
def test_logs_in_several_files_are_compared_as_in_a_folder(client, tmp_path, monkeypatch, folder):
    sent = [("file", (folder + name, content)) for name, content in FILES.items()]
    paths = "\n".join(folder + name for name in FILES) if folder else ""
    page = client.post("/tables", files=sent, data={"then": "compare", "paths": paths}, follow_redirects=True)
    assert page.status_code == 200, problem(page)
    said = html.unescape(page.text)
    assert "logs of SWE-bench: 2 files, 2 systems, 40 cases" in said
    assert "Left out, because they are not logs" in said
    made = client.post(f"{page.url}/comparisons", data={}, follow_redirects=True)
    assert made.status_code == 200, problem(made)
    kept = client.get(f"{page.url}/file")
    with zipfile.ZipFile(io.BytesIO(kept.content)) as archive:
        archive.extractall(tmp_path)
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(app, shlex.split(recipe(made, "command"))[1:], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    assert (tmp_path / "report.html").read_text(encoding="utf-8") == client.get(f"{made.url}/html").text


@pytest.mark.parametrize(
    "path",
    [
        "../x.json",
        "a/../../x.json",
        "/etc/x.json",
        "a//x.json",
        "a\\b.json",
        "a/\x00.json",
        "/".join("abcdefghi") + ".csv",
    ],
)
def test_paths_that_lead_elsewhere_are_refused(path):
    with pytest.raises(DataError, match="looks like a path"):
        checked_folder([(path, b"{}"), ("b.json", b"{}")], Limits())


@pytest.mark.parametrize(
    "files, sentence",
    [
        ([("a.db", b"SQLite format 3"), ("b.pkl", b"x")], "None of these files can be read"),
        ([("a.json", b"\x7fELF\x02"), ("b.json", b"{}")], "binary file"),
        ([("a.json", b"{}"), ("a.json", b"[]")], "two of the same name"),
        ([(f"{i}.json", b"{}") for i in range(MOST_FILES + 1)], f"more than {MOST_FILES} files"),
    ],
)
def test_folders_that_cannot_be_logs_are_refused(files, sentence):
    with pytest.raises(DataError, match=sentence):
        checked_folder(files, Limits())
