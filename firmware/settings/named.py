"""Check what the settings name: language, rulebook and board exist, and custom files are usable."""

from __future__ import annotations

from appliance.settings.blame import blame_setting
from firmware.settings.places import Layered
from firmware.texts import load_texts
from hardware.boards.board import load_board
from hardware.boards.kinds import CLOCK
from rules.rulebooks import load_rulebook


def require_usable(layered: Layered) -> None:
    """Require that everything the settings name is usable, as the clock does at its start.

    Raises:
        TileclockError: something is unusable; if a file names it, the message begins with file and key.
    """
    settings = layered.settings
    with blame_setting(layered, "language"):
        load_texts(settings.language)
    with blame_setting(layered, "rulebook"):
        load_rulebook(settings.rulebook)
    with blame_setting(layered, "own_rulebooks"):
        for rulebook in settings.own_rulebooks:
            load_rulebook(rulebook)
    with blame_setting(layered, "board.file"):
        load_board(settings.board.file, CLOCK)
