"""Each player's rounds in a row, and files of them: ``.t``, ``tourney.js`` and NASPA's text, as TSH writes them, and AUPAIR's report for ratings, ``.tou``. Pure.

The report has a line a player, two numbers a round: a score behind 2 for a win or 1 for a tie, and the opponent's line, with + for who went first. An opponent of the
own line is a round without a game. Of those two dialects exist, by the programs that write them.
"""

import json
import re
import unicodedata
from collections.abc import Container, Iterable, Mapping, Sequence
from datetime import date
from typing import Any, Final

from msgspec import Struct

from faults.errors import Phrase
from hall.errors import ResultsError
from hall.event.model import BYE, Event, Pairing, Player
from hall.event.parsing import UNDEFINED, extras_of, extras_text
from hall.results.book import Applied

BYE_START, FIRST, SECOND, OPEN = 0, 1, 2, 4
"""Who goes first, in TSH's numbers."""


class Game(Struct, frozen=True):
    round: int
    opponent: int
    """In the division, or ``BYE``."""
    score: int | None
    other: int | None
    """The opponent's score; of a bye 0."""
    board: int
    start: int

    @property
    def is_scored(self) -> bool:
        return self.score is not None and self.other is not None


NO_GAMES: Final[Mapping[int, Game]] = {}


def cards_of(event: Event, division: str) -> dict[int, dict[int, Game]]:
    """Return the rounds of each player of a division, by number and round."""
    found: dict[int, dict[int, Game]] = {each.number: {} for each in players_of(event, division)}
    for each in event.pairings:
        if each.division == division:
            for number, game in _both(each):
                found.setdefault(number, {})[each.round] = game
    return found


def _both(pairing: Pairing) -> Sequence[tuple[int, Game]]:
    one, two = pairing.scores
    board = pairing.board or 0
    if pairing.second == BYE:
        return ((pairing.first, Game(pairing.round, BYE, one, 0, board, BYE_START)),)
    starts = (FIRST, SECOND) if pairing.ordered else (OPEN, OPEN)
    return (
        (pairing.first, Game(pairing.round, pairing.second, one, two, board, starts[0])),
        (pairing.second, Game(pairing.round, pairing.first, two, one, board, starts[1])),
    )


def players_of(event: Event, division: str) -> list[Player]:
    return sorted((each for each in event.players if each.division == division), key=lambda each: each.number)


def in_order(name: str) -> str:
    return " ".join(reversed(name.split(", ", 1)))


_MEMBER: Final = re.compile(r"[A-Z]{2}\d{6}")
_MODULUS, _FACTOR, _ADDEND, _RANGE = 641, 1_103_515_245, 12_345, 1 << 31
"""Of TSH's order of players who are equal in all else."""


def division_text(event: Event, division: str, *, with_extras: bool = True) -> str:
    """Return a ``.t`` file; raises ``ResultsError`` where the players' numbers have gaps, because TSH numbers them by their lines."""
    lines = [line for _, line in division_lines(event, division, with_extras=with_extras)]
    numbers = [each.number for each in players_of(event, division)]
    if numbers != list(range(1, len(numbers) + 1)):
        missing = next(number for number, each in enumerate([*numbers, 0], 1) if number != each)
        found, remedy = (
            Phrase("no player {player}", player=missing),
            "Write another format, such as csv, or import the players with TSH's numbers",
        )
        raise ResultsError(
            where=Phrase("division {division}", division=division),
            expected="players with the numbers from 1 on, as TSH counts its lines",
            found=found,
            remedy=remedy,
        )
    return "".join(f"{line}\n" for line in lines)


def division_lines(event: Event, division: str, *, with_extras: bool = True) -> list[tuple[Player, str]]:
    cards = cards_of(event, division)
    games = [game for card in cards.values() for game in card.values()]
    known = {"board": any(each.board for each in games), "p12": any(each.start in {1, 2} for each in games)} if with_extras else {}
    return [(each, _line(each, cards[each.number], known, with_extras=with_extras)) for each in players_of(event, division)]


def _line(player: Player, card: Mapping[int, Game], known: Mapping[str, bool], *, with_extras: bool) -> str:
    rounds = [card.get(each) for each in range(1, max(card, default=0) + 1)]
    opponents = " ".join(UNDEFINED if each is None else str(each.opponent) for each in rounds)
    line = f"{_name(player):<22} {_rating(player):>5} {opponents}; {' '.join(_scores(rounds))}"
    extras = extras_text(_extras(player, rounds, known)) if with_extras else ""
    return f"{line}; {extras}" if extras else line


def _scores(rounds: Iterable[Game | None]) -> list[str]:
    scores = [UNDEFINED if each is None or each.score is None else str(each.score) for each in rounds]
    while scores and scores[-1] == UNDEFINED:
        scores.pop()
    return scores


def _extras(player: Player, rounds: Iterable[Game | None], known: Mapping[str, bool]) -> dict[str, list[str]]:
    own = {
        "board": [str(each.board if each else 0) for each in rounds] if known.get("board") else [],
        "p12": [str(each.start if each else 4) for each in rounds] if known.get("p12") else [],
        "team": player.team.split(),
    }
    return {**extras_of(player.extras), **own}


