"""A game as a table's page tells it: each event in a sentence, who changed what, and the time that each side has used by turn."""

from collections.abc import Mapping
from string import Formatter
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from faults.errors import Phrase, as_phrase
from game.events import Swap
from game.game import Game, advance
from game.history import History
from hall.desk.tiles.folded import FoldedGame, agrees, history_of, is_before_play
from hall.picture import RemoteDevice
from records.journal import ACCEPTED, CLEAR, STOP, Kind
from records.words import SIDES, RowWords, elapsed, row_words, rulebook_and_times
from rules.side import BySide, Side

_SENTENCES: Final[Mapping[str, Phrase]] = {
    "new_game": as_phrase("New game: {game}"),
    "press": as_phrase("{side} pressed"),
    "neutralise": as_phrase("Clock{of_side} stopped{because}"),
    "reason": as_phrase("Reason of the stop: {reason}"),
    "hold": as_phrase("Hold{by_side}"),
    "release": as_phrase("Hold released"),
    "out_play": as_phrase("Out play{by_side}"),
    "not_out": as_phrase("No out play: play goes on"),
    "challenge": as_phrase("Challenge{by_side}"),
    "withdraw": as_phrase("Challenge withdrawn"),
    "resume": as_phrase("Clock{of_side} started"),
    "decide": as_phrase("{side} decides"),
    "window": as_phrase("Time frame: {name}{lasting}{since}"),
    "end": as_phrase("Game ended{because}"),
    "reopen": as_phrase("Game reopened{because}"),
    "late_start": as_phrase("Late: {side}"),
    "arrive": as_phrase("{side} has arrived"),
    "adjust": as_phrase("{side}: {seconds} s, {when}{because}"),
    "erase_overtime": as_phrase("{side}: overtime erased{because}"),
    "points": as_phrase("{side}: {points} points{because}"),
    "rulebook": as_phrase("Rulebook {rulebook}{because}"),
    "swap": as_phrase("Sides exchanged{because}"),
    "infraction": as_phrase("{side}: minor infraction"),
    "call": as_phrase("Director called"),
    "undo": as_phrase("Undone: event {event}{because}"),
}
_ORDERS: Final[Mapping[str, Phrase]] = {
    STOP: as_phrase("Freeze from {issuer}{quoted}"),
    CLEAR: as_phrase("Freeze and notice taken back by {issuer}"),
}
"""Orders of the desk that the clock took."""
_CHANGES: Final = frozenset({"adjust", "erase_overtime", "points", "infraction", "rulebook", "swap", "undo", "reopen"})
"""The events that a page lists as adjustments."""


class HistoryLine(Struct, frozen=True):
    row: RowWords
    what: str
    adjusts: bool


class TurnUse(Struct, frozen=True):
    """What a side used in one of its turns, in ns; numbered from 1 for both sides together."""

    number: int
    side: Side
    used: int


def history(game: FoldedGame, names: BySide[str]) -> tuple[HistoryLine, ...]:
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
            what = Phrase("Taken back: {what}, at {time}", what=gone.what, time=elapsed(gone.row.since_ns))
        stored = game.rows[place]
        if stored.row.kind == Kind.ASSIGNED and isinstance(what, Phrase) and not is_before_play(stored, game):
            what = Phrase("For the next game: {place}", place=what.values["place"])
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
    # The rows of these need not say whose they are.
    if row.number is None or row.fields.get("do") not in {"neutralise", "hold", "release", "out_play", "challenge"} or "side" in row.fields:
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
        return _with_words(_ORDERS[what], row.fields, names)
    if do == "neutralise" and row.number in frozen:
        return Phrase("Frozen by the desk")
    if row.number is None or not isinstance(do, str) or do not in _SENTENCES:
        return row.what
    if do == "call" and row.fields.get("on") is False:
        return as_phrase("Call answered")
    if do == "call" and row.fields.get("disputes") is True:
        return as_phrase("Result disputed by a player")
    side = None if link is None else _side_of(do, link)
    # A release while an out play waits (docs/spec/events.md): its opponent lets it stand, and the game is over.
    sentence = as_phrase("Out play accepted{by_side}") if do == "release" and side is not None else _SENTENCES[do]
    return _with_words(sentence, row.fields if side is None else {"side": side.value, **row.fields}, names)


def _with_words(sentence: Phrase, fields: Mapping[str, Any], names: BySide[str]) -> Phrase:
    words = _words(fields, names)
    return Phrase(sentence.template, **{name: words.get(name, "") for _, name, _, _ in Formatter().parse(sentence.template) if name})


def _side_of(do: str, link: History) -> Side | None:
    """Return whose event it is, where the row itself does not say."""
    if do == "neutralise":
        return None if link.before is None else link.before.game.running
    if do == "release":
        out_player = None if link.before is None else link.before.game.out_player
        return None if out_player is None else out_player.other
    return {"hold": link.game.holder, "out_play": link.game.out_player, "challenge": link.game.challenger}.get(do)


def _words(fields: Mapping[str, Any], names: BySide[str]) -> dict[str, str]:
    # The journal has these in English.
    words: dict[str, str] = {
        key: as_phrase(str(value)) if key in {"reason", "name", "when"} else str(value) for key, value in fields.items()
    }
    words["game"] = rulebook_and_times(fields)
    if (side := fields.get("side")) in ("left", "right"):
        given, word = names.of(Side(side)), SIDES[Side(side)]
        words["side"] = who = Phrase("{name} ({side})", name=given, side=word) if given else word
        words["by_side"], words["of_side"] = Phrase(" by {who}", who=who), Phrase(" of {who}", who=who)
    if fields.get("text"):
        words["quoted"] = Phrase(": \u201c{text}\u201d", text=fields["text"])
    if "ago" in fields:
        words["since"] = Phrase(", {seconds} s ago", seconds=fields["ago"])
    if fields.get("do") == "window" and "seconds" in fields:
        words["lasting"] = f", {fields['seconds']} s"
    if "reason" in fields:
        words["because"] = Phrase(": {reason}", reason=words["reason"])
    return words
