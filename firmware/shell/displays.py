"""The two serial LED displays of a clock, opened: faces in, and out what becomes of them. What is not there is quietly nothing, and nothing here waits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from appliance.errors import Diagnosis
from firmware.face.value import Face
from firmware.settings.model import LedSettings
from hardware.boards.board import Board
from hardware.boards.pis import Pi, display_port
from hardware.serial.line import LedLine, plugged_in
from rules.side import BySide, Side

if TYPE_CHECKING:
    from hardware.led.module import OnTrouble


@dataclass(frozen=True, slots=True)
class LedNews:
    """A display cannot be reached any more, for another reason than before, or can be again."""

    side: Side
    trouble: Diagnosis | None
    """Why not; None where it is back."""
    wanted: str
    """Where it is looked for."""
    plugged_in: str
    """Which serial devices there are instead."""


Lines = BySide[LedLine | None]


def led_lines(settings: LedSettings, board: Board, pi: Pi | None) -> Lines:
    """Return how each side's display is reached; None where there is none.

    Args:
        settings: the ports named there, which come before the board's.
        board: whose displays are used else.
        pi: the machine, as ``this_pi``; None off a Pi.
    """
    return BySide(*(_line(settings, side, board, pi) for side in Side))


def _line(settings: LedSettings, side: Side, board: Board, pi: Pi | None) -> LedLine | None:
    display = board.displays.get(side.value)
    named = settings.left if side is Side.LEFT else settings.right
    ports = named or (() if display is None else (display_port(display, pi),))
    if not ports or not settings.enabled:
        return None
    return LedLine(ports, 9600 if display is None else display.baud, settings.brightness)


class Displays:
    """Displays that are tended from now on, until ``close``.

    Args:
        lines: how they are reached.
        heard: takes what becomes of them, in threads of their own; it only enqueues.
    """

    def __init__(self, lines: Lines, heard: Callable[[LedNews], None]) -> None:
        # Loaded here: most clocks have a screen alone, and these take their share of a start.
        from firmware.screens.led import pictures  # noqa: PLC0415 - see above
        from hardware.led.module import LedModule  # noqa: PLC0415 - likewise

        self._pictures = pictures
        self._face: Face | None = None
        self._modules = {
            side: LedModule(side.value, line, _passed_on(side, line, heard)) for side, line in lines.items() if line is not None
        }

    def show(self, face: Face) -> None:
        """Show ``face``, at once and whatever the displays do."""
        if face != self._face:
            self._face = face
            shown = self._pictures(face)
            for side, module in self._modules.items():
                module.show(shown.of(side))

    def close(self) -> None:
        """Leave the displays dark, where they can be reached."""
        for module in self._modules.values():
            module.close()


def _passed_on(side: Side, line: LedLine, heard: Callable[[LedNews], None]) -> OnTrouble:
    return lambda trouble: heard(LedNews(side, trouble, " or ".join(line.ports), plugged_in()))
