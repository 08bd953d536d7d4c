"""A game as a table's page tells it: each event in a sentence, who changed what, and the time that each side has used by turn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from game.events import Swap
from game.game import Game, advance
from game.history import History
from hall.desk.tiles.folded import FoldedGame, history_of
from hall.desk.tiles.live import agrees
from hall.desk.tiles.seating import is_before_play
from hall.picture import RemoteDevice
from records.journal import ACCEPTED, CLEAR, STOP, Kind
from records.words import RowWords, elapsed, own_times, row_words
from rules.side import BySide, Side

_SENTENCES: Final[Mapping[str, str]] = {
    "new_game": "New game: {rulebook}{times}",
    "press": "{side} pressed",
    "neutralise": "Clock{of_side} stopped{because}",
    "reason": "Reason of the stop: {reason}",
    "hold": "Hold{by_side}",
    "release": "Hold released",
    "out_play": "Out play{by_side}",
    "not_out": "No out play: play goes on",
    "challenge": "Challenge{by_side}",
    "withdraw": "Challenge withdrawn",
    "resume": "Clock{of_side} started",
    "decide": "{side} decides",
    "window": "Time frame: {name}{lasting}{since}",
    "end": "Game ended{because}",
    "reopen": "Game reopened{because}",
    "late_start": "Late: {side}",
    "arrive": "{side} has arrived",
    "adjust": "{side}: {seconds} s, {when}{because}",
    "erase_overtime": "{side}: overtime erased{because}",
    "points": "{side}: {points} points{because}",
    "rulebook": "Rulebook {rulebook}{because}",
    "swap": "Sides exchanged{because}",
    "infraction": "{side}: minor infraction",
    "call": "Director called",
    "undo": "Undone: event {event}{because}",
}
_ORDERS: Final[Mapping[str, str]] = {STOP: "Freeze from {issuer}{quoted}", CLEAR: "Freeze and notice taken back by {issuer}"}
"""Orders of the desk that the clock took."""
_WITHOUT_SIDE: Final = frozenset({"neutralise", "hold", "release", "out_play", "challenge"})
"""The events whose rows need not say whose they are."""
_CALL_ENDED: Final = "Call answered"
_DISPUTED: Final = "Result disputed by a player"
_OUT_PLAY_ACCEPTED: Final = "Out play accepted{by_side}"
"""A release while an out play waits (docs/spec/events.md): its opponent lets it stand, and the game is over."""
_CHANGES: Final = frozenset({"adjust", "erase_overtime", "points", "infraction", "rulebook", "swap", "undo", "reopen"})
"""The events that a page lists as adjustments."""


class HistoryLine(Struct, frozen=True):
    row: RowWords
    what: str
    adjusts: bool
    """It gives or takes time or points, or rewrites the game."""


class TurnUse(Struct, frozen=True):
    """What a side used in one of its turns, in ns; numbered from 1 for both sides together."""

    number: int
    side: Side
    used: int


def history(game: FoldedGame, names: BySide[str]) -> tuple[HistoryLine, ...]:
    """Return a game's rows, oldest first."""
    frozen = frozenset() if game.freeze is None else game.freeze.numbers
    links = {} if game.history is None else {link.number: link for link in game.history}
    lines: list[HistoryLine] = []
    events: dict[int, HistoryLine] = {}
    for place, row in enumerate(row_words(game.rows)):
        what = _sentence(row, names, frozen, _link(game, place, row, links))
        if row.number is not None and "do" in row.fields:
            events[row.number] = HistoryLine(row, what, row.fields["do"] in _CHANGES)
            lines.append(events[row.number])
            continue
        if row.number is not None and (gone := events.get(row.number)) is not None:
            what = f"Taken back: {gone.what}, at {elapsed(gone.row.since_ns)}"
        stored = game.rows[place]
        if stored.row.kind == Kind.ASSIGNED and not is_before_play(stored, game):
            what = what.replace("Assigned", "For the next game", 1)
        lines.append(HistoryLine(row, what, adjusts=False))
    return tuple(lines)


def turns(history: History, now: int) -> tuple[TurnUse, ...]:
    """Return what was used in each turn up to ``now`` (ns of the game): a turn is a stretch in which one side's clock runs or stands by.

    The turns of a side make up what it has used by then; those before an exchange of sides go with their player.
    """
    links, end = history.oldest_first(), max(now, history.at)
    found: list[TurnUse] = []
    for before, link in zip(links, [*links[1:], None], strict=True):
        at, side = (end if link is None else link.at), before.game.running
        stretch = _used(advance(before.game, at), at)
        if side is not None:
            # Where an undo has changed whose time it was, it is the other side's.
            whose = side if link is None else history.charged.get(link.number, side)
            _add(found, whose, stretch.of(side) - before.game.used_at(side, before.at))
        if link is None or link.fates != before.fates:
            continue
        if link.number not in history.fates and isinstance(link.event, Swap):
            found = [replace(turn, side=turn.side.other) for turn in found]
            continue
        for each in Side:
            # With both absent, the second one is charged from the start.
            if spent := link.game.used_at(each, at) - stretch.of(each):
                _add(found, each, spent)
    return tuple(_corrected(found, _used(history.game_at(end), end)))


