"""What a terminal's keyboard sends, as taps. Pure.

A terminal has no key-up: a small letter is a short press, the capital a long one, and the release is told along with the press.
"""

from __future__ import annotations

from typing import Final

from firmware.screens.keys import ButtonEdge, Input, Quit, Tap

SHORT_NS: Final = 80_000_000
LONG_NS: Final = 1_200_000_000
"""Past the second that makes a long press."""
_TAPS: Final[dict[str, Tap]] = {
    "a": Tap("left", SHORT_NS),
    "A": Tap("left", LONG_NS),
    "l": Tap("right", SHORT_NS),
    "L": Tap("right", LONG_NS),
    " ": Tap("centre", SHORT_NS),
    "b": Tap("centre", LONG_NS),
    "\r": Tap("ok", SHORT_NS),
    "\n": Tap("ok", SHORT_NS),
    "\x1b[A": Tap("up", SHORT_NS),
    "\x1b[B": Tap("down", SHORT_NS),
    "\x1bOA": Tap("up", SHORT_NS),
    "\x1bOB": Tap("down", SHORT_NS),
}
_SEQUENCE: Final = 3
LEGEND: Final = "a left · l right · space bar (A, L, b: held) · arrows, Enter: menu · k director's key · q quit"


def typed(text: str, *, key_on: bool) -> tuple[tuple[Input, ...], bool]:
    """Return the inputs for ``text`` as it was read, and whether the key switch is on after it. Escape alone quits, so does q."""
    inputs: list[Input] = []
    while text:
        size = _SEQUENCE if text.startswith(("\x1b[", "\x1bO")) else 1
        stroke, text = text[:size], text[size:]
        if stroke in ("q", "\x1b"):
            inputs.append(Quit())
        elif stroke == "k":
            key_on = not key_on
            inputs.append(ButtonEdge("key", down=key_on))
        elif stroke in _TAPS:
            inputs.append(_TAPS[stroke])
    return tuple(inputs), key_on
