"""`--from` says what a report says otherwise than its own scores, whatever was changed in it."""

import base64
import gzip
import json
import random
import re

import pytest

from attacks import ATTACKS
from podium.report.html_blocks import MOST_UNPACKED, packed
from podium.report.render_html import DATA_ID, json_for_script, read_embedded
from program import podium


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    folder = tmp_path_factory.mktemp("report")
    rows = "".join(f"d{i},{0.5 + i / 40},{0.52 + i / 41},{0.4 + (i * 7 % 12) / 40}\n" for i in range(12))
    (folder / "s.csv").write_text(f"dataset,A,B,C\n{rows}")
    ran = podium("compare", "s.csv", "--metric", "accuracy", "--html", "r.html", "--json", "r.json", "-q", cwd=folder)
    assert ran.returncode == 0, ran.stderr
    return folder


def with_a_key_twice(text):
    """As JSON counts, the last value is the key's; a reader sees the first."""
    changed = re.sub(r'"alpha": ?', '"alpha":0.2,"alpha":', text, count=1)
    assert changed != text
    return changed


def test_a_key_that_stands_twice_is_seen(report):
    (report / "t.json").write_text(with_a_key_twice((report / "r.json").read_text()))
    ran = repeated(report, "t.json")
    assert (ran.returncode, "has the key 'alpha' more than once" in ran.stderr) == (2, True)
    page = (report / "r.html").read_text()
    twice = with_a_key_twice(json_for_script(read_embedded(page)))
    for kind, text in (("json", twice), ("gzip", packed(twice))):
        (report / "t.html").write_text(embedding(page, text, kind))
        ran = repeated(report, "t.html")
        assert (ran.returncode, "the data of the page" in ran.stderr) == (1, True)


@pytest.mark.parametrize("ending", ["html", "json"])
def test_a_device_is_no_report(report, ending):
    (report / f"zero.{ending}").symlink_to("/dev/zero")
    ran = repeated(report, f"zero.{ending}")
    assert (ran.returncode, "is a device" in ran.stderr) == (2, True)


def with_data(page, change):
    """The page with other data in it."""
    data = read_embedded(page)
    change(data)
    return embedding(page, json_for_script(data))


def repeated(folder, name):
    return podium("compare", "--from", name, "-q", cwd=folder)


def test_an_untouched_report_is_the_same(report):
    for name in ("r.html", "r.json"):
        ran = repeated(report, name)
        assert (ran.returncode, ran.stderr.endswith("the result is the same.\n")) == (0, True), ran.stderr
        assert ("cannot be checked" in ran.stderr) == name.endswith(".json")


def set_to(*path, value):
    def change(data):
        for key in path[:-1]:
            data = data[key]
        data[path[-1]] = value

    return change


CHANGES = {
    "alpha": set_to("alpha", value=0.2),
    "cell": set_to("table", "values", 0, 0, value=0.99),
    "methods": set_to("methods", value="We used magic."),
    "settings": set_to("settings", "alpha", value=0.3),
    "remarks": set_to("remarks", value=[]),
    "type": set_to("pairs", value=7),
    **{
        f"without {key}": (lambda data, key=key: data.pop(key))
        for key in ("verdict", "ranking", "groups", "pairs", "omnibus")
    },
}


@pytest.mark.parametrize("name", CHANGES)
def test_changed_data_are_named(report, name):
    (report / "t.html").write_text(with_data((report / "r.html").read_text(), CHANGES[name]))
    ran = repeated(report, "t.html")
    assert ran.returncode == 1
    key = (
        name.split()[-1]
        if name.startswith("without")
        else {"cell": "table.values[0][0]", "type": "pairs"}.get(name, name)
    )
    assert re.search(rf"the result is different\.\n  {re.escape(key)}.*there, .* computed", ran.stderr), ran.stderr
    data = json.loads((report / "r.json").read_text())
    CHANGES[name](data)
    (report / "t.json").write_text(json.dumps(data))
    assert repeated(report, "t.json").returncode == 1


def test_how_the_file_was_read_is_not_in_the_page(report):
    """The scores cannot give it again, so anybody could write anything there."""
    (report / "t.html").write_text(with_data((report / "r.html").read_text(), set_to("reading", value={"n_units": 99})))
    ran = repeated(report, "t.html")
    assert ran.returncode == 1
    assert re.search(r"  reading: .* there, nothing computed", ran.stderr), ran.stderr


def test_who_claims_another_version_cannot_change_the_page(report):
    page = with_data((report / "r.html").read_text(), set_to("podium", value="0.0.1"))
    (report / "t.html").write_text(page.replace("</body>", "<script>alert(1)</script></body>"))
    ran = repeated(report, "t.html")
    assert ran.returncode == 1
    assert re.search(r"  line \d+ of the page: .*alert.* there, .* computed", ran.stderr), ran.stderr
    assert "to compare the text of this one, use podium 0.0.1" in ran.stderr


PAGES = {
    "a number": lambda page: re.sub(r"(\d\.\d)(\d)", lambda m: m[1] + str((int(m[2]) + 1) % 10), page, count=1),
    "a script": lambda page: page.replace("</body>", "<script>alert(1)</script></body>"),
    "the policy": lambda page: re.sub(r"<meta http-equiv=.Content-Security-Policy.[^>]*>", "", page),
    "the end": lambda page: page + "more",
}


