"""The table: the game's history, the state of its buttons, and the director's menu, as one frozen value.

The live clock and ``tileclock replay`` use the same functions: ``apply_event`` here applies an event, ``presses`` contact edges and passing time.
"""

from __future__ import annotations

from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from firmware.gestures.lapsing import LAPSES_NS, NO_OFFER, Answer, CodeDoor, Offer
from firmware.gestures.stroke import ButtonState, Stroke
from firmware.menu.menu import Menu
from firmware.menu.setup import Setup
from firmware.table_menu.value import TableMenu
from firmware.texts import message
from game import events, timed_transitions
from game.game import Game, Phase
from game.history import History, accept
from rules.duration import NS
from rules.side import Side

CLOSED_NS: Final = 4 * NS
"""The face says for so long that a menu or question has closed by itself."""


class ClockState(Struct, frozen=True):
    """The whole state of one table, except the shell's notices."""

    history: History
    setup: Setup
    button_state: ButtonState = ButtonState()
    offer: Offer = NO_OFFER
    menu: Menu | None = None
    """The director's menu."""
    menu_closes_at: int | None = None
    """On a two-button board the director's menu closes by itself at this instant."""
    menu_left_at: int | None = None
    """When the key was turned off with the menu open: a press that began before does not play."""
    table_menu: TableMenu | None = None
    closed_at: int | None = None
    """When a menu or the door last closed by itself."""
    answers: tuple[Answer, ...] = ()
    """The latest answers, expired ones too: at most one a half and one for both."""
    door: CodeDoor | None = None
    """The director's door, while it asks for the code."""
    wrong_codes: int = 0
    """Wrong codes since the last right one; it survives a restart."""
    code_tried_at: int | None = None
    """When the last wrong code was tried, for the wait after it; at a start with wrong codes, the start."""
    asks_ok: bool = False
    """The key was turned on while a clock ran: ``ok`` opens the director's menu, and the players play on."""
    offset: int = 0
    """Add this to an instant of the hands (CLOCK_MONOTONIC) for the game's instant: a game outlives a boot."""
    last_game: Game | None = None
    """How the game before this one ended; the face keeps it until the slip is signed. After a restart the journal gives it."""
    frozen: int | None = None
    """After a power cut: the game's instant, constant until the director confirms the times; player buttons do nothing."""
    power_off: bool = False
    """The director has requested power off."""

    def instant(self, at: int) -> int:
        """Return the game's instant for an instant of the hands (both in ns)."""
        return at + self.offset if self.frozen is None else self.frozen

    def game_at(self, now: int) -> Game:
        """Return the game at ``now`` (ns, CLOCK_MONOTONIC)."""
        return self.history.game_at(self.instant(now))


def apply_event(table: ClockState, event: events.Event, at: int, by: events.By | None = None) -> ClockState:
    """Return the table after ``event`` at ``at`` (ns), made by ``by`` (None: the usual maker). Raises EventNotAllowed."""
    if isinstance(event, events.NewGame):
        # The strokes refer to event numbers of the old game.
        ended = table.game_at(at)
        last_game = ended if ended.phase is Phase.OVER else table.last_game
        table = replace(table, button_state=replace(table.button_state, strokes={}), answers=(), last_game=last_game)
    return with_history(table, accept(table.history, event, table.instant(at), by=by))


def confirm(table: ClockState, now: int) -> ClockState:
    """Return the table after the director confirms the times of a power cut: time continues from ``now`` (ns)."""
    return table if table.frozen is None else replace(table, frozen=None, offset=table.frozen - now)


def with_history(table: ClockState, history: History) -> ClockState:
    """Return the table with ``history``; an offer ends with its adjudication."""
    if table.offer is NO_OFFER or history.game.phase is Phase.ADJUDICATION:
        return replace(table, history=history)
    return replace(table, history=history, offer=NO_OFFER)


