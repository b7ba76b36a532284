"""Logs whose unit is the dataset: forecasting, embeddings, tables, time series. Each trap on files made here."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import podium
from podium.core.errors import DataError
from podium.reading.formats.tsml import _resample
from podium.reading.logs.build import read_logs
from podium.reading.options import ReadOptions
from reading.logs_expected import expected, folder
from reading.results_expected import check_results
from refusals import refuses


def put(root, name, text):
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text if isinstance(text, str) else json.dumps(text), encoding="utf-8")
    return path


def read(root, **options):
    return read_logs([root], ReadOptions(**options))


def table(results, metric=None):
    """Scores by algorithm and dataset."""
    made = results.scores(metric).table()
    return {a: dict(zip(made.datasets, made.values[:, j].tolist(), strict=True)) for j, a in enumerate(made.algorithms)}


# --- GIFT-Eval -------------------------------------------------------------------------------------------------------

GIFT = "dataset,model,eval_metrics/MASE[0.5],eval_metrics/ND[0.5],domain,num_variates\n"


def test_gift_eval_names_models_for_their_folders_and_takes_mase(tmp_path):
    put(
        tmp_path,
        "Chronos/all_results.csv",
        GIFT + "m4_yearly/A/short,chronos v2,3.1,0.2,Econ,1\nm4_daily/D/short,chronos v2,,0.1,Econ,1\n",
    )
    put(
        tmp_path,
        "naive/all_results.csv",
        GIFT + "m4_yearly/A/short,naive,4.0,0.3,Econ,1\nm4_daily/D/short,naive,3.2,0.4,Econ,1\n",
    )
    results = read(tmp_path)
    assert results.metric().name == "MASE[0.5]"
    assert results.metric().direction == "lower"
    made = table(results)
    assert made["naive"] == {"m4_yearly/A/short": 4.0, "m4_daily/D/short": 3.2}
    assert np.isnan(made["Chronos"]["m4_daily/D/short"])
    assert any("inside, 1 have another name" in note or "'Chronos'" in note for note in results.notes)
    assert table(results, "ND[0.5]")["Chronos"] == {"m4_yearly/A/short": 0.2, "m4_daily/D/short": 0.1}


def test_gift_eval_frequencies_of_one_source_are_one_family(tmp_path):
    rows = "electricity/15T/short,a,1,1,E,1\nelectricity/H/short,a,2,1,E,1\n"
    put(tmp_path, "a/all_results.csv", GIFT + rows)
    put(tmp_path, "b/all_results.csv", GIFT + rows.replace(",a,", ",b,"))
    assert read(tmp_path).scores().families == ("electricity", "electricity")


def test_gift_eval_of_several_models_in_one_file_is_named_by_its_column(tmp_path):
    put(tmp_path, "all.csv", GIFT + "x,a,1,1,E,1\nx,b,2,1,E,1\n")
    assert table(read(tmp_path)) == {"a": {"x": 1.0}, "b": {"x": 2.0}}


def test_a_table_that_was_cut_off_is_named(tmp_path):
    put(tmp_path, "a/all_results.csv", GIFT + "x,a,1,1,E,1\nx2,a,1")
    put(tmp_path, "b/all_results.csv", GIFT + "x,b,1,1,E,1\n")
    with pytest.raises(DataError, match=r"all_results.csv, line 3: 3 cells where the header has 6"):
        read(tmp_path)


# --- fev -------------------------------------------------------------------------------------------------------------

FEV = "model_name,dataset_path,dataset_config,horizon,eval_metric,extra_metrics,task_name,test_error,inference_time_s,trained_on_this_dataset,MASE,WQL\n"


def fev_row(model, task, horizon, error, wql, trained="False"):
    return f"{model},p,{task},{horizon},MASE,\"['WQL']\",{task},{error},1.5,{trained},{error},{wql}\n"


def test_fev_takes_the_headline_says_leaks_and_keeps_costs(tmp_path):
    put(tmp_path, "one.csv", FEV + fev_row("a", "t1", 24, 0.5, 0.1) + fev_row("a", "t2", 24, "", 0.2))
    put(tmp_path, "two.csv", FEV + fev_row("b", "t1", 24, 0.7, 0.3, "True") + fev_row("b", "t2", 24, 0.9, 0.4))
    results = read(tmp_path)
    assert (results.metric().name, results.metric().direction) == ("MASE", "lower")
    assert table(results)["b"] == {"t1": 0.7, "t2": 0.9}
    assert np.isnan(table(results)["a"]["t2"])
    assert results.costs == ("inference_time_s",)
    assert any("Trained on the datasets of some tasks" in note and "b (1)" in note for note in results.notes)
    assert table(read(tmp_path, metric="WQL"), "WQL")["a"] == {"t1": 0.1, "t2": 0.2}


def test_fev_metrics_with_settings_of_their_own_are_read(tmp_path):
    """fev writes a metric that has settings as a dict: ['MASE', {'name': 'WAPE', 'epsilon': 1.0}]."""
    extra = "['WQL', {'name': 'WAPE', 'epsilon': 1.0}, {'name': 'SQL', 'quantile_levels': [0.1, 0.9]}]"
    header = FEV.strip() + ",WAPE,SQL\n"
    for model, shift in (("a", 0.0), ("b", 0.1)):
        rows = [
            fev_row(model, task, 24, 0.5 + shift, 0.1 + shift).replace("['WQL']", extra).strip()
            for task in ("t1", "t2")
        ]
        put(tmp_path, f"{model}.csv", header + "".join(f"{row},{0.2 + shift},{0.3 + shift}\n" for row in rows))
    for metric, value in (("WQL", 0.1), ("WAPE", 0.2), ("SQL", 0.3)):
        assert table(read(tmp_path, metric=metric), metric)["a"] == {"t1": value, "t2": value}


def test_fev_one_name_for_two_horizons_is_two_tasks(tmp_path):
    rows = [fev_row(m, "t", h, e, 0) for m, h, e in (("a", 24, 0.5), ("a", 48, 0.6), ("b", 24, 0.7), ("b", 48, 0.8))]
    put(tmp_path, "all.csv", FEV + "".join(rows))
    assert table(read(tmp_path))["a"] == {"t (horizon 24)": 0.5, "t (horizon 48)": 0.6}


# --- MTEB ------------------------------------------------------------------------------------------------------------


def mteb(task, rows, split="test", version="1.12.0"):
    scores = [{"hf_subset": s, "languages": languages, "main_score": score} for s, languages, score in rows]
    return {"dataset_revision": "x", "mteb_version": version, "scores": {split: scores}, "task_name": task}


ENGLISH = ["eng-Latn"]


def test_mteb_takes_the_language_that_every_task_has(tmp_path):
    hash_ = "a" * 40
    for model, shift in (("org__a", 0.0), ("org__b", 0.1)):
        put(tmp_path, f"{model}/{hash_}/STS12.json", mteb("STS12", [("default", ENGLISH, 0.5 + shift)]))
        put(
            tmp_path,
            f"{model}/external/STS17.json",
            mteb(
                "STS17",
                [
                    ("en-en", ENGLISH, 0.6 + shift),
                    ("en-de", ["eng-Latn", "deu-Latn"], 0.1),
                    ("de-de", ["deu-Latn"], 0.2),
                ],
            ),
        )
        put(
            tmp_path,
            f"{model}/external/Cf.json",
            mteb("Cf", [("en", ENGLISH, 0.7 + shift), ("en-ext", ENGLISH, 0.1), ("de", ["deu-Latn"], 0.3)]),
        )
    results = read(tmp_path)
    assert table(results)["org__a"] == {"STS12": 0.5, "STS17": 0.6, "Cf": 0.7}
    assert any("'eng' is taken" in note for note in results.notes)
    assert any("4 scores of 6 come from imports" in note for note in results.notes)
    german = table(read(tmp_path, where="language == 'deu'"))
    assert german["org__b"] == {"STS17 (de-de)": 0.2, "Cf (de)": 0.3}


def test_mteb_a_known_revision_comes_before_an_import_and_old_files_are_left_out(tmp_path):
    for model in ("a", "b"):
        put(tmp_path, f"{model}/external/T.json", mteb("T", [("default", ENGLISH, 0.1)], version="9.0"))
        put(tmp_path, f"{model}/{'0' * 40}/T.json", mteb("T", [("default", ENGLISH, 0.8)]))
        put(tmp_path, f"{model}/{'0' * 40}/U.json", mteb("U", [("default", ENGLISH, 0.9)], split="validation"))
        put(tmp_path, f"{model}/{'0' * 40}/model_meta.json", {"name": model, "revision": "0" * 40})
    put(tmp_path, "a/1/Old.json", {"test": {"cos_sim": {"spearman": 0.8}}, "mteb_dataset_name": "Old"})
    results = read(tmp_path)
    assert table(results)["a"] == {"T": 0.8, "U": 0.9}
    notes = " ".join(results.notes)
    assert "differ: 'a on T', 'b on T'" in notes
    assert "1 file of MTEB before version 1.11 left out" in notes
    assert "without a test split" in notes


def test_mteb_without_a_common_language_takes_the_mean_and_lacking_ones_are_holes(tmp_path):
    put(tmp_path, "a/x1/T.json", mteb("T", [("fr", ["fra-Latn"], 0.4), ("de", ["deu-Latn"], 0.6)]))
    put(tmp_path, "b/x1/T.json", mteb("T", [("fr", ["fra-Latn"], 0.8)]))
    put(tmp_path, "a/x1/J.json", mteb("J", [("default", ["jpn-Jpan"], 0.3)]))
    put(tmp_path, "b/x1/J.json", mteb("J", [("default", ["jpn-Jpan"], 0.4)]))
    for model in "ab":
        put(tmp_path, f"{model}/x1/model_meta.json", {})
    results = read(tmp_path)
    assert table(results)["a"] == {"T": 0.5, "J": 0.3}
    assert [(hole.algorithm, hole.why) for hole in results.missing()] == [("b", "only 1 of 2 languages")]


# --- TabArena --------------------------------------------------------------------------------------------------------

TABARENA = "dataset,fold,method,metric_error,time_train_s,time_infer_s,metric,problem_type,imputed\n"


def tabarena_rows():
    rows = []
    for dataset, metric in (("d1", "roc_auc"), ("d2", "roc_auc"), ("d3", "rmse")):
        for fold in range(2):
            rows += [(dataset, fold, "A", 0.1 + fold / 100, 3.0, 0.1, metric, "x", False)]
            rows += [(dataset, fold, "B (tuned)", 0.2, 9.0, 0.2, metric, "x", dataset == "d2" and fold == 1)]
    return rows


def test_tabarena_is_an_error_even_where_its_metric_is_called_roc_auc(tmp_path):
    text = TABARENA + "".join(",".join(map(str, row)) + "\n" for row in tabarena_rows())
    path = put(tmp_path, "results_per_split.csv", text)
    results = read(path)
    assert {name: m.direction for name, m in results.metrics.items() if not m.is_cost} == {
        "1 - roc_auc": "lower",
        "rmse": "lower",
    }
    with refuses(DataError, "metric"):
        results.metric()
    assert table(results, "1 - roc_auc")["A"] == {"d1": pytest.approx(0.105), "d2": pytest.approx(0.105)}
    holes = results.missing("1 - roc_auc")
    assert [(h.algorithm, h.row, h.fold, h.why) for h in holes] == [("B (tuned)", "d2", 1, "imputed")]
    assert results.costs == ("time_train_s", "time_infer_s")


def test_tabarena_in_parquet_is_the_same_and_a_damaged_one_is_named(tmp_path):
    pytest.importorskip("pyarrow")
    columns = TABARENA.strip().split(",")
    frame = pd.DataFrame(tabarena_rows(), columns=columns)
    frame.to_parquet(tmp_path / "r.parquet")
    frame.to_csv(tmp_path / "r.csv", index=False)
    one, other = (table(read(tmp_path / name), "1 - roc_auc") for name in ("r.parquet", "r.csv"))
    assert one == other
    raw = (tmp_path / "r.parquet").read_bytes()
    from podium.reading.formats.tabarena import read_tabarena
    from podium.reading.logs.records import Log

    broken = tmp_path / "broken.parquet"
    broken.write_bytes(raw[: len(raw) // 2])
    with pytest.raises(DataError, match=r"broken.parquet is damaged"):
        read_tabarena([broken], Log())


# --- tsml and aeon ---------------------------------------------------------------------------------------------------


def tsml(dataset, name, resample, pairs, stated=None, split="TEST"):
    right = sum(a == b for a, b in pairs) / len(pairs)
    lines = [f"{dataset},{name}Classifier,{split},{resample},MILLISECONDS,Generated by x", "No Parameter Info"]
    lines += [f"{right if stated is None else stated},12,3,-1,-1,2,,-1,-1", *(f"{a},{b},,0.3,0.7" for a, b in pairs)]
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize(("stated", "number"), [("7", 7), ("7.0", 7), ("1.5", 3), ("-1", 3), ("none", 3)])
def test_the_number_of_a_resample_is_stated_or_in_the_name(stated, number):
    assert _resample(Path("testResample3.csv"), stated) == number


def test_tsml_predictions_are_accuracies_of_resamples(tmp_path):
    for name in ("HC2", "Rocket"):
        for dataset in ("Chinatown", "Coffee"):
            for resample in range(3):
                pairs = [(0, 0), (1, 1), (1, 0 if name == "HC2" else 1), (0, 0)]
                put(
                    tmp_path,
                    f"{name}/Predictions/{dataset}/testResample{resample}.csv",
                    tsml(dataset, name, resample, pairs),
                )
        put(tmp_path, f"{name}/Predictions/Coffee/trainResample0.csv", tsml("Coffee", name, 0, [(0, 1)], split="TRAIN"))
    results = read(tmp_path)
    assert results.scores().values.shape == (2, 2, 1, 3)
    assert table(results) == {"HC2": {"Chinatown": 0.75, "Coffee": 0.75}, "Rocket": {"Chinatown": 1.0, "Coffee": 1.0}}
    assert any("2 files of estimates on training data" in note for note in results.notes)


def test_tsml_regression_is_a_squared_error(tmp_path):
    for name, shift in (("a", 1.0), ("b", 2.0)):
        lines = [
            "D,x,TEST,0,SECONDS",
            "No Parameter Info",
            f"{shift**2},1,1,-1,-1,,-1,-1",
            f"1.5,{1.5 + shift}",
            f"2,{2 + shift}",
        ]
        put(tmp_path, f"{name}/Predictions/D/testResample0.csv", "\n".join(lines))
    results = read(tmp_path)
    assert (results.metric().name, results.metric().direction) == ("mse", "lower")
    assert table(results) == {"a": {"D": 1.0}, "b": {"D": 4.0}}


def test_tsml_predictions_that_do_not_make_the_stated_score_are_refused(tmp_path):
    whole = tsml("D", "a", 0, [(0, 0)] * 30 + [(1, 0)] * 10)
    cut = "\n".join(whole.splitlines()[:20]) + "\n"
    put(tmp_path, "a/Predictions/D/testResample0.csv", cut)
    with pytest.raises(
        DataError, match=r"D/testResample0.csv states a score of '0.75', but its predictions have accuracy 1 or mse 0"
    ):
        read(tmp_path)


def test_tsml_of_clustering_names_the_clusters_in_the_best_way(tmp_path):
    """The counts of Trace, k-means with dtw, resample 0, in tsml-eval's own test files: 0.8 of 100."""
    pairs = [(0, 2)] * 24 + [(1, 0)] * 29 + [(2, 3)] * 8 + [(2, 1)] * 19 + [(3, 3)] * 8 + [(3, 1)] * 12
    for name in "ab":
        lines = ["Trace,k,TEST,0,MILLISECONDS", "{}", "0.8,4000,1,1,1,4,4", *(f"{a},{b},,1.0" for a, b in pairs)]
        put(tmp_path, f"{name}/Predictions/Trace/testResample0.csv", "\n".join(lines))
    results = read(tmp_path)
    assert results.metric().name == "clustering accuracy"
    assert table(results)["a"] == {"Trace": 0.8}
    assert table(results, "fit_time")["a"] == {"Trace": 4.0}


