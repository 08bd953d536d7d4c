"""A challenge at a station's panel: what the players do is done to the pure station as well, and the panel must show that one's page."""

import time
from collections.abc import Set as AbstractSet
from typing import Final

from kiosk.screens.pressing import MIN_NS, hit
from tests.glass.machine import LOOK_S, Machine
from tests.glass.stations import station, twin_of

APART: Final = 40
"""Pixels between two contacts of a palm."""
PROOF: Final = 4
"""The finger that proves that all touches and keys before it have been taken."""
QUESTIONS: Final = ("tile.1", "tile.2")
"""Up to the question who challenges."""
READ_NS: Final = 2 * MIN_NS
"""From when a page has been seen: before that, a touch there is no answer."""


class Players:
    def __init__(self, machine: Machine) -> None:
        self.machine, self.twin = machine, twin_of(machine.painted, machine.now)
        self._steps = 0
        self._read = 0
        self.see()

    def see(self, what: str = "", pressed: AbstractSet[str] = frozenset()) -> None:
        """Wait until the panel shows the page of the pure station, with the targets that are ``pressed`` held down."""
        self._steps += 1
        name = f"{self._steps:02}-{what or self.twin.page.name}"
        self.machine.shows(station(self.machine.painted, self.twin, pressed), name)
        self._read = self.machine.now() + READ_NS

    def still(self, what: str, pressed: AbstractSet[str] = frozenset()) -> None:
        """See that nothing has come of what was done up to now: a finger that is laid on the door after it is drawn there, and slides off it again."""
        self.wait()
        self.machine.fingers.down(PROOF, *self.twin.middle("door"))
        self.see(f"{what}-proof", pressed={"door", *pressed})
        self.machine.fingers.move(PROOF, *self.nowhere(1)[0])
        self.machine.fingers.up(PROOF)
        self.see(what, pressed)

    def wait(self) -> None:
        while self.machine.now() < self._read:
            time.sleep(LOOK_S / 5)

    def nowhere(self, count: int) -> list[tuple[int, int]]:
        arranged, (width, height) = self.twin.arranged, self.twin.size
        grid = [(x, y) for y in range(APART // 2, height, APART) for x in range(APART // 2, width, APART)]
        return [spot for spot in grid if hit(arranged, *spot) is None][:count]

    def touch(self, *targets: str, finger: int = 0) -> None:
        for target in targets:
            self.wait()
            self.machine.fingers.tap(*self.twin.middle(target), finger)

    def tap(self, *targets: str, finger: int = 0, pressed: AbstractSet[str] = frozenset()) -> None:
        """Touch targets, one after the other, and see after each that the panel has taken it; ``pressed`` are held down meanwhile."""
        for target in targets:
            self.touch(target, finger=finger)
            self.twin.tap(target)
            self.see(pressed=pressed)

    def spell(self, word: str) -> None:
        """Touch a word's letters on the panel's keyboard, in a hurry: see it when it stands there."""
        for letter in word:
            self.machine.fingers.tap(*self.twin.middle(f"tile.{letter}"))
            self.twin.tap(f"tile.{letter}")
        self.see(f"words-{word}")

    def type(self, text: str) -> None:
        """Type on the keyboard, small letters and digits, and see it when it stands there."""
        self.machine.keys.type(text)
        self.twin.type(text)
        self.see(f"typed-{text}")

    def key(self, *names: str) -> None:
        """Press named keys of the keyboard, one after the other, and see after each that the panel has taken it."""
        for name in names:
            self.wait()
            self.machine.keys.press(QCODES.get(name, name))
            self.twin.key(name)
            self.see(f"key-{name}")


QCODES: Final = {"return": "ret", "escape": "esc"}
"""Keys that QEMU has other names for."""
