"""The pictures of the documentation are those that the code makes."""

import importlib.util
from pathlib import Path

from plot.gallery import overlapping_texts

SCRIPT = Path(__file__).parents[2] / "docs" / "internals" / "make_images.py"


def test_pictures_are_up_to_date(tmp_path):
    spec = importlib.util.spec_from_file_location("make_images", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    for name, figure in module.images().items():
        written = (module.FOLDER / name).read_text(encoding="utf-8")
        assert written == figure.save(tmp_path / name).read_text(encoding="utf-8"), (
            f"{name}: run python docs/internals/make_images.py"
        )
        assert not overlapping_texts(figure.scene)