# --- The AutoML benchmark, which the reader of tables knows ----------------------------------------------------------

AMLB = "id,task,framework,constraint,fold,type,result,metric,duration,seed,info,acc,auc,logloss\n"


def amlb(root):
    rows = []
    for task, kind in (("adult", "auc"), ("kc1", "auc"), ("car", "neg_logloss")):
        for framework, level in (("A", 0.9), ("B", 0.8)):
            for fold in range(2):
                failed = (task, framework, fold) == ("kc1", "B", 1)
                auc, loss = (level, "") if kind == "auc" else ("", 1 - level)
                cells = ["", kind, 10, fold, "TimeoutError: after 4800s", "", "", ""]
                if not failed:
                    cells = [level if kind == "auc" else level - 1, kind, 10, fold, "", level, auc, loss]
                rows.append(",".join(map(str, ["t", task, framework, "1h8c", fold, "x", *cells])))
    return put(root, "results.csv", AMLB + "\n".join(rows) + "\n")


def test_the_automl_benchmark_signs_its_losses_and_types_its_failures(tmp_path):
    results = podium.read(amlb(tmp_path))
    assert {name: m.direction for name, m in results.metrics.items()} == {"auc": "higher", "neg_logloss": "higher"}
    with refuses(DataError, "metric"):
        results.metric()
    assert table(results, "neg_logloss") == {"A": {"car": pytest.approx(-0.1)}, "B": {"car": pytest.approx(-0.2)}}
    hole = results.missing("auc")[0]
    assert (hole.algorithm, hole.row, hole.fold) == ("B", "kc1", 1)
    assert (results.frame["status"] == "timeout").sum() == 1