def _used(game: Game, at: int) -> BySide[int]:
    return BySide(game.used_at(Side.LEFT, at), game.used_at(Side.RIGHT, at))


def _corrected(found: list[TurnUse], used: BySide[int]) -> list[TurnUse]:
    """Return the turns with what corrections have added or left out: time of a stop that was struck, or before a game that had not begun."""
    for side in Side:
        missing = used.of(side) - sum(turn.used for turn in found if turn.side is side)
        for place in reversed(range(len(found))):
            if found[place].side is side and missing:
                taken = max(missing, -found[place].used)
                found[place] = replace(found[place], used=found[place].used + taken)
                missing -= taken
        if missing:
            _add(found, side, missing)
    return found


def turns_now(game: FoldedGame, device: RemoteDevice, now: int) -> tuple[TurnUse, ...]:
    """Return what was used in each turn up to ``now`` (ns of the listener); empty: the game's beginning cannot be read."""
    if game.history is None:
        return ()
    exchange = device.offsets.of_boot(game.boot).best
    # Without an offset, or with rows that are behind the clock's report, a running turn ends at the last event.
    if exchange is None or (device.clock is not None and not agrees(game, device.clock)):
        return turns(game.history, game.history.at)
    return turns(game.history, game.instant(now - exchange.offset))


def _add(found: list[TurnUse], side: Side, used: int) -> None:
    if not found or found[-1].side is not side:
        found.append(TurnUse(len(found) + 1, side, 0))
    found[-1] = replace(found[-1], used=found[-1].used + used)


def _link(game: FoldedGame, place: int, row: RowWords, links: Mapping[int, History]) -> History | None:
    """Return the event of the row at ``place`` as it stood in the game, where the row itself does not say whose it is."""
    if row.number is None or row.fields.get("do") not in _WITHOUT_SIDE or "side" in row.fields:
        return None
    if not row.fate:
        return links.get(row.number)
    # It has left the game since.
    history = history_of(game.rows[: place + 1])
    return None if history is None else history.find(row.number)


def _sentence(row: RowWords, names: BySide[str], frozen: frozenset[int], link: History | None) -> str:
    """Return a row in a sentence; ``link``: its event, where the row does not say whose it is."""
    do, what = row.fields.get("do"), row.fields.get("what")
    if row.number is None and isinstance(what, str) and what in _ORDERS and row.fields.get("answer") == ACCEPTED:
        return _ORDERS[what].format_map(_Words(row.fields, names))
    if do == "neutralise" and row.number in frozen:
        return "Frozen by the desk"
    if row.number is None or not isinstance(do, str) or do not in _SENTENCES:
        return row.what[:1].upper() + row.what[1:]
    if do == "call" and row.fields.get("on") is False:
        return _CALL_ENDED
    if do == "call" and row.fields.get("disputes") is True:
        return _DISPUTED
    side = None if link is None else _side_of(do, link)
    sentence = _OUT_PLAY_ACCEPTED if do == "release" and side is not None else _SENTENCES[do]
    return sentence.format_map(_Words(row.fields if side is None else {"side": side.value, **row.fields}, names))


def _side_of(do: str, link: History) -> Side | None:
    """Return whose event it is, where the row itself does not say."""
    if do == "neutralise":
        return None if link.before is None else link.before.game.running
    if do == "release":
        out_player = None if link.before is None else link.before.game.out_player
        return None if out_player is None else out_player.other
    return {"hold": link.game.holder, "out_play": link.game.out_player, "challenge": link.game.challenger}.get(do)


class _Words(dict[str, str]):
    """The values of a row's body as words; a key that is missing is empty."""

    def __init__(self, fields: Mapping[str, Any], names: BySide[str]) -> None:
        super().__init__({key: str(value) for key, value in fields.items()})
        self["times"] = own_times(fields)
        side = fields.get("side")
        if side in ("left", "right"):
            given = names.of(Side(side))
            self["side"] = f"{given} ({side})" if given else str(side).capitalize()
            self["by_side"] = f" by {f'{given} ({side})' if given else side}"
            self["of_side"] = f" of {f'{given} ({side})' if given else side}"
        if fields.get("text"):
            self["quoted"] = f": \u201c{fields['text']}\u201d"
        if "ago" in fields:
            self["since"] = f", {fields['ago']} s ago"
        if fields.get("do") == "window" and "seconds" in fields:
            self["lasting"] = f", {fields['seconds']} s"
        if "reason" in fields:
            self["because"] = f": {fields['reason']}"

    def __missing__(self, key: str) -> str:
        return ""
