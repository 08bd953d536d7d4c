"""A press in progress or just ended, with its immediate effect, so that a longer press or a chord can take it back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Final, TypeAlias

from firmware.gestures.door import CodeDoor
from firmware.gestures.offer import NO_OFFER, Offer
from firmware.table_menu.value import TableMenu
from firmware.texts.message import KeyedMessage
from game.events import GameEvent
from game.game import Game
from game.record import Record
from rules.contact import MS, Contact, Signal

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


@dataclass(frozen=True, slots=True)
class HoldStage:
    """What holding on to a press does."""

    after: int
    """For how many ns it is held then."""
    does: GameEvent | Act
    let_go: KeyedMessage
    """What letting go before it does."""
    hold_on: KeyedMessage


Stages: TypeAlias = tuple[HoldStage, ...]


@dataclass(frozen=True, slots=True)
class TableBefore:
    """What a press found, for the stages of its hold and for taking it back."""

    game: Game
    offer: Offer = NO_OFFER
    table_menu: TableMenu | None = None
    door: CodeDoor | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Stroke:
    """One press of a button, or of both player buttons as one. Instants in ns."""

    buttons: tuple[str, ...]
    at: int
    held_from: int
    """The start of the hold time: the first edge, in a chord the second button's."""
    before: TableBefore
    """The table just before the first edge."""
    numbers: tuple[int, ...] = ()
    """The numbers of the events that it has made."""
    made: tuple[Record, Record] | None = None
    """The record before and after what it has done, if nothing else came between."""
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
        """Whether it acts as the centre bar."""
        return self.is_chord or self.buttons == ("centre",)

    def acted(self, old: Record, new: Record, numbers: tuple[int, ...]) -> Stroke:
        """Return the stroke after it has turned the record ``old`` into ``new``; ``numbers`` are those of its events now."""
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


@dataclass(frozen=True, slots=True)
class Hands:
    """All buttons of a board: their contacts and latest strokes."""

    contacts: Mapping[str, Contact] = field(default_factory=dict)
    strokes: Mapping[str, Stroke] = field(default_factory=dict)
    """By button; after a chord both player buttons share one stroke."""
    spikes: int = 0
    signals: tuple[tuple[str, Signal], ...] = ()
    """Detected presses with their buttons that wait because a contact with an earlier first edge is still bouncing."""

    def contact(self, button: str) -> Contact:
        """Return the state of that button's contact."""
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
