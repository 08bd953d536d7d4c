"""Says what is news on each face to the players who asked for it, each in the own earphone, and the times to whoever asks."""

from collections.abc import Iterable

from appliance.texts import voice_of
from firmware.face.speech import Clips, ahead, asked, news, times
from firmware.face.value import Face
from firmware.gestures.clock_state import ClockState
from hardware.voice import Voice
from rules.side import BySide, Side


class Speech:
    def __init__(self, voice: Voice, sides: Iterable[Side]) -> None:
        self._voice, self._sides = voice, tuple(sides)
        self._last: tuple[Face, ClockState] | None = None

    def prepare(self, table: ClockState) -> None:
        self._voice.prepare(voice_of(table.setup.texts.language), ahead(table))

    def show(self, face: Face, table: ClockState) -> None:
        before, self._last = self._last, (face, table)
        if before is None:
            return
        asking = {*asked(before[1], table)}
        for side in self._sides:
            texts = table.setup.texts
            self._say(side, table, times(face, side, texts) if side in asking else news(before[0], face, side, texts))

    def ask(self, side: Side) -> None:
        if self._last is not None and side in self._sides:
            face, table = self._last
            self._say(side, table, times(face, side, table.setup.texts))

    def _say(self, side: Side, table: ClockState, clips: Clips) -> None:
        if clips:
            ears = BySide.both(value=False).replace(side, True)
            self._voice.say(ears, voice_of(table.setup.texts.language), clips)
