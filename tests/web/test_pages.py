"""The pages without a browser: forms, addresses, recipes."""

import html
import re
import shlex
import subprocess
import sys

import pytest
from typer.testing import CliRunner

import podium
from podium.cli.main import app
from web.load import TABLE


def problem(answer):
    return html.unescape(re.search(r'id="(?:problem|question)">(.*?)</p>', answer.text, re.DOTALL)[1])


def recipe(answer, kind):
    return html.unescape(re.search(rf'id="recipe-{kind}">(.*?)</pre>', answer.text, re.DOTALL)[1])


def answered(page):
    """The sentence of a result: under its heading, or as the heading of a plan; with the apostrophes that a terminal has."""
    return html.unescape(re.search(r"(?:</h2>\n<p>|data-verdict>)(.*?)</", page.text)[1]).replace("’", "'")


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/order",
        "/chance",
        "/chance/pvalue",
        "/chance/table",
        "/chance/plan",
        "/chance/chart",
        "/plan",
        "/plan/cases",
        "/gate",
    ],
)
def test_every_page_answers_and_says_how_to_do_the_same(client, path):
    answer = client.get(path)
    assert answer.status_code == 200
    assert recipe(answer, "command").startswith("podium ")


def test_every_field_has_a_label(client, table):
    for path in ("/", "/chance", "/chance/plan", "/plan/datasets", f"/tables/{table}", f"/tables/{table}/order"):
        text = client.get(path).text
        labelled = set(re.findall(r'<label for="([^"]+)"', text))
        named = re.findall(r'<(?:input|select|textarea) id="([^"]+)"', text)
        assert named
        assert set(named) <= labelled, path
        assert len(set(named)) == len(named)


def test_a_form_without_a_table_asks_for_one(client):
    answer = client.post("/tables", data={"then": "compare", "text": "  "})
    assert (answer.status_code, problem(answer)) == (422, "Choose a file, or paste a table with its header line.")


def test_a_question_of_the_reader_speaks_the_words_of_the_form(client):
    text = "dataset\tsvm\tknn\niris\t0.9\t0.8\nzoo\t0.7\t0.75\nwine\t0.7\t0.65\n"
    answer = client.post("/tables", data={"then": "compare", "text": text}, follow_redirects=True)
    assert answer.status_code == 200
    asked = problem(answer)
    assert "“Metric”" in asked
    assert "--" not in asked
    assert "`" not in asked


def test_what_was_chosen_stays_when_something_is_wrong(client, table):
    sent = {"direction": "lower", "compare.control": "C3", "compare.rope": "wide", "compare.alpha": "0.05"}
    answer = client.post(f"/tables/{table}/comparisons", data=sent)
    assert answer.status_code == 422
    assert "“Differences that do not matter”" in problem(answer)
    assert re.search(r'value="lower" checked', answer.text)
    assert '<option value="C3" selected>C3</option>' in answer.text


def test_a_result_has_an_address_that_can_be_kept(client, table):
    sent = {"compare.control": "C3"}
    first, second = (client.post(f"/tables/{table}/comparisons", data=sent) for _ in range(2))
    assert first.status_code == 303
    assert first.headers["location"] == second.headers["location"]
    page = client.get(first.headers["location"])
    assert "as long as the server runs" in page.text
    gone = client.get("/comparisons/0123456789abcdef0123")
    assert gone.status_code == 404
    assert "make it again from its table" in problem(gone)


def test_the_recipes_of_a_comparison_run_and_agree(client, table, tmp_path):
    sent = {"direction": "lower", "compare.control": "C3", "compare.rope": "0.5", "compare.test": "sign"}
    page = client.post(f"/tables/{table}/comparisons", data=sent, follow_redirects=True)
    verdict = html.unescape(re.search(r"data-verdict>(.*?)</h1>", page.text)[1])
    (tmp_path / "accuracies.csv").write_bytes(TABLE.read_bytes())
    code = recipe(page, "python")
    ran = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert ran.stdout.startswith(verdict)
    words = shlex.split(recipe(page, "command"))
    assert words[:5] == ["podium", "compare", "accuracies.csv", "--direction", "lower"]
    words[2], words[-1] = str(TABLE), str(tmp_path / "report.html")
    done = CliRunner().invoke(app, words[1:], catch_exceptions=False)
    assert done.exit_code == 0
    written = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert written == client.get(str(page.url).rpartition("?")[0] or f"{page.url}/html").text


