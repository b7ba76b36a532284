"""One page, one scale: every number of what is compared is written through the comparison's one quantity."""

import re
from dataclasses import replace
from html.parser import HTMLParser

import numpy as np
import pandas as pd
import pytest

import podium
from podium.cases import gate
from podium.core.metric import settled_metric
from podium.evidence.cases import Cases
from podium.planning import may_stop
from podium.planning.cases import plan as cases_plan
from podium.report.documents import document
from podium.report.render_html import render_html
from podium.report.render_latex import latex_files
from podium.report.render_markdown import render_markdown
from podium.report.render_text import render_text

NAMES = ("forest", "boosting", "svm", "nearest")


class _Seen(HTMLParser):
    """What a reader of a page sees, what a mouse shows, and what is read aloud."""

    def __init__(self, page):
        super().__init__()
        self.parts, self.hidden = [], 0
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.hidden += tag in ("script", "style")
        self.parts += [value for name, value in attrs if name in ("title", "aria-label", "alt") and value]

    def handle_endtag(self, tag):
        self.hidden -= tag in ("script", "style")

    def handle_data(self, data):
        if not self.hidden:
            self.parts.append(data)


def written(comparison):
    """The comparison in every format, as the words that a reader sees, without the arguments that repeat it."""
    made = document(comparison)
    made = replace(made, sections=tuple(section for section in made.sections if section.key != "repeat"))
    tex = latex_files(made)
    return {
        "html": "\n".join(part.strip() for part in _Seen(render_html(made)).parts if part.strip()),
        "text": render_text(made, width=100, max_rows=500),
        "markdown": render_markdown(made),
        **{name: text for name, text in tex.items() if name.endswith((".tex", ".tikz"))},
        "notebook": "\n".join(_Seen(comparison._repr_html_()).parts),
    }


def scores(n=14, k=4, *, seed=5):
    rng = np.random.default_rng(seed)
    values = 0.62 + 0.3 * rng.random((n, 1)) - 0.0137 * np.arange(k) + 0.0171 * rng.standard_normal((n, k))
    return pd.DataFrame(values, columns=list(NAMES[:k]), index=[f"data {chr(97 + i)}" for i in range(n)])


def folds():
    rng = np.random.default_rng(3)
    rows = [
        (name, "only", repeat, fold, 0.8 + 0.0213 * j + 0.0317 * rng.standard_normal())
        for j, name in enumerate(NAMES[:3])
        for repeat in range(5)
        for fold in range(4)
    ]
    return pd.DataFrame(rows, columns=["algorithm", "dataset", "repeat", "fold", "accuracy"])


def runs():
    rng = np.random.default_rng(4)
    rows = [
        (agent, f"task {task}", seed, 0.55 + 0.0371 * i + 0.0233 * task + 0.0177 * rng.standard_normal())
        for i, agent in enumerate(NAMES[:3])
        for task in range(3)
        for seed in range(6)
    ]
    return pd.DataFrame(rows, columns=["agent", "task", "seed", "accuracy"])


def cases(*, graded=True, benchmarks=()):
    """Outcomes as numbers, whose tests do not depend on their scale; those of pass or fail do."""
    rng = np.random.default_rng(13)
    chance = 0.4 + 0.4 * rng.random((90, 1)) + np.array([0.0, 0.0731, 0.1337])
    values = (
        np.clip(chance + 0.0813 * rng.standard_normal((90, 3)), 0, 1).round(3)
        if graded
        else rng.random((90, 3)) < chance
    )
    names = tuple(f"case {i}" for i in range(90))
    return Cases(
        values=values,
        cases=names,
        algorithms=NAMES[:3],
        metric=settled_metric("accuracy"),
        kind="numeric",
        benchmarks=benchmarks,
    )


def holes():
    made = scores()
    made.iloc[2, 1] = np.nan
    return made


PRICES = dict(zip(NAMES, (4.0, 3.0, 2.0, 1.0), strict=True))
SHARES = {
    "datasets": (scores, {"metric": "accuracy"}),
    "few": (lambda: scores(n=4, k=3), {"metric": "accuracy"}),
    "missing scores": (holes, {"metric": "accuracy"}),
    "nemenyi": (scores, {"metric": "accuracy", "test": "nemenyi"}),
    "costs": (scores, {"metric": "accuracy", "cost": PRICES}),
    "control with a rope": (scores, {"metric": "accuracy", "control": "svm", "rope": 0.0123}),
    "two": (lambda: scores(k=2), {"metric": "accuracy", "rope": 0.0123}),
    "control": (scores, {"metric": "accuracy", "control": "svm"}),
    "rope": (lambda: scores(k=3), {"metric": "accuracy", "rope": 0.0123}),
    "relative": (scores, {"metric": "accuracy", "test": "geometric_ratio"}),
    "folds": (folds, {"unit": "dataset"}),
    "runs": (runs, {"unit": "run", "normalise": "none"}),
    "mean of runs": (runs, {"unit": "run", "normalise": "none", "aggregate": "mean"}),
    "cases": (cases, {}),
    "cases with a rope": (cases, {"rope": 0.0511}),
    "cases with a control": (cases, {"control": "svm"}),
    "zeros and ones": (lambda: cases(graded=False), {}),
    "benchmarks": (lambda: cases(benchmarks=("x", "y", "z") * 30), {}),
}


def in_percent(data):
    if isinstance(data, Cases):
        return replace(data, values=100 * data.values, scores=np.empty(0))
    return data.assign(accuracy=100 * data["accuracy"]) if "accuracy" in data else 100 * data


