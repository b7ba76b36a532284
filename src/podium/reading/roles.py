"""What a column is, from its name: algorithm, dataset, fold, repeat, metric, value; or something that is not a score."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from podium.core.metric import is_cost as is_cost
from podium.core.metric import known_metric
from podium.core.names import SEVERAL_NAMES, key_of
from podium.core.registry import read_toml

ROLES = ("algorithm", "dataset", "fold", "repeat", "seed", "metric", "value", "family", "message", "status")

_TABLE = read_toml("reading", "roles.toml")
_WORDS: dict[str, frozenset[str]] = {
    f"{group}.{kind}": frozenset(words.split())
    for group, kinds in _TABLE.items()
    if isinstance(kinds, dict)
    for kind, words in kinds.items()
}
_ROLE = {word: role for role, words in _TABLE["role"].items() for word in words.split()}
# What a name says that is no score, in the order in which it is looked for.
_NOT_A_SCORE: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (entry["says"], re.compile(entry["pattern"], re.VERBOSE)) for entry in _TABLE["not_a_score"]
)
_OF_TRACKERS = re.compile(r"^(config|cfg|params?|parameters|hparams|hyper_?parameters|args)_(?=[a-z])")
_FAMILY = re.compile(f"({'|'.join(sorted(_WORDS['known.family']))})(_.*|\\d.*)?")
_EFFORT = re.compile(r"(.*\d.*)_(?:low|high)")  # of models that think, such as o3-mini-high
_MONEY = re.compile(r"\$(?![a-z{])|[\u20ac\u00a3]|\busd\b", re.IGNORECASE)
_FORMULA = re.compile(r"\$[^\s$]([^$]*[^\s$])?\$")  # of LaTeX: $k$-NN
# What is called after a mean.
_OF_MEANS = frozenset("shift teacher field pooling pool reversion variance predictor".split())
_OF_TIME = re.compile(r"(?<=[a-z])_(s|ms|us|ns|sec|secs|seconds)$")  # mean_s, min_ms
# Such as std_test_score.
_SPREAD_OF = re.compile(r"(?:std|sd|stdev|stddev|stderr|sem)[\s_.]+(?:of[\s_])?(?P<mean>.+)", re.IGNORECASE)
_P_VALUE = next(pattern for says, pattern in _NOT_A_SCORE if "p-value" in says)
# Signs that stand for words, alone among blanks: "Δ" is a difference, and the σ of σ-VAE is a part of its name.
_SIGNS = {"Δ": "delta", "∆": "delta", "σ": "sd", "±": "sd", "Ø": "mean", "ø": "mean", "平均": "mean", "平均值": "mean"}
_SPREAD = re.compile(
    r"(?P<mean>.+?)[\s_.-]*[(\[]?(?:std|sd|stdev|stddev|stderr|std_err|sem|±|\+/-)[)\]]?", re.IGNORECASE
)


def words_of(*kinds: str) -> frozenset[str]:
    """All words of some kinds, as `roles.toml` has them.

    >>> sorted(words_of("cases.weight"))
    ['case_weight', 'sample_weight', 'weight', 'weights']
    """
    return frozenset().union(*(_WORDS[kind] for kind in kinds))


def is_called(name: str, *kinds: str) -> bool:
    """Whether a name is one of the words of some kinds.

    >>> is_called("Question ID", "cases.clear"), is_called("svm", "cases.clear", "runs.game")
    (True, False)
    """
    key = _key_of(name)
    return any(key in _WORDS[kind] for kind in kinds)


@lru_cache(maxsize=SEVERAL_NAMES)
def _key_of(name: str) -> str:
    """The name as `key_of` gives it, without what trackers of experiments put before it: "config.model", "parameters/dataset"."""
    return _OF_TRACKERS.sub("", key_of(name))


def role_of(name: str) -> str | None:
    """The role a column's name speaks for, or None.

    >>> role_of("Data Set"), role_of("classifier_name"), role_of("config.model"), role_of("svm")
    ('dataset', 'algorithm', 'algorithm', None)
    """
    return _ROLE.get(_key_of(name)) or ("value" if is_score(name) else None)


def _words_of(name: str) -> str:
    """The name as `key_of` gives it, without the commands of LaTeX and with words for signs."""
    plain = re.sub(r"\\[a-zA-Z]+", " ", name) if "\\" in name else name
    return key_of(plain if plain.isascii() else " ".join(_SIGNS.get(word, word) for word in plain.split()))


def is_summary(name: str) -> bool:
    """Whether a row or column of that name sums up the others.

    >>> is_summary("Avg. rank"), is_summary("Average over 12 datasets"), is_summary("Mean AUC"), is_summary("mean_shift")
    (True, True, True, False)
    >>> is_summary("Average perf. on 38 datasets"), is_summary("Average WER")
    (True, True)
    """
    key, means = _OF_TIME.sub("", _words_of(name)), _WORDS["summary.mean"]
    if key in _WORDS["summary.name"] or ("p" in key and _P_VALUE.fullmatch(key)):
        return True
    if "overall" in key and {*key.split("_")} <= _WORDS["summary.of_what"]:
        return True  # overall_score
    if means.isdisjoint(key.split("_")) or key in _WORDS["runs.return"]:
        return False  # or of the episodes of one run
    first, *over = re.split(r"_(?:over|across|of|on)_", key)
    words = first.split("_")
    if over and words[0] in means and re.search(r"\d|all|datasets|tasks", over[0]):
        return True  # whatever it is the average of
    if means.isdisjoint(words):
        return False
    rest = [word for word in words if word not in means | _WORDS["summary.of_what"] and not word.isdigit()]
    metric = known_metric(rest[-1], exact=True) if rest else None
    whole = len(rest) == 1 or _OF_MEANS.isdisjoint(words)  # Mean Cross F1, but no F1 of mean shift
    return not rest or (metric is not None and not metric.is_cost and whole and words[0] in means)


def is_algorithm(name: str) -> bool:
    """Whether that is the name of a well-known algorithm.

    >>> is_algorithm("kNN"), is_algorithm("Random Forest"), is_algorithm("Llama-3-70B"), is_algorithm("iris")
    (True, True, True, False)
    """
    if _is_known(name, "known.algorithm"):
        return True
    return bool(_FAMILY.fullmatch(key_of(name.lower()))) and known_metric(name, exact=True) is None


def may_be_algorithms(names: Iterable[str], others: Iterable[str]) -> bool:
    """Whether of two lists of names the first may be algorithms: unless well-known ones are among the others alone.

    >>> may_be_algorithms(["a", "b"], ["c", "d"]), may_be_algorithms(["a", "b"], ["svm", "knn"])
    (True, False)
    """
    return sum(map(is_algorithm, others)) < 2 or any(map(is_algorithm, names))


def is_dataset(name: str) -> bool:
    """Whether that is the name of a well-known dataset.

    >>> is_dataset("ImageNet 1k"), is_dataset("CIFAR-10"), is_dataset("svm")
    (True, True, False)
    """
    return _is_known(name, "known.dataset")


def _is_known(name: str, kind: str) -> bool:
    words, lower = _WORDS[kind], name.lower()  # kNN is one word
    return key_of(lower) in words or (lower != name and key_of(name) in words)


def is_truth(name: str, *, few_labels: bool) -> bool:
    """Whether a column of that name holds the true labels of test cases.

    >>> is_truth("y_true", few_labels=False), is_truth("label", few_labels=False), is_truth("label", few_labels=True)
    (True, False, True)
    """
    return is_called(name, "predictions.truth", *(("predictions.perhaps_truth",) if few_labels else ()))


def says_otherwise(name: str) -> str:
    """What a column's name says that makes it no algorithm, as the end of a sentence; "" if it says nothing of the kind.

    >>> says_otherwise("n_instances"), says_otherwise("fit_time"), says_otherwise("auc_std"), says_otherwise("svm")
    ('describes the rows', 'is a cost and no score', 'is a spread and no score', '')
    >>> says_otherwise("params (M)"), says_otherwise("rating_q025"), says_otherwise("CLEVR Counts")
    ('is a cost and no score', 'is a bound and no score', '')
    >>> says_otherwise("f1_high"), says_otherwise("o3-mini-high"), says_otherwise("return_ci95")
    ('is a bound and no score', '', 'is a bound and no score')
    """
    # As it stands, and "Delta" of "Delta (svm-rf)".
    keys = _words_of(name), _words_of(re.sub(r"\s*[(\[].*", "", name))
    if is_cost(name) or _MONEY.search(_FORMULA.sub("", name)):
        return "is a cost and no score"
    if known_metric(name, exact=True) is not None:
        return "is the name of a metric"
    if _OF_TRACKERS.match(keys[0]):
        return "is a setting and no score"
    if (effort := _EFFORT.fullmatch(keys[0])) and known_metric(effort[1]) is None:
        return says_otherwise(effort[1])
    return next((what for what, pattern in _NOT_A_SCORE if any(map(pattern.fullmatch, keys))), "")


def is_property(name: str) -> bool:
    """Whether a column of that name describes datasets: it numbers neither repeats nor folds."""
    return says_otherwise(name) == _NOT_A_SCORE[0][0]


def is_score(name: str) -> bool:
    """Whether a name says that a column holds scores, and of no dataset: "score", "test_score", "cv_mean".

    >>> is_score("Train score"), is_score("cv_mean"), is_score("mean_test_score"), is_score("score_adult"), is_score("test")
    (True, True, True, False, False)
    """
    words = [word for word in key_of(name).split("_") if word not in _WORDS["split.name"] | {"cv"}]
    means = [word for word in words if word in _WORDS["summary.mean"]]
    if means and len(words) == len(means) < len(key_of(name).split("_")):
        return True
    return "_".join(word for word in words if word not in means) in _WORDS["role.value"]


def is_of_split(name: str) -> bool:
    """Whether a name has a part of the data among its words.

    >>> is_of_split("mean_test_score"), is_of_split("score")
    (True, False)
    """
    return not _WORDS["split.name"].isdisjoint(key_of(name).split("_"))


def is_split(name: str) -> bool:
    """Whether that is the name of a part of the data.

    >>> is_split("Train"), is_split("small")
    (True, False)
    """
    return is_called(name, "split.name")


def is_of_training(name: str) -> bool:
    """Whether a score was taken on what the algorithm was trained on.

    >>> is_of_training("train_acc"), is_of_training("trainable"), is_of_training("test_acc")
    (True, False, False)
    """
    return not {"train", "training"}.isdisjoint(key_of(name).split("_"))


def tested_first(names: list[str]) -> list[str]:
    """Parts of the data in the order of interest: tests come first, what was trained on last.

    >>> tested_first(["train", "val", "test"])
    ['test', 'val', 'train']
    """
    return sorted(names, key=lambda name: (is_of_training(name), "test" not in key_of(name).split("_")))


def mean_beside(name: str, others: Iterable[str]) -> str | None:
    """The column whose spread one of that name holds, among others.

    >>> mean_beside("AUC_std", ["AUC_mean", "F1"]), mean_beside("svm (std)", ["svm", "rf"]), mean_beside("my_std", ["svm"])
    ('AUC_mean', 'svm', None)
    """
    match = _SPREAD.fullmatch(name.strip()) or _SPREAD_OF.fullmatch(name.strip())
    if match is None:
        return None
    stem = key_of(match["mean"])
    wanted = {stem, f"{stem}_mean", f"{stem}_avg", f"mean_{stem}", f"{stem.removesuffix('_test')}"}
    return next((other for other in others if key_of(other) in wanted), None)
