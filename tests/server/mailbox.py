"""A mail server for tests: it accepts and stores every e-mail, over plain SMTP."""

from __future__ import annotations

import email
import re
import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from email.message import EmailMessage
from email.policy import default
from queue import Empty, Queue


class Mailbox:
    def __init__(self) -> None:
        self.port = 0
        self.arrived: Queue[EmailMessage] = Queue()

    def next(self) -> EmailMessage:
        return self.arrived.get(timeout=10)

    def link(self) -> str:
        """The path of the link in the next mail, and what follows it."""
        [found] = re.findall(r"https?://[^/\s]+(/\S+)", self.next().get_content())
        return str(found)

    def is_empty(self) -> bool:
        try:
            self.arrived.put(self.arrived.get(timeout=0.5))
        except Empty:
            return True
        return False


class _Handler(socketserver.StreamRequestHandler):
    box: Mailbox

    def handle(self) -> None:
        self._say("220 here")
        while line := self.rfile.readline().strip().upper():
            if line.startswith((b"EHLO", b"HELO")):
                self._say("250 here")
            elif line == b"DATA":
                self._say("354 go on")
                text = b""
                while (more := self.rfile.readline()) not in (b".\r\n", b""):
                    text += more.removeprefix(b".")
                self.box.arrived.put(email.message_from_bytes(text, EmailMessage, policy=default))
                self._say("250 taken")
            elif line == b"QUIT":
                self._say("221 bye")
                return
            else:
                self._say("250 fine")

    def _say(self, text: str) -> None:
        self.wfile.write(text.encode() + b"\r\n")


@contextmanager
def mailbox() -> Iterator[Mailbox]:
    box = Mailbox()
    handler = type("Handler", (_Handler,), {"box": box})
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), handler) as server:
        box.port = server.server_address[1]
        threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        yield box
        server.shutdown()
