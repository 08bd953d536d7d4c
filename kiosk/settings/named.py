"""Check what the settings name: language, rulebook, alphabet and board exist.

Only a starting station checks custom files: settings may be read on another machine than the one they are for.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from appliance.errors import TileclockError
from appliance.settings.blame import blame_setting
from appliance.settings.layers import is_file
from hardware.boards.board import load_board
from hardware.boards.kinds import STATION
from kiosk.settings.places import Layered
from kiosk.texts import load_texts
from lexicon.alphabet import load_alphabet
from lexicon.errors import LexiconError
from rules.rulebooks import load_rulebook

_FAULTS: Final = (TileclockError, LexiconError)


def require_known(layered: Layered) -> None:
    """Require that everything the settings name exists, as the station does at its start.

    Raises:
        TextsError, RulebookError, LexiconError, BoardError: it does not exist; if a file names it, the message begins with file and key.
    """
    settings = layered.settings
    with blame_setting(layered, "language", _FAULTS):
        load_texts(settings.language)
    for key, rulebooks in (("rulebook", (settings.rulebook,)), ("own_rulebooks", settings.own_rulebooks)):
        with blame_setting(layered, key, _FAULTS):
            for rulebook in rulebooks:
                if not is_file(rulebook):
                    load_rulebook(rulebook)
    _require_divisions(layered, lambda rulebook: not is_file(rulebook))
    if settings.lexicon.alphabet and not is_file(settings.lexicon.alphabet):
        _load_alphabet(layered)
    if settings.board.file != "none" and not is_file(settings.board.file):
        _load_board(layered)


def require_usable(layered: Layered) -> None:
    """Require the same, and that the custom files needed for starting are usable.

    That excludes lexicons, because a station without one shows on its screen what to do; and rulebooks that are only offered at the desk.

    Raises:
        TextsError, RulebookError, LexiconError, BoardError: it does not exist, or its file is faulty; with its place as above.
    """
    require_known(layered)
    settings = layered.settings
    with blame_setting(layered, "rulebook", _FAULTS):
        load_rulebook(settings.rulebook)
    _require_divisions(layered, lambda _: True)
    if settings.lexicon.alphabet:
        _load_alphabet(layered)
    if settings.board.file != "none":
        _load_board(layered)


def _require_divisions(layered: Layered, checked: Callable[[str], bool]) -> None:
    with blame_setting(layered, "divisions", _FAULTS):
        for division in layered.settings.divisions:
            if checked(division.rulebook):
                load_rulebook(division.rulebook)


def _load_alphabet(layered: Layered) -> None:
    with blame_setting(layered, "lexicon.alphabet", _FAULTS):
        load_alphabet(layered.settings.lexicon.alphabet)


def _load_board(layered: Layered) -> None:
    with blame_setting(layered, "board.file", _FAULTS):
        load_board(layered.settings.board.file, STATION)
