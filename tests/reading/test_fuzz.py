"""Whatever bytes or tables come in, only Podium's own errors come out."""

import contextlib
import json

import pandas as pd
from hypothesis import given, settings
from hypothesis import strategies as st

import podium
from podium.core.errors import PodiumError

ENDINGS = st.sampled_from([".csv", ".tsv", ".txt", ".json", ".xlsx", ".parquet", ""])
CELLS = st.one_of(
    st.floats(allow_nan=True, allow_infinity=True).map(str),
    st.integers(-5, 5).map(str),
    st.sampled_from(
        ["", "NA", "?", "--", "iris", "svm", "68.4(7.1)", "68.4 ± 7.1", "0.84 (1)", "0,84", "84%", "Average", "inf"]
    ),
    st.text(max_size=8),
)
HEADERS = st.one_of(
    st.sampled_from(
        """algorithm dataset fold repeat seed metric value accuracy error time family message status direction
        test_fraction svm Average 0 1 2""".split()
    ),
    st.text(max_size=8),
)
OPTIONS = st.fixed_dictionaries(
    {},
    optional={
        "layout": st.sampled_from(["auto", "wide", "long"]),
        "rows": st.sampled_from(["auto", "datasets", "algorithms"]),
        "metric": st.sampled_from(["accuracy", "error", "x"]),
        "direction": st.sampled_from(["higher", "lower"]),
        "summaries": st.sampled_from(["ask", "drop", "keep"]),
        "separator": st.sampled_from([",", ";"]),
        **dict.fromkeys(
            ["decimal_comma", "thousands", "percent", "mean_sd", "footnotes", "text_as_missing"], st.booleans()
        ),
    },
)
TABLES = st.integers(1, 5).flatmap(
    lambda width: st.tuples(
        st.lists(HEADERS, min_size=width, max_size=width),
        st.lists(st.lists(CELLS, min_size=width, max_size=width), max_size=6),
    )
)


def read_all(source, options):
    """Read, and look at every metric as the command line would."""
    with contextlib.suppress(PodiumError):
        results = podium.read(source, **options)
        assert results.notes
        for name in getattr(results, "metrics", ()):  # outcomes of cases have one
            podium.evidence.overview(results.scores(name)).to_dict()


@given(content=st.binary(max_size=400), ending=ENDINGS, options=OPTIONS)
@settings(max_examples=100)
def test_random_bytes(tmp_path_factory, content, ending, options):
    path = tmp_path_factory.mktemp("fuzz") / f"accuracy{ending}"
    path.write_bytes(content)
    read_all(path, options)


@given(content=st.text(max_size=200), options=OPTIONS)
@settings(max_examples=100)
def test_random_text(tmp_path_factory, content, options):
    path = tmp_path_factory.mktemp("fuzz") / "accuracy.csv"
    path.write_text(content, encoding="utf-8", errors="replace")
    read_all(path, options)


@given(table=TABLES, options=OPTIONS, separator=st.sampled_from([",", ";", "\t"]))
@settings(max_examples=150)
def test_random_tables_as_files(tmp_path_factory, table, options, separator):
    header, rows = table
    path = tmp_path_factory.mktemp("fuzz") / "accuracy.csv"
    lines = [separator.join(line) for line in [header, *rows]]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8", errors="replace")
    read_all(path, options)


@given(table=TABLES, options=OPTIONS)
@settings(max_examples=100)
def test_random_tables_as_frames(table, options):
    header, rows = table
    read_all(pd.DataFrame(rows, columns=header), options)


JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5) | HEADERS, inner, max_size=4),
    max_leaves=12,
)


@given(value=JSON, options=OPTIONS)
@settings(max_examples=100)
def test_random_json(tmp_path_factory, value, options):
    path = tmp_path_factory.mktemp("fuzz") / "accuracy.json"
    path.write_text(json.dumps(value), encoding="utf-8")
    read_all(path, options)


CV_KEYS = st.sampled_from(["test_score", "fit_time", "score_time", "test_accuracy", "train_score", "estimator"])
CV = st.dictionaries(CV_KEYS, st.lists(st.floats(), max_size=4) | st.none() | st.text(max_size=3), max_size=4)


@given(
    value=st.dictionaries(
        st.text(max_size=4) | st.integers(),
        CV | st.dictionaries(st.text(max_size=4), CV, max_size=3) | st.lists(st.floats(), max_size=4) | st.none(),
        max_size=3,
    ),
    options=OPTIONS,
)
@settings(max_examples=100)
def test_random_cross_validation(value, options):
    read_all(value, options)
