"""Pages of rows: the director's menu, the director's door, and the table menu for each of its readers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from firmware.face.guidance import bar_of, status
from firmware.face.value import MenuFace
from firmware.gestures.clock_state import ClockState
from firmware.gestures.lapsing import CodeDoor
from firmware.menu.describe import capitalised, half, signed, window
from firmware.menu.menu import Menu, page
from firmware.table_menu.value import AgreedChange, PageKind, TablePage
from firmware.texts import Texts
from game.events import End, NewGame
from game.game import Game, Phase
from rules.duration import reading, seconds_shown
from rules.side import Side

_DOT: Final = "•"


def director_page(menu: Menu, table: ClockState, monotonic: int) -> MenuFace:
    """Return the director's page at ``monotonic`` (ns, CLOCK_MONOTONIC)."""
    setup = table.setup
    now = table.instant(monotonic)
    shown = page(menu, table.record, setup, now)
    chosen = menu.cursor % len(shown.options)
    options = tuple(option.text for option in shown.options)
    hint = setup.texts.say("menu.hint_two" if setup.two_button else "menu.hint_full")
    made, sentence = signed(menu.amount) if menu.amount else "", f"{shown.sentence[:1].upper()}{shown.sentence[1:]}"
    title = _closing(shown.title, table.menu_closes_at, monotonic, setup.texts)
    lines = (*_counting(table.record.game_at(now), now, setup.texts), *shown.lines)
    return MenuFace(title, options, chosen, hint, lines, made, sentence)


def door_page(door: CodeDoor, texts: Texts, now: int) -> MenuFace:
    """Return the door's page at ``now`` (ns, CLOCK_MONOTONIC): a dot for each press of the code."""
    line = ""
    if door.checking:
        line = texts.say("door.checking")
    elif door.shut_until is not None and now < door.shut_until:
        line = texts.say("door.shut", seconds=seconds_shown(door.shut_until - now))
    elif door.wrong and not door.entered:
        line = texts.say("door.wrong")
    dots = " ".join(_DOT for _ in door.entered)
    title = _closing(texts.say("door.title"), door.closes_at, now, texts)
    return MenuFace(title, (), None, texts.say("door.hint"), (line,) if line else (), sentence=dots)


def table_page(shown: TablePage, reader: Side, table: ClockState, monotonic: int) -> MenuFace:
    """Return a page of the table menu for ``reader`` at ``monotonic`` (ns, CLOCK_MONOTONIC)."""
    texts, bar, now = table.setup.texts, bar_of(table), table.instant(monotonic)
    rows = tuple(capitalised(row.message.said(texts, bar=bar)) for row in shown.rows)
    lines = (
        *_counting(table.record.game_at(now), now, texts),
        *(() if shown.change is None else _changes(shown.change, reader, now, texts)),
    )
    closes_at = None if table.table_menu is None else table.table_menu.closes_at
    title, hint = (
        _closing(shown.title.said(texts, bar=bar), closes_at, monotonic, texts),
        texts.say(f"table_menu.{_hint(shown, reader)}", bar=bar),
    )
    if not rows:
        # Without rows the hint is the instruction, in large type.
        return MenuFace(title, (), None, "", lines, sentence=hint)
    return MenuFace(title, rows, shown.cursor, hint, lines)


def _closing(title: str, closes_at: int | None, monotonic: int, texts: Texts) -> str:
    """Return the title with the time until the page closes by itself; None: it does not."""
    return title if closes_at is None else texts.say("closed.in", title=title, reading=reading(max(0, closes_at - monotonic)))


def _counting(game: Game, now: int, texts: Texts) -> Iterator[str]:
    """Yield the time frame that counts while the page covers its card."""
    counted = window(game, now, texts)
    if counted is not None:
        yield counted


def _hint(shown: TablePage, reader: Side) -> str:
    if shown.kind is not PageKind.ROWS:
        return "hint_who" if shown.kind is PageKind.WHO else "hint_agree"
    if shown.keeps:
        return "hint_kept" if reader in shown.keeps else "hint_only_down"
    # A button is "yours" or "the other": who reads this knows neither side by its name.
    return "hint_up" if reader is Side.LEFT else "hint_down"


def _changes(change: AgreedChange, reader: Side, now: int, texts: Texts) -> Iterator[str]:
    """Yield before and after, as the reader sees them."""
    if isinstance(change.event, NewGame):
        for side in (reader, reader.other):
            begins = reading(change.after.remaining(side, now))
            yield texts.say("table_menu.begins_you" if side is reader else "table_menu.begins_opponent", time=begins)
        return
    for side in (reader, reader.other):
        old, new = half(change.before, side, now, texts), half(change.after, side, now, texts)
        if old != new:
            yield texts.say("table_menu.change_you" if side is reader else "table_menu.change_opponent", before=old, after=new)
    if isinstance(change.event, End) and change.event.loser is not None and change.after.phase is Phase.OVER:
        yield texts.say("table_menu.you_resign" if change.event.loser is reader else "table_menu.opponent_resigns")
        return
    before, after = (texts.say(f"status.{status(game, reader)}") for game in (change.before, change.after))
    if before != after:
        yield texts.say("table_menu.change_status", before=before or "-", after=after or "-")
