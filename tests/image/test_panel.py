"""The card's root on an emulated ARM machine with a DRM panel: it starts, draws, grows, is somebody of its own, and lets the director in."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Final

import pytest

from tests.image.card import BOOT, DATA, GIB, MIB, SIZE, flashed
from tests.image.conftest import Key
from tests.image.pi import PANEL, Machine, started
from tests.machine.figures import Figures
from tests.machine.python import ROOT

PICTURES: Final = ROOT / "build/image"
pytestmark = pytest.mark.timeout(7200)


def settings(key: Key, table: int = 12, more: str = "") -> str:
    """Return a text file as a director writes it."""
    return f"""
{more}
[board]
pins = "none"

[machine]
name = "clock"
table = {table}
time_zone = "Europe/Madrid"
ssh_keys = ["{key.public}"]
"""


def _identity(machine: Machine) -> tuple[str, str]:
    return machine.run("cat /etc/machine-id"), machine.run("sudo cat /var/lib/tileclock-machine/ssh_host_ed25519_key.pub")


def test_a_card_starts_draws_grows_and_stays_who_it_is(key: Key, figures: Figures) -> None:
    with flashed("tileclock", settings(key)) as card:
        began = time.monotonic()
        with started(card, PANEL, key.private) as machine:
            machine.is_up()
            figures.add(f"virt, virtio-gpu: a login after {time.monotonic() - began:.0f} s")
            assert machine.run("hostname").strip() == "clock-12"
            assert machine.run("date +%Z").strip() in ("CET", "CEST")
            assert machine.run("findmnt -n -o OPTIONS /").startswith("ro,")
            assert int(machine.run("df --output=size -B1 /data | tail -1")) > SIZE - 3 * GIB, "it has grown"
            assert machine.run("findmnt -n -o SOURCE /var/lib/tileclock").strip().endswith("[/tileclock]")
            assert machine.run("systemctl is-active tileclock").strip() == "active"
            assert machine.run("systemctl --failed --plain --no-legend", fails=True) == ""
            machine.run("sudo -u tileclock tileclock journal list")
            figures.add(f"of {_memory(machine)} MiB used with the clock on the panel")
            machine.photograph(PICTURES / "clock.png")
            who = _identity(machine)
            machine.run("sudo systemctl poweroff", fails=True)
            machine.ends()
        with started(card, PANEL, key.private) as machine:
            machine.is_up()
            assert _identity(machine) == who
            assert machine.run("cat /var/lib/tileclock-machine/last-good/boot/firmware/tileclock.toml", fails=True) != settings(key)
    with flashed("tileclock", settings(key, table=13)) as other, started(other, PANEL, key.private) as machine:
        machine.is_up()
        assert machine.run("hostname").strip() == "clock-13"
        assert not set(_identity(machine)) & set(who), "a clone of the image is another machine"


def _memory(machine: Machine) -> int:
    words = machine.run("free -m | sed -n 2p").split()
    return int(words[2])


def test_a_station_starts_too(key: Key) -> None:
    with flashed("tilekiosk", settings(key).replace('"clock"', '"station"')) as card, started(card, PANEL, key.private) as machine:
        machine.is_up()
        assert machine.run("hostname").strip() == "station-12"
        assert machine.run("systemctl is-active tilekiosk").strip() == "active"
        machine.photograph(PICTURES / "station.png")


def test_a_broken_text_file_leaves_the_last_good_settings_and_the_screen_says_which_line(key: Key) -> None:
    with flashed("tileclock", settings(key)) as card:
        with started(card, PANEL, key.private) as machine:
            machine.is_up()
            machine.run("sudo systemctl poweroff", fails=True)
            machine.ends()
        card.write("tileclock.toml", settings(key, more='rulebook = "naspa-2017').replace("table = 12", "table = 99"))
        with started(card, PANEL, key.private) as machine:
            machine.is_up()
            assert machine.run("hostname").strip() == "clock-12"
            said = machine.run("sudo journalctl -u tileclock -u tileclock-machine@tileclock --no-pager")
            assert "settings not taken: /boot/firmware/tileclock.toml: expected TOML in UTF-8" in said
            machine.photograph(PICTURES / "broken-settings.png")


def test_a_boot_partition_that_cannot_be_read_stops_no_clock(key: Key) -> None:
    with flashed("tileclock", settings(key)) as card:
        with started(card, PANEL, key.private) as machine:
            machine.is_up()
            machine.run("sudo systemctl poweroff", fails=True)
            machine.ends()
        with flashed("tileclock") as whole:
            card.wipe(BOOT)
            with started(card, PANEL, key.private, firmware=whole) as machine:
                machine.says("The boot partition cannot be read")
                machine.is_up()
                assert machine.run("hostname").strip() == "clock-12", "its last good settings"
                assert machine.run("systemctl is-active tileclock").strip() == "active"
                machine.photograph(PICTURES / "no-boot-partition.png")


def test_a_data_partition_that_is_full_stops_no_clock(key: Key) -> None:
    # No larger than the image: the partition cannot grow.
    with flashed("tileclock", settings(key)) as card:
        whole = sum(part.size for part in card.parts()) + 4 * MIB
        with card.file.open("r+b") as raw:
            raw.truncate(whole)
        card.fill(DATA)
        with started(card, PANEL, key.private) as machine:
            machine.until(lambda: _drawn(machine), "a picture of the clock")
            machine.photograph(PICTURES / "full.png")


def test_a_card_smaller_than_the_image_runs_and_says_that_nothing_is_recorded(key: Key) -> None:
    with flashed("tileclock", settings(key)) as card:
        cut = card.parts()[DATA].start + 8 * MIB
        with card.file.open("r+b") as raw:
            raw.truncate(cut)
        with started(card, PANEL, key.private) as machine:
            machine.says(f"The card has {cut // MIB} MiB, the image needs")
            machine.is_up()
            assert machine.run("systemctl is-active tileclock").strip() == "active"
            machine.photograph(PICTURES / "too-small.png")


def _drawn(machine: Machine) -> bool:
    """Whether the panel is not of one colour."""
    picture = machine.photograph(Path(PICTURES / "looking.png"))
    return picture.stat().st_size > 4000