CALCULATIONS = [
    "/chance/value?metric=auc&positives=30&negatives=40&competitors=10&alpha=0.05",
    "/chance/value?metric=ndcg&positives=10&negatives=12&competitors=3&alpha=0.1",
    "/chance/pvalue?metric=auc&score=0.7&positives=20&negatives=20&competitors=5&unattainable=nearest",
    "/chance/table?metrics=auc&positives=20,30&negatives=20&competitors=10&alphas=0.05",
    "/chance/plan?what=cases&metrics=auc&score=0.7&share=0.5&competitors=10&alpha=0.05",
    "/chance/plan?what=mix&metrics=auc&cases=20&competitors=10&alpha=0.05",
    "/chance/plan?what=mix&metrics=auc&cases=20&auc=0.8&draws=60&competitors=2&alpha=0.1",
    "/chance/plan?what=competitors&metrics=auc&positives=20&negatives=30&score=0.8&alpha=0.05",
    "/chance/chart?kind=cdf&metrics=auc&positives=20&negatives=20",
    "/plan/datasets?effects=0.5&sizes=10&tests=sign&draws=300",
    "/plan/datasets?effects=0.5&target_power=0.8&tests=sign&draws=300",
    "/plan/cases?difference=0.05&agreement=0.8",
]


def run_command(words, folder, monkeypatch):
    """What a command of a recipe prints, in a folder of its own."""
    monkeypatch.chdir(folder)
    done = CliRunner().invoke(app, shlex.split(words)[1:], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return " ".join(done.output.split())


def run_python(code, folder, monkeypatch, capsys):
    """What the Python of a recipe prints, in that folder."""
    monkeypatch.chdir(folder)
    exec(compile(code, "recipe", "exec"), {})
    return capsys.readouterr().out


@pytest.mark.parametrize("path", CALCULATIONS)
def test_the_recipes_of_calculators_run_and_agree(client, path, tmp_path, monkeypatch, capsys):
    page = client.get(path)
    printed = run_command(recipe(page, "command"), tmp_path, monkeypatch)
    if "chart" in path:
        assert (tmp_path / "chart.pdf").stat().st_size > 1000
        return
    again = run_python(recipe(page, "python"), tmp_path, monkeypatch, capsys)
    assert again.strip()
    if "table" not in path:
        sentence = answered(page)
        assert sentence in printed
        assert sentence in " ".join(again.split())


@pytest.mark.parametrize("path", ["/", "/order"])
def test_the_recipes_of_the_start_pages_run_as_they_stand(client, path, tmp_path, monkeypatch, capsys):
    page = client.get(path)
    assert run_command(recipe(page, "command"), tmp_path, monkeypatch)
    assert run_python(recipe(page, "python"), tmp_path, monkeypatch, capsys).strip()


def test_the_recipe_of_the_api_runs_as_it_stands(client):
    first, second = (shlex.split(line) for line in recipe(client.get("/api"), "command").splitlines())
    for words in (first, second):
        header, body, address = words[2], words[4], words[5]
        answer = client.post(address, content=body, headers=dict([header.split(": ")]))
        assert answer.status_code == 201, answer.text
    assert answer.json()["alpha"] == 0.01


def test_the_recipes_of_orders_and_pilots_run_on_the_table_as_it_can_be_downloaded(
    client, tmp_path, monkeypatch, capsys
):
    table = client.post("/tables", data={"then": "compare", "example": "ulas2008"}).headers["location"]
    pages = [
        client.post(f"{table}/orders", data={"order.cost": "training_time"}, follow_redirects=True),
        client.get(f"/plan/datasets?table={table.rpartition('/')[2]}&tests=sign&a=5nn&b=c45&reading.metric=accuracy"),
    ]
    kept = client.get(f"{table}/file")
    name = kept.headers["content-disposition"].rpartition("''")[2]
    (tmp_path / name).write_bytes(kept.content)
    for page in pages:
        assert page.status_code == 200
        assert name in recipe(page, "command")
        sentence = answered(page)
        assert sentence in run_command(recipe(page, "command"), tmp_path, monkeypatch)
        assert run_python(recipe(page, "python"), tmp_path, monkeypatch, capsys).strip()


def test_a_text_that_was_pasted_stays_when_it_cannot_be_read(client):
    text = "dataset\tsvm <b>\n"
    answer = client.post("/tables", data={"then": "compare", "text": text})
    assert answer.status_code == 422
    typed = re.search(r"<textarea[^>]*>(.*?)</textarea>", answer.text, re.DOTALL)[1]
    assert html.unescape(typed).replace("\r\n", "\n") == text


def test_one_error_is_said_once(client):
    text = "dataset\tsvm\tknn\niris\t0.9\t0.8\nzoo\t0.7\t0.75\nwine\t0.7\t0.65\n"
    table = client.post("/tables", data={"then": "compare", "text": text}).headers["location"]
    answer = client.post(f"{table}/comparisons", data={})
    assert answer.status_code == 422
    assert answer.text.count('role="alert"') == 1


def test_wrong_settings_below_a_result_leave_the_result_and_what_was_entered(client, table):
    first = client.post(f"/tables/{table}/comparisons", data={}, follow_redirects=True)
    answer = client.post(
        f"/tables/{table}/comparisons", data={**hidden(first), "compare.alpha": "3", "compare.test": "sign"}
    )
    assert (answer.status_code, "“Significance level”" in problem(answer)) == (422, True)
    assert "data-verdict" in answer.text
    assert '<option value="sign" selected>' in answer.text
    assert 'value="3"' in answer.text


def test_a_chart_that_cannot_be_drawn_says_why_in_the_page(client):
    answer = client.get("/chance/chart?kind=cdf&metrics=nothing&positives=20&negatives=20")
    assert (answer.status_code, "nothing" in problem(answer)) == (422, True)
    assert "<img" not in answer.text


def test_calculators_keep_what_was_asked_when_it_is_wrong(client):
    answer = client.get("/chance/value?metric=auc&positives=many&negatives=40")
    assert answer.status_code == 422
    assert "“Positives”" in problem(answer)
    assert 'value="many"' in answer.text


def test_examples_can_be_tried(client):
    answer = client.post("/tables", data={"then": "order", "example": "ulas2008"}, follow_redirects=True)
    assert answer.status_code == 200
    assert "training_time" in answer.text
    assert client.post("/tables", data={"then": "order", "example": "../secret"}).status_code == 422


def test_costs_enter_a_comparison(client):
    start = client.post("/tables", data={"then": "compare", "example": "ulas2008"})
    table = start.headers["location"]
    by_metric = client.post(f"{table}/comparisons", data={"compare.cost": "training_time"}, follow_redirects=True)
    assert "Order by cost" in by_metric.text
    assert "--cost training_time" in recipe(by_metric, "command")
    names = "5nn=1, c45=2, lnp=3, mlp=4, mdt=5, svl=6, sv2=7, svr=8"
    typed = client.post(f"{table}/comparisons", data={"compare.cost": names}, follow_redirects=True)
    assert "'5nn': 1.0" in recipe(typed, "python")
    formula = client.post(
        f"{table}/comparisons", data={"compare.cost": "0.7*training_time + 0.3*space"}, follow_redirects=True
    )
    assert "--cost '0.7*training_time + 0.3*space'" in recipe(formula, "command")
    assert all(f'<option value="{name}">' in client.get(table).text for name in ("training_time", "space"))
    wrong = client.post(f"{table}/comparisons", data={"compare.cost": "5nn=cheap"})
    assert "Costs must look like svm=3, knn=1" in problem(wrong)


def test_a_pasted_table_can_be_had_as_a_file(client):
    text = "dataset\taccuracy of svm\tknn\niris\t0.9\t0.8\nzoo\t0.7\t0.75\n"
    table = client.post("/tables", data={"then": "compare", "text": text}).headers["location"]
    answer = client.get(f"{table}/file")
    assert answer.text.replace("\r\n", "\n") == text
    assert answer.headers["content-disposition"] == "attachment; filename*=UTF-8''pasted.csv"


def hidden(answer):
    """What the form below a result sends unchanged."""
    return dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)">', answer.text))


