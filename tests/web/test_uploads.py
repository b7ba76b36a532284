"""Hostile uploads: each is refused with a sentence, and the server lives on."""

import gzip
import io
import json
import sys
import zipfile

import httpx
import pytest

from podium.core.errors import DataError, MissingPackageError
from podium.web.settings import Limits
from podium.web.uploads import check_unpacked, checked_upload
from waiting import PATIENCE, eventually
from web.load import TABLE, upload
from web.serving import serving

SCORES = b"dataset,svm,knn\niris,0.9,0.8\nzoo,0.7,0.6\nwine,0.8,0.85\n"


def packed(**files):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return out.getvalue()


def bomb():
    """180 MB of zeros, packed."""
    return packed(**{"xl/worksheets/sheet1.xml": bytes(180_000_000), "[Content_Types].xml": b"<Types/>"})


def tall_parquet():
    import pyarrow
    import pyarrow.parquet

    out = io.BytesIO()
    table = pyarrow.table({"dataset": pyarrow.array(["a"]).take([0] * 2_000_000), "x": [0.5] * 2_000_000})
    pyarrow.parquet.write_table(table, out)
    return out.getvalue()


def sparse_sheet():
    """A sheet of two cells, one of them in the last row: read naively, a million rows."""
    import openpyxl

    book = openpyxl.Workbook()
    book.active["A1"] = "dataset"
    book.active["XFD1048576"] = 0.5
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def laughing_sheet():
    """Entities within entities: unpacked, gigabytes."""
    laughs = "".join(f'<!ENTITY l{i} "{f"&l{i - 1};" * 10}">' for i in range(1, 10))
    sheet = (
        f'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY l0 "ha">{laughs}]>'
        '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>'
        '<row r="1"><c r="A1" t="str"><v>&l9;</v></c></row><row r="2"><c r="A2"><v>1</v></c></row>'
        "</sheetData></worksheet>"
    )
    with zipfile.ZipFile(io.BytesIO(sparse_sheet())) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    return packed(**parts | {"xl/worksheets/sheet1.xml": sheet})


HOSTILE = {
    "a sheet of a billion laughs": ("accuracy.xlsx", laughing_sheet, ""),
    "a web page behind a comment": ("accuracy.csv", lambda: b"<!---->" * 500 + b"<p>hi", "web page"),
    "a zip bomb": ("accuracy.xlsx", bomb, "would unpack to more than"),
    "a zip archive without a table": ("accuracy.zip", lambda: packed(a="b"), "has no table in it"),
    "a bomb in a zip archive": (
        "accuracy.zip",
        lambda: packed(**{"a.csv": bytes(180_000_000)}),
        "unpacks to more than",
    ),
    "a bomb in gzip": ("accuracy.csv.gz", lambda: gzip.compress(bytes(180_000_000), 1), "unpacks to more than"),
    "a web page in gzip": ("accuracy.csv.gz", lambda: gzip.compress(b"<html><body>hi</body></html>"), "web page"),
    "packed twice": ("a.csv.gz.gz", lambda: gzip.compress(gzip.compress(SCORES)), "packed twice"),
    "rubbish called gzip": ("accuracy.csv.gz", lambda: b"rubbish", "cannot be unpacked"),
    "a zip archive called CSV": ("accuracy.csv", lambda: packed(a="b"), "is a packed file"),
    "not an Excel file": ("accuracy.xlsx", lambda: b"PK\x03\x04rubbish", "not a readable Excel file"),
    "text called Excel": ("accuracy.xlsx", lambda: SCORES, "is not an Excel file"),
    "a tall Parquet file": ("accuracy.parquet", tall_parquet, "cells"),
    "a broken Parquet file": ("accuracy.parquet", lambda: b"PAR1" + bytes(100), "not a readable Parquet file"),
    "a program": ("accuracy.csv", lambda: b"\x7fELF\x02\x01\x01" + bytes(200), "binary file"),
    "a binary file": ("accuracy.csv", lambda: bytes(range(256)) * 40, "binary file"),
    "a pickle": ("accuracy.pkl", lambda: b"\x80\x04cos\nsystem\n.", "is not a table"),
    "a store": ("suite.db", lambda: b"SQLite format 3\x00", "is not a table"),
    "a web page": ("accuracy.csv", lambda: b"<!doctype html><html><body>hi</body></html>", "web page"),
    "a web page by name": ("report.html", lambda: b"<html></html>", "is not a table"),
    "a million columns": ("accuracy.csv", lambda: b",".join(b"%d" % i for i in range(1_000_000)) + b"\n1", "columns"),
    "too many cells": ("accuracy.csv", lambda: b"dataset,a,b\n" + b"x,1,2\n" * 600_000, "cells"),
    "nothing": ("accuracy.csv", lambda: b"", "empty"),
    "blanks": ("accuracy.csv", lambda: b" \n \n", "empty"),
    "one line": ("accuracy.csv", lambda: b"dataset,a,b\n", "single line"),
    "prose": ("accuracy.txt", lambda: b"Dear reader,\nthere is no table here.\n", ""),
    "deep JSON": ("accuracy.json", lambda: b"[" * 100_000 + b"]" * 100_000, "not valid JSON"),
    "other JSON": ("accuracy.json", lambda: json.dumps({"a": 1}).encode(), "holds no table"),
    "a path": ("../../etc/passwd.csv", lambda: SCORES, "looks like a path"),
    "a path of Windows": ("..\\..\\boot.csv", lambda: SCORES, "looks like a path"),
    "a whole path": ("/etc/passwd", lambda: SCORES, "looks like a path"),
    "a hidden file": (".bashrc", lambda: SCORES, "looks like a path"),
    "a long name": ("a" * 300 + ".csv", lambda: SCORES, "looks like a path"),
}


