"""Servers for measurements: `tsukimi serve` as a separate process that can be killed and restarted."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from services import free_port


class Server:
    """One worker. `cores` pins it; the same port after every start."""

    def __init__(
        self,
        folder: Path,
        database: str = "",
        bus: str = "",
        cores: Sequence[int] = (),
        command: list[str] | None = None,
        env: dict[str, str] | None = None,
    ) -> None:
        self.folder, self.port, self._cores = folder, free_port(), list(cores)
        folder.mkdir(parents=True, exist_ok=True)
        self.url = f"http://127.0.0.1:{self.port}"
        self._command = command or [sys.executable, "-m", "tsukimi.cli", "serve"]
        self._env = os.environ | {
            "TSUKIMI_DATA": str(folder), "TSUKIMI_PORT": str(self.port), "TSUKIMI_RATE": "0",
            "TSUKIMI_DATABASE": database or f"sqlite:///{folder}/tsukimi.db", "TSUKIMI_BUS": bus,
            "TSUKIMI_LOG_LEVEL": "warning", "TSUKIMI_SECRET": "chaos" * 12, "TSUKIMI_BOT_MS": "60",
            "TSUKIMI_BOT_PROCESSES": "1", **(env or {}),
        }  # fmt: skip
        self._process: subprocess.Popen[bytes] | None = None
        self.starts: list[float] = []
        self.crashes = 0
        """How often it exited unexpectedly."""

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def start(self, wait: float = 60.0) -> None:
        """Start it, and return when it answers."""
        began = time.perf_counter()
        log = (self.folder / "server.log").open("ab")
        self._process = subprocess.Popen(self._command, env=self._env, stdout=log, stderr=log, start_new_session=True)
        if self._cores:
            os.sched_setaffinity(self._process.pid, self._cores)
        while time.perf_counter() - began < wait:
            if self._process.poll() is not None:
                raise RuntimeError(f"the server ended: {self.log()[-2000:]}")
            try:
                with urllib.request.urlopen(f"{self.url}/healthz", timeout=5):
                    self.starts.append(time.perf_counter() - began)
                    return
            except urllib.error.HTTPError as problem:
                problem.close()  # it answers, but its store or bus does not yet
                self.starts.append(time.perf_counter() - began)
                return
            except OSError:
                time.sleep(0.02)
        raise RuntimeError(f"the server does not answer: {self.log()[-2000:]}")

    def kill(self) -> None:
        """Like a power cut: no signal it could handle. Its bot processes end with it."""
        assert self._process is not None
        self._note_crash()
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()

    def _note_crash(self) -> None:
        if self._process is not None and self._process.poll() is not None:
            self.crashes += 1
            print(f"the server ended with {self._process.returncode}: {self.log()[-2000:]}", file=sys.stderr)

    def stop(self) -> None:
        if self._process is None:
            return
        self._note_crash()
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(signal.SIGTERM)
            try:
                self._process.wait(15)
            except subprocess.TimeoutExpired:
                self.kill()
        self._process = None

    def memory(self) -> float:
        """Resident memory of the worker itself, in MB."""
        for line in Path(f"/proc/{self.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) / 1024
        return 0.0

    def cpu(self) -> float:
        """CPU seconds of the worker itself."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def metrics(self, name: str) -> float:
        """The sum of a metric over its labels."""
        with urllib.request.urlopen(f"{self.url}/metrics", timeout=10) as answer:
            lines = [line.rpartition(" ") for line in answer.read().decode().splitlines()]
        return sum(float(value) for key, _, value in lines if key.partition("{")[0] == name)

    def log(self) -> str:
        path = self.folder / "server.log"
        return path.read_text("utf-8", "replace") if path.exists() else ""
