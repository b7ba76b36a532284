"""Prints the lowest version that pyproject.toml allows of each package the project itself names, as constraints for pip."""

import re
import sys
import tomllib
from pathlib import Path

project = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text(encoding="utf-8"))["project"]
wanted = [*project["dependencies"], *(one for extra in sys.argv[1:] for one in project["optional-dependencies"][extra])]
for requirement in wanted:
    name, version = re.fullmatch(r"([\w.-]+)>=([\w.]+)", requirement.split(";")[0].strip()).groups()
    sys.stdout.write(f"{name}=={version}\n")
