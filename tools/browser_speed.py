"""Measures how fast the first page and the dice are on a slow phone, in a browser with a throttled CPU and network.

`python tools/browser_speed.py [--cpu 4] [--kbps 1600] [--delay 150]`: CPU slowdown factor, bandwidth, latency in ms.
"Interactive" is the time from the first request until the button that starts a game works.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from argparse import ArgumentParser
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(ROOT / "tests")]

from playwright.sync_api import sync_playwright  # noqa: E402

from browser.speed import first_page, rolling_dice, slow_down  # noqa: E402
from browser.visitor import FLAGS, Visitor, built_client  # noqa: E402
from server.live import serving  # noqa: E402


def main() -> int:
    parser = ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--cpu", type=float, default=4.0)
    parser.add_argument("--kbps", type=float, default=1600.0)
    parser.add_argument("--delay", type=float, default=150.0)
    args = parser.parse_args()
    chromium, web = shutil.which("chromium"), built_client()
    if chromium is None or web is None:
        print("this needs chromium on the path and a built client (python hatch_build.py client)", file=sys.stderr)
        return 1
    with (
        tempfile.TemporaryDirectory() as folder,
        serving(Path(folder), web=str(web), bot_ms=20.0) as live,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        visitor = Visitor(browser, live.url, phone=True, motion=True)
        slow_down(visitor, args.cpu, args.kbps, args.delay)
        for name, figure in {**first_page(visitor), **rolling_dice(visitor)}.items():
            print(f"{name}: {figure}")
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
