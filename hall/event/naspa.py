"""NASPA's text of results: ``#division A``, then the lines of a ``.t`` file."""

from __future__ import annotations

import re
from typing import Final

from hall.event.model import Event
from hall.event.pairs import OwnList, pairings_of
from hall.event.problems import Problems, Spot
from hall.event.text import MOST_PLAYERS, division_of, lines_of
from hall.event.tsh import read_player

_DIVISION: Final = re.compile(r"#\s*division\b(.*)", re.IGNORECASE)


def read_naspa(text: str, problems: Problems) -> Event:
    """Return the players and pairings of all divisions."""
    divisions: dict[str, dict[int, OwnList]] = {}
    lists: dict[int, OwnList] | None = None
    division = ""
    for line, words in enumerate(lines_of(text), 1):
        if (found := _DIVISION.match(words.strip())) is not None:
            division = division_of(found[1], Spot(problems, line)).upper()
            lists = divisions.setdefault(division, {})
        elif words.strip() and not words.lstrip().startswith("#"):
            if lists is None:
                problems.add(line, "first a line such as: #division A", "a player")
                break
            lists[len(lists) + 1] = read_player(words, division, len(lists) + 1, Spot(problems, line))
            if len(lists) > MOST_PLAYERS:
                problems.add(line, f"at most {MOST_PLAYERS:,} players", "more")
                break
    if not any(divisions.values()) and not problems.found:
        problems.add(0, "#division A, then one player a line", "no player")
    return Event(
        tuple(each.player for division_lists in divisions.values() for each in division_lists.values()),
        tuple(pairing for division_lists in divisions.values() for pairing in pairings_of(division_lists, problems)),
    )
