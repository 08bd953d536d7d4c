"""The receipt of the last result as a QR code, read from the journal: it says what is on the disk."""

import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from msgspec import Struct

from appliance.errors import RecordError
from appliance.qr import qr_rows
from appliance.records.rows import hash_of
from records.journal import reading, rows_of_game


class ReceiptCode(Struct, frozen=True):
    game: int
    rows: tuple[str, ...]
    """Of 0 and 1 (dark) each."""


def read_receipt(path: Path, pass_on: Callable[[ReceiptCode], None], game: int) -> None:
    """Read the receipt of ``game`` in a thread of its own, which hands it to ``pass_on``: neither disk nor code may hold up the loop. Nothing where there is none."""
    threading.Thread(target=_read, args=(path, pass_on, game), name="receipt", daemon=True).start()


def _read(path: Path, pass_on: Callable[[ReceiptCode], None], game: int) -> None:
    from records.receipt import receipts  # noqa: PLC0415 - what it needs of wire/ is for halls, and would slow each start
    from wire.topics import EPOCH_DIGITS  # noqa: PLC0415 - as above

    with suppress(RecordError), reading(path, refused=True) as connection:
        found = list(receipts(rows_of_game(connection, game), (hash_of(connection, 1) or "")[:EPOCH_DIGITS]))
        if found:
            pass_on(ReceiptCode(game, tuple(qr_rows(found[-1].whole, dense=True))))
