"""The schema of rulebook files: the kinds of values, and one TOML table per rule, with the clauses of its values. Each table refuses keys that contradict each other.

A file becomes a ``RulebookSource`` (here, with clauses), then a ``Rulebook`` (values only, for the core). Only ``explain`` needs the clauses.
"""

import re
from itertools import pairwise, product
from typing import Annotated, Final, Literal

from msgspec import Meta, field

from faults.errors import Phrase
from faults.validation import Id, Line, Misfit, Misfits, Table, check, misfit_if, not_one_line, shown
from rules.rulebooks.model import (
    DECISIONS,
    AtLimit,
    BothAbsent,
    EndBy,
    FirstClock,
    ForfeitScore,
    LimitCharge,
    MinuteName,
    OvertimeBand,
    PlayersOrDirector,
    Points,
    PointsAre,
    ReviewBy,
    Seconds,
    WindowName,
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


Cap = Annotated[int, Meta(ge=0, le=10_000)] | Literal["none"]
SecondsATurn = Annotated[int, Meta(ge=0, le=600)]
SecondsFrom5 = Annotated[int, Meta(ge=5, le=3600)]
Allowance = Annotated[str, Meta(pattern=r"\A(?!0{1,3}:00)[0-9]{1,3}:[0-5][0-9]\Z")]
UP_TO_ZERO = "[0-9]{1,3}:[0-5][0-9]"
BELOW_ZERO = r"-(?!0{1,3}:00)[0-9]{1,3}:[0-5][0-9]"  # without -0:00, which lasts a whole second and names no instant


def _given(table: Table, *keys: str) -> str:
    return ", ".join(key for key in keys if getattr(table, key) is not None) or "neither"


class Rule(Table, frozen=True, kw_only=True):
    """A rule of one or more values, which subclasses have; ``load`` checks that each value written has a clause."""

    clause: Line | dict[str, Line]
    """The source of all values, or that of each."""
    assumed: Id | dict[str, Id] | None = None
    """The rulebook to follow where the source is silent, for all values or for some; their ``clause`` then refers to that one."""

    @check
    def _has_clauses_in_lines(self) -> Misfits:
        return not_one_line(self, "clause")


class Regulation(Rule, frozen=True):
    time: Allowance
    increment_seconds: SecondsATurn = 0
    delay_seconds: SecondsATurn = 0

    @check
    def _has_one_bonus(self) -> Misfits:
        return misfit_if(
            self.increment_seconds and self.delay_seconds,
            expected="increment_seconds or delay_seconds",
            found="both",
            remedy="Remove one of them",
        )


class StartTable(Rule, frozen=True):
    first_clock: FirstClock
    tile_draw: bool


class TurnsTable(Rule, frozen=True):
    most: Annotated[int, Meta(ge=1, le=100)]


class TurnTable(Rule, frozen=True):
    seconds: SecondsFrom5
    warnings: list[Seconds] = field(default_factory=list)

    @check
    def _has_falling_warnings(self) -> Misfits:
        rising = any(later >= earlier for earlier, later in pairwise((self.seconds, *self.warnings)))
        return misfit_if(rising, expected="warnings below seconds, each below the one before", key="warnings")


class Overtime(Rule, frozen=True):
    points: Points | None = None
    period_seconds: Seconds | None = None
    count: Literal["begun", "completed"] = "begun"
    bands: list[OvertimeBand] = field(default_factory=list)
    cap: Cap = NO_LIMIT

    @check
    def _has_one_form(self) -> Misfits:
        return misfit_if(
            (self.points is not None, self.period_seconds is not None) != (not self.bands, not self.bands),
            expected="points and period_seconds, or bands alone",
            found=_given(self, "points", "period_seconds", *(["bands"] if self.bands else [])),
            remedy="Write one of the two",
        )

    @check
    def _has_rising_bands(self) -> Misfits:
        starts = [band.from_seconds for band in self.bands]
        return misfit_if(
            starts and (starts[0] != 0 or any(later <= earlier for earlier, later in pairwise(starts))),
            expected="bands with from_seconds rising from 0",
            found=str(starts),
            key="bands",
        )


class Grace(Rule, frozen=True):
    zero_reading_free: bool


class Limit(Rule, frozen=True):
    reading: Annotated[str, Meta(pattern=rf"\A({NO_LIMIT}|0:00|{BELOW_ZERO})\Z")]
    does: AtLimit = "lost"
    penalty: Points | None = None
    charge: LimitCharge = "instead"
    recount: bool = False
    wins_by_one: bool = True
    margin: Annotated[int, Meta(ge=1, le=1000)] | None = None

    @check
    def _has_one_margin(self) -> Misfits:
        return misfit_if(
            self.margin is not None and self.wins_by_one,
            expected="margin beside wins_by_one = false",
            found="wins_by_one = true",
            remedy="Write wins_by_one = false",
        )

    @check
    def _has_a_loser_to_charge(self) -> Misfits:
        return misfit_if(
            self.does != "lost" and (self.charge != "none" or self.wins_by_one),
            expected='charge = "none" and wins_by_one = false where the limit loses no game',
            found="others",
            remedy='Write charge = "none" and wins_by_one = false',
        )

    @check
    def _has_its_penalty(self) -> Misfits:
        return misfit_if(
            (self.charge == "none" or self.reading == NO_LIMIT) is not (self.penalty is None),
            expected='penalty beside every reading but "none" and every charge but "none", and not beside those',
            found="nothing" if self.penalty is None else str(self.penalty),
            remedy="Add it" if self.penalty is None else "Remove it",
            key="penalty",
        )


class Forfeit(Rule, frozen=True):
    reading: Annotated[str, Meta(pattern=rf"\A({UP_TO_ZERO}|{BELOW_ZERO})\Z")] | None = None
    minutes_late: Annotated[int, Meta(ge=1, le=120)] | None = None

    @check
    def _has_one_instant(self) -> Misfits:
        return misfit_if(
            (self.reading is None) is (self.minutes_late is None),
            expected="either reading or minutes_late",
            found=_given(self, "reading", "minutes_late"),
            remedy="Write exactly one",
        )


class Late(Rule, frozen=True):
    starts: PlayersOrDirector = "director"
    both_absent: BothAbsent = "owed"
    may_forfeit_below: Allowance | None = None


DEFAULT_LATE: Final = Late(clause="the file does not say")


class HoldTable(Rule, frozen=True):
    maximum_seconds: SecondsFrom5
    at_maximum: Literal["say", "release"] = "say"


class OutPlayTable(Rule, frozen=True):
    ends_game: bool


class Recount(Rule, frozen=True):
    starts_itself: bool


class Infractions(Rule, frozen=True):
    a_minute: Annotated[int, Meta(ge=1, le=100)]


class ChallengeTable(Rule, frozen=True):
    acceptable_loses_turn: bool
    points_a_word: Points
    points_a_challenge: Points = 0
    points_are: PointsAre = "given"

    @check
    def _has_one_price(self) -> Misfits:
        return misfit_if(
            self.points_a_word and self.points_a_challenge,
            expected="points_a_word or points_a_challenge above 0",
            found="both",
            remedy="Set one of them to 0",
        )


class Withdrawal(Rule, frozen=True):
    allowed: bool


class Concession(Rule, frozen=True):
    allowed: bool


class Review(Rule, frozen=True):
    by: ReviewBy


class Restart(Rule, frozen=True):
    seated: bool
    uncovered: bool
    blank_erased: bool
    tile_seen: bool
    delay: bool
    own_rack: bool = False
    score_announced: bool = False

    @check
    def _has_only_reracking(self) -> Misfits:
        others = ("uncovered", "blank_erased", "tile_seen", "delay", "own_rack", "score_announced")
        return misfit_if(
            not self.seated and any(getattr(self, key) for key in others),
            expected="every other key false where seated is false: only reracking is required then",
            found="one that is true",
            key="seated",
        )


class EndTable(Rule, frozen=True):
    six_zeros: EndBy = "players"
    resignation: EndBy = "director"


DEFAULT_END: Final = EndTable(clause="the file does not say")


class SixZerosTable(Rule, frozen=True):
    at_zero_score: bool = True
    turns: Annotated[int, Meta(ge=2, le=12)] = 6


class MinuteTable(Rule, frozen=True):
    seconds: Seconds
    by: PlayersOrDirector


class SecondOpinionTable(Rule, frozen=True):
    here: bool


class FirstWordTable(Rule, frozen=True):
    off_centre_comes_off: bool


class ResultTable(Rule, frozen=True):
    forfeit_spread: Points = 50
    forfeit_score: ForfeitScore = "none"
    leaving_margin: Points | Literal["forfeit"] = 50
    bonus_words: bool = False


DEFAULT_RESULT: Final = ResultTable(clause="the file does not say")


class WindowTable(Rule, frozen=True):
    """A time frame. ``by`` and ``starts_clock`` have defaults by its name."""

    seconds: Seconds
    by: PlayersOrDirector | None = None
    starts_clock: bool | None = None
    counts_from: Literal["hold", "press"] | None = None


def started_by(name: str, window: WindowTable) -> PlayersOrDirector:
    return window.by or ("director" if name == "recount_warning" else "players")


def starts_clock(name: str, window: WindowTable) -> bool:
    """Return whether the clock of the player who decides may be started when the window is over."""
    return name in ("overdraw_decision", "tiles_returned") if window.starts_clock is None else window.starts_clock


class RulebookSource(Table, frozen=True, kw_only=True):
    id: Id
    title: Line
    summary: Line
    extends: Id | None = None
    start: StartTable | None = None
    regulation: Regulation
    turn: TurnTable | None = None
    turns: TurnsTable | None = None
    overtime: Overtime
    grace: Grace | None = None
    limit: Limit
    forfeit: Forfeit
    late: Late | None = None
    hold: HoldTable | None = None
    out_play: OutPlayTable
    recount: Recount | None = None
    infractions: Infractions | None = None
    minutes: dict[MinuteName, MinuteTable] = field(default_factory=dict)
    end: EndTable | None = None
    six_zeros: SixZerosTable | None = None
    challenge: ChallengeTable
    withdrawal: Withdrawal
    concession: Concession | None = None
    review: Review | None = None
    restart: Restart | None = None
    second_opinion: SecondOpinionTable | None = None
    first_word: FirstWordTable | None = None
    result: ResultTable | None = None
    windows: dict[WindowName, WindowTable]

    @check
    def _has_lines(self) -> Misfits:
        for key in ("title", "summary"):
            yield from not_one_line(self, key)

    @check
    def _has_an_out_play(self) -> Misfits:
        return misfit_if(
            "out_play" not in self.windows,
            expected="the table windows.out_play: every rulebook has that window",
            found="none",
            remedy="Add it",
            key="windows",
        )

    @check
    def _has_time_before_the_forfeit(self) -> Misfits:
        reading, time = self.forfeit.reading, self.regulation.time
        return misfit_if(
            reading and reading_seconds(reading) >= reading_seconds(time),
            expected=Phrase("a reading below {time}, the time of regulation", time=time),
            found=shown(reading),
            key="forfeit.reading",
        )

    @check
    def _has_both_of_a_recount(self) -> Misfits:
        return misfit_if(
            ("recount" in self.windows) is not (self.recount is not None),
            expected="the tables recount and windows.recount together, or neither",
            found="one of them",
            remedy="Add the other",
            key="windows.recount" if self.recount is None else "recount",
        )

    @check
    def _has_keys_in_their_windows(self) -> Misfits:
        for (key, windows, expected), (name, window) in product(_KEYS_OF_WINDOWS, self.windows.items()):
            if name not in windows and getattr(window, key):
                yield Misfit(
                    expected=Phrase(expected, windows=", ".join(windows)),
                    found=Phrase("it in windows.{name}", name=name),
                    remedy="Remove it",
                    key=f"windows.{name}.{key}",
                )


_KEYS_OF_WINDOWS: Final = (
    ("counts_from", ("courtesy_draw",), "counts_from only in {windows}"),
    ("starts_clock", DECISIONS, "starts_clock = true only in {windows}"),
)
