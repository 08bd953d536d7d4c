"""The device's own screen: while it asks, its program shows the digits there, between two games (docs/spec/wire.md, "The local socket")."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from appliance.version import VERSION as VERSION_OF_PROGRAM
from hall.enrol.client import ToCompare
from wire.local.client import DeviceClient
from wire.local.packets import PeerGone
from wire.topics import VERSION


def qr_rows(transcript: str) -> list[str]:
    """Return the QR code that `tilehall admit` takes in place of the digits: its rows, of 0 and 1 each, without an edge."""
    from qrcode.main import QRCode  # noqa: PLC0415 - only where digits are shown

    code = QRCode(border=0)
    code.add_data(transcript)
    return ["".join("01"[module] for module in row) for row in code.get_matrix()]


@contextmanager
def on_panel(path: Path) -> Iterator[Callable[[ToCompare], None]]:
    """Yield what shows digits by the socket at ``path``, until the end of the block. Where no program serves it, or a link has it, nothing shows."""
    client = DeviceClient(path)

    def show(compare: ToCompare) -> None:
        # The words in the terminal are there in any case.
        with suppress(PeerGone):
            if client.connect():
                client.write({"t": "hello", "v": VERSION, "version": VERSION_OF_PROGRAM})
                client.write({"t": "join", "hall": compare.hall, "digits": compare.digits, "code": qr_rows(compare.transcript)})

    try:
        yield show
    finally:
        client.close()
