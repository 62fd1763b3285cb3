"""Print requirements from pyproject.toml, one a line, for pip: `build`, `dependencies`, or the name of an extra."""

import sys
import tomllib
from pathlib import Path

data = tomllib.loads((Path(__file__).parent.parent / "pyproject.toml").read_text("utf-8"))
project = data["project"]
known = {
    **project["optional-dependencies"],
    "dependencies": project["dependencies"],
    "build": data["build-system"]["requires"],
}
for name in sys.argv[1:]:
    print(*(f"'{requirement.replace(chr(39), chr(34))}'" for requirement in known[name]), sep="\n")