@pytest.mark.parametrize("case", SHARES)
def test_shares_and_the_same_in_percent_give_the_same_words(case):
    data, settings = SHARES[case]
    shares = podium.compare(data(), **settings)
    larger = {**settings, "rope": 100 * settings["rope"]} if "rope" in settings else settings
    percent = podium.compare(in_percent(data()), **larger)
    here, there = written(shares), written(percent)
    for name in here:
        own, other = (text[name].splitlines() for text in (here, there))
        assert own == other, (name, [pair for pair in zip(own, other, strict=False) if pair[0] != pair[1]][:5])


def test_a_number_of_another_scale_is_found(monkeypatch):
    monkeypatch.setattr("podium.report.comparison.written_in", lambda quantity: {"digits": 4})  # as it is in memory
    made = [written(podium.compare(data, metric="accuracy"))["html"] for data in (scores(), in_percent(scores()))]
    assert made[0] != made[1]


def test_an_aggregate_of_normalised_runs_has_the_scale_of_the_aggregate():
    found = podium.compare(runs(), unit="run", normalise="minmax")
    assert (found.quantity.factor, found.quantity.unit) == (1.0, "")


def test_sentences_and_the_picture_have_the_same_digits_where_the_metric_has_none_of_its_own():
    made = podium.compare(scores().rename_axis("dataset") / 7, metric="rmse")
    second = made.ranking[1].algorithm
    gap = next(row.texts[0] for row in podium.plot.gaps(made).table.rows if row.names == (second,))
    assert any(f"{gap} lower than {second}'s" in sentence for sentence in made.verdict.sentences)
    digits = len(gap.split(".")[1])
    assert any(f" {made.detectable:.{digits}f} in RMSE" in remark.sentence for remark in made.remarks)


_NUMBER = re.compile(r"(?<![\w.])\d[\d,]*(?:\.\d+)?")


def passes():
    """Three algorithms that pass or fail on cases: shares of which the tests speak, such as McNemar's."""
    made = cases(graded=False)
    return replace(made, values=made.values.astype(bool), kind="pass_fail", scores=np.empty(0))


def walked(monkeypatch, make):
    """The numbers of a text with the words behind each, in percent and, by another factor of its quantity, in tenths."""
    own = Cases.quantity.fget
    percent = re.split(f"({_NUMBER.pattern})", make())
    monkeypatch.setattr(Cases, "quantity", property(lambda data: replace(own(data), factor=10, decimals=2)))
    tenths = re.split(f"({_NUMBER.pattern})", make())
    assert percent[::2] == tenths[::2]  # the words are the same
    numbers = ([float(text.replace(",", "")) for text in texts[1::2]] for texts in (percent, tenths))
    return list(zip(*numbers, percent[2::2], strict=True))


PASS_OR_FAIL = {
    "all pairs": lambda: written(podium.compare(passes()))["html"],
    "two": lambda: written(podium.compare(passes(), algorithms=list(NAMES[:2])))["html"],
    "control": lambda: written(podium.compare(passes(), control="svm"))["html"],
    "rope": lambda: written(podium.compare(passes(), rope=0.0511))["html"],
    "cases needed": lambda: of_result(cases_plan(passes(), difference=0.0511, a="forest", b="svm")),
    "gate": lambda: of_result(gated()),
    "gate of benchmarks": lambda: of_result(gated(benchmarks=("x", "y", "z") * 30)),
    "stop": lambda: of_result(may_stop(passes(), difference=0.0511)),
}


def gated(**fields):
    return gate(replace(passes(), **fields), baseline="forest", candidate="boosting", margin=0.0511)


def of_result(result):
    """A result without a comparison, in every format."""
    made = document(result)
    page = "\n".join(part.strip() for part in _Seen(render_html(made)).parts if part.strip())
    texts = [page, render_text(made, width=100), render_markdown(made), repr(result)]
    return " ".join(" ".join(texts).split())


def amounts(result):
    names = ("baseline_score", "candidate_score", "difference", "low", "high", "margin", "detectable_drop")
    return [value for name in names if (value := getattr(result, name, None)) is not None]


def past_the_quantity(found):
    """Numbers that another factor leaves as they are, though they are amounts of percentage points or scores of algorithms."""
    shares = {round(100 * score, digits) for score in passes().scores for digits in (1, 2)}
    shares |= {float(f"{amount:.4g}") for check in gated().checks for amount in amounts(check)}  # as in memory
    shares |= {float(f"{abs(amount):.4g}") for amount in amounts(may_stop(passes()))}
    same = [(one, after) for one, other, after in found if one == other != 0]
    return [
        one
        for one, after in same
        if after.startswith(" percentage point") or (one in shares and not after.startswith("%"))
    ]


@pytest.mark.parametrize("case", PASS_OR_FAIL)
def test_every_share_of_passes_is_written_through_the_quantity(monkeypatch, case):
    found = walked(monkeypatch, PASS_OR_FAIL[case])
    scaled = [(one, other) for one, other, _ in found if one != other]
    assert scaled
    assert all(other == pytest.approx(one / 10, abs=0.006) for one, other in scaled)
    assert past_the_quantity(found) == []


def test_a_share_of_passes_past_the_quantity_is_found(monkeypatch):
    monkeypatch.setattr(
        "podium.report.comparison.written_in", lambda quantity: {"digits": 1, "written": lambda value: 100 * value}
    )
    assert past_the_quantity(walked(monkeypatch, PASS_OR_FAIL["all pairs"]))
