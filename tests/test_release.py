"""What is published says the same everywhere: the version, the licence, what changed."""

import re
import sys
import tomllib
from pathlib import Path

import pytest

import podium
from podium.report.bibliography import bibtex

ROOT = Path(__file__).parents[1]
CHANGELOG = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
VERSIONS = re.findall(r"^## (\S+) - (unreleased|\d{4}-\d{2}-\d{2})$", CHANGELOG, re.MULTILINE)


def test_the_version_is_known_once():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert project["project"]["dynamic"] == ["version"]
    assert (ROOT / project["tool"]["hatch"]["version"]["path"]).read_text(encoding="utf-8").count(
        podium.__version__
    ) == 1


def test_every_extra_is_on_the_page_of_installing():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    page = (ROOT / "docs" / "install.md").read_text(encoding="utf-8")
    for_users = set(project["optional-dependencies"]) - {"test", "docs", "peers"}
    assert [extra for extra in sorted(for_users) if f"| `{extra}` |" not in page] == []


def test_without_scikit_learn_the_extra_is_named(monkeypatch):
    from podium.bench.machine import environment

    monkeypatch.setitem(sys.modules, "sklearn", None)
    with pytest.raises(podium.MissingPackageError, match=r"pip install 'podium\[bench\]'"):
        environment()


def test_the_citation_has_the_version_and_the_licence():
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    licence = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["license"]
    assert f"\nversion: {podium.__version__}\n" in citation
    assert f"\nlicense: {licence}\n" in citation
    entry = bibtex(["podium"])
    for field in ("title", "name"):
        said = re.search(field + ': "(.+)"', citation)[1]
        assert f"{{{{{said}}}}}" in entry
    assert f"Version {podium.__version__}" in entry
    year = re.search(r"Copyright \(c\) (\d{4})", (ROOT / "LICENSE").read_text(encoding="utf-8"))[1]
    assert f"year = {{{year}}}" in entry


def test_the_changelog_begins_with_this_version():
    assert VERSIONS[0][0] == podium.__version__
    assert [name for name, date in VERSIONS[1:] if date == "unreleased"] == []


def test_the_changelog_sorts_changes_by_their_kind():
    headings = re.findall(r"^#{2,3} .*$", CHANGELOG, re.MULTILINE)
    kinds = {"### Added", "### Changed", "### Deprecated", "### Removed", "### Fixed", "### Security"}
    assert len(VERSIONS) == sum(heading.startswith("## ") for heading in headings)
    assert [heading for heading in headings if heading.startswith("### ") and heading not in kinds] == []
