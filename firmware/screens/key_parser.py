"""A terminal's keyboard input as taps. Pure.

A terminal reports no key-up: a small letter is a short press, the capital a long one, and each includes its release. A special key sends
several characters, which may arrive in two reads: an incomplete key is carried over to the next.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from firmware.screens.keys import ButtonEdge, Quit, ScreenInput, Tap

SHORT_NS: Final = 80_000_000
LONG_NS: Final = 1_200_000_000
"""Longer than the second that a held press takes."""
CALL_NS: Final = 2_200_000_000
"""Longer than the two seconds that the bar's call takes."""
_TAPS: Final[dict[str, Tap]] = {
    "a": Tap("left", SHORT_NS),
    "A": Tap("left", LONG_NS),
    "l": Tap("right", SHORT_NS),
    "L": Tap("right", LONG_NS),
    " ": Tap("centre", SHORT_NS),
    "b": Tap("centre", LONG_NS),
    "B": Tap("centre", CALL_NS),
    "\r": Tap("ok", SHORT_NS),
    "\n": Tap("ok", SHORT_NS),
    "\x1b[A": Tap("up", SHORT_NS),
    "\x1b[B": Tap("down", SHORT_NS),
    "\x1bOA": Tap("up", SHORT_NS),
    "\x1bOB": Tap("down", SHORT_NS),
}
_PARAMETERS: Final = "[0-9:;<=>?]*"
# A function key of the Linux console (ESC [ [ A), a control sequence (ECMA-48, 5.4) or a key of the application keypad (ESC O A), ended by any
# character that is no parameter (in rxvt also by a $); and a key pressed with Alt.
_WHOLE: Final = re.compile(rf"\x1b(?:\[\[[!-~]|\[{_PARAMETERS}[!-/@-Z\\-~]|O{_PARAMETERS}[!-/@-~]|[^\x1b\[O])", re.DOTALL)
_BEGUN: Final = re.compile(rf"\x1b(?:\[\[|[\[O]{_PARAMETERS})?\Z")
_ANY: Final = re.compile(rf"\x1b(?:\[\[|[\[O]{_PARAMETERS})?|.", re.DOTALL)
PASTES: Final = "\x1b[200~"
"""The start of pasted text from a terminal with ``MARK_PASTES``; ``PASTED`` ends it."""
PASTED: Final = "\x1b[201~"
MARK_PASTES: Final = ("\x1b[?2004h", "\x1b[?2004l")
"""Turns the terminal's marking of pasted text on and off."""


@dataclass(frozen=True, slots=True)
class KeyParser:
    """The parser's state between reads."""

    key_on: bool = False
    """The key switch is on."""
    rest: str = ""
    """The beginning of an incomplete key."""
    pastes: bool = False
    """The input is pasted, and presses nothing."""


def typed(parser: KeyParser, text: str) -> tuple[tuple[ScreenInput, ...], KeyParser]:
    """Return the inputs for ``text`` and the next state. Unknown keys, Escape among them, press nothing; q quits."""
    # After a lone Escape from an earlier read, the next key is not one pressed with Alt.
    alone = parser.rest == "\x1b" and not text.startswith(("[", "O"))
    text, key_on, pastes = text if text and alone else parser.rest + text, parser.key_on, parser.pastes
    inputs: list[ScreenInput] = []
    while text and not _BEGUN.match(text):
        stroke, text = _first(text)
        if stroke in (PASTES, PASTED) or pastes:
            pastes = stroke == PASTES or (pastes and stroke != PASTED)
        elif stroke == "q":
            inputs.append(Quit())
        elif stroke == "k":
            key_on = not key_on
            inputs.append(ButtonEdge("key", down=key_on))
        elif stroke in _TAPS:
            inputs.append(_TAPS[stroke])
    return tuple(inputs), KeyParser(key_on, text, pastes)


def _first(text: str) -> tuple[str, str]:
    """Return the first key of ``text``, and the rest. A broken sequence is a key of its own; the character that broke it counts again."""
    found = _WHOLE.match(text) or _ANY.match(text)
    end = found.end() if found else 1
    return text[:end], text[end:]
