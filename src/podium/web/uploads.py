"""Looking at an upload before anything reads it: its name, its kind, and how large it would become."""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from podium.core.errors import DataError, MissingPackageError
from podium.core.escape import visible
from podium.core.numbers import listed, megabytes
from podium.reading.formats.compressed import check_size, tables_in, unpacked
from podium.reading.formats.text import Content
from podium.reading.registry import FORMATS, endings
from podium.web.settings import Limits

TEXT_ENDINGS = endings(lambda entry: entry.is_text)
EXCEL_ENDINGS = FORMATS["excel"].endings
PARQUET_ENDINGS = FORMATS["parquet"].endings
PACKED_ENDINGS = endings(lambda entry: entry.is_packed)
ACCEPTED = (*TEXT_ENDINGS, *EXCEL_ENDINGS, *PARQUET_ENDINGS, *PACKED_ENDINGS)
_SEPARATORS = (b",", b"\t", b";", b"|")
_MOST_PARTS = 2_000  # files within a spreadsheet
_WEB_PAGE = re.compile(rb"<(!doctype|!--|html|head|body|script|svg|\?xml)", re.IGNORECASE)
_PROGRAMS = (b"\x7fELF", b"MZ", b"\xca\xfe\xba\xbe", b"#!", b"%PDF", b"\x89PNG", b"GIF8", b"\xff\xd8\xff")


MOST_FILES, DEEPEST = 500, 8  # files of a folder, and folders within folders


@dataclass(frozen=True, slots=True)
class Upload:
    """A table as it came: its name, free of any path, and its bytes.

    Of a folder the name is that of the folder, and the bytes are an archive of its files, not packed, for downloading.
    """

    name: str
    content: bytes
    is_folder: bool = False
    notes: tuple[str, ...] = ()

    @property
    def file_name(self) -> str:
        """The name for downloading."""
        return f"{self.name}.zip" if self.is_folder else self.name

    @property
    def ending(self) -> str:
        """The ending of the name, in small letters."""
        return _ending(self.name)

    @property
    def cells(self) -> int:
        """About how many cells a text holds; for packed files, how many their size allows for."""
        if self.is_folder or self.ending in TEXT_ENDINGS:
            return max(map(self.content.count, _SEPARATORS)) + self.content.count(b"\n")
        return len(self.content) // 4


def checked_upload(name: str, content: bytes, limits: Limits) -> Upload:
    """The upload, or a sentence that says why it is no table."""
    upload = Upload(checked_name(name), content)
    if len(content) > limits.upload_bytes:
        raise DataError(f"The table is larger than {megabytes(limits.upload_bytes)}: give the mean scores only.")
    if not content.strip():
        raise DataError("The table is empty: it needs a header line and rows of scores.")
    if upload.ending in PACKED_ENDINGS:
        return upload  # looked at in a worker, once it is unpacked
    if content.startswith(b"PK\x03\x04") != (upload.ending in EXCEL_ENDINGS):
        raise DataError(
            f"{upload.name} is {'not an Excel file' if upload.ending in EXCEL_ENDINGS else 'a packed file'}: "
            "save the table as CSV or as .xlsx."
        )
    if content.startswith(b"PAR1") != (upload.ending in PARQUET_ENDINGS):
        raise DataError(f"{upload.name} has an ending that does not fit what it holds: save the table as CSV.")
    if upload.ending in TEXT_ENDINGS:
        _check_text(upload, limits)
    return upload


def checked_folder(files: Sequence[tuple[str, bytes]], limits: Limits) -> Upload:
    """Several files as one folder, for logs and tables of one algorithm each; what can be neither is left out, and said."""
    named = [(_checked_path(path), content) for path, content in files]
    hidden = [path for path, _ in named if any(part.startswith(".") for part in path.split("/"))]
    shown = [(path, content) for path, content in named if path not in hidden]
    taken = {path: content for path, content in shown if _ending(path) in TEXT_ENDINGS and content.strip()}
    if not taken:
        raise DataError(f"None of these files can be read: give {', '.join(TEXT_ENDINGS)} files.")
    if len(taken) > MOST_FILES or len(taken) < len([path for path, _ in shown if path in taken]):
        raise DataError(
            f"These are more than {MOST_FILES} files, or two of the same name: give fewer, with names of their own."
        )
    for path, content in taken.items():
        _check_text(Upload(path.rpartition("/")[2], content), replace(limits, cells=limits.upload_bytes))
    tops = {path.partition("/")[0] for path in taken}
    name = tops.pop() if len(tops) == 1 and all("/" in path for path in taken) else "logs"
    content = archive_of({f"{name}/{path.removeprefix(f'{name}/')}": taken[path] for path in sorted(taken)})
    left = sorted({path for path, _ in shown} - set(taken))
    return Upload(name, content, True, (f"Left out, because they are not logs: {listed(left)}.",) if left else ())


