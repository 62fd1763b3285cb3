"""How fast pages are on a slow phone: the browser held to a part of this machine's speed, behind a slow network."""

from __future__ import annotations

from browser.taps import Player, play_together
from browser.visitor import Visitor

TASKS = "new PerformanceObserver((list) => (globalThis.tasks = [...(globalThis.tasks ?? []), ...list.getEntries().map((one) => one.duration)])).observe({ type: 'longtask', buffered: true })"
READY = """() => new Promise((done) => {
  const look = () => document.querySelector('[data-testid=play-bots]:enabled') ? done(performance.now()) : requestAnimationFrame(look);
  look();
})"""


def slow_down(visitor: Visitor, cpu: float = 4.0, kbps: float = 1600.0, delay: float = 150.0) -> None:
    session = visitor.context.new_cdp_session(visitor.page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": cpu})
    rate = kbps * 1000 / 8
    conditions = {"offline": False, "latency": delay, "downloadThroughput": rate, "uploadThroughput": rate / 2}
    session.send("Network.enable")
    session.send("Network.emulateNetworkConditions", conditions)


def first_page(visitor: Visitor) -> dict[str, int]:
    visitor.page.add_init_script(TASKS)
    visitor.go("/")
    ready = visitor.page.evaluate(READY)
    paint = visitor.page.evaluate("performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0")
    tasks = visitor.page.evaluate("globalThis.tasks ?? []")
    return {
        "first paint, ms": round(paint),
        "interactive, ms": round(ready),
        "longest task while the first page loads, ms": round(max(tasks, default=0)),
    }


def rolling_dice(visitor: Visitor, moves: int = 8) -> dict[str, int]:
    visitor.play_bots("daruma", 2)
    visitor.until("ask")
    visitor.page.wait_for_timeout(1500)
    visitor.page.evaluate("globalThis.tasks = []")
    play_together([Player(visitor, "daruma")], moves, patience=180)
    rolls = visitor.page.evaluate("globalThis.tasks")
    return {
        "longest task while dice roll, ms": round(max(rolls, default=0)),
        "tasks over 100 ms while dice roll": sum(roll > 100 for roll in rolls),
    }
