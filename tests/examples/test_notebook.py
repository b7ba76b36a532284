"""Results show themselves in notebooks: the example notebook runs, every kind of result renders, and names are escaped."""

import importlib
import json
import pkgutil
import re
from pathlib import Path

import nbclient
import nbformat
import pytest

import podium
import results_of
from podium.core.result import Result
from podium.report.documents import document
from podium.report.render_json import render_json
from report.schemas import check_schema
from results_of import EVIL

NOTEBOOK = Path(__file__).parents[2] / "examples" / "notebook" / "podium.ipynb"


def test_the_notebook_holds_no_outputs():
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert len(cells) >= 8
    assert all(cell.outputs == [] and cell.execution_count is None for cell in cells)


# jupyter_client and pyzmq speak of deprecations of their own.
@pytest.mark.filterwarnings("ignore")
def test_the_notebook_runs_and_its_results_show_themselves(tmp_path):
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    nbclient.NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(tmp_path)}}).execute()
    shown = [output.data for cell in notebook.cells for output in cell.get("outputs", []) if "data" in output]
    assert sum("text/html" in data for data in shown) >= 6
    assert any("image/svg+xml" in data for data in shown)
    assert any("C3 ranks first" in data.get("text/html", "") for data in shown)


@pytest.fixture(scope="module")
def results():
    return [result for room in results_of.ROOMS for result in getattr(results_of, room)()]


def test_every_result_renders_and_escapes_names(results):
    for result in results:
        assert isinstance(result, Result)
        html = result._repr_html_()
        assert html.startswith("<"), type(result).__name__
        assert EVIL not in html, type(result).__name__
        assert "<b>" not in html, type(result).__name__
        assert len(result.summary()) > 20


def test_every_kind_of_result_can_be_imported_from_its_room(results):
    for result in results:
        name, (_, room, *_) = type(result).__name__, type(result).__module__.split(".")
        assert getattr(importlib.import_module(f"podium.{room}"), name) is type(result)
    assert podium.Comparison is type(results[-1])


def test_the_json_of_every_kind_of_result_has_the_schema_that_podium_serves(results):
    for result in results:
        data = json.loads(render_json(document(result, drawn=False)))
        check_schema(data)
        assert result.to_dict()["schema"] == data["schema"]


def test_headers_in_a_notebook_are_worded(results):
    for result in results:
        heads = re.findall(r"<th [^>]*>(.*?)</th>", result._repr_html_())
        names = {name for name in result.to_frame().columns if "_" in str(name)}
        assert heads, type(result).__name__
        assert not names & set(heads), type(result).__name__


def test_the_sample_holds_nearly_every_kind_of_result(results):
    """New results join the sample; those that need a model to be trained or that stand in another are left out."""
    for module in pkgutil.walk_packages(podium.__path__, "podium."):
        if module.name.split(".")[1] in results_of.ROOMS:
            importlib.import_module(module.name)
    kinds, waiting = set(), [Result]
    while waiting:
        below = [kind for kind in waiting.pop().__subclasses__() if public(kind)]
        waiting += below
        kinds |= {kind for kind in below if not list(filter(public, kind.__subclasses__()))}
    kinds = {
        kind for kind in kinds if kind.__module__.split(".")[:2] in [["podium", room] for room in results_of.ROOMS]
    }
    left_out = {kind.__name__ for kind in kinds} - {type(result).__name__ for result in results}
    assert left_out == {
        "EmpiricalNullResult", "ClassBalancePlanResult", "SimulatedCriticalValueResult", "VerifyResult",
        "WinsResult",
    }  # fmt: skip


def public(kind):
    """Whether it is the class of that name (with slots, dataclass leaves a twin behind)."""
    return getattr(importlib.import_module(kind.__module__), kind.__name__, None) is kind