def archive_of(files: Mapping[str, str | bytes], packing: int = zipfile.ZIP_STORED) -> bytes:
    """A zip archive of these files; with a fixed date, so that equal files give equal bytes."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for path, content in files.items():
            archive.writestr(zipfile.ZipInfo(path, (1980, 1, 1, 0, 0, 0)), content, packing)
    return out.getvalue()


def _checked_path(path: str) -> str:
    """The path of a file within a folder; what leads out of it is refused."""
    parts = path.split("/")
    plain = all(
        part.strip() and part != ".." and part.isprintable() and "\\" not in part and len(part) <= 100 for part in parts
    )
    if not plain or len(parts) > DEEPEST:
        raise DataError(f"The name of a file looks like a path ({visible(path[:80])!r}): give files of one folder.")
    return path


def checked_name(name: str) -> str:
    """The name of a file; what looks like a path is refused.

    >>> checked_name("accuracy.csv"), checked_name("")
    ('accuracy.csv', 'pasted.csv')
    >>> checked_name("../etc/passwd")
    Traceback (most recent call last):
    ...
    podium.core.errors.DataError: The name of the file looks like a path ('../etc/passwd'): give a plain name such as accuracy.csv.
    """
    name = name.strip() or "pasted.csv"
    if any(sign in name for sign in "/\\:\x00") or name.startswith(".") or len(name.encode(errors="replace")) > 200:
        shown = visible(name[:80])
        raise DataError(f"The name of the file looks like a path ({shown!r}): give a plain name such as accuracy.csv.")
    if not name.isprintable():
        raise DataError("The name of the file holds signs that cannot be printed: give it a plain name.")
    if "." not in name:
        return f"{name}.csv"
    ending = _ending(name)
    if ending not in ACCEPTED:
        raise DataError(
            f"A file with the ending {ending!r} is not a table: save it as CSV, TSV, JSON, Excel or Parquet."
        )
    return name


def _ending(name: str) -> str:
    return "." + name.rpartition(".")[2].lower()


def _check_text(upload: Upload, limits: Limits) -> None:
    content = upload.content
    wide = content.startswith((b"\xff\xfe", b"\xfe\xff"))  # UTF-16 has zeros in every letter
    if content.startswith(_PROGRAMS) or (b"\x00" in content[:65536] and not wide):
        raise DataError(f"{upload.name} is a binary file, not a table: save it as CSV, Excel (.xlsx) or Parquet.")
    if _WEB_PAGE.match(content[:4096].lstrip(b"\xef\xbb\xbf \t\r\n")):
        raise DataError(f"{upload.name} is a web page, not a table: copy the table out of it, or save it as CSV.")
    if upload.ending not in FORMATS["text"].endings:
        return
    first_line = content.lstrip()[: limits.upload_bytes].split(b"\n", 1)[0]
    columns = max(map(first_line.count, _SEPARATORS)) + 1
    if columns > limits.columns:
        raise DataError(f"{upload.name} has {columns:,} columns: a table may have {limits.columns:,}.")
    if upload.cells > limits.cells:
        raise DataError(
            f"{upload.name} has about {upload.cells:,} cells: a table may have {limits.cells:,}; give mean scores."
        )


def check_unpacked(upload: Upload, limits: Limits) -> None:
    """Refuse a spreadsheet, Parquet or packed file that would unpack to too much; done in a worker, before reading."""
    if upload.ending in PACKED_ENDINGS:
        _check_packed(upload, limits)
    elif upload.ending in EXCEL_ENDINGS:
        _check_excel(upload, limits)
    elif upload.ending in PARQUET_ENDINGS:
        _check_parquet(upload, limits)


def _check_packed(upload: Upload, limits: Limits) -> None:
    """What is packed must be what could have been uploaded itself."""
    packed = Content(upload.name, upload.content)
    check_size(packed, limits.unpacked_bytes)
    members = tables_in(packed) if upload.ending in FORMATS["zip"].endings else [None]
    for member in members:
        inner = unpacked(packed, limits.unpacked_bytes, member)
        if _ending(inner.name) in PACKED_ENDINGS:
            raise DataError(f"{upload.name} is packed twice: unpack it, and give the table itself.")
        roomy = replace(limits, upload_bytes=limits.unpacked_bytes)
        check_unpacked(checked_upload(inner.name, inner.content, roomy), limits)


def _check_excel(upload: Upload, limits: Limits) -> None:
    try:
        with zipfile.ZipFile(io.BytesIO(upload.content)) as archive:
            parts = archive.infolist()
            if len(parts) > _MOST_PARTS or sum(part.file_size for part in parts) > limits.unpacked_bytes:
                raise _too_large(upload, limits)
            # A workbook may keep its sheets under any name.
            if any(_is_too_wide(archive.read(part), limits) for part in parts):
                raise _too_large(upload, limits)
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError, EOFError, zlib.error) as error:
        if isinstance(error, DataError):
            raise
        raise DataError(f"{upload.name} is not a readable Excel file: save it again as .xlsx or as CSV.") from None


# A row or a cell with its attributes, and the place that it names; ">" may stand within an attribute.
_CELL = re.compile(rb"""<(?:[^\s<>:"'/!?]+:)?(row|c)((?:\s(?:[^>"']++|"[^"]*"|'[^']*')*+)?)>""")
_PLACE = re.compile(rb"""\sr\s*=\s*["']([A-Za-z]{0,3})([0-9]{0,7})["']""")


def _is_too_wide(sheet: bytes, limits: Limits) -> bool:
    """Whether a sheet is too large as a table: from the first to the last row and column that have a cell, however few.

    What names no place follows what comes before it; a place that cannot be read may be anywhere.
    """
    if b"<" not in sheet[:8]:
        return False  # a picture, say
    if b"\0" in sheet[:8]:
        raise ValueError("not in UTF-8")
    row = column = rows = columns = 0
    for found in _CELL.finditer(sheet):
        place = _PLACE.search(found[2])
        if place is None and re.search(rb"\sr\s*=", found[2]):
            return True
        if found[1] == b"row":
            row, column = int(place[2]) if place is not None and place[2] else row + 1, 0
        else:
            column = _column(place[1]) if place is not None and place[1] else column + 1
            row = int(place[2]) if place is not None and place[2] else row
        rows, columns = max(rows, row), max(columns, column)
    return rows * columns > limits.cells or columns > limits.columns


def _column(letters: bytes) -> int:
    """The number of a column: A is 1, XFD 16,384."""
    number = 0
    for letter in letters.upper():
        number = 26 * number + letter - ord("A") + 1
    return number


def _check_parquet(upload: Upload, limits: Limits) -> None:
    try:
        import pyarrow.parquet
    except ImportError:  # what cannot be looked at is not read
        raise MissingPackageError("pyarrow", "Reading Parquet files", extra="parquet") from None
    try:
        facts = pyarrow.parquet.ParquetFile(io.BytesIO(upload.content)).metadata
        size = sum(facts.row_group(i).total_byte_size for i in range(min(facts.num_row_groups, 10_000)))
    except (pyarrow.ArrowException, ValueError, OSError):
        raise DataError(f"{upload.name} is not a readable Parquet file: save the table as CSV.") from None
    too_many = facts.num_rows * facts.num_columns > limits.cells or facts.num_columns > limits.columns
    if too_many or size > limits.unpacked_bytes or facts.num_row_groups > 10_000:
        raise _too_large(upload, limits)


def _too_large(upload: Upload, limits: Limits) -> DataError:
    return DataError(
        f"{upload.name} would unpack to more than {megabytes(limits.unpacked_bytes)} or {limits.cells:,} cells: "
        "give a smaller table."
    )
