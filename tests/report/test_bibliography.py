import dataclasses
import importlib
import pkgutil
import re
from importlib.resources import files

import pytest

import podium
from podium.core.errors import ArgumentError, DataError
from podium.core.result import Result
from podium.report.bibliography import bibtex, cited_keys, entries, entry, parse, split_citations, to_text


def result_classes():
    """Every Result class of the rooms that have results."""
    for module in pkgutil.walk_packages(podium.__path__, "podium."):
        if module.name.split(".")[1] not in ("bench", "cli", "web"):
            importlib.import_module(module.name)
    found, waiting = [], [Result]
    while waiting:
        for kind in waiting.pop().__subclasses__():
            waiting.append(kind)
            if kind.__module__.startswith("podium."):
                found.append(kind)
    return found


def test_every_key_that_a_result_cites_is_in_the_bibliography():
    missing = []
    for kind in result_classes():
        field = next(field for field in dataclasses.fields(kind) if field.name == "references")
        keys = field.default if isinstance(field.default, tuple) else field.default_factory()
        missing += [(kind.__name__, key) for key in keys if key not in entries()]
    assert not missing


def test_every_entry_has_what_a_reader_needs():
    for work in entries().values():
        assert work.authors, work.key
        assert work.field("title"), work.key
        assert work.year.isdigit(), work.key
        assert not set("{}\\") & set(work.text() + work.label), work.text()


def test_known_works_read_well():
    assert entry("demsar2006").label == "Demšar, 2006"
    assert entry("ulas2008").authors == ("Aydın Ulaş", "Olcay Taner Yıldız", "Ethem Alpaydın")
    assert entry("benavoli2016").text() == (
        "Alessio Benavoli, Giorgio Corani and Francesca Mangili (2016). Should We Really Use Post-Hoc Tests Based on "
        "Mean-Ranks? Journal of Machine Learning Research 17(5), 1–10."
    )
    assert entry("forman2005").label == "Forman and Cohen, 2005"


def test_an_unknown_key_suggests_the_nearest():
    with pytest.raises(ArgumentError, match="did you mean 'demsar2006'"):
        entry("demsar2005")


def test_the_bibliography_writes_accents_as_they_are():
    source = files("podium.report").joinpath("references.bib").read_text(encoding="utf-8")
    assert "\\" not in source.replace("\\&", "")
    assert to_text("Garc{í}a \\& {Šidák}") == "García & Šidák"


def test_a_quoted_value_and_a_bare_number_are_read():
    work = parse('@misc{x, title = "A {B} C", year = 2001, author = {Last, First and van der Laan, Mark}}')["x"]
    assert (work.field("title"), work.year, work.authors) == ("A B C", "2001", ("First Last", "Mark van der Laan"))
    assert work.label == "Last and van der Laan, 2001"


def test_an_entry_that_does_not_end_is_refused():
    with pytest.raises(DataError, match="'x' of the bibliography is not closed"):
        parse("@misc{x, title = {A}")


def test_no_key_is_there_twice():
    source = files("podium.report").joinpath("references.bib").read_text(encoding="utf-8")
    keys = re.findall(r"^\s*@\w+\s*\{\s*([^,\s]+)", source, flags=re.MULTILINE)
    assert sorted(keys) == sorted(set(keys))


def test_citations_are_found_and_unknown_ones_stay_text():
    text = "a [@demsar2006; @benavoli2016] b [@nobody2000] c"
    assert split_citations(text) == ["a ", ("demsar2006", "benavoli2016"), " b [@nobody2000] c"]
    assert cited_keys(text) == ("demsar2006", "benavoli2016")


def test_bibtex_gives_exactly_what_was_asked_once():
    text = bibtex(["demsar2006", "ulas2008", "demsar2006"])
    assert list(parse(text)) == ["demsar2006", "ulas2008"]


def test_bibtex_sources_survive_a_round_trip():
    assert parse(bibtex(entries())) == entries()
