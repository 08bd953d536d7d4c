"""What shows and sounds the face besides the screen: the two serial LED displays, the lamp of the running side, buzzer and tones.

The displays take faces and report failures; a missing one is no error, and nothing here blocks. Lamp, buzzer or sound card may fail: it is then given
up, and the game continues.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from msgspec import Struct

from appliance.errors import Diagnosis
from appliance.log import get_logger
from faults.errors import TileclockError
from firmware.face.cues import BEEPS, MELODIES, Sound, sounds
from firmware.face.value import Face
from firmware.settings import LedSettings
from hardware.boards.board import Board
from hardware.boards.pis import Pi, display_port
from hardware.buttons.board_pins import BoardPins
from hardware.settings import LedLine, plugged_in
from rules.side import BySide, Side

if TYPE_CHECKING:
    from hardware.led.module import LedModule
    from hardware.tones import Tones


class LedNews(Struct, frozen=True):
    """A display has failed, fails for another reason, or works again."""

    side: Side
    trouble: Diagnosis | None
    port: str
    plugged_in: str


Lines = BySide[LedLine | None]


def led_lines(settings: LedSettings, board: Board, pi: Pi | None) -> Lines:
    """Return the connection of each side's display, None where there is none; the settings' ports come before the board's. ``pi``: None off a Pi."""
    return BySide(*(_line(settings, side, board, pi) for side in Side))


def _line(settings: LedSettings, side: Side, board: Board, pi: Pi | None) -> LedLine | None:
    display = board.displays.get(side.value)
    named = settings.left if side is Side.LEFT else settings.right
    ports = named or (() if display is None else (display_port(display, pi),))
    if not ports or not settings.enabled:
        return None
    return LedLine(ports, 9600 if display is None else display.baud, settings.brightness)


class Displays:
    """The displays, driven until ``close``, if there are any; ``on_news`` takes reports about them, in threads of their own: it only enqueues."""

    def __init__(self, lines: Lines, on_news: Callable[[LedNews], None]) -> None:
        self._face: Face | None = None
        self._modules = {side: _module(side, line, on_news) for side, line in lines.items() if line is not None}

    def show(self, face: Face) -> None:
        if face != self._face and self._modules:
            from firmware.screens.led import pictures  # noqa: PLC0415 - most clocks have only a screen, and this import would slow their start

            self._face = face
            shown = pictures(face)
            for side, module in self._modules.items():
                module.show(shown.of(side))

    def dim(self, brightness: int) -> None:
        for module in self._modules.values():
            module.dim(brightness)

    def close(self) -> None:
        for module in self._modules.values():
            module.close()


def _module(side: Side, line: LedLine, on_news: Callable[[LedNews], None]) -> LedModule:
    from hardware.led.module import LedModule  # noqa: PLC0415 - as above

    return LedModule(side.value, line, lambda trouble: on_news(LedNews(side, trouble, " or ".join(line.ports), plugged_in())))


class Signals:
    """Lamps, buzzer and tones of a clock, from one face to the next; ``give_up`` reports what has failed, why, and when (ns)."""

    def __init__(
        self, give_up: Callable[[str, Exception, int], None], tones: Tones | None = None, *, buzzer: bool, each_ear: bool = False
    ) -> None:
        """``each_ear``: each player hears an earphone; otherwise both hear the same."""
        self._buzzer: bool | None = buzzer
        """Whether the buzzer is to sound, as settings or desk want; None: as it is."""
        self._give_up = give_up
        self._tones, self._each_ear = tones, each_ear
        self._lamps = True
        self._face: Face | None = None

    def open_tones(self, now: int) -> None:
        """Open the sound card; later than the first picture, which does not wait for it."""
        if self._tones is None:
            return
        try:
            self._tones.open()
        except TileclockError as error:
            self._tones = None
            self._give_up("sound", error, now)

    def show(self, pins: BoardPins | None, face: Face, now: int) -> None:
        """Light the running side's lamp, and sound what ``face`` makes heard; ``now`` in ns."""
        before, self._face = self._face, face
        heard = () if before is None else tuple(sounds(before, face))
        self._play(heard)
        if pins is None:
            return
        self._set_buzzer(pins, now)
        if not self._lamps:
            return
        try:
            pins.lamps.light(frozenset(side.value for side, half in face.halves.items() if half.runs))
            if beeps := [(BEEPS[each.cue], MELODIES[each.cue]) for each in heard if each.cue in BEEPS]:
                pins.buzzer.sound(*max(beeps))
        except TileclockError as error:
            self._lamps = False
            self._give_up("lamps", error, now)

    def _play(self, heard: Iterable[Sound]) -> None:
        if self._tones is None:
            return
        for each in heard:
            if self._each_ear:
                self._tones.play(each.cue.value, each.side)
            elif each.cue in BEEPS:
                self._tones.play(each.cue.value, None)

    def try_buzzer(self, pins: BoardPins | None, *, enabled: bool) -> bool:
        """Let the buzzer sound from now on, or no longer; without pins once there are some.

        Return False, with the reason in the log, if its pin is unavailable: nothing has changed then.
        """
        if pins is None:
            self._buzzer = enabled
            return True
        try:
            pins.buzzer.enable(enabled=enabled)
        except TileclockError as error:
            get_logger().warning("the buzzer stays as it is", why=str(error))
            return False
        # What was wanted before there were pins is out of date.
        self._buzzer = None
        return True

    def _set_buzzer(self, pins: BoardPins, now: int) -> None:
        enabled, self._buzzer = self._buzzer, None
        if enabled is None:
            return
        try:
            pins.buzzer.enable(enabled=enabled)
        except TileclockError as error:
            self._give_up("buzzer", error, now)
