"""Where the game stands, in words of four digits. Pure.

They are codes, the same in every language: each is made of letters that seven segments can show. ``docs/led.md`` explains them to players and directors.
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
"""By the face's ``cue``; while a turn runs, and before the first, there is none."""
_BY_STANDING: Final[dict[str, str]] = {
    "out": "oUt",
    "opponent_out": "oUt",
    "on_turn": "tUrn",
    "off_turn": "PrES",
    "lost_turn": "PrES",
    "lost_limit": "LoSt",
    "forfeited": "ForF",
}
"""By a half's ``standing``: what is particular to that player."""
NO_BUTTONS: Final = "nobU"
"""No button does anything: the pins cannot be had."""
WORDS: Final = frozenset((NO_BUTTONS, *_BY_CUE.values(), *_BY_STANDING.values()))
"""Every word there is."""


def words(cue: str, standing: str) -> tuple[str, ...]:
    """Return the words for a player, in the order in which they are shown, none twice."""
    # Until the times are confirmed no button plays, so none is asked for.
    own = "" if cue == "confirm" else _BY_STANDING.get(standing, "")
    return tuple(dict.fromkeys(word for word in (_BY_CUE.get(cue, ""), own) if word))