def with_change(table: ClockState, history: History, at: int, buttons: tuple[str, ...]) -> ClockState:
    """Return the table with ``history`` as the stroke of ``buttons`` changed it at ``at`` (ns).

    What other held presses would have called was called in another state of the game: their fills end, and so do the answers to earlier presses.
    """
    changed_table = with_history(table, history)
    if _seen(table.game_at(at)) == _seen(changed_table.game_at(at)):
        return changed_table
    changed_table = replace(changed_table, answers=())
    strokes = table.button_state.strokes
    ended = {button: stroke for button, stroke in strokes.items() if button not in buttons and stroke.live and not stroke.over}
    for stroke in ended.values():
        changed_table = replace_stroke(changed_table, stroke, replace(stroke, live=False))
    return changed_table


def _seen(game: Game) -> tuple[Phase, Side | None, Side | None]:
    return game.phase, game.turn, game.running


def replace_stroke(table: ClockState, old: Stroke, new: Stroke) -> ClockState:
    """Replace ``old`` by ``new`` on each button whose latest stroke it still is."""
    strokes = {button: new if stroke is old else stroke for button, stroke in table.button_state.strokes.items()}
    return replace(table, button_state=replace(table.button_state, strokes=strokes))


def with_stroke(table: ClockState, stroke: Stroke) -> ClockState:
    """Set ``stroke`` as the latest of its buttons."""
    strokes = {**table.button_state.strokes, **dict.fromkeys(stroke.buttons, stroke)}
    return replace(table, button_state=replace(table.button_state, strokes=strokes))


def with_answer(table: ClockState, answer: Answer) -> ClockState:
    """Return the table with ``answer`` in the place of the one before on that half."""
    others = tuple(each for each in table.answers if each.where is not answer.where)
    return replace(table, answers=(*others, answer))


def at_rest(table: ClockState) -> ClockState:
    """Return the table with no button down and nothing open: no press of before does anything any more."""
    button_state = ButtonState(spikes=table.button_state.spikes)
    return replace(table, button_state=button_state, answers=(), menu=None, menu_closes_at=None, table_menu=None, door=None, asks_ok=False)


def settled(table: ClockState, at: int) -> ClockState:
    """Return the table at ``at`` (ns) without what has closed by itself, a menu, the door or an offer, and with a sentence that says so."""
    if _table_menu_closed(table, at):
        table = _closed(replace(table, table_menu=None), "menu", at)
    if table.door is not None and at >= table.door.closes_at:
        table = _closed(replace(table, door=None), "door", at)
    if table.menu is not None and table.menu_closes_at is not None and at >= table.menu_closes_at:
        table = _closed(replace(table, menu=None, menu_closes_at=None), "menu", at)
    lapses = offer_lapses_at(table)
    return _closed(replace(table, offer=NO_OFFER), "offer", at) if lapses is not None and at >= lapses else table


def _closed(table: ClockState, what: str, at: int) -> ClockState:
    # The bar answers an offer, not a player's button.
    table = table if what == "offer" else replace(table, closed_at=at)
    return with_answer(table, Answer(None, message(f"closed.{what}"), at + CLOSED_NS))


def without_forbidden_rulebooks(table: ClockState) -> ClockState:
    """Return the table without an open list of rulebooks that players may no longer choose from."""
    menu = table.table_menu
    if menu is None or menu.path[:1] != ("rulebook",) or table.setup.players_choose_rulebook:
        return table
    return replace(table, table_menu=None)


def next_due(table: ClockState) -> int | None:
    """Return the next instant (ns) at which ``settled`` has something to close, or None."""
    closing = [table.menu_closes_at if table.menu is not None else None, offer_lapses_at(table)]
    if table.door is not None:
        closing.append(table.door.closes_at)
    if table.table_menu is not None:
        closing.append(table.table_menu.closes_at)
        due = timed_transitions.next_due(table.history.game)
        # One that has happened already is in the game that the menu was opened on.
        if due is not None and due - table.offset > table.table_menu.opened_at:
            closing.append(due - table.offset)
    return min((instant for instant in closing if instant is not None), default=None)


def offer_lapses_at(table: ClockState) -> int | None:
    """Return when (ns) the offer lapses, or None where none stands."""
    if table.offer.event is None:
        return None
    return max((stroke.at + LAPSES_NS for stroke in table.button_state.strokes.values()), default=None)


def _table_menu_closed(table: ClockState, at: int) -> bool:
    menu = table.table_menu
    if menu is None:
        return False
    game = table.game_at(at)
    return at >= menu.closes_at or (game.phase, game.running) != menu.seen
