"""What is measured on the card is printed at the end of the run; a director's key, made for this run, and his text file."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from msgspec import Struct

from tests.image.card import Card, flashed
from tests.image.pi import PANEL, started
from tests.image.shown import clock, shows
from tests.machine.figures import Figures, told

ASKED: Final = (
    "hostname",
    "date +%Z",
    "findmnt -n -o OPTIONS /",
    "findmnt -n -o SOURCE /var/lib/tileclock",
    "findmnt -n -o SOURCE /var/lib/tilehall && sudo stat --format=%U:%a /var/lib/tilehall/link",
    "systemctl is-enabled tilehall-{enrol,link}@tileclock && systemctl show --property=ConditionResult --value tilehall-{enrol,link}@tileclock",
    "df --output=size -B1 /data | tail -1",
    "systemctl --failed --plain --no-legend",
    "sudo -u tileclock tileclock journal list >/dev/null && echo read",
    "free -m | sed -n 2p",
)
NO_PINS: Final = '[board]\npins = "none"'


pytest_configure, figures = told("the card")


class Key(Struct, frozen=True):
    private: Path
    public: str


@pytest.fixture(scope="session")
def key(tmp_path_factory: pytest.TempPathFactory) -> Key:
    os.environ["QEMU_CPU"] = "cortex-a72"
    private = tmp_path_factory.mktemp("key") / "id"
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "director", "-f", str(private)], check=True)
    return Key(private, private.with_suffix(".pub").read_text(encoding="utf-8").strip())


class Used(Struct, frozen=True):
    """A card that a clock has started from once; not to be started again, but copied."""

    card: Card
    identity: tuple[str, str]
    said: dict[str, str]
    """What ``ASKED`` was answered, while the clock's picture stood there."""


@pytest.fixture(scope="session")
def used(key: Key, figures: Figures) -> Iterator[Used]:
    with flashed("tileclock", settings(key)) as card:
        with started(card, PANEL, key.private) as machine:
            figures.add(f"virt, virtio-gpu: a login after {machine.is_up():.0f} s, at the first boot")
            shows(machine, clock(), "clock")
            used = Used(card, machine.identity(), {command: machine.run(command, fails=True).strip() for command in ASKED})
            machine.switch_off()
        yield used


def settings(key: Key, table: int = 12, program: str = NO_PINS) -> str:
    return f"""
{program}

[machine]
name = "clock"
table = {table}
time_zone = "Europe/Madrid"
ssh_keys = ["{key.public}"]
"""
