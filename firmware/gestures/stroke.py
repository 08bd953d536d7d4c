"""A press in progress or just ended, with its immediate effect, and both player buttons as one (docs/spec/events.md, "Gestures").

A longer press or a chord takes the effect back, or puts another event in its place, under the same number.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Final, NamedTuple, TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace

from firmware.gestures.lapsing import NO_OFFER, CodeDoor, Offer
from firmware.table_menu.value import TableMenu
from firmware.texts import KeyedMessage
from game import events
from game.events import GameEvent
from game.game import EventNotAllowed, Game
from game.history import Fate, History, accept, take_back
from rules.contact import MS, Contact, Signal
from rules.side import Side

CHORD_NS: Final = 100 * MS
"""Both player buttons closed together for so long are the bar."""
CHORD_WITHIN_NS: Final = 1000 * MS
"""The longest distance between the first edges of both player buttons in a chord."""
STAGE_NS: Final = (1000 * MS, 2000 * MS, 5000 * MS)
"""The stages of a held press; the last one is that of both buttons of a two-button board."""
REPEAT_AFTER_NS: Final = 600 * MS
REPEAT_EVERY_NS: Final = 400 * MS
"""A player button held in the table menu moves on after the first time, then after each second one."""
STUCK_NS: Final = 10_000 * MS
"""A button down longer than this is stuck: the longest gesture takes five seconds."""


class Act(Enum):
    """What a stage does besides making an event."""

    OUT_PLAY = "out_play"
    """The holding player declares the out play."""
    TABLE_MENU = "table_menu"
    NEXT_GAME = "next_game"
    """The next game begins on letting go."""
    STOP = "stop"
    """With the other button stuck: the clock stops at the first edge."""
    DOOR = "door"
    """The director's door."""


class HoldStage(Struct, frozen=True):
    """What holding on to a press does."""

    after: int
    """For how many ns it is held then."""
    does: GameEvent | Act
    let_go: KeyedMessage
    """What letting go before it does."""
    hold_on: KeyedMessage


Stages: TypeAlias = tuple[HoldStage, ...]


class TableBefore(Struct, frozen=True):
    """What a press found, for the stages of its hold and for taking it back."""

    game: Game
    offer: Offer = NO_OFFER
    table_menu: TableMenu | None = None
    door: CodeDoor | None = None


class Stroke(Struct, frozen=True, eq=False):
    """One press of a button, or of both player buttons as one. Instants in ns."""

    buttons: tuple[str, ...]
    at: int
    held_from: int
    """The start of the hold time: the first edge, in a chord the second button's."""
    before: TableBefore
    """The table just before the first edge."""
    numbers: tuple[int, ...] = ()
    """The numbers of the events that it has made."""
    made: tuple[History, History] | None = None
    """The history before and after what it has done, if nothing else came between."""
    stages: Stages = ()
    """What holding on does, in the state at the first edge."""
    stage: int = 0
    """How many of them have been reached."""
    live: bool = True
    """False: another press has changed the game, so holding on does nothing more."""
    repeats: int | None = None
    """In the table menu: how often holding has moved on; None: it does not move."""
    agrees: tuple[str, ...] | None = None
    """The path of the table menu's page on which both players agree by holding, if it was pressed there."""
    over: bool = False

    @property
    def is_chord(self) -> bool:
        """Whether both player buttons are pressed at once."""
        return len(self.buttons) > 1

    @property
    def is_bar(self) -> bool:
        return self.is_chord or self.buttons == ("centre",)

    def acted(self, old: History, new: History, numbers: tuple[int, ...]) -> Stroke:
        """Return the stroke after it has turned the history ``old`` into ``new``; ``numbers`` are those of its events now."""
        if old is new:
            return self
        if self.made is not None:
            return replace(self, numbers=numbers, made=(self.made[0], new) if self.made[1] is old else None)
        return replace(self, numbers=numbers, made=None if self.numbers else (old, new))

    @property
    def next_stage(self) -> HoldStage | None:
        """The stage that holding on reaches next, or None."""
        return self.stages[self.stage] if self.live and not self.over and self.stage < len(self.stages) else None

    @property
    def deadline(self) -> int | None:
        """The instant of the next stage, or None."""
        stage = self.next_stage
        return None if stage is None else self.held_from + stage.after

    @property
    def repeat_at(self) -> int | None:
        """The instant at which holding moves on in the table menu, or None."""
        return None if self.repeats is None or self.over else self.at + REPEAT_AFTER_NS + self.repeats * REPEAT_EVERY_NS


