"""The door: a real shape of file is read right, or refused with the question that settles it."""

import io
from typing import ClassVar

import numpy as np
import pandas as pd
import pytest

import podium
from podium.core.errors import ArgumentError, DataError
from refusals import refuses

RNG = np.random.default_rng(0)


def read(text, **options):
    return podium.read(pd.read_csv(io.StringIO(text)), **options)


def table(header, rows):
    return pd.DataFrame(list(rows), columns=header.split(","))


def one_dataset(repeats=10, folds=10):
    """10 x 10 folds of one dataset, algorithms in columns."""
    numbers = [(r, f) for r in range(1, repeats + 1) for f in range(1, folds + 1)]
    return table("repeat,fold,nb,j48", [(r, f, *np.round(RNG.uniform(0.7, 0.9, 2), 4)) for r, f in numbers])


class TestDirection:
    def frame(self):
        rows = [(f"d{i}", *np.sort(RNG.uniform(0, 1, 3))) for i in range(12)]
        return table("dataset,good,middle,bad", rows)  # the first has the least error everywhere

    def test_a_frame_with_a_metric_takes_its_direction(self):
        found = podium.compare(self.frame(), metric="error")
        assert found.ranking[0].algorithm == "good"
        assert podium.compare(self.frame(), metric="accuracy").ranking[0].algorithm == "bad"

    def test_a_frame_without_metric_and_direction_is_asked(self):
        with refuses(DataError, "metric", "direction"):
            podium.compare(self.frame())
        with refuses(DataError, "direction"):
            podium.compare(self.frame(), metric="penalty")

    def test_direction_settles_it(self):
        assert podium.compare(self.frame(), direction="lower").ranking[0].algorithm == "good"
        assert podium.compare(self.frame(), direction="higher").ranking[0].algorithm == "bad"


class TestAlgorithmsInColumns:
    def test_a_column_of_whole_numbers_is_the_dataset(self):
        rows = [(db, r, f, *RNG.uniform(0.5, 1, 2)) for db in range(1, 6) for r in range(2) for f in range(5)]
        results = podium.read(table("DB,Rep,Fold,AlgA,AlgB", rows), metric="accuracy")
        assert results.algorithms == ("AlgA", "AlgB")
        assert results.scores().values.shape == (5, 2, 2, 5)

    def test_whole_numbers_of_another_name_are_asked_about(self):
        rows = [(f"d{i}", 3 + i % 4, *RNG.uniform(0.5, 1, 2)) for i in range(8)]
        with refuses(DataError, "ignore_column", "keep_column", column="setup"):
            podium.read(table("dataset,setup,AlgA,AlgB", rows), metric="score", direction="higher")
        kept = podium.read(table("dataset,setup,AlgA,AlgB", rows), metric="s", direction="higher", keep_column="setup")
        assert kept.algorithms == ("setup", "AlgA", "AlgB")

    def test_one_dataset_with_repeats_and_folds(self):
        results = podium.read(one_dataset(), metric="accuracy")
        assert len(results.datasets) == 1
        assert results.scores().values.shape == (1, 2, 10, 10)
        assert (results.reading.unit, results.reading.n_units) == ("fold", 100)
        assert results.reading.row == "one fold of one dataset"

    def test_naming_the_columns_gives_the_same(self):
        frame = one_dataset().rename(columns={"repeat": "i", "fold": "k"})
        results = podium.read(frame, metric="accuracy", repeat_column="i", fold_column="k")
        assert results.scores().values.shape == (1, 2, 10, 10)

    @pytest.mark.parametrize(
        "name",
        [
            "Size",
            "Radius",
            "time_training_seconds",
            "n_instances",
            "fit_time",
            "svm_std",
            "job_id",
            "n_wins",
            "accuracy",
        ],
    )
    def test_a_column_that_is_named_for_something_else(self, name):
        rows = [(f"d{i}", *RNG.uniform(0.5, 1, 3)) for i in range(8)]
        frame = table(f"dataset,a,b,{name}", rows)
        with pytest.raises(DataError, match=f"Column '{name}'.*is it an algorithm.*`keep_column`"):
            podium.read(frame, metric="accuracy")
        assert podium.read(frame, metric="accuracy", ignore_column=name).algorithms == ("a", "b")

    def test_a_column_that_is_the_same_within_each_dataset(self):
        rows = [(f"d{i}", f, *RNG.uniform(0.5, 1, 2), 0.1 + i / 7) for i in range(5) for f in range(3)]
        with refuses(DataError, "ignore_column", "keep_column"):
            podium.read(table("dataset,fold,a,b,skew", rows), metric="accuracy")

    def test_a_column_that_is_the_mean_of_the_others(self):
        scores = RNG.uniform(0.5, 1, (6, 3)).round(3)
        rows = [(f"d{i}", *row, round(row.mean(), 3)) for i, row in enumerate(scores)]
        with refuses(DataError, "ignore_column", "keep_column"):
            podium.read(table("dataset,a,b,c,together", rows), metric="accuracy")

    def test_a_column_on_another_scale(self):
        rows = [(f"d{i}", *RNG.uniform(0.5, 1, 2), 1000.5 + i) for i in range(6)]
        with refuses(DataError, "ignore_column", "keep_column"):
            podium.read(table("dataset,a,b,thing", rows), direction="lower")

    def test_a_column_of_text_among_the_scores_is_not_dropped(self):
        with refuses(DataError, "ignore_column", "text_as_missing"):
            read("dataset,b,A\nx,0.5,bad\ny,0.6,worse\n", metric="accuracy")

    def test_algorithms_with_the_metric_in_their_names(self):
        rows = [(f"d{i}", *RNG.uniform(0.5, 1, 2)) for i in range(6)]
        frame = table("dataset,svm_accuracy,knn_accuracy", rows)
        with refuses(DataError, "layout", "metric", "direction"):
            podium.read(frame)
        assert podium.read(frame, layout="wide", metric="accuracy").algorithms == ("svm_accuracy", "knn_accuracy")
        assert len(podium.read(frame, layout="long").metrics) == 2

    def test_algorithms_of_the_time_series_people_are_no_times(self):
        rows = [(f"d{i}", *RNG.uniform(0.5, 1, 3)) for i in range(6)]
        assert (
            len(podium.read(table("dataset,InceptionTime,H-InceptionTime,MR", rows), metric="accuracy").algorithms) == 3
        )


