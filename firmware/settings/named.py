"""What the settings name: language, rulebooks and board, shipped or the user's own files."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from appliance.settings.blame import load_named
from firmware.settings.places import Layered
from firmware.texts import load_texts
from hardware.boards.board import load_board
from hardware.boards.kinds import CLOCK
from rules.rulebooks import load_rulebook

LOADERS: Final[Mapping[str, Callable[[str], object]]] = {
    "language": load_texts,
    "rulebook": load_rulebook,
    "own_rulebooks": load_rulebook,
    "board.file": lambda name: load_board(name, CLOCK),
}
"""For each key that names something, what loads it."""


def require_usable(layered: Layered) -> None:
    """Require that everything the settings name is usable, as the clock does at its start.

    Raises:
        TileclockError: something is unusable; if a file names it, the message begins with file and key.
    """
    load_named(layered, LOADERS)
