"""The schema of rulebook files: the kinds of values, and one TOML table per rule, each with its clause. Each table refuses keys that contradict each other.

A file becomes a ``RulebookSource`` (here, with clauses), then a ``Rulebook`` (values only, for the core). Only ``explain`` needs the clauses.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Annotated, Any, Final, Literal, Self

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError

from appliance.validation import together, unknown_key
from faults.errors import Phrase
from rules.rulebooks.model import (
    DECISIONS,
    MINUTE_NAMES,
    WINDOW_NAMES,
    EndBy,
    FirstClock,
    LimitCharge,
    PlayersOrDirector,
    PointsAre,
    ReviewBy,
)

NO_LIMIT: Final = "none"
"""The value of ``limit.reading`` for overtime without limit, and of ``overtime.cap`` for none."""

_READING = re.compile(r"(-?)([0-9]{1,3}):([0-5][0-9])")


def reading_seconds(text: str) -> int:
    """Return the seconds of a checked reading: ``-10:01`` gives -601."""
    found = _READING.fullmatch(text)
    if found is None:
        raise ValueError(f"expected a reading like -10:01, found {text!r}")
    sign, minutes, seconds = found.groups()
    return (int(minutes) * 60 + int(seconds)) * (-1 if sign else 1)


def matching(pattern: str) -> AfterValidator:
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


def one_of(names: tuple[str, ...]) -> AfterValidator:

    def check(name: str) -> str:
        if name not in names:
            raise unknown_key(names)
        return name

    return AfterValidator(check)


def _none_as_null(value: Any) -> Any:
    return None if value == NO_LIMIT else value


Line = Annotated[str, AfterValidator(_one_printable_line)]
Id = Annotated[str, matching(r"[a-z0-9][a-z0-9-]{0,63}")]
Points = Annotated[int, Field(ge=0, le=1000)]
Seconds = Annotated[int, Field(ge=1, le=86_400)]
Cap = Annotated[Annotated[int, Field(ge=0, le=10_000)] | None, BeforeValidator(_none_as_null)]
SecondsATurn = Annotated[int, Field(ge=0, le=600)]
SecondsFrom5 = Annotated[int, Field(ge=5, le=3600)]
Allowance = Annotated[str, matching(r"(?!0{1,3}:00)[0-9]{1,3}:[0-5][0-9]")]
BELOW_ZERO = r"-(?!0{1,3}:00)[0-9]{1,3}:[0-5][0-9]"  # without -0:00, which lasts a whole second and names no instant


class StrictTable(BaseModel):
    """A table of a rulebook file, without unknown keys."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, defer_build=True)


def keys_given(table: BaseModel) -> str:
    """Return the names of the keys that a table's file has, without the clause."""
    names = [name for name in type(table).model_fields if name in table.model_fields_set - {"clause", "assumed"}]
    return ", ".join(names) or "neither"


class Rule(StrictTable):
    """One rule; subclasses have its values."""

    clause: Line
    assumed: Id | None = None
    """The rulebook to follow where the source is silent; ``clause`` then refers to that one."""


class Regulation(Rule):
    """Each side's time."""

    time: Allowance
    increment_seconds: SecondsATurn = 0
    delay_seconds: SecondsATurn = 0

    @model_validator(mode="after")
    def _not_both(self) -> Self:
        if self.increment_seconds and self.delay_seconds:
            raise together(expected="increment_seconds or delay_seconds", found="both", remedy="Remove one of them")
        return self


class StartTable(Rule):
    """When the first clock may start, and whether a draw of tiles decides who starts where nothing else does."""

    first_clock: FirstClock
    tile_draw: bool


class TurnTable(Rule):
    """The time of one turn, and the remaining seconds at which the clock warns."""

    seconds: SecondsFrom5
    warnings: list[Seconds] = Field(default_factory=list)

    @model_validator(mode="after")
    def _warnings_fall(self) -> Self:
        if any(later >= earlier for earlier, later in pairwise((self.seconds, *self.warnings))):
            raise together(expected="warnings below seconds, each below the one before", found=str(self.warnings))
        return self


class BandTable(StrictTable):
    """The cost of overtime from one second on."""

    from_seconds: Annotated[int, Field(ge=0, le=86_400)]
    points: Points
    period_seconds: Seconds


class Overtime(Rule):
    """The cost of overtime: points and period_seconds, or bands."""

    points: Points | None = None
    period_seconds: Seconds | None = None
    count: Literal["begun", "completed"] = "begun"
    bands: list[BandTable] = Field(default_factory=list)
    cap: Cap = None

    @model_validator(mode="after")
    def _points_or_bands(self) -> Self:
        single = (self.points is not None, self.period_seconds is not None)
        if single != (not self.bands, not self.bands):
            raise together(expected="points and period_seconds, or bands alone", found=keys_given(self), remedy="Write one of the two")
        return self

    @model_validator(mode="after")
    def _bands_rise(self) -> Self:
        starts = [band.from_seconds for band in self.bands]
        if starts and (starts[0] != 0 or any(later <= earlier for earlier, later in pairwise(starts))):
            raise together(expected="bands with from_seconds rising from 0", found=str(starts))
        return self


class Grace(Rule):
    """Whether the reading -0:00 is not yet overtime."""

    zero_reading_free: bool


