"""Arrival: before a game whose players the desk has named, each presses the own button once. The desk lists who is missing; no press starts a clock meanwhile. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from firmware.face.value import Face, HalfFace
from firmware.gestures.contacts import KEY, PLAYER_BUTTONS
from firmware.texts import Texts
from hardware.buttons.watch import Watch, begin
from rules.duration import NS
from rules.side import BySide, Side

LEAVE_NS: Final = NS
"""Both player buttons, down together for so long, leave the page. Two who arrive at the same moment let go sooner."""
STAYS_NS: Final = 3 * NS
"""The page stays so long after the second arrival: a second press of a hand in doubt must start no clock."""


class Arrival(Struct, frozen=True):
    """Instants in ns of CLOCK_MONOTONIC."""

    names: BySide[str]
    watches: BySide[Watch]
    down: frozenset[str]
    both_since: int | None = None
    """Since when both player buttons are down; None: they are not."""
    over: bool = False

    @property
    def here(self) -> BySide[bool]:
        return self.watches.map(lambda watch: watch.press is not None)

    @property
    def present(self) -> Side | None:
        """The player who is here while the opponent is missing; None: both are, or neither."""
        return next((side for side in Side if self.here.of(side) and not self.here.of(side.other)), None)

    @property
    def complete_at(self) -> int | None:
        """When the second player has arrived; None: somebody is missing."""
        presses = [watch.press.at for _, watch in self.watches.items() if watch.press is not None]
        return max(presses) if len(presses) == len(Side) else None

    def edge(self, button: str, at: int, *, down: bool) -> Arrival:
        arrival = self.until(at)
        held = arrival.down | {button} if down else arrival.down - {button}
        if button not in PLAYER_BUTTONS:
            return replace(arrival, down=held, over=arrival.over or down or button == KEY)
        watches = arrival.watches.map(lambda watch: watch.with_edge(button, at, down=down) if button == watch.button else watch)
        both = (arrival.both_since or at) if held.issuperset(PLAYER_BUTTONS) else None
        return replace(arrival, watches=watches, down=held, both_since=both)

    def until(self, now: int) -> Arrival:
        arrival = replace(self, watches=self.watches.map(lambda watch: watch.until(now)))
        return replace(arrival, over=arrival.over or any(at <= now for at in arrival.ends()))

    def ends(self) -> Iterator[int]:
        """Yield when the page goes by itself, as things stand."""
        if self.both_since is not None:
            yield self.both_since + LEAVE_NS
        if self.complete_at is not None:
            yield self.complete_at + STAYS_NS

    def dues(self, _: int) -> Iterator[int]:
        """Yield when the page changes or goes, if no edge comes."""
        yield from self.ends()
        yield from (watch.contact.due for _, watch in self.watches.items() if watch.press is None and watch.contact.due is not None)

    def shown_on(self, face: Face, texts: Texts, _: int = 0) -> Face:
        """Return the face before a game with what each player is to do about the arrival."""

        def half(own: HalfFace) -> HalfFace:
            said = "both" if self.complete_at is not None else "here" if self.here.of(own.side) else "press"
            return replace(own, status=texts.say("arrival.status"), status_key="none", prompt=texts.say(f"arrival.{said}"))

        # The bar opens the menu only once it has left this page.
        details = face.details if face.no_buttons else ()
        hint = "" if self.complete_at is not None else texts.say("arrival.hint")
        return replace(face, halves=face.halves.map(half), details=details, hint=hint)


def arriving(names: BySide[str], down: frozenset[str]) -> Arrival:
    """Return the page before the first arrival; a button that is ``down`` must be released first."""
    return Arrival(names, BySide(*(begin(side.value, down=side.value in down) for side in Side)), down)
