"""A clock whose journal has a signed result, as it reports it to the hall."""

from pathlib import Path
from typing import Any

from appliance.records.rows import links
from records.journal import reading, rows_from
from records.receipt import receipts
from tests.firmware.signed_journal import signed_result
from tests.hall.reporting import Device


def clock_with_result(folder: Path, *after: Any, key: bool = True) -> tuple[Device, str]:
    """Return a clock with a signed result, what follows it, and a signature of the row if ``key``; and the receipt that it shows."""
    device = Device("clock")
    path = signed_result(folder / "journal.db", device.device_key if key else None, *after)
    with reading(path) as connection:
        device.rows = [(link.hash, list(link.row)) for link in links(connection, 1)]
        (receipt,) = receipts(list(rows_from(connection, 1)), device.epoch)
    return device, receipt.whole
