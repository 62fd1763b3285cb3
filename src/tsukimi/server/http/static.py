"""The built client: its files, held in memory, and its pages, which are all index.html. Other texts are served the same way.

Only files found in the build folder can be requested, so no path leads anywhere else.
"""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
import re
from pathlib import Path
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import Response

from tsukimi.server.http import pages

HASHED = re.compile(r".*[.-][A-Za-z0-9_-]{8,}\.[a-z0-9]+")  # Vite puts a hash of the content into the name
FOREVER = "public, max-age=31536000, immutable"
REVALIDATE = "no-cache"
MAX_BYTES = 32 * 2**20
PAGES = (
    "/",
    "/t/{id}",
    "/t/{id}/replay",
    "/me",
    "/reset",
    "/ratings",
    "/ratings/{game}",
    "/rules/{game}",
    "/workshop/{game}",
    "/puzzles",
    "/puzzles/{game}/{id}",
    "/people/{who}",
    "/admin",
)
mimetypes.add_type("text/javascript", ".js")  # the system's own list may be wrong
mimetypes.add_type("font/woff2", ".woff2")
mimetypes.add_type("application/manifest+json", ".webmanifest")


class File(NamedTuple):
    data: bytes
    gzipped: bytes | None
    """For the client's files, if the build made a gzip file next to it."""
    content_type: str
    etag: str
    cache_control: str


def client_folder(chosen: str = "") -> Path:
    """The client's build folder: as configured, in the package, or in a checkout."""
    here = Path(__file__).parents[1]
    folders = [Path(chosen)] if chosen else [here / "web", here.parents[2] / "client" / "dist"]
    return next((folder for folder in folders if (folder / "index.html").is_file()), folders[0])


class Site:
    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._index = folder / "index.html"
        self._built_at = 0.0
        self._files: dict[str, File] = {}

    def files(self) -> dict[str, File]:
        """All files by path; read again after the client was rebuilt."""
        try:
            built_at = self._index.stat().st_mtime
        except OSError:
            return {}
        if built_at != self._built_at:
            self._files, self._built_at = _read(self._folder), built_at
        return self._files

    async def page(self, request: Request) -> Response:
        """index.html for every page: the client routes by URL."""
        return self.index(request)

    async def file(self, request: Request) -> Response:
        found = self.files().get(request.path_params["path"])
        if found is not None:
            return respond(request, found)
        if "text/html" in request.headers.get("accept", ""):
            return self.index(request, 404)  # the client shows its own page for that
        return Response("not found\n", 404, media_type="text/plain")

    def index(self, request: Request, status: int = 200) -> Response:
        found = self.files().get("index.html")
        if found is None:
            return pages.page("unbuilt", request, 503)
        return respond(request, found, status)


def _read(folder: Path) -> dict[str, File]:
    paths = [path for path in sorted(folder.rglob("*")) if path.is_file() and not path.is_symlink()]
    found = {path.relative_to(folder).as_posix(): path for path in paths if path.stat().st_size <= MAX_BYTES}
    return {name: _file(name, path, found) for name, path in found.items() if not name.endswith((".gz", ".map"))}


def _file(name: str, path: Path, found: dict[str, Path]) -> File:
    data = path.read_bytes()
    gzipped = found.get(f"{name}.gz")
    content_type = mimetypes.guess_type(name)[0] or "application/octet-stream"
    if content_type.startswith("text/") or content_type in ("application/json", "image/svg+xml"):
        content_type += "; charset=utf-8"
    cache_control = FOREVER if name.startswith("assets/") and HASHED.fullmatch(name) else REVALIDATE
    return File(data, gzipped.read_bytes() if gzipped else None, content_type, _etag(data), cache_control)


def json_file(data: bytes) -> File:
    """Content that is the same for everyone until the next restart."""
    return File(data, gzip.compress(data), "application/json", _etag(data), REVALIDATE)


def _etag(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:20]


def respond(request: Request, file: File, status: int = 200) -> Response:
    data, suffix = file.data, ""
    if file.gzipped is not None and _accepts_gzip(request.headers.get("accept-encoding", "")):
        data, suffix = file.gzipped, "-gz"
    headers = {"etag": f'"{file.etag}{suffix}"', "cache-control": file.cache_control}
    if file.gzipped is not None:
        headers["vary"] = "accept-encoding"
    if status == 200 and headers["etag"] in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    if suffix:
        headers["content-encoding"] = "gzip"
    return Response(data, status, headers | {"content-type": file.content_type})


def _accepts_gzip(accepted: str) -> bool:
    for part in accepted.lower().split(","):
        name, _, weight = part.strip().partition(";")
        if name.strip() == "gzip":
            return weight.replace(" ", "") not in ("q=0", "q=0.0")
    return False
