"""From each player's own list of opponents to the pairings: two lists must name each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from hall.event.model import BYE, Pairing, Player
from hall.event.problems import Problems

UNDEFINED: Final = -1
"""The opponent of a round that is not paired yet."""
_FIRST, _SECOND = 1, 2


@dataclass(frozen=True, slots=True)
class OwnList:
    """A player with what the file says of each round."""

    line: int
    player: Player
    opponents: Sequence[int]
    """Numbers in the division, ``BYE`` or ``UNDEFINED``."""
    scores: Sequence[int | None]
    boards: Sequence[int] = ()
    """0: none."""
    starts: Sequence[int] = ()
    """1: goes first, 2: goes second; else open."""


def pairings_of(lists: Mapping[int, OwnList], problems: Problems) -> list[Pairing]:
    """Return the pairings of one division, and note each list that another contradicts.

    Args:
        lists: by the player's number.
        problems: see above.
    """
    found = []
    for number, own in lists.items():
        for index, opponent in enumerate(own.opponents):
            if opponent == UNDEFINED:
                continue
            if opponent == BYE:
                found.append(Pairing(own.player.division, index + 1, number, BYE, scores=(_at(own.scores, index), None)))
            elif _is_mutual(lists, number, index, problems) and number < opponent:
                found.append(_pairing(own, lists[opponent], index))
    return found


def _is_mutual(lists: Mapping[int, OwnList], number: int, index: int, problems: Problems) -> bool:
    own = lists[number]
    opponent = own.opponents[index]
    other = lists.get(opponent)
    if other is None or opponent == number:
        problems.add(own.line, f"an opponent of round {index + 1} among the players 1 to {len(lists)}", opponent)
        return False
    answer = _at(other.opponents, index)
    if answer == number:
        return True
    if number < opponent or answer in {None, UNDEFINED}:
        what = "nobody" if answer in {None, UNDEFINED} else "a bye" if answer == BYE else f"player {answer}"
        problems.add(own.line, f"that players {number} and {opponent} meet in round {index + 1}", f"that player {opponent} has {what}")
    return False


def _pairing(own: OwnList, other: OwnList, index: int) -> Pairing:
    board = _at(own.boards, index) or _at(other.boards, index) or None
    starts, answer = _at(own.starts, index), _at(other.starts, index)
    ordered = _FIRST in {starts, answer} or _SECOND in {starts, answer}
    one, two = (other, own) if starts == _SECOND or (starts != _FIRST and answer == _FIRST) else (own, other)
    return Pairing(
        own.player.division,
        index + 1,
        one.player.number,
        two.player.number,
        ordered,
        board,
        scores=(_at(one.scores, index), _at(two.scores, index)),
    )


def _at(values: Sequence[int | None], index: int) -> int | None:
    return values[index] if index < len(values) else None
