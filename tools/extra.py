"""Print requirements from pyproject.toml, one per line, for pip: `build`, `dependencies`, or the name of an extra."""

import re
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


def requirements(name: str) -> list[str]:
    """An extra's requirements, including those of the extras it refers to (`tsukimi[other]`)."""
    found = []
    for line in known[name]:
        if own := re.fullmatch(r"tsukimi\[(.+)\]", line):
            found += [inner for other in own[1].split(",") for inner in requirements(other)]
        else:
            found.append(line)
    return found


for name in sys.argv[1:]:
    print(*requirements(name), sep="\n")
