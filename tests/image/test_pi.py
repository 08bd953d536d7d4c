"""The card in an emulated Pi 3: read by the SoC's own controller, drawn into its frame buffer, with its real pins."""

import re

import pytest

from firmware.screens.terminal import block_rows
from hardware.boards.board import load_board
from tests.image.card import flashed
from tests.image.conftest import Key, Used, settings
from tests.image.pi import PI3, Machine, started
from tests.image.shown import PICTURES
from tests.machine.figures import Figures

pytestmark = pytest.mark.timeout(7200)


def test_a_pi_3_starts_from_its_card_shows_the_clock_and_has_its_pins(key: Key, used: Used, figures: Figures) -> None:
    # QEMU's Pi has no GPU: the clock draws on the text console.
    program = '[screen]\nkind = "terminal"\n[buzzer]\nenabled = true'
    with flashed("tileclock", settings(key, program=program)) as card, started(card, PI3, key.private) as machine:
        figures.add(f"raspi3b: a login after {machine.is_up():.0f} s")
        assert not set(machine.identity()) & set(used.identity), "another card with the same image is another machine"
        assert machine.run("tr -d '\\0' </proc/device-tree/model") == "Raspberry Pi 3 Model B"
        assert machine.run("findmnt -n -o SOURCE /").strip() == "/dev/mmcblk0p2"
        machine.until(lambda: all(row in _console(machine) for row in block_rows("25:00")), "25:00 in large digits on the console")
        machine.photograph(PICTURES / "pi-3.png")
        assert machine.run("systemctl is-active tileclock").strip() == "active"
        held = machine.run("sudo cat /sys/kernel/debug/gpio")
        for _, pin in load_board("full").pins():
            # By number: the device tree calls some lines by another function of theirs.
            assert re.search(rf"gpio-{pin.gpio} +\(\S+ +\|tileclock", held), f"{pin}\n{held}"


def _console(machine: Machine) -> str:
    """Return what stands on the text console; the file has four bytes a letter."""
    return machine.run("sudo iconv -f UTF-32LE -t UTF-8 /dev/vcsu1")