def test_settings_can_be_changed_below_a_result_and_are_recorded(client, table):
    first = client.post(f"/tables/{table}/comparisons", data={"direction": "lower"}, follow_redirects=True)
    assert hidden(first)["direction"] == "lower"  # how the table is read stays
    again = re.search(r'<form method="post" action="([^"]+)"', first.text)[1]
    changed = {"compare.alpha": "0.01", "compare.correction": "hochberg", "compare.algorithms": ["C1", "C3", "C4"]}
    second = client.post(again, data={**hidden(first), **changed}, follow_redirects=True)
    assert second.status_code == 200
    assert second.url != first.url
    data = client.get(f"{second.url}/json").json()
    results = podium.read(TABLE, direction="lower")
    expected = podium.compare(results, alpha=0.01, correction="hochberg", algorithms=["C1", "C3", "C4"])
    assert data["verdict"]["headline"] == expected.verdict.headline
    assert data["pairs"]["adjusted"] == expected.pairs.adjusted.tolist()
    assert (data["settings"]["alpha"], data["settings"]["correction"]) == (0.01, "hochberg")
    words = shlex.split(recipe(second, "command"))
    assert words[3:-2] == ["--direction", "lower", *(word for name in ("C1", "C3", "C4") for word in ("--algorithms", name)),
                           "--correction", "hochberg", "--alpha", "0.01"]  # fmt: skip
    form = second.text  # and the form shows what was chosen
    assert 'value="hochberg" selected' in form
    assert len(re.findall(r'name="compare.algorithms" value="\w+" checked', form)) == 3
    assert hidden(second)["direction"] == "lower"
    sentence = data["remarks"][0]["sentence"]  # the result says what was changed after looking
    assert sentence.startswith(
        "These settings were chosen after looking at 1 result with other settings. Changed since the first: "
    )
    for part in (
        "Algorithms (C1, C3 and C4 instead of all)",
        "Correction (hochberg instead of the rules' choice)",
        "Significance level (0.01",
    ):
        assert part in sentence
    for file in ("html", "markdown"):
        assert "after looking at 1 result" in client.get(f"{second.url}/{file}").text
    assert sentence in html.unescape(second.text)
    third = client.post(again, data={**hidden(second), **changed, "compare.alpha": "0.02"}, follow_redirects=True)
    assert "after looking at 2 results" in client.get(f"{third.url}/json").json()["remarks"][0]["sentence"]
    back = client.post(again, data={**hidden(third)}, follow_redirects=True)
    assert back.url == first.url  # what was chosen before looking stays so