class ButtonState(Struct, frozen=True):
    """All buttons of a board: their contacts and latest strokes."""

    contacts: Mapping[str, Contact] = field(default_factory=dict)
    strokes: Mapping[str, Stroke] = field(default_factory=dict)
    """By button; after a chord both player buttons share one stroke."""
    spikes: int = 0
    signals: tuple[tuple[str, Signal], ...] = ()
    """Detected presses with their buttons that wait because a contact with an earlier first edge is still bouncing."""

    def contact(self, button: str) -> Contact:
        return self.contacts.get(button, _AT_REST)

    def stuck(self, button: str, at: int) -> bool:
        """Return whether that button has been down longer than any gesture at ``at`` (ns)."""
        contact = self.contact(button)
        return contact.down and contact.began_at is not None and at >= contact.began_at + STUCK_NS

    def held_for_sure(self, stroke: Stroke, deadline: int) -> int | None:
        """Return the instant at which it is certain that all buttons of ``stroke`` are held at ``deadline`` (ns), or None while one is up."""
        sure = [self.contact(button).held_for_sure(deadline) for button in stroke.buttons]
        return None if None in sure else max(instant for instant in sure if instant is not None)


_AT_REST: Final = Contact()


PLAYER_BUTTONS = {side.value: side for side in Side}


class Pair(NamedTuple):
    """Two player presses that overlap and may be a chord, in the order of their first edges."""

    first: Stroke
    second: Stroke

    @property
    def due(self) -> int:
        """The instant (ns) at which they are a chord if both are still closed."""
        return self.second.at + CHORD_NS


def pair_of(button_state: ButtonState) -> Pair | None:
    """Return the player presses in progress that may become a chord, or None."""
    left, right = (button_state.strokes.get(button) for button in PLAYER_BUTTONS)
    if left is None or right is None or left.is_chord or right.is_chord:
        return None
    pair = Pair(*sorted((left, right), key=lambda stroke: stroke.at))
    alone = all(stroke.over is False and stroke.stage == 0 for stroke in pair)
    agree = left.agrees is not None and right.agrees is not None
    near = pair.second.at - pair.first.at <= CHORD_WITHIN_NS
    return pair if alone and near and not agree and _overlap(button_state, pair) else None


def chord_due(button_state: ButtonState) -> int | None:
    """Return the instant (ns) at which it is certain that two presses are a chord, or None."""
    pair = pair_of(button_state)
    if pair is None:
        return None
    sure = [button_state.held_for_sure(stroke, pair.due) for stroke in pair]
    return None if None in sure else max(instant for instant in sure if instant is not None)


def may_become_chord(button_state: ButtonState, stroke: Stroke, deadline: int) -> int | None:
    """Return how long (ns) the next stage of ``stroke`` at ``deadline`` waits for a second button that has closed but may still be bouncing."""
    side = PLAYER_BUTTONS.get(stroke.buttons[0])
    if side is None or stroke.is_chord or stroke.stage > 0:
        return None
    other = button_state.contact(side.other.value)
    near = other.began_at is not None and not other.pressed and stroke.at <= other.began_at <= min(deadline, stroke.at + CHORD_WITHIN_NS)
    return other.began_at + CHORD_NS if near and other.began_at is not None else None


def _overlap(button_state: ButtonState, pair: Pair) -> bool:
    """Return whether the first press was still down when the second came: a release that has not settled yet may lie before it."""
    contact = button_state.contact(pair.first.buttons[0])
    return contact.down or contact.released_at > pair.second.at


def undone(history: History, stroke: Stroke) -> History:
    """Return the history without what ``stroke`` has done."""
    if stroke.made is not None and stroke.made[1] is history:
        return stroke.made[0]
    return taken_back(history, stroke.numbers)


def taken_back(history: History, numbers: tuple[int, ...]) -> History:
    """Return the history without the events of ``numbers``; those that are gone already, or cannot be missed, stay as they are."""
    for number in reversed(numbers):
        try:
            history = take_back(history, number, None)
        except EventNotAllowed:
            continue
    return history


def put_instead(history: History, numbers: tuple[int, ...], event: events.GameEvent, at: int) -> tuple[History, tuple[int, ...]]:
    """Return the history with ``event`` at ``at`` (ns) in place of the events of ``numbers``, and its number; unchanged where it is refused."""
    standing = tuple(number for number in numbers if (link := history.find(number)) is not None and link.fate is Fate.VALID)
    try:
        if not standing:
            added = accept(history, event, at)
            return added, (added.highest,)
        first, *rest = standing
        return take_back(taken_back(history, tuple(rest)), first, (event, at)), (first,)
    except EventNotAllowed:
        return history, numbers
