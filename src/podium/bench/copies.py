"""The files beside a store: the predictions of every finished task, and trained models where the suite keeps them.

Each is written whole to a temporary name and then renamed, and no link in its place is followed.
"""

from __future__ import annotations

import hashlib
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
        return self._file(".predictions", key, ".npz")

    def model_path(self, key: str) -> Path:
        """Where the trained model of a task is, if the suite keeps them."""
        return self._file(".models", key, ".pickle")

    def _file(self, folder: str, key: str, ending: str) -> Path:
        if not key.isalnum():  # it comes from the store, and must not lead to another folder
            raise StoreError(
                f"The results database {str(self.path)!r} is damaged: {key!r} is no key of a task. Restore it from a copy, or "
                "run the suite into a new one."
            )
        return self.beside(folder) / key[:2] / f"{key}{ending}"

    def keep_files(self, key: str, outcome: Outcome) -> str:
        """Keep the predictions and the model of a task; the digest of the former.

        A model of an earlier attempt, or of another store, goes.
        """
        digest = ""
        if outcome.predictions is not None:
            path, content = self.prediction_path(key), _packed(outcome.predictions)
            path.parent.mkdir(exist_ok=True)
            replace_own_file(path, content)
            digest = digest_of(content)
        model = self.model_path(key)
        if outcome.model is not None:
            model.parent.mkdir(parents=True, exist_ok=True)
            replace_own_file(model, outcome.model)
        else:
            model.unlink(missing_ok=True)
        return digest

    def predictions_of(self, key: str, digest: str) -> Predictions:
        """The kept predictions of a task, if they have this digest; "" takes any."""
        from podium.bench.metrics import Predictions

        kept = self._archive(key, digest)
        kept.pop("outcome", None)  # stores of earlier versions have it here as well
        try:
            return Predictions(classes=int(kept.pop("classes")), **kept)
        except (KeyError, TypeError, ValueError) as error:
            raise self._damaged(key, error) from None

    def _archive(self, key: str, digest: str) -> dict[str, Any]:
        """Everything in the file of a task's predictions."""
        import numpy as np

        path = self.prediction_path(key)
        try:
            if not path.is_file():  # a pipe would be waited for
                raise FileNotFoundError
            with path.open("rb") as file:
                content = file.read(_UNPACKED)
            with zipfile.ZipFile(io.BytesIO(content)) as zipped:
                size = sum(entry.file_size for entry in zipped.infolist())
            if size > _UNPACKED:
                most = megabytes(_UNPACKED, 2**20)
                raise ValueError(f"it would take {megabytes(size, 2**20)} unpacked, more than {most}")
            if digest and digest_of(content) != digest:
                raise ValueError("they are not those that its scores were computed from")
            with np.load(io.BytesIO(content), allow_pickle=False) as archive:
                return {name: archive[name] for name in archive.files}
        except _UNREADABLE as error:
            raise self._damaged(key, error) from None

    def _damaged(self, key: str, error: Exception) -> StoreError:
        path = self.prediction_path(key)
        words = str(error).strip(" .") or type(error).__name__
        missing = f"There are no predictions {str(path)!r}"
        problem = f"The predictions {str(path)!r} cannot be read ({words})" if path.is_file() else missing
        return StoreError(f"{problem}: make them again with `podium run --retry ok`.")


def digest_of(content: bytes) -> str:
    """The digest of a file of predictions, kept with the scores that were computed from it."""
    return hashlib.sha256(content).hexdigest()[:16]


def _packed(predictions: Predictions) -> bytes:
    """Predictions as the bytes of a file."""
    import numpy as np

    arrays = {name: array for name, array in asdict(predictions).items() if array is not None}
    content = io.BytesIO()
    np.savez_compressed(content, allow_pickle=False, **arrays)
    return content.getvalue()
