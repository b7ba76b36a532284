"""Every reading of the corpus is what it must be: the truth, or the question that settles it."""

import math
from pathlib import Path

import pytest

import podium
from reading.corpus import CASES, SHARED, Asks
from report.golden import check_golden

# Asked about although it could be read: better than a wrong table, and not yet right.
PENDING: set[str] = set()


def split(names):
    return tuple(names.split("|" if "|" in names else None))


@pytest.mark.parametrize("case", [pytest.param(case, id=case.name) for case in CASES])
def test_reading(tmp_path, case):
    path = tmp_path / case.file
    path.write_bytes(case.text.encode())
    if isinstance(case.expected, Asks):
        with pytest.raises(podium.PodiumError) as asked:
            podium.read(path, **case.options)
        missing = [word for word in case.expected.words if word not in str(asked.value)]
        assert not missing, str(asked.value)
        return
    try:
        scores = podium.read(path, **case.options).scores(case.expected.metric)
    except podium.PodiumError as error:
        if case.name in PENDING:
            pytest.xfail(str(error))
        raise
    assert case.name not in PENDING
    assert scores.datasets == split(case.expected.datasets)
    assert scores.algorithms == split(case.expected.algorithms)
    assert scores.design.n_scores == case.expected.scores
    table = scores.table()
    for names, value in case.expected.values.items():
        dataset, algorithm = split(names)
        found = table.values[table.datasets.index(dataset), table.algorithms.index(algorithm)]
        assert math.isclose(found, value, rel_tol=1e-9) or (math.isnan(found) and math.isnan(value)), names


def test_units_and_roles(tmp_path):
    """What one row is and what every column was taken for, of every case that is read: one golden file to be read."""
    lines = []
    for case in CASES:
        if isinstance(case.expected, Asks):
            continue
        path = tmp_path / case.file
        path.write_bytes(case.text.encode())
        results = podium.read(path, **case.options)
        reading, scores = results.reading, results.scores(case.expected.metric)
        one = len(scores.datasets) == 1 and scores.design.n_scores > 1
        assert reading.unit == ("fold" if one else "dataset"), case.name
        assert reading.n_units == (scores.design.n_scores if one else len(results.datasets)), case.name
        roles = "; ".join(f"{column.name}: {column.role}" for column in reading.columns)
        lines.append(f"{case.name}\n  {reading.row}; {reading.n_units} x {reading.unit}\n  {roles}")
    check_golden("readings.txt", "\n".join(lines) + "\n")


def shared_folder():
    """The published cases, where they are kept beside the project."""
    above = Path(__file__).resolve().parents
    return next((folder / "shared" for folder in above if (folder / "shared" / "cases").is_dir()), None)


@pytest.mark.parametrize("name, options, expected", [pytest.param(*case, id=f"{case[0]} {case[1]}") for case in SHARED])
def test_published_cases(name, options, expected):
    folder = shared_folder()
    if folder is None or not (folder / name).exists():
        pytest.skip("The published cases are kept beside the project; there is no folder `shared` here.")
    if not isinstance(expected[-1], int):
        with pytest.raises(podium.PodiumError) as asked:
            podium.read(folder / name, **options)
        assert all(word in str(asked.value) for word in expected), str(asked.value)
        return
    metric, *shape = expected
    scores = podium.read(folder / name, **options).scores(metric)
    assert [len(scores.datasets), len(scores.algorithms), len(scores.repeats), len(scores.folds)] == shape
