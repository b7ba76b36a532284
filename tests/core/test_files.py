import pytest

from podium.core.errors import DataError
from podium.core.files import write_atomically


def test_text_and_bytes_are_written_and_the_folder_is_made(tmp_path):
    path = write_atomically(tmp_path / "new" / "a.txt", "ü\n")
    assert path.read_bytes() == "ü\n".encode()
    assert write_atomically(path, b"\x00").read_bytes() == b"\x00"
    assert [other.name for other in path.parent.iterdir()] == ["a.txt"]  # nothing is left beside it


def test_what_cannot_be_written_is_said_and_what_was_there_stays(tmp_path):
    (tmp_path / "file").write_text("kept")
    with pytest.raises(DataError, match="cannot be written"):
        write_atomically(tmp_path / "file" / "x", "y")
    with pytest.raises(UnicodeEncodeError):
        write_atomically(tmp_path / "file", "\ud800")
    assert (tmp_path / "file").read_text() == "kept"
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
