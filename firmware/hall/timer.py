"""The hall's timer, as duplicate has it: one countdown on all clocks that have no game in progress. Pure. It is no game: neither side is charged."""

from __future__ import annotations

from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from firmware.face.value import Face, HalfFace, MessageTone
from firmware.texts import Texts
from game.game import Phase
from rules.duration import NS, reading, seconds_shown

END_SHOWN_NS: Final = 300 * NS


class HallTimer(Struct, frozen=True):
    """A countdown from an instant (``begins``, ns of CLOCK_MONOTONIC) on."""

    begins: int
    seconds: int
    warnings: tuple[int, ...] = ()
    """The seconds before the end, falling."""
    label: str = ""

    @property
    def ends(self) -> int:
        return self.begins + self.seconds * NS

    def left(self, now: int) -> int:
        """Return what is left at ``now`` (ns): all of it before the beginning, 0 after the end."""
        return min(self.seconds * NS, max(0, self.ends - now))

    def warned(self, now: int) -> int | None:
        """Return the last warning that has been given, 0 for the end; None: there was none yet."""
        return min((each for each in (*self.warnings, 0) if now >= self.ends - each * NS), default=None)

    def next_due(self, now: int) -> int | None:
        left = self.left(now)
        if now < self.begins or not left:
            return min((at for at in (self.begins, self.ends + NS, self.ends + END_SHOWN_NS) if at > now), default=None)
        return now + left - (seconds_shown(left) - 1) * NS


def with_timer(face: Face, timer: HallTimer, texts: Texts, now: int) -> Face:
    """Return the face between games with ``timer`` at ``now`` (ns), the same on both halves. An open menu or time frame hides it."""
    if now >= timer.ends + END_SHOWN_NS or face.menu is not None or any(half.page for _, half in face.halves.items()):
        return face
    calls = (timer.begins, *(timer.ends - each * NS for each in (*timer.warnings, 0)))
    over = timer.warned(now) == 0
    return replace(
        face,
        phase=Phase.OVER if over else Phase.READY,
        halves=face.halves.map(lambda half: _half(half, face.phase, timer, texts, now)),
        banner=face.banner if face.no_buttons else "",
        details=(texts.say("hall.timer_free"), *(face.details if face.no_buttons else ())),
        cue="over" if over else "",
        timer_calls=any(at <= now < at + NS for at in calls),
    )


def _half(half: HalfFace, phase: Phase, timer: HallTimer, texts: Texts, now: int) -> HalfFace:
    warned, answers = timer.warned(now), half.tone is MessageTone.ANSWERS
    said = "" if warned is None else texts.say("hall.timer_warned", seconds=warned) if warned else texts.say("hall.timer_over")
    # The slip of the last game may not be signed yet; the allowance of the next one would be a second time.
    last = (texts.say("mark.last_game", time=half.reading),) if phase is Phase.OVER else ()
    marks = (*last, *(mark for mark in half.marks if mark != texts.say("mark.allowed", time=half.reading)))
    return replace(
        half,
        reading=reading(timer.left(now)),
        overtime=warned == 0,
        low=warned is not None,
        status=texts.say("hall.timer"),
        status_key="none",
        prompt=half.prompt if answers else said or timer.label,
        marks=(timer.label, *marks) if said and timer.label else marks,
        tone=MessageTone.ANSWERS if said or answers else MessageTone.INSTRUCTS,
    )