def test_the_same_settings_without_a_look_have_no_such_remark(client, table):
    made = client.post(f"/tables/{table}/comparisons", data={"compare.alpha": "0.01"}).headers["location"]
    assert not any("after looking" in one["sentence"] for one in client.get(f"{made}/json").json()["remarks"])


def test_an_order_has_a_report_and_settings_too(client):
    table = client.post("/tables", data={"then": "compare", "example": "ulas2008"}).headers["location"]
    first = client.post(f"{table}/orders", data={"order.cost": "training_time"}, follow_redirects=True)
    assert first.status_code == 200
    assert recipe(first, "command").endswith("--cost training_time")
    second = client.post(f"{table}/orders", data={"order.cost": ["space", ""], "order.alpha": "0.1"})
    address = second.headers["location"]
    assert address != first.url.path
    assert client.get(f"{address}/json").json()["alpha"] == 0.1
    assert client.get(f"{address}/html").text.startswith("<!doctype html>")
    wrong = client.post(f"{table}/orders", data={"order.test": "magic"})
    assert (wrong.status_code, "“Test”" in problem(wrong)) == (422, True)


OUTCOMES = "question,old,new\n" + "".join(f"q{i},{int(i % 3 > 0)},{int(i % 3 > 0 or i % 5 == 0)}\n" for i in range(90))


def uploaded(client, text, then="compare"):
    """The address to which a pasted table leads."""
    return client.post("/tables", data={"then": then, "text": text, "name": "evals.csv"}).headers["location"]


def test_a_gate_has_its_form_its_result_and_recipes_that_agree(client, tmp_path, monkeypatch, capsys):
    form = uploaded(client, OUTCOMES, "gate")
    assert form.endswith("/gate")
    sent = {"gate.baseline": "old", "gate.candidate": "new", "gate.margin": "0.02"}
    page = client.post(f"{form}s", data=sent, follow_redirects=True)
    verdict = html.unescape(re.search(r"data-verdict>(.*?)</h1>", page.text)[1])
    assert "new is less than 2 percentage points behind old" in verdict
    (tmp_path / "evals.csv").write_text(OUTCOMES)
    assert run_python(recipe(page, "python"), tmp_path, monkeypatch, capsys).startswith(verdict)
    assert verdict.rstrip(".") in run_command(recipe(page, "command"), tmp_path, monkeypatch)
    downloaded = client.get(f"{page.url}/json").json()
    made = client.post(f"/api{form}s", json={"options": {"baseline": "old", "candidate": "new", "margin": 0.02}})
    assert (made.status_code, made.json()) == (201, downloaded)


def test_a_gate_without_its_margin_marks_the_field(client):
    form = uploaded(client, OUTCOMES, "gate")
    answer = client.post(f"{form}s", data={"gate.baseline": "old", "gate.candidate": "new"})
    assert (answer.status_code, "“Margin”" in problem(answer)) == (422, True)
    assert re.search(r'name="gate.margin" aria-invalid=true', answer.text)


