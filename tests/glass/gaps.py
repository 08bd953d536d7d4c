"""What stands on the panel while a program is gone: every picture is accounted for, and when it came by the machine's own clock."""

import time
from collections.abc import Callable, Collection, Mapping, Sequence

from msgspec import Struct

from tests.glass.machine import LOOK_S, SHOWN_S, Machine
from tests.glass.pictures import Picture
from tests.glass.stations import splash


class Gap(Struct, frozen=True):
    stood: tuple[tuple[str, int], ...]
    """What stood, one after the other, and when it was first seen (ns in the machine)."""
    back: Picture
    """The first picture that is none of these."""
    until: int
    """When it was first seen."""

    def said(self, began: int) -> str:
        """Return how long each stood, in the machine's seconds, for the figures."""
        ends = [*(at for _, at in self.stood[1:]), self.until]
        parts = [f"{name} {(end - max(at, began)) / 1e9:.1f} s" for (name, at), end in zip(self.stood, ends, strict=True)]
        return ", ".join([*parts, f"back after {(self.until - began) / 1e9:.1f} s"])


def gap(machine: Machine, kinds: Mapping[str, Collection[Picture]], meanwhile: Callable[[], object] = lambda: None) -> Gap:
    """Photograph the panel again and again until it shows a picture of none of these kinds, by name; black and the programs' names may stand always."""
    stood: list[tuple[str, int]] = []
    every = {**kinds, **names(machine)}
    before: Picture | None = None
    limit = time.monotonic() + SHOWN_S
    while True:
        picture = machine.shot()
        if picture != before:
            now = machine.now()
            name = _kind(picture, every)
            if name is None:
                return Gap(tuple(stood), picture, now)
            if not stood or stood[-1][0] != name:
                stood.append((name, now))
        before = picture
        assert machine.guest.runs, f"the machine ended: {machine.guest.console[-2000:]}"
        assert time.monotonic() < limit, f"nothing but {[name for name, _ in stood]} within {SHOWN_S} s: look at {machine.album.folder}"
        meanwhile()
        time.sleep(LOOK_S)


def passing(machine: Machine, kinds: Mapping[str, Collection[Picture]], wanted: Sequence[str]) -> list[str]:
    """Photograph the panel without a pause until these kinds of pictures have come up one after the other; return all that did.

    Others of ``kinds``, by name, may come up between them, and black and the programs' names always.
    """
    stood: list[str] = []
    missing = list(wanted)
    every = {**kinds, **names(machine)}
    limit = time.monotonic() + SHOWN_S
    while missing:
        name = _kind(machine.shot(), every)
        assert name is not None, f"expected {', '.join(['black', *every])} after {stood}: look at {machine.album.folder}"
        if not stood or stood[-1] != name:
            stood.append(name)
            missing = missing[1:] if name == missing[0] else missing
        assert time.monotonic() < limit, f"nothing but {stood} within {SHOWN_S} s: look at {machine.album.folder}"
    return stood


def names(machine: Machine) -> dict[str, list[Picture]]:
    return {f"the name of {program}": [splash(program, machine.appliance.panel)] for program in machine.appliance.programs}


def _kind(picture: Picture, kinds: Mapping[str, Collection[Picture]]) -> str | None:
    if picture.black:
        return "black"
    return next((name for name, pictures in kinds.items() if picture in pictures), None)
