"""The clock's two serial LED displays: they take faces and report failures. A missing display is no error, and nothing here blocks."""

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
    """A display has failed, fails for another reason, or works again."""

    side: Side
    trouble: Diagnosis | None
    """The failure; None: the display works again."""
    port: str
    """The port where it is expected."""
    plugged_in: str
    """The serial devices that are present."""


Lines = BySide[LedLine | None]


def led_lines(settings: LedSettings, board: Board, pi: Pi | None) -> Lines:
    """Return the connection of each side's display; None where there is none.

    Args:
        settings: their ports take precedence over the board's.
        board: supplies the other displays.
        pi: the machine, from ``this_pi``; None off a Pi.
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
    """The displays, driven until ``close``.

    Args:
        lines: their connections.
        on_news: takes reports about them, in threads of their own; it only enqueues.
    """

    def __init__(self, lines: Lines, on_news: Callable[[LedNews], None]) -> None:
        # Imported here: most clocks have only a screen, and these imports would slow their start.
        from firmware.screens.led import pictures  # noqa: PLC0415 - see above
        from hardware.led.module import LedModule  # noqa: PLC0415 - likewise

        self._pictures = pictures
        self._face: Face | None = None
        self._modules = {
            side: LedModule(side.value, line, _news_callback(side, line, on_news)) for side, line in lines.items() if line is not None
        }

    def show(self, face: Face) -> None:
        """Show ``face`` without waiting for the displays."""
        if face != self._face:
            self._face = face
            shown = self._pictures(face)
            for side, module in self._modules.items():
                module.show(shown.of(side))

    def dim(self, brightness: int) -> None:
        """Set the brightness (percent) from now on, without waiting for the displays."""
        for module in self._modules.values():
            module.dim(brightness)

    def close(self) -> None:
        """Blank the displays that respond."""
        for module in self._modules.values():
            module.close()


def _news_callback(side: Side, line: LedLine, on_news: Callable[[LedNews], None]) -> OnTrouble:
    return lambda trouble: on_news(LedNews(side, trouble, " or ".join(line.ports), plugged_in()))
