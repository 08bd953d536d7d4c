"""AUPAIR's report for ratings, ``.tou``: a line a player, two numbers a round. Pure.

Each pair is a score behind 2 for a win or 1 for a tie, and the opponent's line, with + for who went first. An opponent of the own line is a round without a game. Of
those two dialects exist, by the programs that write them.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Container, Mapping
from datetime import date
from typing import Final

from msgspec import Struct

from hall.event.model import BYE, Player
from hall.results.book import Applied
from hall.results.tsh import FIRST, Game, cards_of, in_order, players_of

_LETTERS: Final = str.maketrans(
    {"ł": "l", "Ł": "L", "ø": "o", "Ø": "O", "đ": "d", "Đ": "D", "ß": "ss", "æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE"}
)
_HIGH_WORD: Final = f"{0:>39}"
_NAME: Final = 20
_MOST: Final = 999
"""The digits of a score."""


def tou_text(results: Applied, title: str, day: date, *, woogles: bool) -> str:
    """Return the report of an event called ``title``; ``woogles``: forfeits and byes as Woogles writes them, else as TSH."""
    parts = [f"*M{day:%d.%m.%Y} {_ascii(title)}"]
    for division in sorted(results.event.divisions):
        parts += [f"*{_ascii(division)}", _HIGH_WORD, *_lines(results, division, woogles=woogles)]
    return "".join(f"{each}\r\n" for each in [*parts, "*** END OF FILE ***"])


class _Section(Struct, frozen=True):
    place: Mapping[int, int]
    """The line of each player, by number."""
    forfeits: Container[tuple[int, int]]
    """Rounds and players."""
    woogles: bool

    def pair(self, game: Game | None, own: int) -> str:
        if game is None or game.score is None or game.other is None:
            return _written("" if self.woogles else "1", 0, self.place[own])
        if game.opponent != BYE:
            sign = "1" if game.score == game.other else "2" if game.score > game.other else ""
            return _written(sign, game.score, self.place[game.opponent], first=game.start == FIRST)
        if self.woogles:
            forfeit = (game.round, own) in self.forfeits
            return _written(*(("", 100) if game.score < 0 else ("2", 150) if forfeit else ("", 50 if game.score else 0)), self.place[own])
        return _written(*(("2", 1) if game.score > 0 else ("0", 0) if game.score < 0 else ("1", 0)), self.place[own], first=game.score > 0)


def _lines(results: Applied, division: str, *, woogles: bool) -> list[str]:
    cards = cards_of(results.event, division)
    # Whoever has not played is no player of the report.
    players = [each for each in players_of(results.event, division) if any(game.is_scored for game in cards[each.number].values())]
    place = {each.number: index for index, each in enumerate(players, 1)}
    last = max((number for each in place for number, game in cards[each].items() if game.is_scored), default=0)
    section = _Section(place, {(number, player) for said, number, player in results.forfeits if said == division}, woogles)
    found = []
    for player in players:
        games = [section.pair(cards[player.number].get(each), player.number) for each in range(1, last + 1)]
        found.append(f"{_named(player):<{_NAME}}{''.join(games)}")
    return found


def _written(sign: str, score: int, opponent: int, *, first: bool = False) -> str:
    digits = f"{max(0, min(_MOST, score)):03}" if score < 100 and sign else f"{max(0, min(_MOST, score)):3}"
    return f" {sign:1}{digits}{f'+{opponent}' if first else opponent:>4}"


def _named(player: Player) -> str:
    """Return a name whose words all have letters: its readers take the first word without any for a score."""
    words = [each for each in _ascii(in_order(player.name)).split() if re.search("[A-Za-z]", each)]
    return (" ".join(words) or "Player")[:_NAME]


def _ascii(text: str) -> str:
    """Return a text in the letters of MS-DOS that all such programs read."""
    plain = unicodedata.normalize("NFKD", text.translate(_LETTERS))
    return re.sub(r"[^ -~]", "?", "".join(each for each in plain if not unicodedata.combining(each)))