def test_the_automl_benchmark_keeps_its_costs(tmp_path):
    results = podium.read(amlb(tmp_path), metric="auc")
    assert results.costs == ("duration",)
    assert results.scores("auc").datasets == ("adult", "kc1")
    assert podium.read(tmp_path / "results.csv", metric="logloss").metric("logloss").direction == "lower"


# --- The real ones ---------------------------------------------------------------------------------------------------


def test_gift_eval_as_expected():
    check_results(read(folder("gifteval")), expected("gifteval"))


def test_fev_as_expected():
    facts = expected("fev_chronos_zeroshot")
    results = read(folder("fev_chronos_zeroshot"))
    check_results(results, facts)
    assert facts["trained_on_this_dataset_true"]["moirai_base"] == 22
    assert any("moirai_base (22)" in note for note in results.notes)


def test_mteb_as_expected():
    check_results(read(folder("mteb_results")), expected("mteb_results"))


def test_mteb_models_in_folders_of_their_own_name_are_not_one_model(tmp_path):
    """Folders without a revision have the model's meta data in them, and named every model for the folder above."""
    for model, score in (("org__a", 0.5), ("b", 0.6)):
        for task in "TU":
            put(tmp_path, f"{model}/{task}.json", mteb(task, [("default", ENGLISH, score)]))
        put(tmp_path, f"{model}/model_meta.json", {"name": f"org/{model.removeprefix('org__')}", "revision": "x"})
    assert table(read(tmp_path)) == {"org__a": {"T": 0.5, "U": 0.5}, "b": {"T": 0.6, "U": 0.6}}


