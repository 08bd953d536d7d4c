"""The card's root on an emulated ARM machine with a DRM panel: it starts, draws, grows, is somebody of its own, and lets the director in."""

import errno
import os
import sqlite3
from pathlib import Path
from typing import Final

import pytest

from appliance.errors import Diagnosis, SettingsError
from firmware.journal.writer import not_recorded
from tests.image.card import BOOT, DATA, GIB, KERNEL_ROOT, MIB, SIZE, flashed
from tests.image.conftest import NO_PINS, Key, Used, settings
from tests.image.pi import PANEL, started
from tests.image.shown import PRACTICE, clock, shows, station
from tests.machine.figures import Figures

pytestmark = pytest.mark.timeout(7200)
JOURNAL: Final = Path("/var/lib/tileclock/journal.db")


def _old_settings(**fault: str) -> tuple[str, Diagnosis]:
    return "settings_kept", Diagnosis.of(SettingsError(where="/boot/firmware/tileclock.toml", **fault))


def test_a_card_starts_draws_and_grows(used: Used, figures: Figures) -> None:
    name, zone, options, source, of_the_hall, link, size, failed, games, memory = used.said.values()
    assert name == "clock-12"
    assert zone in ("CET", "CEST")
    assert options.startswith("ro,")
    assert source.endswith("[/tileclock]")
    kept, owner = of_the_hall.split()
    assert kept.endswith("[/tilehall]")
    assert owner == "tilehall:2770"
    assert link.split() == ["enabled", "enabled", "no", "no"], "no hall is asked for"
    assert int(size) > SIZE - 2 * GIB, "it has grown"
    assert failed == ""
    assert games == "read"
    figures.add(f"{memory.split()[2]} MiB of memory used with the clock on the panel")


def test_a_station_starts_with_the_lexicon_on_its_boot_partition(key: Key) -> None:
    with flashed("tilekiosk", settings(key, program=f'{NO_PINS}\n[lexicon]\npath = "/boot/firmware/{PRACTICE.name}"')) as card:
        card.write(PRACTICE.name, PRACTICE.read_bytes())
        with started(card, PANEL, key.private) as machine:
            machine.is_up()
            assert machine.run("systemctl is-active tilekiosk").strip() == "active"
            assert machine.run("systemctl --failed --plain --no-legend", fails=True) == ""
            shows(machine, station(), "station")


def test_a_broken_text_file_and_a_full_data_partition_leave_the_last_good_settings_and_the_screen_says_both(key: Key, used: Used) -> None:
    # SQLite has no room for its shared memory: the kernel says no more than that.
    failed = sqlite3.OperationalError()
    failed.sqlite_errorcode = sqlite3.SQLITE_IOERR
    with used.card.copy() as card:
        card.write("tileclock.toml", settings(key, table=99, program='rulebook = "naspa-2017').encode())
        card.fill(DATA)
        with started(card, PANEL, key.private) as machine:
            machine.is_up()
            assert machine.identity() == used.identity
            assert machine.run("hostname").strip() == "clock-12"
            shows(
                machine,
                clock(
                    ("not_recorded", not_recorded(JOURNAL, failed)),
                    _old_settings(
                        expected="TOML in UTF-8", found="a fault: Illegal character '\\n' (at line 2, column 23)", remedy="Correct the line"
                    ),
                ),
                "broken-and-full",
            )


def test_a_boot_partition_that_cannot_be_read_stops_no_clock(key: Key, used: Used) -> None:
    with used.card.copy() as card, flashed("tileclock") as whole:
        card.wipe(BOOT)
        with started(card, PANEL, key.private, firmware=whole) as machine:
            machine.says("The boot partition cannot be read")
            machine.is_up()
            assert machine.run("hostname").strip() == "clock-12", "its last good settings"
            gone = _old_settings(expected="settings", found="no file", remedy='Put them back, or only the line "# defaults"')
            shows(machine, clock(gone), "no-boot-partition")


def test_a_card_too_small_for_the_data_runs_and_says_that_nothing_is_recorded(key: Key) -> None:
    with flashed("tileclock", settings(key)) as card:
        cut = card.cut(DATA, 8 * MIB)
        with started(card, PANEL, key.private) as machine:
            machine.says(f"The card has {cut // MIB} MiB, the image needs")
            machine.is_up()
            shows(machine, clock(("not_recorded", not_recorded(JOURNAL, OSError(errno.EROFS, os.strerror(errno.EROFS))))), "too-small")


@pytest.mark.parametrize("left", [0, 64 * MIB])
def test_a_card_too_small_for_the_system_says_so(key: Key, left: int) -> None:
    with flashed("tileclock", settings(key)) as card:
        card.cut(KERNEL_ROOT, left)
        with started(card, PANEL, key.private) as machine:
            machine.says("This card cannot be used: it is smaller than the image")