# The shape of AMLB's results.csv: two constraints, a seed for every job.
def amlb():
    rows = [
        (task, framework, constraint, fold, seed, RNG.uniform(0.6, 0.9))
        for seed, (task, framework, constraint, fold) in enumerate(
            (t, f, c, k) for t in ("adult", "car") for f in ("a", "b") for c in ("1h8c", "4h8c") for k in range(10)
        )
    ]
    return table("task,framework,constraint,fold,seed,auc", rows)


class TestSettings:
    def test_a_constraint_is_not_pooled_and_seeds_of_jobs_are_no_repeats(self):
        with pytest.raises(DataError) as error:
            podium.read(amlb())
        said = str(error.value)
        assert "they differ in 'constraint' ('1h8c', '4h8c')" in said
        for cure in ("`algorithm_column` 'framework+constraint'", "`dataset_column` 'task+constraint'", "`where`"):
            assert cure in said

    def test_the_cures(self):
        joined = podium.read(amlb(), algorithm_column="framework+constraint")
        assert joined.algorithms == ("a / 1h8c", "a / 4h8c", "b / 1h8c", "b / 4h8c")
        assert joined.scores().values.shape == (2, 4, 1, 10)
        assert podium.read(amlb(), dataset_column=["task", "constraint"]).scores().values.shape == (4, 2, 1, 10)
        one = amlb().query("constraint == '4h8c'")
        assert podium.read(one).scores().values.shape == (2, 2, 1, 10)  # seeds are left out: nothing needs them

    def test_rows_that_agree_but_differ_in_a_setting_are_not_merged(self):
        with refuses(DataError, "algorithm_column", "dataset_column", "where"):
            read("algorithm,dataset,constraint,auc\na,x,1h,0.5\na,x,4h,0.5\nb,x,1h,0.6\nb,x,4h,0.7\n")
        results = read("algorithm,dataset,note,auc\na,x,p,0.5\na,x,p,0.5\nb,x,q,0.6\n")
        assert results.reading.merged == 1

    @pytest.mark.parametrize("setting, values", [("featureSelection", ["none", "pca"]), ("Dimension", [2, 10])])
    def test_a_setting_is_no_repeat(self, setting, values):
        rows = [(a, d, v, RNG.uniform()) for a in "ab" for d in "xyz" for v in values]
        frame = table(f"algorithm,dataset,{setting},accuracy", rows)
        with pytest.raises(DataError, match=f"Say what '{setting}' is") as error:
            podium.read(frame)
        assert "repeat_column" not in str(error.value)
        with refuses(DataError, "algorithm_column", "dataset_column", "where"):
            podium.read(frame, repeat_column=setting)

    def test_train_and_test_are_no_folds(self):
        with refuses(DataError, "algorithm_column", "dataset_column", "where"):
            read("model,dataset,split,accuracy\na,x,train,1\na,x,test,0.5\nb,x,train,1\nb,x,test,0.6\n")

    def test_epochs_are_no_repeats(self):
        with refuses(DataError, "where", "ignore_column"):
            read("model,dataset,epoch,accuracy\na,x,1,0.1\na,x,2,0.5\nb,x,1,0.2\nb,x,2,0.6\n")

    def test_folds_that_are_datasets(self):
        rows = [(f"s{i}", f"db{i:02d}", "ab"[j], RNG.uniform()) for i in range(40) for j in range(2)]
        frame = table("series,db,algorithm,accuracy", rows)
        with refuses(DataError, "fold_column"):
            podium.read(frame, dataset_column="series", fold_column="db")

    def test_two_columns_that_could_name_the_algorithm(self):
        text = "model,method,dataset,accuracy\nm1,a,x,1\nm1,b,x,0.5\nm2,a,x,0.5\nm2,b,x,0.6\n"
        with refuses(DataError, "algorithm_column", "where"):
            read(text)
        assert len(read(text, algorithm_column="model+method").algorithms) == 4

    def test_the_finer_of_two_columns_names_the_dataset(self):
        results = read(
            "benchmark,task,model,accuracy\nglue,cola,a,1\nglue,sst,a,0.5\nglue,cola,b,0.5\nglue,sst,b,0.6\n"
        )
        assert results.datasets == ("cola", "sst")


