"""The files beside a store: the predictions of every finished task, and trained models where the suite keeps them.

Each is written whole to a temporary name and then renamed, and no link in its place is followed.
"""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from podium.core.errors import StoreError
from podium.core.files import real, replace_own_file
from podium.core.numbers import megabytes

if TYPE_CHECKING:
    from podium.bench.metrics import Predictions
    from podium.bench.spec import Outcome

# Bytes of predictions that are unpacked: half a million cases of 100 classes fit, and they pack to 1/1000 at most.
_UNPACKED = 512 * 2**20

# What a damaged .npz makes numpy and zipfile raise.
_UNREADABLE = (OSError, ValueError, EOFError, KeyError, TypeError, AttributeError, RuntimeError, MemoryError,
               zipfile.BadZipFile, zlib.error, struct.error)  # fmt: skip


class Copies:
    """The files that lie beside a store."""

    def __init__(self, path: Path) -> None:
        self.path = path
        # A link to a store is the store: one lock, one folder of predictions and one of models, beside the file itself.
        self.place = real(path)
        self.predictions = self.beside(".predictions")

    def beside(self, ending: str) -> Path:
        """A file or folder of the store's name with another ending."""
        return self.place.with_name(self.place.name + ending)

    def prediction_path(self, key: str) -> Path:
        """Where the predictions of a task are; 256 folders keep each of them small."""
        return self.predictions / key[:2] / f"{key}.npz"

    def model_path(self, key: str) -> Path:
        """Where the trained model of a task is, if the suite keeps them."""
        return self.beside(".models") / key[:2] / f"{key}.pickle"

    def keep_files(self, key: str, outcome: Outcome) -> None:
        """Keep the predictions and the model of a task; a model of an earlier attempt, or of another store, goes."""
        if outcome.predictions is not None:
            path = self.prediction_path(key)
            path.parent.mkdir(exist_ok=True)
            replace_own_file(path, _packed(outcome.predictions))
        model = self.model_path(key)
        if outcome.model is not None:
            model.parent.mkdir(parents=True, exist_ok=True)
            replace_own_file(model, outcome.model)
        else:
            model.unlink(missing_ok=True)

    def load_predictions(self, key: str) -> Predictions:
        """The kept predictions of a task."""
        from podium.bench.metrics import Predictions

        kept = self._archive(key)
        kept.pop("outcome", None)  # stores of earlier versions have it here as well
        try:
            return Predictions(classes=int(kept.pop("classes")), **kept)
        except (KeyError, TypeError, ValueError) as error:
            raise self._damaged(key, error) from None

    def _archive(self, key: str) -> dict[str, Any]:
        """Everything in the file of a task's predictions."""
        import numpy as np

        try:
            with zipfile.ZipFile(self.prediction_path(key)) as zipped:
                size = sum(entry.file_size for entry in zipped.infolist())
            if size > _UNPACKED:
                most = megabytes(_UNPACKED, 2**20)
                raise ValueError(f"it would take {megabytes(size, 2**20)} unpacked, more than {most}")
            content = io.BytesIO(self.prediction_path(key).read_bytes())
            with np.load(content, allow_pickle=False) as archive:
                return {name: archive[name] for name in archive.files}
        except _UNREADABLE as error:
            raise self._damaged(key, error) from None

    def _damaged(self, key: str, error: Exception) -> StoreError:
        path = self.prediction_path(key)
        words = str(error).strip(" .") or type(error).__name__
        missing = f"There are no predictions {str(path)!r}"
        problem = f"The predictions {str(path)!r} cannot be read ({words})" if path.is_file() else missing
        return StoreError(f"{problem}: make them again with `podium run --retry ok`.")


def _packed(predictions: Predictions) -> bytes:
    """Predictions as the bytes of a file."""
    import numpy as np

    arrays = {name: array for name, array in asdict(predictions).items() if array is not None}
    content = io.BytesIO()
    np.savez_compressed(content, allow_pickle=False, **arrays)
    return content.getvalue()