def test_mteb_experiments_of_two_models_stay_apart(tmp_path):
    for model, score in (("a", 0.5), ("b", 0.6)):
        put(tmp_path, f"{model}/main/T.json", mteb("T", [("default", ENGLISH, score)]))
        put(tmp_path, f"{model}/main/experiments/dim256/T.json", mteb("T", [("default", ENGLISH, score / 2)]))
    assert {name: own["T"] for name, own in table(read(tmp_path)).items()} == {
        "a": 0.5, "a (dim256)": 0.25, "b": 0.6, "b (dim256)": 0.3
    }  # fmt: skip


def test_mteb_revisions_with_other_scores_are_other_systems(tmp_path):
    """Of two revisions that the same MTEB judged none comes first: the larger hash is no reason."""
    for revision, score in (("0" * 40, 0.5), ("1" * 40, 0.7)):
        put(tmp_path, f"a/{revision}/T.json", mteb("T", [("default", ENGLISH, score)]))
    put(tmp_path, f"b/{'2' * 40}/T.json", mteb("T", [("default", ENGLISH, 0.6)]))
    results = read(tmp_path)
    assert {name: own["T"] for name, own in table(results).items()} == {
        "a (00000000)": 0.5,
        "a (11111111)": 0.7,
        "b": 0.6,
    }
    assert any("'a'" in note for note in results.notes)


def test_mteb_takes_one_split_of_a_task_for_all_systems(tmp_path):
    put(tmp_path, "a/main/T.json", mteb("T", [("default", ENGLISH, 0.9)], split="dev"))
    put(tmp_path, "b/main/T.json", mteb("T", [("default", ENGLISH, 0.5)]))
    for model in "ab":
        put(tmp_path, f"{model}/main/U.json", mteb("U", [("default", ENGLISH, 0.4)]))
    assert np.isnan(table(read(tmp_path))["a"]["T"])
