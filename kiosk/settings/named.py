"""Names of what is shipped, as the settings have them: are there such a language, rulebook, alphabet and board?

Files are not looked at: settings may be read on another machine than the one they are for.
"""

from __future__ import annotations

from firmware.rulebooks import load_rulebook
from hardware.board import load_board
from hardware.kinds import STATION
from kiosk.settings.layers import is_file
from kiosk.settings.model import Settings
from kiosk.texts import load_texts
from lexicon.alphabet import load_alphabet


def require_known(settings: Settings) -> None:
    """Require that what the settings name can be had, as the station does at its start.

    Raises:
        TextsError, RulebookError, LexiconError, BoardError: there is none of that name.
    """
    load_texts(settings.language)
    for rulebook in (settings.rulebook, *settings.own_rulebooks):
        if not is_file(rulebook):
            load_rulebook(rulebook)
    if settings.lexicon.alphabet and not is_file(settings.lexicon.alphabet):
        load_alphabet(settings.lexicon.alphabet)
    if settings.board.file != "none" and not is_file(settings.board.file):
        load_board(settings.board.file, STATION)
