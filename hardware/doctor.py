"""What the self-tests of clock and station examine alike: the machine, its time and power, and its voice."""

import os
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from pathlib import Path

from msgspec import Struct, field

from appliance import power, wall_time
from appliance.display.probe import Display, probe_display
from appliance.errors import Diagnosis, Finding
from hardware.boards.pis import Pi, this_pi
from hardware.pins.opening import Opener, open_factory


class Bench(Struct, frozen=True):
    """What the checks examine besides files; a test replaces what it wants broken."""

    opener: Opener = open_factory
    probe: Callable[[], Display | Diagnosis] = probe_display
    environment: Mapping[str, str] = field(default_factory=lambda: os.environ)
    wall: Callable[[], datetime] = wall_time.now
    synchronised: Callable[[], bool | None] = wall_time.synchronised
    kept: Callable[[], wall_time.Timekeeper] = wall_time.find_timekeeper
    system: Path = power.SYSTEM
    pi: Callable[[], Pi | None] = this_pi


def check_machine(bench: Bench, goes_by_it: str) -> Iterator[Finding]:
    """Yield the findings on time and power; ``goes_by_it`` as for ``check_wall``."""
    yield from wall_time.check_wall(bench.wall(), bench.synchronised(), goes_by_it)
    yield from wall_time.check_timekeeper(bench.kept())
    yield from power.check_power(bench.system)


def check_speech(language: str, *, speaks: bool) -> Iterator[Finding]:
    if speaks:
        from hardware.voice import check_voice  # noqa: PLC0415 - a silent device needs no mixer

        yield check_voice(language)
