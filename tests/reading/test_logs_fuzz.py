"""Logs of evaluations, broken in every way: a sentence that names what is wrong, or an answer; never a traceback."""

import contextlib
import copy
import json
import tracemalloc
import zipfile
from pkgutil import resolve_name

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import podium
from podium.core.errors import PodiumError
from podium.reading.registry import LOGS
from reading import test_logs_apps as apps
from reading import test_logs_inspect as inspects
from reading import test_logs_lm_eval as lm_eval
from reading import test_logs_swe_bench as agents


def promptfoo(root):
    rows = [apps.outcome(c, i, c != "b", provider=f"p{i}") for i in range(2) for c in "abc"]
    apps.write_promptfoo(root / "r.json", rows)


def promptfoo_lines(root):
    rows = [apps.outcome(c, i, c != "b", provider=f"p{i}") for i in range(2) for c in "abc"]
    (root / "r.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")


def promptfoo_table(root):
    text = 'q,[a] {{q}},Status,Score,Metric: m,[b] {{q}},Status,Score,Metric: m\n1,x,PASS,1.00,1.00,"y, z",FAIL,0.00,\n2,x,ERROR,,,y,PASS,1,1\n'
    (root / "r.csv").write_text(text, encoding="utf-8")


def deepeval(root):
    for name in "ab":
        apps.write(root / f"{name}.json", {"testRunData": apps.run_of(name, (0.1, 0.9, 0.2))})


def helm(root):
    for model in "ab":
        apps.write_helm(root, model, [apps.instance(i, 1.0, trial=t) for i in range(2) for t in range(2)])


def swe_reports(root):
    for name, resolved in (("a.r1", [0, 1]), ("b.r1", [1])):
        agents.write(root / f"{name}.json", agents.report(resolved, unresolved=[2, 3], error=[4], infra_failure=[3]))
    old = {"no_generation": [agents.IDS[3]], "generated": agents.IDS[:3], "resolved": agents.IDS[:1]}
    agents.write(root / "c.json", old)


def swe_details(root):
    details = {name: {i: {"resolved": i == agents.IDS[0], "cost": 0.5} for i in agents.IDS[:3]} for name in "ab"}
    agents.write(root / "details.json", details)


def swe_boards(root):
    agents.boards(root)
    (root / "instances.txt").write_text("\n".join(agents.IDS), encoding="utf-8")


def tau(root):
    for name in "ab":
        agents.write(root / f"{name}.json", [agents.trial(t, i, 1.0) for t in (0, 1) for i in (0, 1)])


def inspect_json(root):
    inspects.two_models(root)


def inspect_archive(root):
    for model in "ab":
        about = {
            "summaries.json": [inspects.sample(i, "C") for i in range(3)],
            "header.json": inspects.header(model=model),
        }
        inspects.write_eval(root / f"{model}.eval", about)


def harness(root):
    for model in "ab":
        lm_eval.write_run(root, model, [lm_eval.row(i, acc=1.0) for i in range(3)])


MADE = (
    promptfoo, promptfoo_lines, promptfoo_table, deepeval, helm, swe_reports, swe_details, swe_boards, tau, inspect_json,
    inspect_archive, harness,
)  # fmt: skip


def first_of_each_kind(root):
    files = sorted(path for path in root.rglob("*") if path.is_file() and path.suffix != ".txt")
    return list(
        {(path.suffix, path.name.split("_")[0] if path.suffix == ".jsonl" else ""): path for path in files}.values()
    )


def tried(root):
    """Reading either works or refuses with a sentence on one line."""
    try:
        podium.read(root)
    except PodiumError as error:
        said = str(error)
        assert said.endswith((".", "?", ")"))
        assert "\n" not in said


@pytest.mark.parametrize("make", MADE)
def test_what_was_made_can_be_read(tmp_path, make):
    make(tmp_path)
    assert podium.read(tmp_path).n_algorithms >= 2


