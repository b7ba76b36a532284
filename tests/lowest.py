"""Prints the lowest version that pyproject.toml allows of each package the project itself names, as constraints for pip."""

import re
import sys
import tomllib
from pathlib import Path


def lowest(*extras: str) -> list[str]:
    """Constraints such as "numpy==2.0", for the package and some of its extras."""
    pyproject = Path(__file__).parents[1] / "pyproject.toml"
    project = tomllib.loads(pyproject.read_text(encoding="utf-8"))["project"]
    wanted = [*project["dependencies"], *(one for extra in extras for one in project["optional-dependencies"][extra])]
    named = [re.fullmatch(r"([\w.-]+)>=([\w.]+)", requirement.split(";")[0].strip()) for requirement in wanted]
    return ["==".join(found.groups()) for found in named]


if __name__ == "__main__":
    sys.stdout.write("\n".join(lowest(*sys.argv[1:])) + "\n")
