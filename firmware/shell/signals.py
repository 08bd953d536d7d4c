"""What the pins show and sound of the face: the lamp of the running side, and the buzzer. Either may fail; it is then given up, and the game continues."""

from __future__ import annotations

from collections.abc import Callable

from appliance.log import get_logger
from faults.errors import TileclockError
from firmware.face.value import Face, WindowFace
from hardware.buttons.board_pins import BoardPins


class Signals:
    """Lamps and buzzer of a clock, from one face to the next.

    Args:
        give_up: reports what has failed, why, and when (ns).
        buzzer: whether the buzzer is to sound, once there are pins.
    """

    def __init__(self, give_up: Callable[[str, Exception, int], None], *, buzzer: bool) -> None:
        self._buzzer: bool | None = buzzer
        """Whether the buzzer is to sound, as settings or desk want; None: as it is."""
        self._give_up = give_up
        self._lamps = True
        self._window: WindowFace | None = None
        self._stop_asked = False

    def show(self, pins: BoardPins | None, face: Face, now: int) -> None:
        """Light the running side's lamp; sound the buzzer once for each expired window and each request to stop.

        Args:
            pins: those in use; None: there are none yet.
            face: the present one.
            now: ns, for the report of a failure.
        """
        before, self._window = self._window, face.window
        asked, self._stop_asked = self._stop_asked, face.stop_asked
        if pins is None:
            return
        self._set_buzzer(pins, now)
        if not self._lamps:
            return
        try:
            pins.light(frozenset(side.value for side, half in face.halves.items() if half.runs))
            expired = _has_expired(face.window) and not (_has_expired(before) and before == face.window)
            if expired or (face.stop_asked and not asked):
                pins.sound()
        except TileclockError as error:
            self._lamps = False
            self._give_up("lamps", error, now)

    def try_buzzer(self, pins: BoardPins | None, *, enabled: bool) -> bool:
        """Let the buzzer sound from now on, or no longer; without pins once there are some.

        Return False, with the reason in the log, if its pin is unavailable: nothing has changed then.
        """
        if pins is None:
            self._buzzer = enabled
            return True
        try:
            pins.enable_buzzer(enabled=enabled)
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
            pins.enable_buzzer(enabled=enabled)
        except TileclockError as error:
            self._give_up("buzzer", error, now)


def _has_expired(window: WindowFace | None) -> bool:
    return window is not None and window.expired
