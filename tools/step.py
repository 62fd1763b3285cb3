"""Run a command that takes a while: `step.py "Compiling the rules (about a minute)" COMMAND ..`.

Prints one line with the elapsed seconds, updated every ten: "Compiling the rules .. 10 .. 20 .. 26 s".
The command's output is shown only if it fails, except lines that begin with "tsukimi:", which are warnings.
"""

import subprocess
import sys
import tempfile
import time

title, *command = sys.argv[1:]
began = time.monotonic()
print(title, end=" .. ", flush=True)
with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as output:
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT) as running:
        while True:
            try:
                code = running.wait(10)
                break
            except subprocess.TimeoutExpired:
                print(f"{time.monotonic() - began:.0f} .. ", end="", flush=True)
            except KeyboardInterrupt:
                sys.exit("interrupted")
    print("failed" if code else f"{time.monotonic() - began:.0f} s", flush=True)
    output.seek(0)
    lines = output.read().splitlines()
for line in lines if code else [line for line in lines if line.startswith("tsukimi:")]:
    print(line, file=sys.stderr)
sys.exit(code)
