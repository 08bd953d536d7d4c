"""The machine's clocks."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from pathlib import Path

from appliance.clocks import Clocks


def test_the_clocks_are_the_kernels_and_the_wall_is_in_utc() -> None:
    clocks = Clocks()
    before, now, after = time.monotonic_ns(), clocks.now(), time.monotonic_ns()
    assert before <= now <= after
    assert clocks.boot() == Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    wall = datetime.fromisoformat(clocks.wall())
    assert wall.utcoffset() == datetime.now(UTC).utcoffset()
    assert abs((datetime.now(UTC) - wall).total_seconds()) < 60
