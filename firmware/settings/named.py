"""What the settings name: are there such a language, rulebook and board, and can the files of one's own be used?"""

from __future__ import annotations

from typing import Final

from firmware.errors import TileclockError
from firmware.rulebooks import load_rulebook
from firmware.settings.layers import Layered
from firmware.texts import load_texts
from hardware.board import load_board
from hardware.errors import HardwareError
from hardware.kinds import CLOCK
from hardware.naming import naming

_FAULTS: Final = (TileclockError, HardwareError)


def require_usable(layered: Layered) -> None:
    """Require that what the settings name can be had, as the clock does at its start.

    Raises:
        SettingsError: it cannot, and a file names it: file, key, what is wrong.
        TileclockError, HardwareError: likewise, and an option names it, or nobody does.
    """
    settings = layered.settings
    with naming(layered, "language", _FAULTS):
        load_texts(settings.language)
    with naming(layered, "rulebook", _FAULTS):
        load_rulebook(settings.rulebook)
    with naming(layered, "own_rulebooks", _FAULTS):
        for rulebook in settings.own_rulebooks:
            load_rulebook(rulebook)
    with naming(layered, "board.file", _FAULTS):
        load_board(settings.board.file, CLOCK)
