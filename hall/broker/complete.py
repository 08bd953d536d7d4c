"""A whole hall in one folder, made without a question: for the hall on one machine, for simulations and tests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from appliance.records.files import write_whole
from hall.broker.config import HallPlan
from hall.broker.files import plan_of
from hall.broker.run import LOOPBACK
from hall.keys.files import LISTENER, HallFiles, Identity
from hall.keys.trust import trust_text
from wire.keys import load_key
from wire.topics import CLOCK, STATION

TRIAL: Final = "trial"
"""Its name."""
_OWNER_ONLY: Final = 0o600


@dataclass(frozen=True, slots=True)
class HallMember:
    """A clock or a station that is enrolled."""

    id: str
    folder: Path
    """Its own, for journal and socket too."""
    key: Path
    """``[hall] key`` of its program."""
    trust: Path
    """``[hall] trust`` of its program."""
    identity: Identity
    """What its link shows; ``[link] folder`` is the folder of these files."""


@dataclass(frozen=True, slots=True)
class CompleteHall:
    """A hall with its members."""

    files: HallFiles
    plan: HallPlan
    """What the broker needs: ``running_broker(folder, hall.plan)``."""
    clocks: tuple[HallMember, ...]
    stations: tuple[HallMember, ...]

    @property
    def listener(self) -> Identity:
        """What the listener shows."""
        return self.files.identity(LISTENER)

    def desk(self, number: int = 1) -> Identity:
        """Return what a desk shows. The director's key, which signs orders, is in ``files.director``, without a passphrase."""
        return self.files.identity(_desk(number))


def complete_hall(folder: Path, clocks: int = 2, stations: int = 1, desks: int = 1) -> CompleteHall:
    """Make a hall on the loopback: authority, certificates of broker, listener and desks, and enrolled clocks and stations with their own keys.

    Args:
        folder: an empty folder, or one that does not exist yet.
        clocks: how many; the folder of the first is ``clock-1``.
        stations: likewise, ``station-1``.
        desks: how many desks may give orders.

    Raises:
        HallFolderError: the folder has files, or cannot be written.
    """
    files = HallFiles.make(folder / "hall", TRIAL, (LOOPBACK, "localhost"), passphrase=None)
    for number in range(1, desks + 1):
        files.admit(_desk(number))
    made_clocks = _members(files, CLOCK, [folder / f"clock-{number}" for number in range(1, clocks + 1)])
    made_stations = _members(files, STATION, [folder / f"station-{number}" for number in range(1, stations + 1)])
    return CompleteHall(files, plan_of(files), made_clocks, made_stations)


def _members(files: HallFiles, kind: str, folders: Sequence[Path]) -> tuple[HallMember, ...]:
    return tuple(add_member(files, kind, folder) for folder in folders)


def add_member(files: HallFiles, kind: str, folder: Path) -> HallMember:
    """Enrol a device of ``kind`` (``topics.CLOCK`` or ``topics.STATION``) with its own key, in a new ``folder``."""
    folder.mkdir(parents=True)
    key = load_key(folder / "device.pem", kind)
    identity = files.admit(key.device)
    credential = files.authority.credential(key.device, key.public)
    text = trust_text(key.device, files.authority.hall, files.authority.public, files.director_public(), credential)
    write_whole(folder / "hall.toml", text.encode(), _OWNER_ONLY)
    return HallMember(key.device, folder, folder / "device.pem", folder / "hall.toml", identity)


def _desk(number: int) -> str:
    return f"desk-{number}"
