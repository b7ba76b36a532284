"""A corpus of readings: shapes that real tools and papers write, small, each with its truth or the question it must raise.

`Reads` says what must be read: datasets, algorithms, folds per cell, and some of the numbers. `Asks` gives words that the
refusal must hold. A shape may be read right or asked about; what it must never be is another table.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple


class Reads(NamedTuple):
    """The truth: names, how many scores a cell has, and numbers by (dataset, algorithm)."""

    datasets: str
    algorithms: str
    scores: int
    values: Mapping[str, float]
    metric: str = "accuracy"


class Asks(NamedTuple):
    """Words of the refusal, each of which must be there."""

    words: tuple[str, ...]


class Case(NamedTuple):
    """One file, how it is read, and what must come of it."""

    name: str
    file: str
    text: str
    options: Mapping[str, Any]
    expected: Reads | Asks


def asks(*words: str) -> Asks:
    return Asks(words)


WIDE = Reads("iris zoo wine", "svm knn", 1, {"iris svm": 0.9, "zoo knn": 0.6, "wine svm": 0.5})
PERCENT = Reads("iris zoo wine", "svm knn", 1, {"iris svm": 90.0, "zoo knn": 60.0, "wine svm": 50.0})
ACC = {"metric": "accuracy"}

CASES = [
    # Plain tables, as people write them.
    Case("plain", "accuracy.csv", "dataset,svm,knn\niris,0.9,0.8\nzoo,0.7,0.6\nwine,0.5,0.4\n", {}, WIDE),
    Case("no metric anywhere", "table.csv", "dataset,svm,knn\niris,0.9,0.8\nzoo,0.7,0.6\nwine,0.5,0.4\n", {}, asks("metric")),
    Case("byte order mark and CRLF", "accuracy.csv", "\ufeffdataset,svm,knn\r\niris,0.9,0.8\r\nzoo,0.7,0.6\r\nwine,0.5,0.4\r\n", {}, WIDE),
    Case("semicolons", "accuracy.csv", "dataset;svm;knn\niris;0.9;0.8\nzoo;0.7;0.6\nwine;0.5;0.4\n", {}, WIDE),
    Case("tabs", "accuracy.tsv", "dataset\tsvm\tknn\niris\t0.9\t0.8\nzoo\t0.7\t0.6\nwine\t0.5\t0.4\n", {}, WIDE),
    Case("pipes", "accuracy.txt", "dataset|svm|knn\niris|0.9|0.8\nzoo|0.7|0.6\nwine|0.5|0.4\n", {}, WIDE),
    Case("sep= of Excel", "accuracy.csv", "sep=;\ndataset;svm;knn\niris;0.9;0.8\nzoo;0.7;0.6\nwine;0.5;0.4\n", {}, WIDE),
    Case("decimal commas unsaid", "accuracy.csv", "dataset;svm;knn\niris;0,9;0,8\nzoo;0,7;0,6\nwine;0,5;0,4\n", {}, asks("decimal_comma")),
    Case("decimal commas", "accuracy.csv", "dataset;svm;knn\niris;0,9;0,8\nzoo;0,7;0,6\nwine;0,5;0,4\n", {"decimal_comma": True}, WIDE),
    Case("German headers", "Genauigkeit.csv", "Datensatz;svm;knn\niris;0,9;0,8\nzoo;0,7;0,6\nwine;0,5;0,4\n", {**ACC, "decimal_comma": True}, WIDE),
    Case("quoted names and blank lines", "accuracy.csv", '"dataset","svm","knn"\n\n"iris",0.9,0.8\n\n"zoo",0.7,0.6\n"wine",0.5,0.4\n\n', {}, WIDE),
    Case("blanks around cells", "accuracy.csv", "dataset , svm , knn\n iris , 0.9 , 0.8\nzoo,0.7, 0.6\nwine ,0.5,0.4\n", {}, WIDE),
    Case("percent signs unsaid", "accuracy.csv", "dataset,svm,knn\niris,90%,80%\nzoo,70%,60%\nwine,50%,40%\n", {}, asks("percent")),
    Case("percent signs", "accuracy.csv", "dataset,svm,knn\niris,90%,80%\nzoo,70%,60%\nwine,50%,40%\n", {"percent": True}, PERCENT),
    Case("mean and deviation unsaid", "accuracy.csv", "dataset,svm,knn\niris,0.9±0.1,0.8±0.1\nzoo,0.7±0.1,0.6±0.2\nwine,0.5±0.1,0.4±0.1\n", {}, asks("mean_sd")),
    Case("mean and deviation", "accuracy.csv", "dataset,svm,knn\niris,0.9 ± 0.1,0.8 ± 0.1\nzoo,0.7 ± 0.1,0.6 ± 0.2\nwine,0.5 ± 0.1,0.4 ± 0.1\n", {"mean_sd": True}, WIDE),
    Case("deviation in parentheses", "accuracy.csv", "dataset,svm,knn\niris,0.9(0.1),0.8(0.1)\nzoo,0.7(0.1),0.6(0.2)\nwine,0.5(0.1),0.4(0.1)\n", {"mean_sd": True}, WIDE),
    Case("thousands separators", "rmse.csv", 'dataset,svm,knn\nhouses,"1,234.5","2,345.6"\ncars,"3,456.7","4,567.8"\n', {}, asks("thousands")),
    Case("bold best scores", "accuracy.csv", "dataset,svm,knn\niris,**0.9**,0.8\nzoo,**0.7**,0.6\nwine,**0.5**,0.4\n", {"footnotes": True}, WIDE),
    Case("LaTeX with bold", "accuracy.tex", "Dataset & svm & knn \\\\\n\\hline\niris & \\textbf{0.9} & 0.8 \\\\\nzoo & \\textbf{0.7} & 0.6 \\\\\nwine & \\textbf{0.5} & 0.4 \\\\\n", {"footnotes": True}, WIDE),
    Case("a row of averages", "accuracy.csv", "dataset,svm,knn\niris,0.9,0.8\nzoo,0.7,0.6\nwine,0.5,0.4\nAverage,0.7,0.6\n", {}, asks("summaries", "Average")),
    Case("rows of averages and ranks dropped", "accuracy.csv", "dataset,svm,knn\niris,0.9,0.8\nzoo,0.7,0.6\nwine,0.5,0.4\nAverage,0.7,0.6\nMean rank,1,2\n", {"summaries": "drop"}, WIDE),
    Case("a column of averages (GLUE)", "accuracy.csv", "model,CoLA,SST-2,MRPC,Average\nbert,0.6,0.9,0.8,0.767\nelmo,0.4,0.8,0.7,0.633\n", {"rows": "algorithms"}, asks("summaries", "Average")),
    Case("GLUE without averages", "accuracy.csv", "model,CoLA,SST-2,MRPC\nbert,0.6,0.9,0.8\nelmo,0.4,0.8,0.7\n", {}, Reads("CoLA SST-2 MRPC", "bert elmo", 1, {"CoLA bert": 0.6, "MRPC elmo": 0.7})),
    Case("transposed", "accuracy.csv", "algorithm,iris,zoo,wine\nsvm,0.9,0.7,0.5\nknn,0.8,0.6,0.4\n", {}, WIDE),
    Case("duplicate columns", "accuracy.csv", "dataset,svm,knn,svm\niris,0.9,0.8,0.1\nzoo,0.7,0.6,0.7\nwine,0.5,0.4,0.5\n", {}, asks("svm", "disagree")),
    Case("duplicate columns that agree", "accuracy.csv", "dataset,svm,knn,svm\niris,0.9,0.8,0.9\nzoo,0.7,0.6,0.7\nwine,0.5,0.4,0.5\n", {}, WIDE),
    Case("duplicate datasets", "accuracy.csv", "dataset,svm,knn\niris,0.9,0.8\niris,0.7,0.6\nwine,0.5,0.4\n", {}, asks("iris")),
    Case("row names of R", "accuracy.csv", '"svm","knn"\n"iris",0.9,0.8\n"zoo",0.7,0.6\n"wine",0.5,0.4\n', {}, WIDE),
    Case("write.csv of R", "accuracy.csv", '"","dataset","svm","knn"\n"1","iris",0.9,0.8\n"2","zoo",0.7,0.6\n"3","wine",0.5,0.4\n', {}, WIDE),
    Case("index of pandas", "accuracy.csv", ",dataset,svm,knn\n0,iris,0.9,0.8\n1,zoo,0.7,0.6\n2,wine,0.5,0.4\n", {}, WIDE),
    Case("missing scores", "accuracy.csv", "dataset,svm,knn\niris,0.9,NA\nzoo,?,0.6\nwine,0.5,0.4\n", {}, Reads("iris zoo wine", "svm knn", 1, {"iris svm": 0.9, "zoo knn": 0.6, "iris knn": float("nan")})),
    Case("failures as text", "accuracy.csv", "dataset,svm,knn\niris,0.9,timeout\nzoo,0.7,0.6\nwine,0.5,0.4\n", {}, asks("timeout", "text_as_missing")),
    Case("failures as text, said", "accuracy.csv", "dataset,svm,knn\niris,0.9,timeout\nzoo,0.7,0.6\nwine,0.5,0.4\n", {"text_as_missing": True}, WIDE),
    Case("an infinite score", "rmse.csv", "dataset,svm,knn\niris,0.9,inf\nzoo,0.7,0.6\n", {}, asks("infinite")),
    Case("a row cut short", "accuracy.csv", "dataset,svm,knn\niris,0.9,0.8\nzoo,0.7\nwine,0.5,0.4\n", {}, asks("line 3")),
    # Long tables.
    Case("long", "scores.csv", "dataset,algorithm,accuracy\niris,svm,0.9\niris,knn,0.8\nzoo,svm,0.7\nzoo,knn,0.6\nwine,svm,0.5\nwine,knn,0.4\n", {}, WIDE),
    Case("long, shuffled, other words", "scores.csv", "model,task,accuracy\nknn,zoo,0.6\nsvm,iris,0.9\nsvm,wine,0.5\nknn,iris,0.8\nsvm,zoo,0.7\nknn,wine,0.4\n", {}, Reads("zoo iris wine", "knn svm", 1, {"iris svm": 0.9, "zoo knn": 0.6})),
    Case("long with metric and value", "scores.csv", "dataset,algorithm,metric,value\niris,svm,accuracy,0.9\niris,knn,accuracy,0.8\nzoo,svm,accuracy,0.7\nzoo,knn,accuracy,0.6\n", {}, Reads("iris zoo", "svm knn", 1, {"iris svm": 0.9, "zoo knn": 0.6})),
    Case("long with folds", "scores.csv", "dataset,algorithm,fold,accuracy\n" + "".join(f"{d},{a},{f},{s + f / 100}\n" for d, s in (("iris", 0.9), ("zoo", 0.5)) for a in ("svm", "knn") for f in range(3)), {}, Reads("iris zoo", "svm knn", 3, {"iris svm": 0.91, "zoo knn": 0.51})),
    Case("KEEL: three columns of errors", "errors.txt", "dataset algorithm error\niris svm 0.1\niris knn 0.2\nzoo svm 0.3\nzoo knn 0.4\n", {}, Reads("iris zoo", "svm knn", 1, {"iris svm": 0.1, "zoo knn": 0.4}, "error")),
    Case("rows that disagree", "scores.csv", "dataset,algorithm,accuracy\niris,svm,0.9\niris,svm,0.8\niris,knn,0.8\niris,knn,0.7\nzoo,svm,0.7\nzoo,svm,0.6\nzoo,knn,0.6\nzoo,knn,0.5\n", {}, asks("disagree")),
    Case("folds without numbers", "scores.csv", "dataset,algorithm,accuracy\niris,svm,0.9\niris,svm,0.8\niris,knn,0.8\niris,knn,0.7\nzoo,svm,0.7\nzoo,svm,0.6\nzoo,knn,0.6\nzoo,knn,0.5\n", {"number_folds": True}, Reads("iris zoo", "svm knn", 2, {"iris svm": 0.85, "zoo knn": 0.55})),
    Case("a filter", "scores.csv", "dataset,algorithm,constraint,accuracy\n" + "".join(f"{d},{a},{c},{v + (c == '4h') / 10}\n" for d, a, v in (("iris", "svm", 0.5), ("iris", "knn", 0.4), ("zoo", "svm", 0.3), ("zoo", "knn", 0.2)) for c in ("1h", "4h")), {"where": "constraint == '4h'"}, Reads("iris zoo", "svm knn", 1, {"iris svm": 0.6, "zoo knn": 0.3})),
    Case("two constraints pooled", "scores.csv", "dataset,algorithm,constraint,accuracy\n" + "".join(f"{d},{a},{c},{v + (c == '4h') / 10}\n" for d, a, v in (("iris", "svm", 0.5), ("iris", "knn", 0.4), ("zoo", "svm", 0.3), ("zoo", "knn", 0.2)) for c in ("1h", "4h")), {}, asks("constraint")),
    Case("names in two columns", "scores.csv", "dataset,model,variant,accuracy\niris,svm,rbf,0.9\niris,svm,linear,0.8\nzoo,svm,rbf,0.7\nzoo,svm,linear,0.6\n", {"algorithm_column": "model+variant"}, Reads("iris zoo", "svm / rbf|svm / linear", 1, {"iris|svm / rbf": 0.9, "zoo|svm / linear": 0.6})),
    # Tools.
    Case("AMLB results.csv", "results.csv", "id,task,framework,constraint,fold,type,result,metric,mode,version,params,app_version,utc,duration,training_duration,predict_duration,models_count,seed,info,acc,auc\n" + "".join(f"openml/t/{i},{t},{fw},1h8c,{f},binary,{r + f / 100},auc,local,1,,dev,2023-01-0{f + 1}T00:00:00,{60 + f},50,1,3,{seed + f},,{0.8},{r + f / 100}\n" for i, t in ((1, "adult"), (2, "bank")) for fw, r, seed in (("H2O", 0.9, 1000), ("TPOT", 0.8, 2000)) for f in range(2)), {"metric": "auc"}, Reads("adult bank", "H2O TPOT", 2, {"adult H2O": 0.905, "bank TPOT": 0.805}, "auc")),
    Case("Weka experimenter", "weka.csv", "Key_Dataset,Key_Run,Key_Fold,Key_Scheme,Number_of_testing_instances,Percent_correct\n" + "".join(f"{d},1,{f},{a},15,{v + f}\n" for d, v in (("iris", 90), ("zoo", 50)) for a in ("weka.J48", "weka.IBk") for f in (1, 2)), {}, Reads("iris zoo", "weka.J48 weka.IBk", 2, {"iris weka.J48": 91.5, "zoo weka.IBk": 51.5}, "Percent_correct")),
    Case("mlr3 benchmark", "mlr3.csv", "nr,task_id,learner_id,resampling_id,iteration,classif.acc\n" + "".join(f"{n},{d},{a},cv,{f},{v + f / 100}\n" for n, (d, v) in enumerate((("iris", 0.9), ("zoo", 0.5))) for a in ("ranger", "rpart") for f in (1, 2)), {"value_column": "classif.acc", **ACC}, Reads("iris zoo", "ranger rpart", 2, {"iris ranger": 0.915, "zoo rpart": 0.515})),
    Case("OpenML runs", "runs.csv", "run_id,task_id,data_name,flow_name,predictive_accuracy\n1,3,iris,svm,0.9\n2,3,iris,knn,0.8\n3,5,zoo,svm,0.7\n4,5,zoo,knn,0.6\n", {}, Reads("iris zoo", "svm knn", 1, {"iris svm": 0.9, "zoo knn": 0.6}, "predictive_accuracy")),
    Case("aeon results: resamples in columns", "HC2_accuracy.csv", "folds:,0,1,2\nArrow,0.9,0.91,0.92\nBeef,0.7,0.71,0.72\n", {}, Reads("Arrow Beef", "HC2", 3, {"Arrow HC2": 0.91})),
    Case("scikit-learn cross_validate as records", "cv.csv", "algorithm,fold,fit_time,score_time,test_score\n" + "".join(f"{a},{f},1.0,0.1,{v + f / 100}\n" for a, v in (("svm", 0.9), ("knn", 0.8)) for f in range(5)), {**ACC, "dataset_name": "iris"}, Reads("iris", "svm knn", 5, {"iris svm": 0.92})),
    Case("MOA: evaluations along a stream", "moa.csv", "learning evaluation instances,evaluation time (cpu seconds),classified instances,classifications correct (percent)\n1000,0.1,1000,80.0\n2000,0.2,2000,81.0\n3000,0.3,3000,82.0\n", {}, asks()),
    Case("Kaggle leaderboard", "leaderboard.csv", "Rank,TeamId,TeamName,LastSubmissionDate,Score,SubmissionCount\n1,11,ann,2024-01-01,0.91,5\n2,12,bob,2024-01-02,0.9,7\n3,13,cy,2024-01-03,0.89,2\n", {}, asks()),
    Case("wandb export", "wandb.csv", '"Name","State","Runtime","seed","env","algo","return"\n' + "".join(f'"r{i}","finished","100","{s}","{e}","{a}","{v + s}"\n' for i, (e, a, v, s) in enumerate((e, a, v, s) for e in ("Ant", "Hopper") for a, v in (("sac", 10), ("ppo", 5)) for s in (1, 2))), {"metric": "return", "direction": "higher", "unit": "dataset"}, Reads("Ant Hopper", "sac ppo", 2, {"Ant sac": 11.5, "Hopper ppo": 6.5}, "return")),
    Case("mlflow export", "mlflow.csv", "Start Time,Duration,Run ID,Name,Source Type,params.model,tags.dataset,metrics.accuracy\n" + "".join(f"2024-01-01,3s,{i},n{i},LOCAL,{a},{d},{v}\n" for i, (d, a, v) in enumerate((("iris", "svm", 0.9), ("iris", "knn", 0.8), ("zoo", "svm", 0.7), ("zoo", "knn", 0.6)))), {"algorithm_column": "params.model", "dataset_column": "tags.dataset", "value_column": "metrics.accuracy", **ACC}, Reads("iris zoo", "svm knn", 1, {"iris svm": 0.9, "zoo knn": 0.6})),
    Case("optuna trials", "trials.csv", "number,value,datetime_start,datetime_complete,duration,params_C,params_kernel,state\n0,0.9,2024-01-01,2024-01-01,0 days,1.0,rbf,COMPLETE\n1,0.8,2024-01-01,2024-01-01,0 days,2.0,linear,COMPLETE\n2,0.7,2024-01-01,2024-01-01,0 days,3.0,rbf,COMPLETE\n", {}, asks()),
    Case("RL: games by seeds", "returns.csv", "game,agent,seed,return\n" + "".join(f"{g},{a},{s},{v + s}\n" for g in ("Pong", "Breakout") for a, v in (("dqn", 10), ("ppo", 20)) for s in (0, 1, 2)), {"metric": "return", "direction": "higher", "unit": "dataset"}, Reads("Pong Breakout", "dqn ppo", 3, {"Pong dqn": 11.0}, "return")),
    # The silent misreadings: each must be read right or asked about.
    Case("DB, Rep, Fold, algorithms in columns", "accuracy.csv", "DB,Rep,Fold,AlgA,AlgB\n" + "".join(f"{d},{r},{f},{0.5 + d / 10 + f / 100},{0.4 + d / 10 + f / 100}\n" for d in (1, 2, 3) for r in (1, 2) for f in (1, 2)), {}, Reads("1 2 3", "AlgA AlgB", 4, {"1 AlgA": 0.615, "3 AlgB": 0.715})),
    Case("one dataset, folds in rows", "accuracy.csv", "repeat,fold,svm,knn\n" + "".join(f"{r},{f},{0.9 + f / 100},{0.8 + f / 100}\n" for r in range(10) for f in range(10)), {"dataset_name": "iris"}, Reads("iris", "svm knn", 100, {"iris svm": 0.945})),
    Case("a column of sizes", "accuracy.csv", "dataset,Size,svm,knn\niris,150,0.9,0.8\nzoo,101,0.7,0.6\nwine,178,0.5,0.4\n", {"ignore_column": "Size"}, WIDE),
    Case("a column of sizes, unsaid", "accuracy.csv", "dataset,Size,svm,knn\niris,150,0.9,0.8\nzoo,101,0.7,0.6\nwine,178,0.5,0.4\n", {}, asks("Size")),
    Case("times beside scores", "accuracy.csv", "dataset,svm,knn,time_training_seconds\niris,0.9,0.8,12\nzoo,0.7,0.6,13\nwine,0.5,0.4,14\n", {}, asks("time_training_seconds")),
    Case("the dataset given as fold", "accuracy.csv", "db,task,algorithm,accuracy\n" + "".join(f"{d},t{d},{a},{0.5 + d / 100}\n" for d in range(40) for a in ("svm", "knn")), {"fold_column": "db"}, asks("fold")),
    Case("predictions of 0 and 1", "predictions.csv", "y_true,model_a,model_b\n" + "".join(f"{i % 2},{(i * 7 % 3) % 2},{i % 2}\n" for i in range(60)), {}, asks()),
    Case("predicted probabilities", "predictions.csv", "y_true,model_a,model_b\n" + "".join(f"{i % 2},{(i * 7 % 30) / 30:.3f},{(i * 11 % 30) / 30:.3f}\n" for i in range(60)), {"metric": "accuracy"}, asks()),
    Case("a hundred numbered folds of one dataset", "cv.csv", "algorithm,fold,accuracy\n" + "".join(f"{a},{f},{0.8 + f / 1000}\n" for a in ("svm", "knn") for f in range(100)), {"dataset_name": "iris"}, asks("repeats")),
    Case("a parameter as repeat", "scores.csv", "dataset,algorithm,Dimension,accuracy\n" + "".join(f"{d},{a},{n},{0.5 + n / 100}\n" for d in ("iris", "zoo") for a in ("svm", "knn") for n in (2, 10, 30)), {}, asks("Dimension")),
    Case("names that look alike", "accuracy.csv", "dataset,svm,knn\nhayes-roth,0.9,\nhayes.roth,,0.8\nzoo,0.7,0.6\n", {"merge_similar_names": True}, Reads("hayes-roth zoo", "svm knn", 1, {"hayes-roth svm": 0.9, "hayes-roth knn": 0.8})),
    Case("units in the header", "scores.csv", "dataset,algorithm,accuracy (%)\niris,svm,90\niris,knn,80\nzoo,svm,70\nzoo,knn,60\n", {}, Reads("iris zoo", "svm knn", 1, {"iris svm": 90.0}, "accuracy (%)")),
    Case("scores and costs side by side", "scores.csv", "dataset,algorithm,accuracy,fit_time\niris,svm,0.9,1\niris,knn,0.8,2\nzoo,svm,0.7,3\nzoo,knn,0.6,4\n", {}, Reads("iris zoo", "svm knn", 1, {"iris svm": 0.9, "zoo knn": 0.6})),
    Case("JSON records", "scores.json", '[{"dataset":"iris","svm":0.9,"knn":0.8},{"dataset":"zoo","svm":0.7,"knn":0.6},{"dataset":"wine","svm":0.5,"knn":0.4}]', ACC, WIDE),
    Case("JSON by dataset or by algorithm", "scores.json", '{"iris":{"svm":0.9,"knn":0.8},"zoo":{"svm":0.7,"knn":0.6},"wine":{"svm":0.5,"knn":0.4}}', ACC, asks("rows")),
    Case("JSON by dataset, said", "scores.json", '{"iris":{"svm":0.9,"knn":0.8},"zoo":{"svm":0.7,"knn":0.6},"wine":{"svm":0.5,"knn":0.4}}', {**ACC, "rows": "algorithms"}, WIDE),
    Case("JSON by algorithm, said", "scores.json", '{"svm":{"iris":0.9,"zoo":0.7,"wine":0.5},"knn":{"iris":0.8,"zoo":0.6,"wine":0.4}}', {**ACC, "rows": "datasets"}, WIDE),
    Case("JSON Lines of runs", "runs.jsonl", "\n".join(f'{{"config":{{"model":"{a}"}},"score":0.5}}' for a in "ab"), ACC, Reads("runs", "a b", 1, {"runs a": 0.5})),
    Case("a regression metric, lower is better", "rmse.csv", "dataset,svm,knn\nhouses,1.5,2.5\ncars,3.5,4.5\n", {}, Reads("houses cars", "svm knn", 1, {"houses svm": 1.5, "cars knn": 4.5}, "rmse")),
    Case("an unknown metric", "scores.csv", "dataset,algorithm,zork\niris,svm,0.9\niris,knn,0.8\nzoo,svm,0.7\nzoo,knn,0.6\n", {}, asks("direction")),
]  # fmt: skip

# Files of published cases that are kept beside the project, not in it: options, then (metric, datasets, algorithms,
# repeats, folds), or words of the question.
SHARED: list[tuple[str, dict[str, Any], tuple[str, int, int, int, int] | tuple[str, ...]]] = [
    ("cases/benavoli2017_5x54_10x10cv/accuracies_long.csv", {}, ("accuracy", 54, 5, 10, 10)),
    ("cases/benavoli2017_5x54_10x10cv/mean_accuracy_54x5.csv", {}, ("accuracy", 54, 5, 1, 1)),
    ("cases/benavoli2017_5x54_10x10cv/dataset_labels.csv", {}, ("no column of numbers",)),
    ("cases/benavoli2017_5x54_10x10cv/posterior_hierarchical_nbc_aode_samples.csv", {}, ("have no names", "rows")),
    ("cases/demsar2006_c45_auc/auc.csv", {}, ("auc", 14, 4, 1, 1)),
    ("cases/demsar2006_c45_auc/printed_ranks.csv", {}, ("ranks", "direction")),
    ("cases/eisinga2017_exact_friedman/qPCR_4x11.csv", {"direction": "lower"}, ("score", 4, 11, 1, 1)),
    ("cases/eisinga2017_exact_friedman/sachs_diuretics_6x6.csv", {"direction": "higher"}, ("dataset_column",)),
    ("cases/eisinga2017_exact_friedman/sachs_diuretics_6x6.csv", {"direction": "higher", "dataset_column": "person"}, ("score", 6, 6, 1, 1)),
    ("cases/garcia_herrera_2008/accuracy.csv", {}, ("accuracy", 30, 5, 1, 1)),
    ("cases/hfawaz_cd_diagram_example_5x15/example_long.csv", {}, ("accuracy", 15, 5, 1, 1)),
    ("cases/r_exactranktests_coin/bellio_73_many_zeros.csv", {}, ("have no names", "rows")),
    ("cases/r_exactranktests_coin/quade1979_7x3.csv", {"rows": "datasets", "direction": "higher"}, ("score", 7, 3, 1, 1)),
    ("cases/r_exactranktests_coin/rounding_first_base_22x3.csv", {"rows": "datasets", "direction": "lower"}, ("score", 22, 3, 1, 1)),
    ("cases/r_exactranktests_coin/sal_pre_post_20.csv", {}, ("have no names", "rows")),
    ("cases/statsmodels_multtest_refs/hommel_40.csv", {}, ("have no names", "rows")),
    ("cases/statsmodels_multtest_refs/res0_large.csv", {}, ("have no names", "rows")),
    ("cases/statsmodels_multtest_refs/res_multtest1.csv", {}, ("have no names", "rows")),
    ("cases/statsmodels_multtest_refs/res_multtest2.csv", {}, ("have no names", "rows")),
    ("cases/statsmodels_multtest_refs/res_multtest3.csv", {}, ("have no names", "rows")),
    ("cases/wild_amlb_2019_automl/all_results_1h_long.csv", {"metric": "acc"}, ("acc", 35, 7, 1, 10)),
    ("cases/wild_amlb_2019_automl/all_results_1h_long.csv", {"metric": "auc"}, ("auc", 20, 7, 1, 10)),
    ("cases/wild_amlb_2019_automl/raw_small_8c1h.csv", {"metric": "acc"}, ("acc", 16, 5, 1, 10)),
    ("cases/wild_tsml_bakeoff_40x142/accuracy_mean_of_30.csv", {}, ("accuracy", 142, 40, 1, 1)),
    ("cases/wild_tsml_bakeoff_40x142/accuracy_resample0.csv", {}, ("accuracy", 142, 40, 1, 1)),
    ("cases/wild_tsml_bakeoff_40x142/HC2_accuracy_30_resamples.csv", {}, ("accuracy", 142, 1, 30, 1)),
    ("cases/wild_tsml_bakeoff_40x142/RDST_accuracy_30_resamples.csv", {}, ("accuracy", 142, 1, 30, 1)),
    ("cases/wild_tsml_bakeoff_40x142/MR-Hydra_accuracy_30_resamples.csv", {}, ("accuracy", 142, 1, 30, 1)),
    ("cases/wild_tsml_bakeoff_40x142/H-InceptionTime_accuracy_30_resamples.csv", {}, ("accuracy", 142, 1, 30, 1)),
    ("cases/wild_amlb_2019_automl/folds_leaderboard_4h.csv", {}, ("metric",)),
    ("cases/wild_amlb_2019_automl/score_summary_1h_35x7.csv", {}, ("footnotes",)),
    ("cases/mlxtend_5x2cv_and_resampled/scores_5x2cv.csv", {}, ("metric",)),
    ("cases/mlxtend_5x2cv_and_resampled/scores_30_resamples_70_30.csv", {}, ("metric",)),
    ("data/benavoli2016/accuracies.csv", {}, ("accuracy", 54, 7, 1, 1)),
    ("data/forman2005/critical_values_alpha01.csv", {}, ("competitors",)),
    ("data/ulas2008/accuracies_5x2.csv", {}, ("accuracy", 38, 8, 5, 2)),
    ("data/ulas2008/ranks_accuracy.csv", {}, ("ranks", "direction")),
    ("data/ulas2008/ranks_multitest_space.csv", {}, ("ranks", "direction")),
    ("data/ulas2008/ranks_multitest_training_time.csv", {}, ("ranks", "direction")),
    ("data/ulas2008/space.csv", {}, ("space", 38, 8, 1, 1)),
    ("data/ulas2008/training_time.csv", {}, ("training_time", 38, 8, 1, 1)),
]  # fmt: skip
