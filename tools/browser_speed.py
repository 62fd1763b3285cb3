"""How fast the first page and the dice are on a slow phone: prints figures, for a browser held to a quarter of this machine's speed.

`python tools/browser_speed.py [--cpu 4] [--kbps 1600] [--delay 150]`: the processor that many times slower, the network so wide
and so far away. Interactive: from the first byte asked for until the button that starts a game works.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(ROOT / "tests")]

from browser.taps import Player, play_together  # noqa: E402
from browser.visitor import FLAGS, Visitor, built_client  # noqa: E402
from playwright.sync_api import Browser, sync_playwright  # noqa: E402
from server.live import serving  # noqa: E402

TASKS = "new PerformanceObserver((list) => (globalThis.tasks = [...(globalThis.tasks ?? []), ...list.getEntries().map((one) => one.duration)])).observe({ type: 'longtask', buffered: true })"
READY = """() => new Promise((done) => {
  const look = () => document.querySelector('[data-testid=play-bots]:enabled') ? done(performance.now()) : requestAnimationFrame(look);
  look();
})"""


def slow_down(visitor: Visitor, cpu: float, kbps: float, delay: float) -> None:
    session = visitor.context.new_cdp_session(visitor.page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": cpu})
    rate = kbps * 1000 / 8
    conditions = {"offline": False, "latency": delay, "downloadThroughput": rate, "uploadThroughput": rate / 2}
    session.send("Network.enable")
    session.send("Network.emulateNetworkConditions", conditions)


def measure(browser: Browser, url: str, cpu: float, kbps: float, delay: float) -> dict[str, Any]:
    visitor = Visitor(browser, url, phone=True, motion=True)
    slow_down(visitor, cpu, kbps, delay)
    visitor.page.add_init_script(TASKS)
    visitor.go("/")
    ready = visitor.page.evaluate(READY)
    paint = visitor.page.evaluate("performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0")
    first = visitor.page.evaluate("globalThis.tasks ?? []")
    visitor.play_bots("daruma", 2)
    visitor.until("ask")
    visitor.page.wait_for_timeout(1500)
    visitor.page.evaluate("globalThis.tasks = []")
    play_together([Player(visitor, "daruma")], 8, patience=180)
    rolls = visitor.page.evaluate("globalThis.tasks")
    visitor.close()
    return {
        "first paint, ms": round(paint),
        "interactive, ms": round(ready),
        "longest task while the first page loads, ms": round(max(first, default=0)),
        "longest task while dice roll, ms": round(max(rolls, default=0)),
        "tasks over 100 ms while dice roll": sum(one > 100 for one in rolls),
    }


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
        for name, figure in measure(browser, live.url, args.cpu, args.kbps, args.delay).items():
            print(f"{name}: {figure}")
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
