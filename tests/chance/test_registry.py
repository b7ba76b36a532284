"""The registry of metrics: every entry loads, every name leads to its entry, and nothing is meant twice."""

import pytest

import podium
from podium.chance.distributions import NullDistribution
from podium.chance.registry import METRICS, label_of, metric_name, names, usual
from podium.report.bibliography import entry


@pytest.mark.parametrize("metric", METRICS.values(), ids=lambda metric: metric.name)
def test_every_entry_loads_what_it_says(metric):
    home = metric.load()
    assert issubclass(home, NullDistribution) if metric.exact else callable(home)
    assert all(entry(key) for key in metric.references)
    assert bool(metric.number) == bool(metric.example)
    if metric.exact:
        assert metric_name(metric.shown).metric is metric
        assert "{" not in label_of(metric.shown)


def test_no_word_means_two_metrics():
    words = [word for metric in METRICS.values() for word in (metric.name, *metric.aliases)]
    assert len(words) == len(set(words))


@pytest.mark.parametrize(
    "typed, name",
    [("ROC AUC", "auc"), ("acc", "best_accuracy"), ("f", "best_f1"), ("F-measure", "best_f1"), ("f_2", "best_f2"),
     ("precision@5", "precision5"), ("recall_at_20", "recall20"), ("tp010", "tp10"), ("weighted accuracy 0.4",
     "weighted_accuracy0.4"), ("g-mean", "gmean"), ("informedness", "youden")],
)  # fmt: skip
def test_other_words_for_a_metric(typed, name):
    assert metric_name(typed).name == name


@pytest.mark.parametrize(
    "typed, sentence",
    [
        ("tp", "did you mean 'tp10'"),
        ("tp0", "must be at least 1"),
        ("best_f0.0001", "with at most 3 decimals"),
        ("auc10", "did you mean 'auc'"),
        ("ndcg", "use `podium.chance.simulated_critical_value`"),
        ("zork", "there are auc, gini, best_accuracy"),
    ],
)
def test_names_that_mean_nothing_are_refused(typed, sentence):
    with pytest.raises(podium.ArgumentError, match=sentence):
        metric_name(typed)


def test_lists_for_commands_and_pages():
    assert set(names()) == {*names(exact=True), *names(exact=False)}
    assert usual("plan") == ("auc", "best_accuracy", "best_f1", "tp10")
    assert usual("table") == ("auc", "best_accuracy", "best_f1")


def test_one_level_is_the_default_of_the_whole_room():
    """The same question has one answer: in Python, on the command line and on the page, in a value, a table and a plan."""
    import inspect

    from podium.chance.registry import LEVEL
    from podium.web.calculators import CALCULATORS

    found = {}
    for name in dir(podium.chance):
        parameters = (
            inspect.signature(made).parameters if inspect.isfunction(made := getattr(podium.chance, name)) else {}
        )
        found |= {(name, word): parameters[word].default for word in ("alpha", "alphas") if word in parameters}
    assert len(found) >= 7
    assert set(found.values()) <= {LEVEL, (LEVEL,), inspect.Parameter.empty}
    for kind in ("value", "plan", "chart"):
        assert CALCULATORS[kind].model.model_fields["alpha"].default == LEVEL
    assert CALCULATORS["table"].model.model_fields["alphas"].default == str(LEVEL)
    value = podium.chance.critical_value("auc", positives=20, negatives=20, competitors=10).critical_value
    table = podium.chance.critical_table("auc", positives=[20], negatives=[20], competitors=[10])
    assert table.values.item() == value
