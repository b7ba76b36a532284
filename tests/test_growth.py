"""How work grows with the data, counted in operations and sizes: no clock is asked."""

import numpy as np

import podium
from podium.core.metric import Metric
from podium.evidence.scores import Scores


class Counted(str):
    """A name that counts how often it is compared with another."""

    __slots__ = ()
    times = 0

    def __eq__(self, other):
        Counted.times += 1
        return str.__eq__(self, other)

    __hash__ = str.__hash__


def test_the_names_of_datasets_are_not_searched_for_one_by_one():
    n = 400
    names = tuple(Counted(f"dataset {i}") for i in range(n))
    values = np.random.default_rng(0).normal(size=(n, 2, 1, 3)).round(3)
    values[::3, 0, 0, 0] = np.nan  # cells that lack a fold are named too
    Counted.times = 0

    podium.compare(
        Scores(
            values=values,
            datasets=names,
            algorithms=("a", "b"),
            metric=Metric(name="gain", direction="higher"),
            folds=(0, 1, 2),
        )
    )

    assert Counted.times < 20 * n


def test_a_name_is_looked_at_once_however_many_rows_have_it(tmp_path):
    from podium.core import names

    rows = [f"q{i},{model},{i % 2}" for i in range(500) for model in ("svm", "knn", "rf")]
    path = tmp_path / "cases.csv"
    path.write_text("\n".join(["item,model,correct", *rows]), encoding="utf-8")
    names._cleaned.cache_clear()

    podium.read(path)

    assert names._cleaned.cache_info().misses < 600  # 500 items, 3 models, a few headers; there are 1,500 rows


def test_cells_are_told_apart_whatever_their_codes():
    from podium.evidence.merging import combined

    rng = np.random.default_rng(0)
    far = rng.choice([-(2**60), 0, 7, 2**60], 200)
    codes = [rng.integers(-1, 5, 200), far, rng.integers(0, 3, 200), far[::-1].copy(), far + 1]
    expected: dict[tuple[int, ...], int] = {}
    rows = [expected.setdefault(key, len(expected)) for key in zip(*(one.tolist() for one in codes), strict=True)]
    assert combined(codes).tolist() == rows