@pytest.mark.parametrize("what", HOSTILE)
def test_a_hostile_upload_is_refused_with_a_sentence(client, what):
    name, content, sentence = HOSTILE[what]
    answer = upload(client, name, content())
    assert answer.status_code == 422, answer.text
    error = answer.json()["error"]
    assert sentence in error
    assert "\n" not in error
    assert len(error) < 400


def test_fifty_megabytes_are_refused_and_not_kept(client):
    def body():
        yield b'--x\r\nContent-Disposition: form-data; name="file"; filename="accuracy.csv"\r\n\r\n'
        for _ in range(50):
            yield bytes(1_000_000)

    declared = client.post("/api/tables", content=bytes(50_000_000))
    streamed = client.post("/api/tables", content=body(), headers={"Content-Type": "multipart/form-data; boundary=x"})
    for answer in (declared, streamed):
        assert answer.status_code == 413
        assert answer.json()["error"] == "The upload is larger than 20 MB: give the mean scores only."


def test_a_sheet_that_takes_too_long_is_stopped_and_the_server_lives_on():
    with (
        serving(limits=Limits(seconds=3, memory_bytes=3_000_000_000)) as address,
        httpx.Client(base_url=address, timeout=PATIENCE) as client,
    ):
        answer = upload(client, "accuracy.xlsx", sparse_sheet())
        assert answer.status_code == 422, answer.text
        assert any(words in answer.json()["error"] for words in ("stopped", "memory", "smaller table"))
        eventually(lambda: upload(client, "accuracies.csv", TABLE.read_bytes()).status_code == 201)


NAMES = ["<script>alert(1)</script>", "{{7*7}}", "=cmd|'/c calc'!A1", "a\u202eb", "'; DROP TABLE x", "${jndi:x}"]


def test_names_are_only_names(client):
    header = ",".join(["dataset", *(f'"{name}"' for name in NAMES)])
    rows = [",".join([f"d{i}", *(f"0.{i}{j}1" for j in range(len(NAMES)))]) for i in range(8)]
    seen = upload(client, "accuracy.csv", "\n".join([header, *rows]).encode()).json()
    page = client.get(f"/tables/{seen['table']}").text
    made = client.post(f"/tables/{seen['table']}/comparisons", data={}, follow_redirects=True)
    assert made.status_code == 200
    for text in (page, made.text):
        assert "<script>alert" not in text
        assert "&lt;script&gt;alert(1)&lt;/script&gt;" in text
        assert "{{7*7}}" in text
        assert "\u202e" not in text
        assert "a\\u202eb" in text


def test_limits_are_exact():
    limits = Limits(columns=3, cells=20, upload_bytes=1000)
    assert checked_upload("accuracy.csv", SCORES, limits).name == "accuracy.csv"
    with pytest.raises(DataError, match="has 4 columns"):
        checked_upload("accuracy.csv", b"a,b,c,d\n1,2,3,4\n", limits)
    with pytest.raises(DataError, match="cells"):
        checked_upload("accuracy.csv", b"a,b\n" + b"1,2\n" * 20, limits)
    with pytest.raises(DataError, match=r"larger than 0\.001 MB"):
        checked_upload("accuracy.csv", b"a,b\n" * 300, limits)


