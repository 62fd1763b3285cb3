"""Print the requirements of one of pyproject.toml's extras, one a line, for pip."""

import sys
import tomllib
from pathlib import Path

project = tomllib.loads((Path(__file__).parent.parent / "pyproject.toml").read_text("utf-8"))["project"]
print(*(f'"{requirement}"' for requirement in project["optional-dependencies"][sys.argv[1]]), sep="\n")