class TestUnnumberedFolds:
    TEXT = "model,dataset,accuracy\n" + "".join(
        f"{a},{d},{(i + ord(a) + ord(d)) % 7 / 10}\n" for a in "ab" for d in "xy" for i in range(5)
    )

    def test_offered_with_how_many_each_has(self):
        with refuses(DataError, "number_folds", "fold_column", "repeat_column"):
            read(self.TEXT)

    def test_numbered_on_request(self):
        results = read(self.TEXT, number_folds=True)
        assert results.scores().values.shape == (2, 2, 1, 5)
        assert any("numbered in the order of the rows: 5" in note for note in results.notes)


class TestCases:
    @pytest.mark.parametrize("label", ["y_true", "label", "Target"])
    def test_predictions_are_no_datasets(self, label):
        frame = pd.DataFrame({label: RNG.integers(0, 2, 200), "a": RNG.random(200), "b": RNG.random(200)})
        with refuses(DataError, "unit", "truth", row="case") as error:
            podium.read(frame, metric="accuracy")
        assert error.value.fields["row"] == "case"

    def test_zeros_and_ones_are_cases(self):
        frame = pd.DataFrame({"a": RNG.integers(0, 2, 50), "b": RNG.integers(0, 2, 50)})
        with refuses(DataError, "unit", "truth"):
            podium.read(frame, metric="accuracy")

    def test_a_column_of_cases_in_a_long_table(self):
        text = "task,algorithm,value,case\nt,a,0.5,1\nt,a,0.6,2\nt,b,0.5,1\nt,b,0.7,2\n"
        found = read(text, direction="higher")
        assert (found.cases, found.benchmarks) == (("t/1", "t/2"), ("t", "t"))


class TestManyFolds:
    def frame(self):
        return table("dataset,fold,a,b", [("x", f, *RNG.uniform(0.5, 1, 2)) for f in range(1, 101)])

    def test_a_hundred_folds_are_asked_about(self):
        with refuses(DataError, "repeats", "test_fraction"):
            podium.read(self.frame(), metric="accuracy")

    def test_repeats_cut_them(self):
        scores = podium.read(self.frame(), metric="accuracy", repeats=10).scores()
        assert (scores.design.repeats, scores.design.folds, scores.design.rho) == (10, 10, 0.1)
        assert podium.read(self.frame(), metric="accuracy", repeats=1).scores().design.folds == 100

    def test_cross_validate_too(self):
        scores = {"a": RNG.random(100), "b": RNG.random(100)}
        cv = {name: {"test_score": values, "fit_time": values} for name, values in scores.items()}
        with refuses(DataError, "repeats", "test_fraction"):
            podium.read(cv, metric="accuracy")
        assert podium.read(cv, metric="accuracy", repeats=10).scores("accuracy").design.rho == 0.1


