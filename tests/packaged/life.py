"""One life of the machine, from boot to cut: what was told over the serial line while it lasted.

Instants are CLOCK_MONOTONIC's in ns, of that boot.
"""

import contextlib
import time
from dataclasses import dataclass, field
from typing import Final

from tests.machine.guest import Guest, Silent

BOOT_S: Final = 300
PLAYERS: Final = ("left", "right", "centre")


@dataclass(frozen=True, slots=True)
class Known:
    """What could be read in the journal, and was therefore on the card."""

    seq: int
    hash: str
    at: int
    mono: int
    commit_ns: int
    now: int


@dataclass(frozen=True, slots=True)
class Press:
    """A contact that closed, at an instant between the two."""

    button: str
    before: int
    after: int


@dataclass(slots=True)
class Life:
    """What was told."""

    boot: str = ""
    """The boot's id."""
    known: list[Known] = field(default_factory=list)
    pressed: list[Press] = field(default_factory=list)
    """What was pressed to play: not before the director had looked."""
    lamps: list[str] = field(default_factory=list)
    stopped: bool | None = None
    """The game stood, whatever the players pressed before the director had looked; None: nobody tried."""
    playing: bool = False
    ready_s: float = 0
    """How long it took from the start of the machine until the clock was ready, in s here."""
    last: int = 0
    """The last instant that was told: the power was cut later."""
    longest_gap: int = 0
    """The longest time (ns) in which the emulated machine did not come to tell that time goes on."""
    _plays: bool = False

    @property
    def runs(self) -> bool:
        """A clock ran at the cut, by its lamp."""
        return self.lamps[-1:] not in ([], ["dark"])

    def hear(self, line: str) -> None:
        """Take in one line.

        Raises:
            AssertionError: the players could not play.
        """
        word, *rest = line.split()
        assert word != "failed", line
        if word == "known":
            seq, digest, *numbers = rest
            self.known.append(Known(int(seq), digest, *map(int, numbers)))
            self._came_to(int(numbers[-1]))
        elif word == "now":
            self._came_to(int(rest[0]))
        elif word == "pull" and rest[1] == "down" and rest[0] in PLAYERS and self._plays:
            self.pressed.append(Press(rest[0], int(rest[2]), int(rest[3])))
        elif word == "ready":
            self.boot = rest[1]
        elif word == "lamps":
            self.lamps.append(rest[0])
        elif word in ("stopped", "runs", "new"):
            self.stopped = {"stopped": True, "runs": False, "new": None}[word]
            self._plays = True
        self.playing |= word == "playing"

    def _came_to(self, now: int) -> None:
        if self.last:
            self.longest_gap = max(self.longest_gap, now - self.last)
        self.last = max(self.last, now)


def lived(guest: Guest, since: str, delay_s: float) -> Life:
    """Listen to a machine, cut its power ``delay_s`` after it has said the word ``since``, and return what it told."""
    life, begun = Life(), time.monotonic()
    line = ""
    while not line.startswith(since):
        line = guest.line(BOOT_S)
        life.hear(line)
        if line.startswith("ready"):
            life.ready_s = time.monotonic() - begun
    cut = time.monotonic() + delay_s
    while (left_s := cut - time.monotonic()) > 0:
        with contextlib.suppress(Silent):
            life.hear(guest.line(left_s))
    assert guest.runs, guest.console
    guest.kill()
    _drain(guest, life)
    return life


def _drain(guest: Guest, life: Life) -> None:
    """Hear what had been said before the cut."""
    while True:
        try:
            life.hear(guest.line(1))
        except Silent:
            return
