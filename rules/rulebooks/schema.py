"""The schema of rulebook files: one TOML table per rule, each with its clause.

A file becomes a ``RulebookSource`` (here, with clauses), then a ``Rulebook`` (values only, for the core). Only ``explain`` needs the clauses.
"""

from __future__ import annotations

import re
from typing import Annotated, Final

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError

from appliance.validation import together, unknown_key
from rules.rulebooks.model import WINDOW_NAMES, ReviewBy

NO_LIMIT: Final = "none"
"""The value of ``limit.reading`` for overtime without limit."""

_READING = re.compile(r"(-?)([0-9]{1,3}):([0-5][0-9])")


def reading_seconds(text: str) -> int:
    """Return the seconds of a checked reading: ``-10:01`` gives -601."""
    found = _READING.fullmatch(text)
    if found is None:
        raise ValueError(f"expected a reading like -10:01, found {text!r}")
    sign, minutes, seconds = found.groups()
    return (int(minutes) * 60 + int(seconds)) * (-1 if sign else 1)


def _matching(pattern: str) -> AfterValidator:
    """Return a validator that the whole string matches ``pattern``."""
    compiled = re.compile(pattern)

    def check(text: str) -> str:
        if compiled.fullmatch(text) is None:
            raise PydanticCustomError("form", "not in the allowed form")
        return text

    return AfterValidator(check)


def _one_printable_line(text: str) -> str:
    """Reject line ends and control characters, which would break a screen or terminal."""
    if not text.strip() or len(text) > 200 or not text.isprintable():
        raise PydanticCustomError("form", "not one printable line")
    return text


def _known_window(name: str) -> str:
    if name not in WINDOW_NAMES:
        raise unknown_key(WINDOW_NAMES)
    return name


_Line = Annotated[str, AfterValidator(_one_printable_line)]
_Id = Annotated[str, _matching(r"[a-z0-9][a-z0-9-]{0,63}")]
_Points = Annotated[int, Field(ge=0, le=1000)]
_Seconds = Annotated[int, Field(ge=1, le=86_400)]
_Allowance = Annotated[str, _matching(r"(?!0{1,3}:00)[0-9]{1,3}:[0-5][0-9]")]
_BelowZero = r"-(?!0{1,3}:00)[0-9]{1,3}:[0-5][0-9]"  # without -0:00, which lasts a whole second and names no instant


class _Table(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, defer_build=True)


class Rule(_Table):
    """One rule; subclasses have its values."""

    clause: _Line
    assumed: _Id | None = None
    """The rulebook to follow where the source is silent; ``clause`` then refers to that one."""


class Regulation(Rule):
    """Each side's time."""

    time: _Allowance


class Overtime(Rule):
    """The cost of overtime."""

    points: _Points
    period_seconds: _Seconds


class Limit(Rule):
    """The overtime that loses the game."""

    reading: Annotated[str, _matching(rf"{NO_LIMIT}|{_BelowZero}")]
    penalty: _Points | None = None

    @model_validator(mode="after")
    def _penalty_goes_with_a_limit(self) -> Limit:
        if (self.reading == NO_LIMIT) is not (self.penalty is None):
            raise together(expected='penalty beside every reading but "none", and not beside that', found="one without the other")
        return self


class Forfeit(Rule):
    """When an absent player forfeits."""

    reading: Annotated[str, _matching(rf"0:00|{_BelowZero}")]


class OutPlayTable(Rule):
    """Whether the end of the out play window ends the game."""

    ends_game: bool


class Recount(Rule):
    """Whether the recount window starts at the game's end."""

    starts_itself: bool


class Infractions(Rule):
    """After how many minor infractions the director decides on a minute."""

    a_minute: Annotated[int, Field(ge=1, le=100)]


class ChallengeTable(Rule):
    """The cost of challenging an acceptable play."""

    acceptable_loses_turn: bool
    points_a_word: _Points


class Withdrawal(Rule):
    """Whether a challenge may be withdrawn before it is adjudicated."""

    allowed: bool


class Concession(Rule):
    """Whether either player may concede a challenge without a look-up."""

    allowed: bool


class Review(Rule):
    """Who reviews a word judge's ruling."""

    by: ReviewBy


class Restart(Rule):
    """The conditions for restarting a clock after a challenge."""

    seated: bool
    uncovered: bool
    blank_erased: bool
    tile_seen: bool
    delay: bool

    @model_validator(mode="after")
    def _nothing_else_is_waited_for(self) -> Restart:
        if not self.seated and (self.uncovered or self.blank_erased or self.tile_seen or self.delay):
            raise together(
                expected="every other key false where seated is false: only reracking is required then", found="one that is true"
            )
        return self


class WindowTable(Rule):
    """A time frame."""

    seconds: _Seconds


class RulebookSource(_Table):
    """A whole rulebook file, including inherited tables."""

    id: _Id
    title: _Line
    summary: _Line
    extends: _Id | None = None
    regulation: Regulation
    overtime: Overtime
    limit: Limit
    forfeit: Forfeit
    out_play: OutPlayTable
    recount: Recount | None = None
    infractions: Infractions | None = None
    challenge: ChallengeTable
    withdrawal: Withdrawal
    concession: Concession | None = None
    review: Review | None = None
    restart: Restart | None = None
    windows: dict[Annotated[str, AfterValidator(_known_window)], WindowTable]

    @model_validator(mode="after")
    def _out_play_has_its_window(self) -> RulebookSource:
        if "out_play" not in self.windows:
            raise together(expected="the table windows.out_play: every rulebook has that window", found="none", remedy="Add it")
        return self

    @model_validator(mode="after")
    def _recount_goes_with_its_window(self) -> RulebookSource:
        if ("recount" in self.windows) is not (self.recount is not None):
            raise together(
                expected="the tables recount and windows.recount together, or neither", found="one of them", remedy="Add the other"
            )
        return self
