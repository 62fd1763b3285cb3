"""Where a user's own files are stored."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path


def data_folder(env: Mapping[str, str]) -> Path:
    """The user's data folder, by the system's convention."""
    base = env.get("XDG_DATA_HOME") or (env.get("LOCALAPPDATA") if os.name == "nt" else None)
    return (Path(base) if base else Path.home() / ".local" / "share") / "tsukimi"
