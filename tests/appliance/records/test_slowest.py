"""The slowest write of a file of record, as any thread may ask while it lasts."""

from __future__ import annotations

from contextlib import suppress

from appliance.records.writer import SlowestWrite


def test_a_write_counts_while_it_lasts_and_after_it_has_failed_and_a_quicker_one_changes_nothing() -> None:
    now = 0
    slowest = SlowestWrite(lambda: now)
    seen = [slowest.ns]
    for until in (7, 10):
        with suppress(OSError), slowest.measured():
            now = until
            seen.append(slowest.ns)
            raise OSError
        seen.append(slowest.ns)
    assert seen == [0, 7, 7, 7, 7]