def test_a_gate_asks_for_what_it_needs_and_does_not_open_what_is_right(client):
    form = uploaded(client, OUTCOMES, "gate")
    fold = re.compile(r"<details( open)?><summary>Which column is what")
    page = client.get(form).text
    for name in ("baseline", "candidate", "margin"):
        assert re.search(rf'name="gate.{name}" required', page)
    answer = client.post(f"{form}s", data={"gate.baseline": "old", "gate.candidate": "new"})
    assert fold.search(answer.text)[1] is None
    assert fold.search(client.get(f"{form}?case_column=nothing").text)[1]  # a wrong column is chosen there


def test_a_pilot_of_cases_plans_as_the_function_does(client):
    table = uploaded(client, OUTCOMES).rpartition("/")[2]
    planned = client.get(f"/api/plan/cases?table={table}&difference=0.05").json()
    cases = {"old": [int(i % 3 > 0) for i in range(90)], "new": [int(i % 3 > 0 or i % 5 == 0) for i in range(90)]}
    assert planned["designs"] == podium.planning.plan(cases, difference=0.05).to_dict()["designs"]


def test_a_plan_of_cases_has_its_power_in_a_figure_with_the_pilot_and_the_power_that_is_wanted(client):
    table = uploaded(client, OUTCOMES).rpartition("/")[2]
    planned = client.get(f"/plan/cases?table={table}&difference=0.05").text
    figure = planned[planned.index('data-block="power"') :]
    assert "you are here: 90<" in figure
    assert "effect of 5 percentage points<" in figure
    assert "stroke-dasharray" in figure
    assert "Power of 1 test for 1 effect." in client.get("/plan/cases").text


def test_a_critical_value_has_the_same_digits_in_sentence_headline_and_table(client):
    page = client.get("/chance/value").text
    assert page.count("0.77445") >= 3
    assert not re.search(r"0\.7744\b", page)


def test_a_question_is_answered_by_one_click(client):
    form = uploaded(
        client, "dataset,model,zeta\n" + "".join(f"d{i},m{j},{i * 7 % 5 + j}\n" for i in range(8) for j in range(3))
    )
    addresses = re.findall(r'<li><a class="button" href="([^"]+)"><bdi>Better is: (\w+)</bdi>', client.get(form).text)
    assert [word for _, word in addresses] == ["higher", "lower"]
    after = client.get(html.unescape(addresses[1][0]))
    assert 'id="question"' not in after.text
    assert "lower" in after.text


def test_columns_to_leave_out_are_chosen_from_a_list(client):
    form = uploaded(
        client, 'dataset,svm,knn,"n, all"\n' + "".join(f"d{i},0.{80 + i},0.{70 + i},{i}\n" for i in range(9))
    )
    assert '<input type="checkbox" name="ignore_column" value="n, all">' in client.get(form).text
    seen = client.get(f"{form}?ignore_column=n%2C+all&metric=accuracy").text
    assert re.search(r'name="ignore_column" value="n, all" checked', seen)
    assert "9 datasets x 2 algorithms" in html.unescape(seen)


def test_a_gate_of_predictions_takes_the_positive_class(client):
    rows = "".join(
        f"c{i},{'ham' if i % 3 else 'spam'},{'ham' if i % 2 else 'spam'},{'ham' if i % 3 else 'spam'}\n"
        for i in range(90)
    )
    form = uploaded(client, "case,label,old,new\n" + rows, "gate")
    sent = {"truth": "label", "metric": "f1", "gate.baseline": "old", "gate.candidate": "new", "gate.margin": "0.02"}
    refused = client.post(f"{form}s", data=sent)
    assert (refused.status_code, "“Positive label”" in html.unescape(refused.text)) == (422, True)
    page = client.post(f"{form}s", data={**sent, "gate.positive": "spam"}, follow_redirects=True)
    assert "Gate: not worse" in page.text
    assert "--truth label" in recipe(page, "command")
    assert "--positive spam" in recipe(page, "command")
    assert "recipe-python" not in page.text  # `cases.gate` takes outcomes


def test_one_click_chooses_a_metric_and_a_pilot_is_planned_with_at_once(client):
    rows = ["benchmark,learner,accuracy,f1"]
    rows += [f"set {i},{name},{0.8 + i / 100},{0.7 + i / 90:.3f}" for i in range(6) for name in ("ridge", "tree")]
    form = uploaded(client, "\n".join(rows))
    asked = client.get(form).text
    assert "choose one with" in asked
    assert f'href="{form}?metric=f1"' in asked
    assert 'role="alert"' not in client.get(f"{form}?metric=f1").text
    pilot = uploaded(client, OUTCOMES).rpartition("/")[2]
    planned = client.get(f"/plan/cases?table={pilot}")
    assert planned.status_code == 200
    assert "To show a difference of 5 percentage points" in answered(planned)
