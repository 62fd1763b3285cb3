"""The built client: its files, held in memory, and the pages that all are its index.html.

Only what was found in the build folder when it was read can be asked for, so no path leads anywhere else.
"""

from __future__ import annotations

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
ASK_AGAIN = "no-cache"
LARGEST = 32 * 2**20
PAGES = ("/", "/t/{id}", "/t/{id}/replay", "/me", "/ratings", "/ratings/{game}", "/rules/{game}", "/people/{who}")
mimetypes.add_type("text/javascript", ".js")  # a system's own list may know better, wrongly
mimetypes.add_type("font/woff2", ".woff2")
mimetypes.add_type("application/manifest+json", ".webmanifest")


class File(NamedTuple):
    data: bytes
    packed: bytes | None
    """The gzip file beside it, where the build made one."""
    kind: str
    etag: str
    keep: str


def folder(chosen: str = "") -> Path:
    """Where the client's build lies: as configured, within the package, or in a checkout."""
    here = Path(__file__).parents[1]
    places = [Path(chosen)] if chosen else [here / "web", here.parents[2] / "client" / "dist"]
    return next((place for place in places if (place / "index.html").is_file()), places[0])


class Site:
    def __init__(self, place: Path) -> None:
        self._place = place
        self._index = place / "index.html"
        self._made = 0.0
        self._files: dict[str, File] = {}

    def files(self) -> dict[str, File]:
        """All files by path; read again when the client was built anew."""
        try:
            made = self._index.stat().st_mtime
        except OSError:
            return {}
        if made != self._made:
            self._files, self._made = _read(self._place), made
        return self._files

    async def page(self, request: Request) -> Response:
        """index.html, whatever the page: the client looks at the address itself."""
        return self.index(request)

    async def file(self, request: Request) -> Response:
        found = self.files().get(request.path_params["path"])
        if found is not None:
            return _response(request, found)
        if "text/html" in request.headers.get("accept", ""):
            return self.index(request, 404)  # the client says it nicely
        return Response("not found\n", 404, media_type="text/plain")

    def index(self, request: Request, status: int = 200) -> Response:
        found = self.files().get("index.html")
        if found is None:
            return pages.page("unbuilt", request, 503)
        return _response(request, found, status)


def _read(place: Path) -> dict[str, File]:
    paths = [path for path in sorted(place.rglob("*")) if path.is_file() and not path.is_symlink()]
    found = {path.relative_to(place).as_posix(): path for path in paths if path.stat().st_size <= LARGEST}
    return {name: _file(name, path, found) for name, path in found.items() if not name.endswith((".gz", ".map"))}


def _file(name: str, path: Path, found: dict[str, Path]) -> File:
    data = path.read_bytes()
    packed = found.get(f"{name}.gz")
    kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
    if kind.startswith("text/") or kind in ("application/json", "image/svg+xml"):
        kind += "; charset=utf-8"
    keep = FOREVER if name.startswith("assets/") and HASHED.fullmatch(name) else ASK_AGAIN
    etag = hashlib.sha256(data).hexdigest()[:20]
    return File(data, packed.read_bytes() if packed else None, kind, etag, keep)


def _response(request: Request, file: File, status: int = 200) -> Response:
    packed = file.packed is not None and _takes_gzip(request.headers.get("accept-encoding", ""))
    headers = {"etag": f'"{file.etag}{"-gz" if packed else ""}"', "cache-control": file.keep}
    if file.packed is not None:
        headers["vary"] = "accept-encoding"
    if status == 200 and headers["etag"] in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    if packed:
        headers["content-encoding"] = "gzip"
    data = file.packed if packed and file.packed is not None else file.data
    return Response(data, status, headers | {"content-type": file.kind})


def _takes_gzip(accepted: str) -> bool:
    for part in accepted.lower().split(","):
        name, _, weight = part.strip().partition(";")
        if name.strip() == "gzip":
            return weight.replace(" ", "") not in ("q=0", "q=0.0")
    return False
