"""What the settings name: language, rulebooks, alphabet and board, shipped or the user's own files.

Not the lexicon: a station without one shows on its screen what to do.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from appliance.settings.blame import blame_setting, load_named
from hardware.boards.board import load_board
from hardware.boards.kinds import STATION
from kiosk.settings.places import Layered
from kiosk.texts import load_texts
from lexicon.alphabet import load_alphabet
from rules.rulebooks import load_rulebook

LOADERS: Final[Mapping[str, Callable[[str], object]]] = {
    "language": load_texts,
    "rulebook": load_rulebook,
    "own_rulebooks": load_rulebook,
    "lexicon.alphabet": lambda name: name and load_alphabet(name),
    "board.file": lambda name: name == "none" or load_board(name, STATION),
}
"""For each key that names something, what loads it."""


def require_usable(layered: Layered) -> None:
    """Require that everything the settings name is usable, as the station does at its start.

    Raises:
        TextsError, RulebookError, LexiconError, BoardError: something is unusable; if a file names it, the message begins with file and key.
    """
    load_named(layered, LOADERS)
    with blame_setting(layered, "divisions"):
        for division in layered.settings.divisions:
            load_rulebook(division.rulebook)
