"""Self-tests of the wall time and of what keeps it. The programs only record wall time and never measure by it, so it never fails."""

import shutil
import subprocess
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from msgspec import Struct

from appliance.clocks import NOT_BEFORE, local_time
from appliance.errors import Finding, note, ok
from faults.errors import Phrase, as_phrase

TIME_SERVICES: Final = {"systemd-timesyncd.service": "timesyncd", "chrony.service": "chrony", "ntpsec.service": "ntpsec"}
CHIP: Final = Path("/dev/rtc0")


class Timekeeper(Struct, frozen=True):
    by: str | None
    """The running service; empty if none of ``TIME_SERVICES`` runs, None if unknown."""
    chip: bool
    """Whether there is a clock chip (RTC). A battery cannot be detected."""

    @property
    def description(self) -> Phrase:
        by = Phrase("no service that can be asked for") if self.by is None else self.by or Phrase("no service")
        chip = (
            "a clock chip, which needs a battery of its own"
            if self.chip
            else "no clock chip: a start begins at the last time that was noted"
        )
        return Phrase("{service}; {chip}", service=by, chip=Phrase(chip))


def now() -> datetime:
    return datetime.now(UTC)


def check_wall(wall: datetime, synchronised: bool | None, goes_by_it: str) -> Iterator[Finding]:
    """Yield whether the wall time (UTC) is plausible and ``synchronised``, as the system reports (None: unknown).

    ``goes_by_it``: everything that uses it, such as ``the journal's dates``.
    """
    shown = local_time(wall)
    if wall < NOT_BEFORE:
        yield note(
            "wall time",
            Phrase(
                "{time} cannot be right; only {users} are wrong with it (set it with: sudo date -s)",
                time=shown,
                users=as_phrase(goes_by_it),
            ),
        )
    elif synchronised:
        yield ok("wall time", Phrase("{time}, synchronised", time=shown))
    else:
        how = Phrase("not synchronised" if synchronised is False else "synchronised or not: cannot be asked here")
        yield note("wall time", Phrase("{time}, {how}; only {users} go by it", time=shown, how=how, users=as_phrase(goes_by_it)))


def check_timekeeper(found: Timekeeper) -> Iterator[Finding]:
    yield (ok if found.by else note)("time keeper", found.description)


def synchronised() -> bool | None:
    words = _output_lines("timedatectl", "show", "--property=NTPSynchronized", "--value")
    return {"yes": True, "no": False}.get("".join(words))


def find_timekeeper(chip: Path = CHIP) -> Timekeeper:
    states = _output_lines("systemctl", "is-active", *TIME_SERVICES)
    if len(states) != len(TIME_SERVICES):
        return Timekeeper(None, chip.exists())
    running = [name for name, state in zip(TIME_SERVICES.values(), states, strict=True) if state == "active"]
    return Timekeeper(", ".join(running), chip.exists())


def _output_lines(command: str, *words: str) -> list[str]:
    program = shutil.which(command)
    if program is None:
        return []
    try:
        answer = subprocess.run([program, *words], capture_output=True, text=True, timeout=5, check=False)  # noqa: S603 - a fixed command of the system
    except (OSError, subprocess.TimeoutExpired):
        return []
    return answer.stdout.split()