@pytest.mark.parametrize(
    "name, pack", [("accuracy.csv.gz", gzip.compress), ("a.zip", lambda text: packed(**{"accuracy.csv": text}))]
)
def test_packed_tables_are_taken(client, name, pack):
    answer = upload(client, name, pack(SCORES))
    assert answer.status_code == 201, answer.text
    assert answer.json()["algorithms"] == ["svm", "knn"]


def test_which_of_several_tables_in_an_archive_can_be_said(client):
    answer = upload(client, "all.zip", packed(**{"a.csv": SCORES, "b.csv": SCORES}))
    assert answer.status_code == 201, answer.text
    assert "name one with" in answer.json()["question"]
    seen = client.get(f"/api/tables/{answer.json()['table']}", params={"sheet": "a.csv", "metric": "accuracy"}).json()
    assert (seen["question"], seen["algorithms"]) == (None, ["svm", "knn"])


def test_a_sheet_is_measured_from_corner_to_corner_before_it_is_read():
    """Two cells in each of 2,999 rows: 21 kB, and 49 million cells once it is a table."""
    rows = "".join(f'<row r="{r}"><c r="A{r}"><v>1</v></c><c r="XFD{r}"><v>2</v></c></row>' for r in range(1, 3000))
    sheet = f"<worksheet><sheetData>{rows}</sheetData></worksheet>"
    made = packed(**{"xl/worksheets/sheet1.xml": sheet, "[Content_Types].xml": b"<Types/>"})
    assert len(made) < 60_000
    limits = Limits()
    with pytest.raises(DataError, match="would unpack to more than 150 MB or 1,000,000 cells"):
        check_unpacked(checked_upload("wide.xlsx", made, limits), limits)
    small = packed(**{"xl/worksheets/sheet1.xml": sheet.replace("XFD", "AZ"), "[Content_Types].xml": b"<Types/>"})
    check_unpacked(checked_upload("narrow.xlsx", small, limits), limits)


WIDE = {
    "without places": "<row>" + "<c><v>1</v></c>" * 1_001 + "</row>",
    "places without rows": '<row><c r="A"/><c r="XFD"/></row>',
    "coded places": '<row r="{r}"><c r="&#88;FD{r}"/></row>',
    "places behind a sign": """<row r="{r}"><c s=">" r="XFD{r}"/></row>""",
    "names with prefixes": """<a-b:row r='{r}'><a-b:c\nr = 'XFD{r}'></a-b:c></a-b:row>""",
    "rows alone": '<row r="1"><c r="ALL1"/></row><row r="1048576"></row>',
}


@pytest.mark.parametrize("kind", WIDE)
@pytest.mark.parametrize("name", ["xl/worksheets/sheet1.xml", "xl/elsewhere.bin"])
def test_no_way_of_writing_a_sheet_hides_its_size(kind, name):
    rows = "".join(WIDE[kind].replace("{r}", str(r)) for r in range(1, 1200))
    made = packed(**{name: f"<worksheet><sheetData>{rows}</sheetData></worksheet>"})
    with pytest.raises(DataError, match="would unpack to more than"):
        check_unpacked(checked_upload("wide.xlsx", made, Limits()), Limits())


def test_a_sheet_in_other_signs_is_refused_and_a_picture_is_not():
    sheet = "<worksheet><sheetData><row><c/></row></sheetData></worksheet>"
    odd = packed(**{"xl/worksheets/sheet1.xml": sheet.encode("utf-16")})
    with pytest.raises(DataError, match="not a readable Excel file"):
        check_unpacked(checked_upload("odd.xlsx", odd, Limits()), Limits())
    plain = packed(
        **{"xl/worksheets/sheet1.xml": sheet, "xl/media/image1.png": b"\x89PNG\r\n\x1a\n" + bytes(50) + b"<c>" * 10}
    )
    check_unpacked(checked_upload("plain.xlsx", plain, Limits()), Limits())


def test_what_cannot_be_measured_is_not_read(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    limits = Limits()
    with pytest.raises(MissingPackageError, match="pyarrow"):
        check_unpacked(checked_upload("t.parquet", b"PAR1" + bytes(100), limits), limits)
