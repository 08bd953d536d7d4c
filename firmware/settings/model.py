"""The settings and their defaults. What each may hold is checked here; whether a named file is there is found out when it is opened."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, field_validator
from pydantic_core import PydanticCustomError

from firmware.rulebooks import DEFAULT_RULEBOOK
from hardware.kinds import ButtonName
from hardware.settings import Strict


class BoardSettings(Strict):
    """The board with its pins."""

    file: str = "full"
    """A shipped board (full, two-button) or the path of a board file."""
    pins: Literal["lgpio", "rpigpio", "mock", "none"] = "lgpio"
    """The pin library; none plays with keyboard and mouse."""
    remap: dict[ButtonName, ButtonName] = Field(default_factory=dict)
    """A button that does the work of another: ``left = "right"`` with ``right = "left"`` turns the board around."""

    @field_validator("remap")
    @classmethod
    def _no_work_is_done_twice(cls, remap: dict[ButtonName, ButtonName]) -> dict[ButtonName, ButtonName]:
        # Two buttons with one work would be one contact with two edges: a press of either could end the other's.
        if remap.keys() != set(remap.values()):
            raise PydanticCustomError(
                "permutation", 'buttons that change places, each named once on either side: left = "right" goes with right = "left"'
            )
        return remap


class ScreenSettings(Strict):
    """The screen both players look at."""

    kind: Literal["window", "terminal", "none"] = "window"
    layout: Literal["facing", "side_by_side", "single"] = "facing"
    side: Literal["left", "right"] = "right"
    """Whose half a single screen shows."""
    fullscreen: bool = True
    width: Annotated[int, Field(ge=320, le=3840)] = 1024
    height: Annotated[int, Field(ge=240, le=2160)] = 600


class JournalSettings(Strict):
    """Where the journal is kept."""

    path: str = "/var/lib/tileclock/journal.db"


class BuzzerSettings(Strict):
    """No sound unless it is asked for."""

    enabled: bool = False


class Settings(Strict):
    """Everything a director can set."""

    rulebook: str = DEFAULT_RULEBOOK
    """The rulebook of the first game: a shipped id or the path of a file."""
    own_rulebooks: Annotated[tuple[str, ...], Field(strict=False)] = ()
    """Paths of a director's own rulebooks, offered in the menu beside the shipped ones."""
    language: str = "en"
    board: BoardSettings = BoardSettings()
    screen: ScreenSettings = ScreenSettings()
    journal: JournalSettings = JournalSettings()
    buzzer: BuzzerSettings = BuzzerSettings()
