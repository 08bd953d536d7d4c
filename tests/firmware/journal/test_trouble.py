"""Why nothing is recorded, as the screen says it to whoever has no shell at hand."""

from __future__ import annotations

import errno
import os
from pathlib import Path

from appliance.errors import Diagnosis
from firmware.journal.store import not_recorded


def test_a_full_disk_says_who_tells_how_to_make_room_and_any_other_trouble_does_not() -> None:
    beginning = "The game is not being recorded: /data/journal.db: "
    assert not_recorded(Path("/data/journal.db"), OSError(errno.ENOSPC, "x")) == Diagnosis(
        f"{beginning}the disk is full", "Free some space: `tileclock doctor` says how"
    )
    error = not_recorded(Path("/data/journal.db"), OSError(errno.EIO, os.strerror(errno.EIO)))
    assert str(error) == f"{beginning}input/output error. Check the path and the disk."
