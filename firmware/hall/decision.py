"""What becomes of a proposal: a refusal, or what it changes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from firmware.hall.state import HallState
from game import events
from game.events import By
from game.next_game import OfferedGame
from wire.desk_settings import SettingValue
from wire.reasons import RefusalReason

MadeEvent: TypeAlias = events.Verdict | events.Withdraw | events.Neutralise | events.Call | events.Undo
"""The only events that the network can make. An ``Undo`` strikes a station's own verdict; a ``Call`` is never an answer."""


@dataclass(frozen=True, slots=True)
class Decision:
    """The answer to a proposal."""

    hall: HallState
    reason: RefusalReason | None = None
    """Why it is refused: nothing else has changed then."""
    events: tuple[tuple[MadeEvent, By], ...] = ()
    """What is to be applied, in order, at the instant of the decision."""
    number: int | None = None
    """The number of the event that it became."""
    offered: OfferedGame | None = None
    """A next game to offer."""
    settings: Mapping[str, SettingValue] = field(default_factory=dict)
    """Settings to keep and to take up, by their names."""


def refused(hall: HallState, reason: RefusalReason) -> Decision:
    """Return a refusal."""
    return Decision(hall, reason)
