"""E-mails, sent in a thread over the host's SMTP server."""

from __future__ import annotations

import asyncio
import logging
import smtplib
import ssl
from concurrent.futures import ThreadPoolExecutor
from email.message import EmailMessage
from email.utils import formatdate, make_msgid
from urllib.parse import unquote, urlsplit

SCHEMES = {"smtp": 587, "smtps": 465}
MAX_QUEUE = 100
TIMEOUT_S = 20.0

_log = logging.getLogger("tsukimi.mail")


class Mailer:
    """`smtp://` starts TLS if the server offers it, `smtps://` starts with it. A password is never sent
    without TLS, except to this machine."""

    def __init__(self, url: str, sender: str) -> None:
        parts = urlsplit(url)
        self._tls = parts.scheme == "smtps"
        self._host, self._port = parts.hostname or "localhost", parts.port or SCHEMES[parts.scheme]
        self._user, self._password = unquote(parts.username or ""), unquote(parts.password or "")
        self._sender = sender
        self._threads = ThreadPoolExecutor(1, thread_name_prefix="mail")
        self._queued = 0

    def close(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)

    def send(self, to: str, subject: str, text: str) -> None:
        """Queue an e-mail: nobody waits for it, so response times do not reveal whether there was one."""
        if self._queued >= MAX_QUEUE:
            _log.error("an e-mail was dropped: too many are queued")
            return
        message = EmailMessage()
        message["From"], message["To"], message["Subject"] = self._sender, to, subject
        message["Date"], message["Message-ID"] = formatdate(), make_msgid(domain=self._sender.rpartition("@")[2])
        message["Auto-Submitted"] = "auto-generated"
        message.set_content(text)
        self._queued += 1
        asyncio.get_running_loop().run_in_executor(self._threads, self._send, message).add_done_callback(self._sent)

    def _send(self, message: EmailMessage) -> None:
        with self._connected() as server:
            if self._user:
                if not (self._local or isinstance(server.sock, ssl.SSLSocket)):
                    raise smtplib.SMTPNotSupportedError("the server offers no TLS")
                server.login(self._user, self._password)
            server.send_message(message)

    def _connected(self) -> smtplib.SMTP:
        context = ssl.create_default_context()
        if self._tls:
            return smtplib.SMTP_SSL(self._host, self._port, timeout=TIMEOUT_S, context=context)
        server = smtplib.SMTP(self._host, self._port, timeout=TIMEOUT_S)
        server.ehlo()
        if server.has_extn("starttls"):
            server.starttls(context=context)
            server.ehlo()
        return server

    @property
    def _local(self) -> bool:
        return self._host in ("localhost", "127.0.0.1", "::1")

    def _sent(self, done: asyncio.Future[None]) -> None:
        self._queued -= 1
        if not done.cancelled() and (problem := done.exception()) is not None:
            _log.error("an e-mail could not be sent: %s", type(problem).__name__)  # its text may contain an address
