"""The state of the game in words of four digits. Pure.

The words are codes, the same in every language, of letters that seven segments can show. ``docs/led.md`` explains them to players and directors.
"""

from __future__ import annotations

from typing import Final

_BY_CUE: Final[dict[str, str]] = {
    "late": "LAtE",
    "hold": "HoLd",
    "neutral": "StoP",
    "acceptable": "ACCE",
    "unacceptable": "UnAC",
    "out_play": "oUt",
    "adjudication": "CHAL",
    "offer_acceptable": "ACC?",
    "offer_unacceptable": "UnA?",
    "offer_back": "bAC?",
    "over": "End",
    "confirm": "ConF",
}
"""By the face's ``cue``; no word while a turn runs or before the first."""
_BY_STATUS: Final[dict[str, str]] = {
    "out": "oUt",
    "opponent_out": "oUt",
    "on_turn": "tUrn",
    "off_turn": "PrES",
    "lost_turn": "PrES",
    "lost_limit": "LoSt",
    "forfeited": "ForF",
}
"""By a half's ``status_key``: words for one player."""
CALLED: Final = "dIrE"
"""The players have called the director. Not ``CALL``, which is too near to ``CHAL``."""
NO_BUTTONS: Final = "nobU"
"""The pins are unavailable, so no button works."""
WORDS: Final = frozenset((NO_BUTTONS, CALLED, *_BY_CUE.values(), *_BY_STATUS.values()))
"""All words."""


def words(cue: str, status_key: str) -> tuple[str, ...]:
    """Return the words for a player, in display order, without duplicates."""
    # Until the times are confirmed, buttons do nothing, so no word asks for one.
    own = "" if cue == "confirm" else _BY_STATUS.get(status_key, "")
    return tuple(dict.fromkeys(word for word in (_BY_CUE.get(cue, ""), own) if word))
