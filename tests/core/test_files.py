import os
import stat

import pytest

from podium.core.errors import DataError
from podium.core.files import forget_inputs, protect, replace_own_file, write_atomically
from program import podium


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


def test_an_output_that_is_an_input_is_refused(tmp_path):
    source = tmp_path / "in.csv"
    source.write_text("kept")
    (tmp_path / "link.csv").symlink_to(source)
    os.link(source, tmp_path / "hard.csv")
    folder = tmp_path / "runs"
    folder.mkdir()
    for name in ("a.csv", "report.html"):
        (folder / name).write_text("kept")
    protect(source, [folder], None, "x" * 5000)
    try:
        for name in ("in.csv", "link.csv", "hard.csv", "runs/a.csv", "runs/../in.csv"):
            with pytest.raises(DataError, match="was read here, and would be overwritten: choose another name"):
                write_atomically(tmp_path / name, "new")
        write_atomically(folder / "report.html", "new")
        write_atomically(folder / "b.csv", "new")
    finally:
        forget_inputs()
    assert source.read_text() == (folder / "a.csv").read_text() == "kept"
    assert write_atomically(source, "new").read_text() == "new"


def test_a_link_stays_a_link_and_what_is_no_file_is_written_through(tmp_path):
    real, link = tmp_path / "real.txt", tmp_path / "link.txt"
    real.write_text("old")
    link.symlink_to("real.txt")
    write_atomically(link, "new")
    assert (link.is_symlink(), real.read_text()) == (True, "new")
    dangling = tmp_path / "dangling.txt"
    dangling.symlink_to("later.txt")
    write_atomically(dangling, "new")
    assert (dangling.is_symlink(), (tmp_path / "later.txt").read_text()) == (True, "new")
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    write_atomically(pipe, "through")
    assert os.read(reader, 100) == b"through"
    os.close(reader)
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    null = tmp_path / "null"
    null.symlink_to(os.devnull)
    write_atomically(null, "gone")
    assert stat.S_ISCHR(null.stat().st_mode)


def test_links_in_a_circle_are_a_sentence(tmp_path):
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    with pytest.raises(DataError, match="cannot be written"):
        write_atomically(tmp_path / "a", "x")
    protect(tmp_path / "a")
    try:
        write_atomically(tmp_path / "c", "x")
    finally:
        forget_inputs()


def test_no_link_in_the_place_of_our_own_files_is_followed(tmp_path):
    (tmp_path / "victim").write_text("kept")
    (tmp_path / "own.npz").symlink_to("victim")
    (tmp_path / "own.tmp").symlink_to("victim")
    replace_own_file(tmp_path / "own.npz", b"new")
    assert (tmp_path / "victim").read_text() == "kept"
    assert sorted(path.name for path in tmp_path.iterdir() if not path.is_symlink()) == ["own.npz", "victim"]


def test_the_mode_is_kept_and_the_umask_obeyed(tmp_path):
    before = os.umask(0o077)
    try:
        path = write_atomically(tmp_path / "secret", "x")
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        path.chmod(0o640)
        write_atomically(path, "y")
        assert stat.S_IMODE(path.stat().st_mode) == 0o640
    finally:
        os.umask(before)


def test_a_file_that_may_not_be_written_is_not_replaced(tmp_path, monkeypatch):
    (tmp_path / "kept").write_text("kept")
    (tmp_path / "kept").chmod(0o444)
    if os.geteuid() == 0:  # who may write everything
        monkeypatch.setattr(os, "access", lambda path, mode: bool(path.stat().st_mode & 0o222))
    with pytest.raises(DataError, match=r"kept cannot be written \(Permission denied\)"):
        write_atomically(tmp_path / "kept", "new")
    assert (tmp_path / "kept").read_text() == "kept"
    assert len(list(tmp_path.iterdir())) == 1


def test_names_that_no_file_can_have_are_a_short_sentence(tmp_path):
    for name in ("x" * 5000, "a\0b"):
        with pytest.raises(DataError) as refused:
            write_atomically(tmp_path / name, "new")
        assert len(str(refused.value)) < 500


# ---- of every command ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "words", [["compare", "in.csv", "--cost", "costs.csv"], ["order", "in.csv", "--cost", "costs.csv"]]
)
@pytest.mark.parametrize("form", ["html", "md", "json", "csv", "table"])
def test_whatever_file_an_option_names_is_not_overwritten(tmp_path, words, form):
    (tmp_path / "in.csv").write_text("dataset,svm,knn\n" + "".join(f"d{i},0.{80 + i},0.7{i}\n" for i in range(8)))
    (tmp_path / "costs.csv").write_text("algorithm,cost\nsvm,3\nknn,1\n")
    before = (tmp_path / "costs.csv").read_text()
    (tmp_path / "link.csv").symlink_to("costs.csv")
    for target in ("costs.csv", "link.csv"):
        answer = podium(*words, "--metric", "accuracy", f"--{form}", target, cwd=tmp_path)
        assert (answer.returncode, "was read here" in answer.stderr) == (2, True)
    assert (tmp_path / "costs.csv").read_text() == before


def test_no_folder_of_figures_is_promised_where_there_are_none(tmp_path):
    (tmp_path / "in.csv").write_text("dataset,svm,knn\na,0.5,0.6\nb,0.7,0.8\nc,0.9,0.8\n")
    answer = podium("show", "in.csv", "--metric", "accuracy", "--figures", "figures", cwd=tmp_path)
    assert (answer.returncode, "Wrote" in answer.stderr) == (2, False)
    assert "There is no figure to write: leave out --figures" in answer.stderr


@pytest.mark.parametrize("form", ["html", "latex", "figures", "json"])
def test_an_output_without_a_name_is_refused(tmp_path, form):
    (tmp_path / "in.csv").write_text("dataset,svm,knn\na,0.5,0.6\nb,0.7,0.8\nc,0.9,0.8\n")
    answer = podium("show", "in.csv", "--metric", "accuracy", f"--{form}", "", cwd=tmp_path)
    assert (answer.returncode, "is empty" in answer.stderr) == (2, True)
    assert [path.name for path in tmp_path.iterdir()] == ["in.csv"]
