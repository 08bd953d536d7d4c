"""The schema of rulebook files: one TOML table per rule, each with its clause.

A file becomes a ``RulebookSource`` (here, with clauses), then a ``Rulebook`` (values only, for the core). Only ``explain`` needs the clauses.
"""

from __future__ import annotations

from typing import Annotated, Self

from pydantic import Field, model_validator

from appliance.validation import together
from faults.errors import Phrase
from rules.rulebooks import tables
from rules.rulebooks.keys import Id, Line, StrictTable, one_of
from rules.rulebooks.model import DECISIONS, MINUTE_NAMES, WINDOW_NAMES, PlayersOrDirector


def started_by(name: str, window: tables.WindowTable) -> PlayersOrDirector:
    """Return whose menu offers a window."""
    return window.by or ("director" if name == "recount_warning" else "players")


def starts_clock(name: str, window: tables.WindowTable) -> bool:
    """Return whether the clock of the player who decides may be started when the window is over."""
    return name in ("overdraw_decision", "tiles_returned") if window.starts_clock is None else window.starts_clock


class RulebookSource(StrictTable):
    """A whole rulebook file, including inherited tables."""

    id: Id
    title: Line
    summary: Line
    extends: Id | None = None
    regulation: tables.Regulation
    turn: tables.TurnTable | None = None
    overtime: tables.Overtime
    grace: tables.Grace | None = None
    limit: tables.Limit
    forfeit: tables.Forfeit
    late: tables.Late | None = None
    hold: tables.HoldTable | None = None
    out_play: tables.OutPlayTable
    recount: tables.Recount | None = None
    infractions: tables.Infractions | None = None
    minutes: dict[Annotated[str, one_of(MINUTE_NAMES)], tables.MinuteTable] = Field(default_factory=dict)
    end: tables.EndTable | None = None
    six_zeros: tables.SixZerosTable | None = None
    challenge: tables.ChallengeTable
    withdrawal: tables.Withdrawal
    concession: tables.Concession | None = None
    review: tables.Review | None = None
    restart: tables.Restart | None = None
    second_opinion: tables.SecondOpinionTable | None = None
    first_word: tables.FirstWordTable | None = None
    windows: dict[Annotated[str, one_of(WINDOW_NAMES)], tables.WindowTable]

    @model_validator(mode="after")
    def _out_play_has_its_window(self) -> Self:
        if "out_play" not in self.windows:
            raise together(expected="the table windows.out_play: every rulebook has that window", found="none", remedy="Add it")
        return self

    @model_validator(mode="after")
    def _recount_goes_with_its_window(self) -> Self:
        if ("recount" in self.windows) is not (self.recount is not None):
            raise together(
                expected="the tables recount and windows.recount together, or neither", found="one of them", remedy="Add the other"
            )
        return self

    @model_validator(mode="after")
    def _limit_recounts_in_its_window(self) -> Self:
        if self.limit.recount and "recount" not in self.windows:
            raise together(expected="the table windows.recount where limit.recount is true", found="none", remedy="Add it")
        return self

    @model_validator(mode="after")
    def _only_decisions_start_a_clock(self) -> Self:
        wrong = [name for name, window in self.windows.items() if window.starts_clock and name not in DECISIONS]
        if wrong:
            raise together(
                expected=Phrase("starts_clock = true only in {windows}", windows=", ".join(DECISIONS)),
                found=Phrase("it in windows.{name}", name=wrong[0]),
                remedy="Remove it",
            )
        return self
