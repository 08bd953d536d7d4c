"""A press of a button, or of both player buttons as one, and what it does while it is held (docs/spec/events.md, "Gestures").

What letting go now would record is its act: it stands in the shown history at once, and a stage that is reached puts another one in its place. Nothing of it is
recorded before nothing can change it any more.
"""

from __future__ import annotations

from enum import Enum
from typing import Final, TypeAlias

from msgspec import Struct

from firmware.gestures.lapsing import Offer
from firmware.texts import KeyedMessage
from game.events import GameEvent
from game.game import Game
from rules.contact import MS
from rules.side import Side

CHORD_NS: Final = 100 * MS
"""Both player buttons of a two-button board closed together for so long are the bar."""
CHORD_WITHIN_NS: Final = 1000 * MS
"""The longest distance between the first edges of both player buttons in a chord."""
STAGE_NS: Final = (1000 * MS, 2000 * MS, 5000 * MS)
"""The stages of a held press; the last one is that of both buttons of a two-button board."""
REPEAT_AFTER_NS: Final = 600 * MS
REPEAT_EVERY_NS: Final = 400 * MS
"""A player button held in the table menu moves on after the first time, then after each second one."""
AGREE_NS: Final = 1000 * MS
"""Both players agree by holding their buttons together for so long."""
STUCK_NS: Final = 10_000 * MS
"""A button down longer than this is stuck: the longest gesture takes five seconds."""
PLAYER_BUTTONS: Final = {side.value: side for side in Side}


class Act(Enum):
    """What a stage does besides making an event."""

    OUT_PLAY = "out_play"
    """The page that asks who has played out."""
    TABLE_MENU = "table_menu"
    NEXT_GAME = "next_game"
    """The next game begins on letting go."""
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


class Stroke(Struct, frozen=True, eq=False):
    """One press of a button, or of both player buttons as one. Instants in ns."""

    buttons: tuple[str, ...]
    at: int
    """The first edge."""
    held_from: int
    """The start of the hold time: the first edge, in a chord the second button's."""
    game: Game
    """The game at the first edge."""
    stages: Stages = ()
    """What holding on does, in the state at the first edge; none once another stroke has acted."""
    stage: int = 0
    """How many of them have been reached."""
    acted: bool = False
    """It has acted, and holding on may still put another act in the place of that one."""
    offers: Offer | None = None
    """What letting go offers."""
    page: tuple[str, ...] | None = None
    """The path of the table menu's page that it was pressed on."""
    repeats: int | None = None
    """On that page: how often holding has moved on; None: it does not move."""
    agrees: bool = False
    """That page asks both players to agree by holding."""
    over: bool = False

    @property
    def is_chord(self) -> bool:
        """Whether both player buttons are pressed at once."""
        return len(self.buttons) > 1

    @property
    def is_bar(self) -> bool:
        return self.is_chord or self.buttons == ("centre",)

    @property
    def side(self) -> Side | None:
        """The player whose own button it is, or None."""
        return None if self.is_chord else PLAYER_BUTTONS.get(self.buttons[0])

    @property
    def next_stage(self) -> HoldStage | None:
        """The stage that holding on reaches next, or None."""
        return self.stages[self.stage] if not self.over and self.stage < len(self.stages) else None

    @property
    def reached(self) -> HoldStage | None:
        """The stage that was reached last, or None."""
        return self.stages[self.stage - 1] if self.stage and self.stages else None

    @property
    def deadline(self) -> int | None:
        """The instant of the next stage, or None."""
        stage = self.next_stage
        return None if stage is None else self.held_from + stage.after

    @property
    def repeat_at(self) -> int | None:
        """The instant at which holding moves on in the table menu, or None."""
        return None if self.repeats is None or self.over else self.at + REPEAT_AFTER_NS + self.repeats * REPEAT_EVERY_NS