class Limit(Rule):
    """The overtime that loses the game."""

    reading: Annotated[str, matching(rf"{NO_LIMIT}|{BELOW_ZERO}")]
    penalty: Points | None = None
    charge: LimitCharge = "instead"
    recount: bool = False
    wins_by_one: bool = True
    margin: Annotated[int, Field(ge=1, le=1000)] | None = None

    @model_validator(mode="after")
    def _one_margin(self) -> Self:
        if self.margin is not None and self.wins_by_one:
            raise together(expected="margin beside wins_by_one = false", found="wins_by_one = true", remedy="Write wins_by_one = false")
        return self

    @model_validator(mode="after")
    def _penalty_goes_with_a_limit(self) -> Self:
        if (self.reading == NO_LIMIT or self.charge == "none") is not (self.penalty is None):
            raise together(
                expected='penalty beside every reading but "none" and every charge but "none", and not beside those',
                found="one without the other",
            )
        return self


class Forfeit(Rule):
    """When an absent player forfeits."""

    reading: Annotated[str, matching(rf"0:00|{BELOW_ZERO}")] | None = None
    minutes_late: Annotated[int, Field(ge=1, le=120)] | None = None

    @model_validator(mode="after")
    def _exactly_one(self) -> Self:
        if (self.reading is None) is (self.minutes_late is None):
            raise together(expected="either reading or minutes_late", found=keys_given(self), remedy="Write exactly one")
        return self


class Late(Rule):
    """Who may start an absent player's clock, and what the first of two absent players starts with."""

    starts: PlayersOrDirector
    both_absent: Literal["owed", "left"] = "owed"
    may_forfeit_below: Allowance | None = None


class HoldTable(Rule):
    """The longest hold."""

    maximum_seconds: SecondsFrom5
    at_maximum: Literal["say", "release"] = "say"


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
    points_a_word: Points
    points_a_challenge: Points = 0
    points_are: PointsAre = "given"

    @model_validator(mode="after")
    def _by_the_word_or_by_the_challenge(self) -> Self:
        if self.points_a_word and self.points_a_challenge:
            raise together(expected="points_a_word or points_a_challenge above 0", found="both", remedy="Set one of them to 0")
        return self


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
    own_rack: bool = False
    score_announced: bool = False

    @model_validator(mode="after")
    def _nothing_else_is_waited_for(self) -> Self:
        others = (self.uncovered, self.blank_erased, self.tile_seen, self.delay, self.own_rack, self.score_announced)
        if not self.seated and any(others):
            raise together(
                expected="every other key false where seated is false: only reracking is required then", found="one that is true"
            )
        return self


class EndTable(Rule):
    """Who may end a game by six zeros in a row, and by a resignation."""

    six_zeros: EndBy = "players"
    resignation: EndBy = "director"


class SixZerosTable(Rule):
    """Whether six zeros in a row end a game that stands at 0-0 as well."""

    at_zero_score: bool


class MinuteTable(Rule):
    """Time that a player gets under the rules."""

    seconds: Seconds
    by: PlayersOrDirector


class SecondOpinionTable(Rule):
    """Whether the station looks the same words up again on request."""

    here: bool


class FirstWordTable(Rule):
    """Whether a first word that misses the centre square comes off when it is challenged, whatever the words."""

    off_centre_comes_off: bool


class WindowTable(Rule):
    """A time frame. ``by`` and ``starts_clock`` have defaults by its name."""

    seconds: Seconds
    by: PlayersOrDirector | None = None
    starts_clock: bool | None = None
    counts_from: Literal["hold", "press"] | None = None


def started_by(name: str, window: WindowTable) -> PlayersOrDirector:
    """Return whose menu offers a window."""
    return window.by or ("director" if name == "recount_warning" else "players")


def starts_clock(name: str, window: WindowTable) -> bool:
    """Return whether the clock of the player who decides may be started when the window is over."""
    return name in ("overdraw_decision", "tiles_returned") if window.starts_clock is None else window.starts_clock


class RulebookSource(StrictTable):
    """A whole rulebook file, including inherited tables."""

    id: Id
    title: Line
    summary: Line
    extends: Id | None = None
    start: StartTable | None = None
    regulation: Regulation
    turn: TurnTable | None = None
    overtime: Overtime
    grace: Grace | None = None
    limit: Limit
    forfeit: Forfeit
    late: Late | None = None
    hold: HoldTable | None = None
    out_play: OutPlayTable
    recount: Recount | None = None
    infractions: Infractions | None = None
    minutes: dict[Annotated[str, one_of(MINUTE_NAMES)], MinuteTable] = Field(default_factory=dict)
    end: EndTable | None = None
    six_zeros: SixZerosTable | None = None
    challenge: ChallengeTable
    withdrawal: Withdrawal
    concession: Concession | None = None
    review: Review | None = None
    restart: Restart | None = None
    second_opinion: SecondOpinionTable | None = None
    first_word: FirstWordTable | None = None
    windows: dict[Annotated[str, one_of(WINDOW_NAMES)], WindowTable]

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
    def _keys_stand_in_the_windows_they_are_for(self) -> Self:
        wrong = [name for name, window in self.windows.items() if window.counts_from and name != "courtesy_draw"]
        if wrong:
            raise together(
                expected=Phrase("counts_from only in {windows}", windows="courtesy_draw"),
                found=Phrase("it in windows.{name}", name=wrong[0]),
                remedy="Remove it",
            )
        wrong = [name for name, window in self.windows.items() if window.starts_clock and name not in DECISIONS]
        if wrong:
            raise together(
                expected=Phrase("starts_clock = true only in {windows}", windows=", ".join(DECISIONS)),
                found=Phrase("it in windows.{name}", name=wrong[0]),
                remedy="Remove it",
            )
        return self
