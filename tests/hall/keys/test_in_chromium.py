"""Chromium opens the desk's pages once it trusts their authority, and not before."""

from __future__ import annotations

import http.server
import ssl
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest
from playwright.sync_api import Error, sync_playwright

from hall.keys.pages import PageFiles, page_authority, write_page_certificate
from tests.hall.desk.web.browsing import ARGUMENTS, CHROMIUM
from tests.installed import require


@contextmanager
def serving(files: PageFiles) -> Iterator[int]:
    """Serve something over HTTPS with the certificate of a desk."""
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(files.certificate, files.key)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), http.server.BaseHTTPRequestHandler) as server:
        server.socket = context.wrap_socket(server.socket, server_side=True)
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server.server_port
        server.shutdown()
        thread.join()


def opened(home: Path, port: int) -> int:
    """Return the status of the page in a browser of the user with that home."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=[*ARGUMENTS], env={"HOME": str(home)})
        try:
            answer = browser.new_page().goto(f"https://localhost:{port}/")
            assert answer is not None
            return answer.status
        finally:
            browser.close()


def test_chromium_trusts_the_pages_once_it_trusts_their_authority(tmp_path: Path) -> None:
    require("chromium-headless-shell", "certutil")
    (tmp_path / "desk-1").mkdir()
    files = write_page_certificate(tmp_path, "club", tmp_path / "desk-1", ("hall-pc.local", "localhost"), datetime.now(UTC))
    database = tmp_path / ".pki" / "nssdb"
    database.mkdir(parents=True)
    subprocess.run(["certutil", "-d", f"sql:{database}", "-N", "--empty-password"], check=True)
    with serving(files) as port:
        with pytest.raises(Error, match="ERR_CERT_AUTHORITY_INVALID"):
            opened(tmp_path, port)
        words = ("-A", "-t", "C,,", "-n", "tileclock", "-i", str(page_authority(tmp_path)))
        subprocess.run(["certutil", "-d", f"sql:{database}", *words], check=True)
        # The server has no such page; but it was asked.
        assert opened(tmp_path, port) == 501