def _name(player: Player) -> str:
    name = player.name.replace(";", ",").lstrip("#").strip() or "?"
    name = f"{name}." if len(name) == 1 else name
    name = f"{name}:{player.member}" if _MEMBER.fullmatch(player.member) else name
    # TSH takes such a word for the rating, unless a comma follows.
    return f"{name}," if re.search(r"\s[0-9]+(?:[.+][0-9]+)*$", name) else name


def _rating(player: Player) -> str:
    found = re.match(r"[0-9]+(?:[.+][0-9]+)*", player.rating)
    return found[0] if found else "0"


def naspa_text(event: Event) -> str:
    """Return NASPA's text of results: each division's lines, without what TSH alone knows."""
    return "".join(f"#division {each}\n{division_text(event, each, with_extras=False)}" for each in sorted(event.divisions))


def newt_text(event: Event, spread_cap: Sequence[int] = (), standings_spread_cap: Sequence[int] = ()) -> str:
    """Return ``tourney.js``; with the caps, because TSH's pages compute standings from it."""
    tables: dict[str, list[int]] = {}
    for each in event.tables:
        own = tables.setdefault(each.division, [])
        own += [0] * (each.board - len(own))
        own[each.board - 1] = each.table
    rounds = max(event.rounds - 1, 0)
    divisions = [{"name": each, "maxr": rounds, "players": [None, *_newt_players(event, each)]} for each in sorted(event.divisions)]
    caps = {"spread_cap": list(spread_cap) or None, "standings_spread_cap": list(standings_spread_cap) or None}
    return f"newt={_script({'config': {'max_rounds': event.rounds, **caps, 'tables': tables}, 'divisions': divisions})};\n"


def _newt_players(event: Event, division: str) -> list[dict[str, Any]]:
    cards, found = cards_of(event, division), []
    for player in players_of(event, division):
        card = cards[player.number]
        rounds = [card.get(each) for each in range(1, max(card, default=0) + 1)]
        etc = _extras(player, rounds, {"board": True, "p12": True})
        found.append(
            {
                "id": player.number,
                "name": f"{player.name}:{player.member}" if _MEMBER.fullmatch(player.member) else player.name,
                "rating": int(player.rating) if player.rating.isascii() and player.rating.isdigit() else _plain(player.rating),
                "pairings": [None if each is None else each.opponent for each in rounds],
                "scores": [None if each == UNDEFINED else int(each) for each in _scores(rounds)],
                "etc": {key: [_plain(each) for each in words] for key, words in etc.items() if words},
            }
        )
    return found


def _plain(word: str) -> float | str | None:
    """Return what a word is in ``tourney.js``: a number where it is one and reads back as it is."""
    if re.fullmatch(r"-?[0-9]+\.[0-9]+", word) and str(float(word)) == word:
        return float(word)
    return None if word == UNDEFINED else int(word) if re.fullmatch(r"-?(?:0|[1-9][0-9]{0,14})", word) else word


def _script(value: Any) -> str:
    """Return a value as JSON, but undefined where there is none: TSH's pages take null for a value."""
    if isinstance(value, dict):
        return f"{{{','.join(f'{json.dumps(key)}:{_script(each)}' for key, each in value.items())}}}"
    if isinstance(value, list):
        return f"[{','.join(map(_script, value))}]"
    return "undefined" if value is None else json.dumps(value)


def lots(lines: Iterable[tuple[Player, str]]) -> dict[int, int]:
    """Return by number what TSH orders equal players by, the highest first: it is made of their lines, so that it is the same for the same file."""
    found: dict[int, int] = {}
    taken: set[int] = set()
    for player, line in lines:
        text = line.strip()
        lot = (len(text) * (100 + player.number) * ord(text[0])) % _MODULUS
        lot = lot or (_FACTOR * len(_name(player)) * (100 + player.number) * ord(text[0]) + _ADDEND) % _RANGE
        while lot in taken:
            lot = (_FACTOR * lot + _ADDEND) % _RANGE
        taken.add(lot)
        found[player.number] = lot
    return found


_LETTERS: Final = str.maketrans(
    {
        **dict(zip("łŁøØđĐðÐ\u0131\u2018\u2019", "lLoOdDdDi''", strict=True)),
        "ß": "ss",
        "æ": "ae",
        "Æ": "AE",
        "œ": "oe",
        "Œ": "OE",
        "þ": "th",
        "Þ": "Th",
    }
)
_NAME: Final = 20
_MOST: Final = 999


def tou_text(results: Applied, title: str, day: date, *, woogles: bool) -> str:
    """Return the report of an event called ``title``; ``woogles``: forfeits and byes as Woogles writes them, else as TSH."""
    parts = [f"*M{day:%d.%m.%Y} {_ascii(title)}"]
    for division in sorted(results.event.divisions):
        parts += [f"*{_ascii(division)}", f"{0:>39}", *_lines(results, division, woogles=woogles)]
    return "".join(f"{each}\r\n" for each in [*parts, "*** END OF FILE ***"])


class _Section(Struct, frozen=True):
    place: Mapping[int, int]
    """The line of each player, by number."""
    forfeits: Container[tuple[int, int]]
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