@pytest.mark.parametrize("make", MADE)
def test_files_cut_off_anywhere(tmp_path, make):
    make(tmp_path)
    for path in first_of_each_kind(tmp_path):
        whole = path.read_bytes()
        for cut in sorted({len(whole) * i // 100 for i in range(100)}):
            path.write_bytes(whole[:cut])
            tried(tmp_path)
        path.write_bytes(whole)


SWAPS = (None, [], {}, "text", -1, [[]], {"a": 1}, True, 1e308, "nan", [None], "\u2028\x1b[31m", "x" * 400, 10**30)


def places(value, here=()):
    """The places of everything inside a value."""
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in members:
        yield (*here, key)
        yield from places(inner, (*here, key))


def swapped(value, place, swap):
    made = copy.deepcopy(value)
    inner = made
    for key in place[:-1]:
        inner = inner[key]
    inner[place[-1]] = swap
    return made


@pytest.mark.parametrize(
    "make", [one for one in MADE if one not in (promptfoo_lines, promptfoo_table, inspect_archive)]
)
def test_parts_of_another_kind(tmp_path, make):
    """Every member of a JSON file in turn is null, a list, a text, a huge number or a text that would break a line."""
    make(tmp_path)
    for path in first_of_each_kind(tmp_path):
        if path.suffix != ".json":
            continue
        whole = json.loads(path.read_text(encoding="utf-8"))
        everywhere = list(places(whole))
        for at, place in enumerate(everywhere[:: max(1, len(everywhere) // 60)]):
            for swap in (SWAPS[at % len(SWAPS)], SWAPS[(at + 5) % len(SWAPS)]):
                path.write_text(json.dumps(swapped(whole, place, swap)), encoding="utf-8")
                tried(tmp_path)
        path.write_text(json.dumps(whole), encoding="utf-8")


@pytest.mark.parametrize("make", [harness, promptfoo_lines])
def test_lines_with_parts_of_another_kind(tmp_path, make):
    make(tmp_path)
    path = next(path for path in first_of_each_kind(tmp_path) if path.suffix == ".jsonl")
    lines = path.read_text(encoding="utf-8").splitlines()
    row = json.loads(lines[1])
    for at, place in enumerate(places(row)):
        lines[1] = json.dumps(swapped(row, place, SWAPS[at % len(SWAPS)]))
        path.write_text("\n".join(lines), encoding="utf-8")
        tried(tmp_path)


@pytest.mark.parametrize("make", MADE)
@settings(max_examples=8, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(data=st.data())
def test_bytes_changed(tmp_path, make, data):
    if not any(tmp_path.iterdir()):
        make(tmp_path)
    path = data.draw(st.sampled_from(first_of_each_kind(tmp_path)))
    whole = path.read_bytes()
    at = data.draw(st.integers(0, len(whole) - 1))
    piece = data.draw(
        st.sampled_from([b"\x00", b'"', b"{", b"]", b",", b"\n", b"NaN", b"1e999", b"\xff\xfe", b"\\", b"null"])
    )
    path.write_bytes(whole[:at] + piece + whole[at + len(piece) :])
    try:
        tried(tmp_path)
    finally:
        path.write_bytes(whole)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                """results versions config configs eval status version samples scores resolved resolved_ids no_generation task_id
                reward trial traj info simulations testCases metricsData testRunData instance_id stats train_trial_index vars
                success provider prompt doc_id doc resps filter metrics model task header hyperparameters""".split()
            ),
            inner,
            max_size=6,
        )
    ),
    max_leaves=12,
)


@given(value=JSON)
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_any_json_with_the_words_of_logs(tmp_path, value):
    (tmp_path / "x.json").write_text(json.dumps(value), encoding="utf-8")
    tried(tmp_path)


@pytest.mark.parametrize("name", LOGS)
@given(head=st.binary(max_size=300))
@settings(max_examples=8, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_random_bytes_are_no_log_or_refused(tmp_path, name, head):
    path = tmp_path / "x.bin"
    path.write_bytes(head)
    with contextlib.suppress(PodiumError):
        assert resolve_name(LOGS[name].content)(path, head) in (True, False)


def test_names_in_an_archive_are_never_written_to(tmp_path):
    inspect_archive(tmp_path)
    with zipfile.ZipFile(tmp_path / "a.eval", "a") as archive:
        archive.writestr("../../escape.json", "{}")
        archive.writestr("/tmp/escape-podium.json", "{}")
        archive.writestr("samples/../../../x_epoch_1.json", "[")
    before = {path for path in tmp_path.parent.rglob("*") if path.is_file()}
    assert podium.read(tmp_path).n_cases == 3
    assert {path for path in tmp_path.parent.rglob("*") if path.is_file()} == before


def test_memory_does_not_grow_with_the_texts(tmp_path):
    """30 MB of documents leave less than a tenth of that behind while they are read."""
    filler = "x" * 100_000
    for model in "ab":
        rows = [{**lm_eval.row(i, acc=1.0), "doc": {"text": filler}, "resps": [[filler]]} for i in range(75)]
        lm_eval.write_run(tmp_path, model, rows)
    podium.read(tmp_path)
    tracemalloc.start()
    podium.read(tmp_path)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 3e6
