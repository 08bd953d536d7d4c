"""What the settings name: are there such a language, rulebook, alphabet and board?

Of files of one's own only a station at its start has to know: settings may be read on another machine than the one they are for.
"""

from __future__ import annotations

from firmware.rulebooks import load_rulebook
from hardware.board import load_board
from hardware.kinds import STATION
from hardware.settings import is_file
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


def require_usable(settings: Settings) -> None:
    """Require the same, and that the files of one's own can be used without which a station does not start.

    A lexicon is none of them: a station without one says on its screen what to do. Nor are rulebooks that are only offered at the desk.

    Raises:
        TextsError, RulebookError, LexiconError, BoardError: there is none of that name, or its file is at fault.
    """
    require_known(settings)
    load_rulebook(settings.rulebook)
    if settings.lexicon.alphabet:
        load_alphabet(settings.lexicon.alphabet)
    if settings.board.file != "none":
        load_board(settings.board.file, STATION)