class TestLists:
    LISTS: ClassVar = {"a": list(RNG.random(12)), "b": list(RNG.random(12))}

    def test_lists_are_datasets_or_folds_which_is_asked(self):
        with refuses(DataError, "rows", "dataset_column", "repeats"):
            podium.read(self.LISTS, metric="accuracy")

    def test_said(self):
        assert podium.read(self.LISTS, metric="accuracy", rows="datasets").scores().values.shape == (12, 2, 1, 1)
        folds = podium.read(self.LISTS, metric="accuracy", rows="folds", repeats=1)
        assert folds.scores().values.shape == (1, 2, 1, 12)

    def test_rows_of_an_array_are_datasets_unless_there_are_as_many_as_usual_folds(self):
        array = np.column_stack([self.LISTS["a"], self.LISTS["b"]])
        read = podium.read(array, metric="accuracy")
        assert read.algorithms == ("algorithm 1", "algorithm 2")
        assert read.scores().values.shape == (12, 2, 1, 1)
        assert any("`rows`" in note for note in read.notes)
        with refuses(DataError, "rows", "dataset_column"):
            podium.read(array[:10], metric="accuracy")


class TestRanges:
    def test_values_that_a_metric_cannot_have(self):
        with refuses(DataError, "ignore_column", "metric", "direction"):
            read("dataset,a,b\nx,1,2\ny,812,3\n", metric="accuracy")
        with refuses(DataError, "ignore_column", "metric", "direction"):
            read("dataset,a,b\nx,-1,2\ny,5,3\n", metric="rmse")

    def test_one_algorithm_in_percent(self):
        with refuses(DataError, "percent"):
            read("dataset,a,b\nx,0.7,72.1\ny,0.8,83.5\nz,0.9,91.2\n", metric="accuracy")


SHARES = [("x", 0.72, 0.70, 0.68, 0.71), ("y", 0.93, 0.91, 0.95, 0.90), ("z", 0.61, 0.66, 0.64, 0.60)]
PERCENTS = [(name, *(round(100 * score, 1) for score in scores)) for name, *scores in SHARES]
ERRORS = [("x", 0.3, 0.4, 0.2, 0.5), ("y", 4.1, 2.2, 3.5, 1.4), ("z", 0.8, 12.0, 35.5, 99.2)]  # in percent


class TestScales:
    """Percents among shares."""

    @staticmethod
    def with_cell(rows, row, column, value):
        changed = [list(cells) for cells in rows]
        changed[row][column] = value
        return table("dataset,a,b,c,d", changed)

    @pytest.mark.parametrize("metric", ["accuracy", "auc", "f1", "error_rate", "kappa"])
    def test_one_percent_among_shares(self, metric):
        frame = self.with_cell(SHARES, 1, 2, 91.0)
        with pytest.raises(DataError, match=f"'b' has {metric} = 91 on 'y', and most other scores lie between 0 and 1"):
            podium.read(frame, metric=metric)

    def test_one_share_among_percents(self):
        frame = self.with_cell(PERCENTS, 2, 3, 0.64)
        with refuses(DataError, "percent"):
            podium.read(frame, metric="accuracy")
        assert podium.read(frame, metric="accuracy", percent=True).frame["value"].min() == 0.64

    def test_some_rows_in_percent(self):
        frame = table("dataset,a,b,c,d", [SHARES[0], *PERCENTS[1:]])
        with refuses(DataError, "percent"):
            podium.read(frame, metric="accuracy")

    def test_no_gap_in_the_table_and_one_in_the_row(self):
        rows = [*ERRORS, ("w", 25.0, 27.5, 0.26, 24.0)]
        with pytest.raises(
            DataError, match=r"'c' has error_rate = 0\.26 on 'w', and the others have 24 to 27\.5 there"
        ):
            podium.read(table("dataset,a,b,c,d", rows), metric="error_rate")

    @pytest.mark.parametrize("direction", ["higher", "lower"])
    def test_one_algorithm_a_hundredfold_of_a_metric_of_unknown_range(self, direction):
        rows = [(name, *scores[:3], 100 * scores[3]) for name, *scores in SHARES]
        with refuses(DataError, "percent"):
            podium.read(table("dataset,a,b,c,d", rows), direction=direction)
        assert podium.read(table("dataset,a,b,c,d", rows), direction=direction, percent=True)

    @pytest.mark.parametrize(
        "rows, metric",
        [
            (ERRORS, "error_rate"),  # small percentages
            (SHARES, "accuracy"),
            (PERCENTS, "accuracy"),
            ([*PERCENTS, ("w", 0.0, 0.0, 0.0, 3.1)], "accuracy"),  # nothing is nothing on both scales
            ([*SHARES, ("w", -7.1, 0.2, -31.5, 0.1)], "r2"),
            ([("x", 0.5, 55.1, 0.6, 0.7), *SHARES[1:]], "rmse"),  # one that diverged
            ([("x", 0.4, 1.2, 0.9, 3.1), ("y", 0.0, 14.5, 33.1, 2.5)], "pass_rate"),  # a hard benchmark
        ],
    )
    def test_what_is_on_one_scale_is_read(self, rows, metric):
        assert len(podium.read(table("dataset,a,b,c,d", rows), metric=metric).frame) == 4 * len(rows)


