"""The listener's pages for programs on the same machine: ``/picture.json`` and ``/metrics``, on the loopback only."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Final

from faults.errors import reason
from hall.errors import ListenerError

LOOPBACK: Final = "127.0.0.1"
PICTURE: Final = "/picture.json"
METRICS: Final = "/metrics"
Page = Callable[[], tuple[str, bytes]]
"""Returns a page's content type and bytes; called from threads of the server's own."""


@contextmanager
def serving(port: int, pages: Mapping[str, Page]) -> Iterator[int]:
    """Serve ``pages`` by their path on the loopback, in threads of their own; yield the port (0: a free one). Raises ``ListenerError`` if it is in use."""
    try:
        server = _Server((LOOPBACK, port), _handler(pages))
    except OSError as error:
        remedy = "Another listener may be running; else give another port with --http"
        raise ListenerError(where=f"{LOOPBACK}:{port}", expected="a free port", found=reason(error), remedy=remedy) from error
    thread = threading.Thread(target=server.serve_forever, name="http", daemon=True)
    thread.start()
    try:
        yield int(server.server_address[1])
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    allow_reuse_address = True
    # The base looks the machine's name up, which may take seconds without a network.
    server_name = LOOPBACK

    def server_bind(self) -> None:
        """Bind without looking up a name."""
        self.socket.bind(self.server_address)
        self.server_address = self.socket.getsockname()
        self.server_port = int(self.server_address[1])


def _handler(pages: Mapping[str, Page]) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        timeout = 10.0

        def do_GET(self) -> None:
            page = pages.get(self.path.partition("?")[0])
            # A reader that is gone is its own affair.
            with suppress(OSError):
                if page is None:
                    self.send_error(HTTPStatus.NOT_FOUND)
                    return
                kind, content = page()
                self.send_response(HTTPStatus.OK)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(content)))
                self.send_header("Cache-Control", "no-store")
                self.end_headers()
                self.wfile.write(content)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class's name
            """Log nothing: a scraper asks every few seconds."""

    return Handler