@pytest.mark.parametrize("name", PAGES)
def test_changed_pages_are_named(report, name):
    page = (report / "r.html").read_text()
    changed = PAGES[name](page)
    assert changed != page
    (report / "t.html").write_text(changed)
    ran = repeated(report, "t.html")
    assert ran.returncode == 1
    assert re.search(r"  line \d+ of the page: .* there, .* computed", ran.stderr), ran.stderr


@pytest.mark.parametrize("second", ["t.out", "link.out"])
def test_one_file_for_two_forms_is_refused(report, second):
    (report / "link.out").unlink(missing_ok=True)
    (report / "link.out").symlink_to("t.out")
    words = ["s.csv", "--metric", "accuracy", "--html", "t.out", "--json", second, "-q"]
    ran = podium("compare", *words, cwd=report)
    assert (ran.returncode, (report / "t.out").exists()) == (2, False)
    assert "is named for two forms of the report" in ran.stderr
    null = [word if "out" not in word else "/dev/null" for word in words]
    assert podium("compare", *null, cwd=report).returncode == 0


def embedding(page, text, kind="json"):
    """The page with this text as the data that it carries."""
    script = rf'<script type="application/(json|gzip)" id="{DATA_ID}">.*?</script>'
    made = f'<script type="application/{kind}" id="{DATA_ID}">{text}</script>'
    return re.sub(script, lambda _: made, page, count=1, flags=re.DOTALL)


def test_data_that_would_hide_the_page_are_seen(report):
    """In HTML, "<!--<script>" within a script hides all that follows its end; as JSON it is only a name."""
    rows = "".join(f"d{i},{0.5 + i / 40},{0.52 + i / 41}\n" for i in range(12))
    (report / "evil.csv").write_text(f"dataset,<!--<script>,B\n{rows}")
    podium("compare", "evil.csv", "--metric", "accuracy", "--html", "evil.html", "-q", cwd=report)
    page = (report / "evil.html").read_text()
    (report / "t.html").write_text(embedding(page, json.dumps(read_embedded(page))))
    ran = repeated(report, "t.html")
    assert ran.returncode == 1
    assert "the data of the page" in ran.stderr


def test_packed_data_are_unpacked_up_to_a_limit_and_hold_nothing_else(report):
    page = (report / "r.html").read_text()
    bomb = base64.b64encode(gzip.compress(b"[" * (MOST_UNPACKED + 1), 1)).decode()
    spoilt = f"<!--<script>{base64.b64encode(gzip.compress(json_for_script(read_embedded(page)).encode())).decode()}"
    for text in (bomb, spoilt):
        (report / "t.html").write_text(embedding(page, text, "gzip"))
        ran = repeated(report, "t.html")
        assert (ran.returncode, ran.stderr.count("\n")) == (2, 1), ran.stderr
        assert "damaged" in ran.stderr


@pytest.mark.parametrize("value", [7, None, [], {}, {"settings": {"no_such_option": 1}}])
def test_what_cannot_be_repeated_is_a_sentence(report, value):
    (report / "t.html").write_text(with_data((report / "r.html").read_text(), set_to("repeat", value=value)))
    ran = repeated(report, "t.html")
    assert (ran.returncode, ran.stderr.count("\n")) == (2, 1)


def test_a_page_of_an_older_form_is_refused_by_its_version(report):
    def older(data):
        data.update(schema="podium.comparison/2", podium="0.2.0")

    (report / "t.html").write_text(with_data((report / "r.html").read_text(), older))
    ran = repeated(report, "t.html")
    assert (ran.returncode, ran.stderr.count("\n")) == (2, 1)
    assert "made with podium 0.2.0" in ran.stderr
    assert "compare the scores again" in ran.stderr


def test_a_number_that_changed_within_a_sentence_is_shown(report):
    def change(data):
        said = data["verdict"]["certainty"]
        place = max(found.start() for found in re.finditer(r"\d", said))
        data["verdict"]["certainty"] = f"{said[:place]}77777{said[place + 1 :]}"

    (report / "t.html").write_text(with_data((report / "r.html").read_text(), change))
    told = [line for line in repeated(report, "t.html").stderr.splitlines() if "certainty" in line]
    assert len(told) == 1
    there, computed = told[0].split(" there, ")
    assert "77777" in there
    assert "77777" not in computed


def test_any_changed_sign_of_a_page_is_seen(report):
    page = (report / "r.html").read_text()
    start = page.index(f'id="{DATA_ID}"')
    places = [*range(start), *range(page.index("</script>", start), len(page))]
    for seed in range(ATTACKS or 6):
        place = random.Random(seed).choice(places)
        (report / "t.html").write_text(f"{page[:place]}{'#' if page[place] != '#' else '+'}{page[place + 1 :]}")
        assert repeated(report, "t.html").returncode in (1, 2), place


def test_any_changed_digit_of_the_data_is_seen(report):
    """But for the version, which is said."""
    page = (report / "r.html").read_text()
    start = page.index(f'id="{DATA_ID}"')
    untold = range(page.index('"podium":'), page.index('"kind":'))
    digits = [start + found.start() for found in re.finditer(r"\d", page[start : page.index("</script>", start)])]
    for seed in range(ATTACKS or 4):
        dice = random.Random(seed)
        place = dice.choice(sorted(set(digits) - set(untold)))
        (report / "t.html").write_text(
            f"{page[:place]}{(int(page[place]) + dice.randint(1, 9)) % 10}{page[place + 1 :]}"
        )
        assert repeated(report, "t.html").returncode in (1, 2), page[place - 40 : place + 20]
