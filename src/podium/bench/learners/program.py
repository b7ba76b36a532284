"""Any program as an algorithm: files in, predictions out.

The program is called twice, in a folder of its own:

    COMMAND fit train.csv model --seed=7 --depth=3          writes what it has learnt to the file or folder `model`
    COMMAND predict test.csv model predictions.csv          writes one prediction per line, in the order of the cases

`train.csv` has a header, a column for each feature (x1, x2, ...) and the column `y`: the number of the class, or the
number to predict. `test.csv` is the same without `y`. Hyperparameters follow as `--name=value`. A prediction is the number of
a class, or one number (regression). Whatever the program prints is kept only if it fails.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
import weakref
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator

from podium.bench.sources import located
from podium.core.errors import PodiumError

_TOLD = 300  # characters of what a failing program has said


class ProgramError(PodiumError):
    """The program failed, or its predictions cannot be read."""


class Program(BaseEstimator):  # type: ignore[misc]
    """Runs a command to train and to predict; any hyperparameter is handed on to it."""

    def __init__(self, command: Sequence[str] = (), random_state: int | None = None, **hyperparameters: Any) -> None:
        self.command = command
        self.random_state = random_state
        self.hyperparameters = hyperparameters

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The command, the seed, and what is handed on."""
        return {"command": self.command, "random_state": self.random_state, **self.hyperparameters}

    def set_params(self, **params: Any) -> Program:
        """Change the seed, or what is handed on."""
        for name in ("command", "random_state"):
            if name in params:
                setattr(self, name, params.pop(name))
        self.hyperparameters |= params
        return self

    def fit(self, X: Any, y: Any) -> Program:
        """Write the training cases and let the program learn."""
        self.folder_ = tempfile.mkdtemp(prefix="podium-program-")
        weakref.finalize(self, shutil.rmtree, self.folder_, ignore_errors=True)
        values, target = np.asarray(X, dtype=np.float64), np.asarray(y)
        self.whole_ = bool(np.issubdtype(target.dtype, np.integer))
        header = ",".join([*(f"x{i + 1}" for i in range(values.shape[1])), "y"])
        forms = ["%.17g"] * values.shape[1] + ["%d" if self.whole_ else "%.17g"]
        table = np.column_stack([values, target])
        np.savetxt(self._path("train.csv"), table, fmt=forms, delimiter=",", header=header, comments="")
        options = [f"--{name}={value}" for name, value in sorted(self.hyperparameters.items())]
        self._call("fit", "train.csv", "model", f"--seed={self.random_state or 0}", *options)
        return self

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """Write the cases and read what the program predicts."""
        values = np.asarray(X, dtype=np.float64)
        header = ",".join(f"x{i + 1}" for i in range(values.shape[1]))
        np.savetxt(self._path("test.csv"), values, fmt="%.17g", delimiter=",", header=header, comments="")
        self._path("predictions.csv").unlink(missing_ok=True)
        self._call("predict", "test.csv", "model", "predictions.csv")
        return self._predictions(len(values))

    def _predictions(self, cases: int) -> npt.NDArray[Any]:
        path = self._path("predictions.csv")
        if not path.is_file():
            raise ProgramError(f"{self.command[0]!r} wrote no predictions.csv.")
        text = path.read_text(encoding="utf-8", errors="replace")
        lines = [line.strip() for line in text.splitlines() if line.strip()]
        if len(lines) != cases:
            raise ProgramError(f"{self.command[0]!r} wrote {len(lines)} predictions for {cases} cases.")
        try:
            numbers = np.array([float(line) for line in lines])
        except ValueError as error:
            raise ProgramError(f"{self.command[0]!r} wrote a prediction that is not a number: {error}.") from None
        if self.whole_ and (numbers == np.round(numbers)).all():
            return numbers.astype(np.intp)
        return numbers

    def _path(self, name: str) -> Path:
        return Path(self.folder_) / name

    def _call(self, *words: str) -> None:
        """Run the command within the folder."""
        command = [located(part) for part in self.command]
        try:
            done = subprocess.run([*command, *words], cwd=self.folder_, capture_output=True, check=False)
        except OSError as error:
            raise ProgramError(f"{self.command[0]!r} cannot be run: {error.strerror}.") from None
        if done.returncode:
            said = (done.stderr or done.stdout).decode("utf-8", "replace").strip()[-_TOLD:]
            ended = f"{words[0]} ended with code {done.returncode}"
            raise ProgramError(f"{self.command[0]!r} {ended}: {said or 'no word'}.")

    def __getstate__(self) -> dict[str, Any]:
        """Without its folder, which does not outlive the task: its size is that of the settings."""
        return {name: value for name, value in self.__dict__.items() if name != "folder_"}