class TestTheReading:
    def test_every_column_has_a_role_and_a_reason(self):
        reading = podium.read(amlb().query("constraint == '4h8c'")).reading
        roles = {column.name: (column.role, column.why) for column in reading.columns}
        assert roles == {
            "": ("left out", "nothing needs it"),
            "task": ("dataset", "its name says so"),
            "framework": ("algorithm", "its name says so"),
            "constraint": ("left out", "nothing needs it"),
            "fold": ("fold", "its name says so"),
            "seed": ("left out", "its numbers are not shared: a cell has 10 of 40"),
            "auc": ("score", "its name says so"),
        }
        assert (reading.layout, reading.unit, reading.n_units) == ("long", "dataset", 2)
        assert reading.row == "one algorithm on one fold of a dataset"
        assert list(reading.to_frame().columns) == ["name", "role", "why"]

    def test_what_an_option_says_is_said(self):
        reading = read("who,where,acc\na,x,1\nb,x,0\n", algorithm_column="who", dataset_column="where").reading
        assert {column.name: column.why for column in reading.columns} == {
            "who": "an option says so",
            "where": "an option says so",
            "acc": "its name says so",
        }

    def test_a_column_that_is_named_twice_is_refused(self):
        with pytest.raises(ArgumentError, match="two roles"):
            read("a,b,acc\nx,y,1\n", algorithm_column="a", dataset_column="a")


class TestWordsOfOthers:
    @pytest.mark.parametrize(
        "given, meant",
        [
            ({"baseline": "C1"}, "`control`"),
            ({"posthoc": "nemenyi"}, "`test`"),
            ({"correction": "fdr_bh"}, "'benjamini_hochberg'"),
            ({"test": "ttest"}, "'paired_t'"),
            ({"higher_is_better": True}, "`direction`"),
        ],
    )
    def test_compare_says_what_is_meant(self, given, meant):
        with pytest.raises(ArgumentError, match=f"did you mean {meant}"):
            podium.compare(podium.example("benavoli2016"), **given)

    def test_other_functions_too(self):
        with refuses(ArgumentError, "zero_method"):
            podium.stats.wilcoxon([1.0, 2.0], [2.0, 4.0], zero_method="pratt")
        with refuses(ArgumentError, "query"):
            podium.read("scores.csv", query="a == 1")

    def test_every_verb_takes_results_and_dicts(self):
        results = podium.example("benavoli2016")
        assert podium.stats.friedman(results).pvalue == podium.stats.friedman(results.scores()).pvalue
        columns = {"a": [0.9, 0.8, 0.7, 0.6], "b": [0.8, 0.7, 0.65, 0.5], "c": [0.5, 0.4, 0.3, 0.35]}
        assert podium.stats.friedman(columns).pvalue == podium.stats.friedman(pd.DataFrame(columns)).pvalue
        assert podium.compare(columns, rows="datasets", direction="higher").ranking[0].algorithm == "a"
        least = podium.bayes.all_pairs(pd.DataFrame(columns), model="sign", direction="lower", rng=0)
        most = podium.bayes.all_pairs(pd.DataFrame(columns), model="sign", rng=0)
        assert least.p_left[0] == pytest.approx(most.p_right[0], abs=1e-9)
