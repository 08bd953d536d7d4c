"""The tables of a rulebook file, one a rule. Each refuses keys that contradict each other."""

from __future__ import annotations

from itertools import pairwise
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from appliance.validation import together
from rules.rulebooks.keys import (
    BELOW_ZERO,
    NO_LIMIT,
    Allowance,
    Cap,
    Points,
    Rule,
    Seconds,
    SecondsATurn,
    SecondsFrom5,
    StrictTable,
    keys_given,
    matching,
)
from rules.rulebooks.model import EndBy, LimitCharge, PlayersOrDirector, PointsAre, ReviewBy


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

    @model_validator(mode="after")
    def _nothing_else_is_waited_for(self) -> Self:
        if not self.seated and (self.uncovered or self.blank_erased or self.tile_seen or self.delay):
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
