"""An event with what files add to it: players are the same by division and number, pairings by round and players, tables by board. Pure."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import Final

from msgspec.structs import asdict, replace

from appliance.finding import counted
from hall.event.model import BYE, Event, Pairing, Player
from hall.event.parsing import key_of

_SHOWN: Final = 5
"""Of what goes in one sentence."""


def merged(known: Event, part: Event, *, decides: bool = False) -> Event:
    """Return ``known`` with what ``part`` adds and corrects. What contradicts ``part`` goes; where it ``decides``, so does what it leaves out of a player or a pairing."""
    moved = _moved(known, part)
    players = {key: each for key, each in known.by_number.items() if key not in moved}
    for player in part.players:
        key = player.division, player.number
        players[key] = player if decides else _filled(player, players.get(key))
    busy = {(each.division, each.round, number) for each in part.pairings for number in _players(each)}
    pairings = {
        _meeting(each): each
        for each in known.pairings
        if not any((each.division, each.round, number) in busy or (each.division, number) in moved for number in _players(each))
    }
    before = {_meeting(each): each for each in known.pairings}
    for each in part.pairings:
        pairings[_meeting(each)] = each if decides else _completed(each, before.get(_meeting(each)))
    tables = [each for each in part.tables if each.division in part.given or each.division not in known.given]
    said = {each.division for each in tables} - part.given
    boards = {(each.division, each.board): each for each in known.tables if each.division not in said}
    boards |= {(each.division, each.board): each for each in tables if each.table}
    return Event(
        tuple(sorted(players.values(), key=lambda each: (each.division, each.number))),
        tuple(sorted(pairings.values(), key=lambda each: (each.division, each.round, each.first))),
        tuple(boards.values()),
        part.floor if part.floor.places else known.floor,
        known.given | part.given,
        known.passed + part.passed,
    )


def _named(player: Player) -> str:
    """Return what the spellings of one name have in common, with the family name first or last."""
    return " ".join(sorted(key_of(player.name.replace(",", " ")).split()))


def _moved(known: Event, part: Event) -> set[tuple[str, int]]:
    """Return the players, by division and number, who have another number in ``part``."""
    called: dict[tuple[str, str], set[str]] = defaultdict(set)
    for each in part.players:
        called[each.division, _named(each)].add(each.member)
    return {
        key
        for key, each in known.by_number.items()
        if (members := called.get((each.division, _named(each)))) and (not each.member or {each.member, ""} & members)
    } - set(part.by_number)


def _filled(player: Player, before: Player | None) -> Player:
    """Return a player with what a line before had of the same one, and this has not."""
    if before is None or _named(before) != _named(player):
        return player
    return replace(before, **{name: value for name, value in asdict(player).items() if value not in {None, ""}})


def _completed(pairing: Pairing, before: Pairing | None) -> Pairing:
    """Return a pairing with what is known of the same one, and this has not."""
    if before is None:
        return pairing
    if before.first != pairing.first and (pairing.ordered or not before.ordered):
        before = _turned(before)
    elif before.first != pairing.first:
        pairing = _turned(pairing)
    one, two = (old if new is None else new for new, old in zip(pairing.scores, before.scores, strict=True))
    ordered, board, table = pairing.ordered or before.ordered, pairing.board or before.board, pairing.table or before.table
    return replace(pairing, ordered=ordered, board=board, table=table, scores=(one, two))


def _turned(pairing: Pairing) -> Pairing:
    return replace(pairing, first=pairing.second, second=pairing.first, scores=pairing.scores[::-1])


def _players(pairing: Pairing) -> set[int]:
    return {pairing.first, pairing.second} - {BYE}


def _meeting(pairing: Pairing) -> tuple[str, int, frozenset[int]]:
    return pairing.division, pairing.round, frozenset((pairing.first, pairing.second))


def lost(known: Event, now: Event) -> list[str]:
    """Return what of ``known`` is gone or another in ``now``, in sentences."""
    return [*_lost_players(known, now), *_lost_pairings(known, now), *_lost_tables(known, now)]


def _lost_players(known: Event, now: Event) -> Iterator[str]:
    games = Counter((each.division, number) for each in now.pairings for number in _players(each))
    for (division, number), each in known.by_number.items():
        other = now.by_number.get((division, number))
        if other is None:
            yield f"Division {division}: player {number}, {each.name}, goes."
        elif _named(other) != _named(each):
            in_games = counted(games[division, number], "pairing")
            yield f"Division {division}: player {number}, {each.name}, becomes {other.name}, in {in_games}."


def _lost_pairings(known: Event, now: Event) -> Iterator[str]:
    gone: dict[tuple[str, int, str], list[str]] = defaultdict(list)
    kept = {_meeting(each): each for each in now.pairings}
    for each in known.pairings:
        after = kept.get(_meeting(each))
        if after is None:
            gone[each.division, each.round, "pairings"].append(_said(known, each))
            continue
        after = after if after.first == each.first else _turned(after)
        if any(old not in {None, new} for old, new in zip(each.scores, after.scores, strict=True)):
            gone[each.division, each.round, "scores"].append(f"{_said(known, each)} (now {_scores(after) or 'none'})")
    for (division, number, what), said in gone.items():
        yield f"Division {division}, round {number}: these {what} go: {_listed(said)}."


def _lost_tables(known: Event, now: Event) -> Iterator[str]:
    boards: dict[str, list[str]] = defaultdict(list)
    has_table = {(each.division, each.board) for each in now.tables}
    for each in known.tables:
        if (each.division, each.board) not in has_table:
            boards[each.division].append(str(each.board))
    for division, said in boards.items():
        yield f"Division {division}: these boards lose their tables: {_listed(said)}."
    stands = {each.table for each in now.floor.places}
    if said := [str(each.table) for each in known.floor.places if each.table not in stands]:
        yield f"Floor plan: these tables go: {_listed(said)}."


def _said(event: Event, pairing: Pairing) -> str:
    names = [event.by_number[pairing.division, number].name if number != BYE else "bye" for number in (pairing.first, pairing.second)]
    return f"{' - '.join(names)} {_scores(pairing)}".rstrip()


def _scores(pairing: Pairing) -> str:
    scores = pairing.scores[: 1 if pairing.second == BYE else 2]
    return ":".join("?" if each is None else str(each) for each in scores) if any(each is not None for each in scores) else ""


def _listed(said: Sequence[str]) -> str:
    more = len(said) - _SHOWN
    return f"{', '.join(said[:_SHOWN])}{f' and {more} more' if more > 0 else ''}"
