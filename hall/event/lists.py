"""From each player's own list of opponents, as TSH keeps it, to the pairings of a division."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Final, TypeAlias

from msgspec import Struct

from hall.event.model import BYE, Event, Pairing, Player, TableAssignment
from hall.event.parsing import Spot, kept_extras, name_of, number_of, plain_text, quoted, rating_of

MAX_ROUNDS: Final = 200
MAX_PLAYERS: Final = 10_000
MAX_DIVISIONS: Final = 200
MAX_PAIRINGS: Final = 50_000
"""Of an event: more than three times those of a thousand players in 31 rounds."""
NO_SCORE: Final = 9_999
"""With this TSH too means that there is none."""
UNDEFINED: Final = "00"
"""The word of a round that is not paired yet, or without a score."""
_HIGHEST_SCORE: Final = 99_999
Extras: TypeAlias = Mapping[str, Sequence[str]]
_FIRST, _SECOND = 1, 2


class OwnList(Struct, frozen=True):
    """A player with what the file says of each round."""

    line: int
    player: Player
    opponents: Sequence[int | None]
    """Numbers in the division, or ``BYE``; None: not paired yet."""
    scores: Sequence[int | None]
    sound: bool
    """The whole of it could be read; of another one nothing contradicts it."""
    boards: Sequence[int] = ()
    """0: none."""
    starts: Sequence[int] = ()
    """1: goes first, 2: goes second; else open."""


def own_list(at: Spot, who: tuple[str, int], said: Sequence[str], rounds: tuple[Sequence[str], Sequence[str]], extras: Extras) -> OwnList:
    """Return a player's list, from division and number, name and rating, opponents and scores, in words as either form of TSH has them."""
    before = len(at.problems)
    # As TSH writes it into its other form.
    name, member = name_of(re.sub(r",\s*", ", ", said[0]), at)
    team = plain_text(" ".join(extras.get("team", ())), "a team", at)
    # To TSH too a word that is no number says nothing as a board, or as who goes first.
    boards, starts = ([number_of(each, 0, 9_999) or 0 for each in extras.get(key, ())] for key in ("board", "p12"))
    points = [None if each == NO_SCORE else each for each in _numbers(rounds[1], "scores", -_HIGHEST_SCORE, _HIGHEST_SCORE, at)]
    opponents = _numbers(rounds[0], "opponents", 0, MAX_PLAYERS, at)
    player = Player(*who, name, rating_of(said[1]), member, team, kept_extras(extras))
    return OwnList(at.line, player, opponents, points, len(at.problems) == before, boards, starts)


def _numbers(words: Sequence[str], what: str, least: int, most: int, at: Spot) -> list[int | None]:
    found = [None if each == UNDEFINED else number_of(each, least, most) for each in words[:MAX_ROUNDS]]
    wrong = [word for word, number in zip(words, found, strict=False) if number is None and word != UNDEFINED]
    if wrong or len(words) > MAX_ROUNDS:
        said = quoted(wrong[0]) if wrong else f"{len(words)} of them"
        at.add(f"at most {MAX_ROUNDS} {what} from {least} to {most}", said, "")
    return found


def event_of(divisions: Mapping[str, Mapping[int, OwnList]], tables: Iterable[TableAssignment], file: Spot) -> Event:
    """Return the event of the lists by division and number, and note each list that another contradicts."""
    players = tuple(own.player for lists in divisions.values() for own in lists.values())
    for own in (own for lists in divisions.values() for own in lists.values()):
        file.on(own.line).note(own.player.division)
    pairings = tuple(islice((each for lists in divisions.values() for each in _pairings_of(lists, file)), MAX_PAIRINGS + 1))
    return Event(players, pairings, tuple(tables))


def _pairings_of(lists: Mapping[int, OwnList], file: Spot) -> Iterator[Pairing]:
    lacking: set[int] = set()
    for number, own in lists.items():
        for index in range(max(len(own.opponents), len(own.scores))):
            if (opponent := _at(own.opponents, index)) is None:
                if _at(own.scores, index) is not None:
                    file.on(own.line).pass_over(f"the score of player {number} in round {index + 1} has no opponent and is passed over")
            elif opponent == BYE:
                yield Pairing(own.player.division, index + 1, number, BYE, scores=(_at(own.scores, index), None))
            elif _is_mutual(lists, own, index, lacking, file.on(own.line)) and number < opponent:
                yield _pairing(own, lists[opponent], index, file)


def _is_mutual(lists: Mapping[int, OwnList], own: OwnList, index: int, lacking: set[int], at: Spot) -> bool:
    number, opponent = own.player.number, own.opponents[index]
    if opponent == number:
        at.add(f"another player as the opponent of player {number} in round {index + 1}", "this player", "Write 0 for a bye, or correct it")
        return False
    if opponent is None or opponent not in lists:
        at.add(f"an opponent of round {index + 1} among the players 1 to {len(lists)}", opponent)
        return False
    other = lists[opponent]
    answer = _at(other.opponents, index)
    # A list that is too short contradicts all others; the first one says enough. Whoever meets themselves is a problem of their own.
    if answer not in {number, opponent} and own.sound and other.sound and opponent not in lacking:
        what = "no opponent" if answer is None else "a bye" if answer == BYE else f"player {answer}"
        at.add(f"that players {number} and {opponent} meet in round {index + 1}", f"that player {opponent} has {what}")
        lacking |= {opponent} if answer is None else set()
    return answer == number


def _pairing(own: OwnList, other: OwnList, index: int, file: Spot) -> Pairing:
    """Return the pairing of two lists. What they say differently is open, and noted."""
    both = f"players {own.player.number} and {other.player.number} (line {other.line})"
    boards = {each: None for each in (_at(own.boards, index), _at(other.boards, index)) if each}
    if len(boards) > 1:
        said = " and ".join(map(str, boards))
        file.on(own.line).pass_over(f"{both} have different boards in round {index + 1}, {said}: this pairing has none")
    starts, answer = _at(own.starts, index), _at(other.starts, index)
    own_first, other_first = starts == _FIRST or answer == _SECOND, starts == _SECOND or answer == _FIRST
    if own_first and other_first:
        what = "first" if _FIRST in {starts, answer} else "second"
        file.on(own.line).pass_over(f"{both} both go {what} in round {index + 1}: who goes first is open")
    ordered = own_first is not other_first
    one, two = (other, own) if ordered and other_first else (own, other)
    board = next(iter(boards)) if len(boards) == 1 else None
    scores = _at(one.scores, index), _at(two.scores, index)
    return Pairing(own.player.division, index + 1, one.player.number, two.player.number, ordered, board, scores=scores)


def _at(values: Sequence[int | None], index: int) -> int | None:
    return values[index] if index < len(values) else None
