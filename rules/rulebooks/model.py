"""A rulebook: all differences between codes of rules, as one frozen value.

The core uses its values and never tests its name. The values come from the TOML files beside this module, which give the clause of each; ``load`` checks them.
Durations are in nanoseconds here, in seconds in the files. The cost of overtime comes from the reading and never from hidden fractions (2017 V.G.2).
"""

from collections.abc import Mapping
from typing import Annotated, Final, Literal, TypeAlias, get_args

from msgspec import Meta, Struct

from faults.validation import Table
from rules.duration import NS, seconds_shown

Points = Annotated[int, Meta(ge=0, le=1000)]
Seconds = Annotated[int, Meta(ge=1, le=86_400)]


class OvertimeBand(Table, frozen=True):
    """The cost of overtime from one second on, up to the next band."""

    from_seconds: Annotated[int, Meta(ge=0, le=86_400)]
    points: Points
    period_seconds: Seconds


class OvertimeRule(Struct, frozen=True):
    bands: tuple[OvertimeBand, ...]
    """In rising order, the first from 0."""
    counts_completed: bool
    """A period counts when it is over, not when it begins."""
    cap: int | None
    """The most points that overtime costs; None: no cap."""
    zero_reading_free: bool
    """-0:00 is not overtime (2017 V.G.2). Otherwise overtime begins one nanosecond below zero."""

    def penalty(self, remaining_ns: int) -> int:
        if remaining_ns >= 0 or not (overtime_s := self._overtime_s(remaining_ns)):
            return 0
        ends = (*(band.from_seconds for band in self.bands[1:]), overtime_s)
        points = sum(
            band.points * self._periods(min(end, overtime_s) - band.from_seconds, band.period_seconds)
            for band, end in zip(self.bands, ends, strict=True)
        )
        return points if self.cap is None else min(points, self.cap)

    def _overtime_s(self, remaining_ns: int) -> int:
        """Return the seconds of overtime that count, of a time below zero: those past -0:00, or those begun below zero where -0:00 is not free."""
        passed = max(0, -seconds_shown(remaining_ns))
        begun_at_zero = not (self.zero_reading_free or self.counts_completed)
        return passed + 1 if begun_at_zero else passed

    def _periods(self, seconds: int, period_s: int) -> int:
        inside = max(0, seconds)
        return inside // period_s if self.counts_completed else -(-inside // period_s)


PlayersOrDirector: TypeAlias = Literal["players", "director"]

BothAbsent: TypeAlias = Literal["owed", "left", "halved"]
"""Who loses the time that passes until the first of two absent players comes. That player does: ``owed``, at the end (2017 III.C); ``left``, from the time to play with
(NZ 4.2); the other is charged all of it too. ``halved``: each loses half of it, nothing is owed."""

EndBy: TypeAlias = Literal["players", "director", "never"]
"""Who may end a game for a reason; ``never``: it is no reason to end one."""

LimitCharge: TypeAlias = Literal["instead", "beside", "none"]
"""Whether the limit's penalty takes the place of the overtime penalty, is added to it, or there is none."""

AtLimit: TypeAlias = Literal["lost", "over", "opponent_plays_on"]
"""What happens when a player reaches the limit: the game is lost; it is over, and neither player has lost it by that; or the player makes no more moves, and the
opponent plays on alone until the own limit."""

PointsAre: TypeAlias = Literal["given", "taken"]
"""Whether the points of a lost challenge are paid to the challenged player or taken from the challenger."""

ReviewBy: TypeAlias = Literal["judges", "director", "appeal"]
"""Who reviews a word judge's ruling: another judge, and a third or the director if the two differ; or, once only, a referee."""

FirstClock: TypeAlias = Literal["tile_seen", "tile_taken", "tile_racked"]
"""What the starting player has done when that player's clock may start: seen a tile, taken one from the bag, put one on the rack."""


class OvertimeLimit(Struct, frozen=True):
    """The reading at which a player loses the game (2012 V.F.3, 2014 V.G, 2017 V.G.3), or plays no more."""

    reading_s: int
    """The displayed seconds: -600 (reaches 10 minutes of overtime), -601 (exceeds them), or 0 where there is no overtime."""
    penalty: int
    charge: LimitCharge
    recount: bool
    wins_by: int
    """The opponent wins by at least so many points; 0: the file does not say. One point is added to the opponent's score (2017 V.G.3), more are taken from the loser's
    (WESPA 5.3.3)."""
    does: AtLimit = "lost"


TURN_ENDS_NS: Final = 10 * NS
"""The last part of a limited turn, which the face counts down."""


class TurnLimit(Struct, frozen=True):
    """The time for one turn, without stops and decisions."""

    ns: int
    warnings_ns: tuple[int, ...]
    """The remaining times at which the clock warns, falling."""

    @property
    def shown_ns(self) -> int:
        """The remaining time from which on the face shows it: at the first warning, and for its end at the latest."""
        return max((*self.warnings_ns[:1], TURN_ENDS_NS))


class HoldMaximum(Struct, frozen=True):
    ns: int
    """Counted from the ``hold``."""
    releases: bool
    """The hold is released at that instant. Otherwise the face only says so."""


class Minute(Struct, frozen=True):
    ns: int
    by: PlayersOrDirector
    """``players``: no director needed where both players agree."""


class RestartRule(Struct, frozen=True):
    seated: bool
    """Both players sit, the tiles are back and an unacceptable play is off the board (2017 IV.J.1.o, NZ 6.13.6). False: only the player whose clock starts must have
    reracked (2017 VI.B.1)."""
    uncovered: bool
    """Uncovered tiles are as good as tiles on the rack (NZ 6.13.6)."""
    blank_erased: bool
    tile_seen: bool
    """After an acceptable play its player has seen one new tile, if any is left."""
    delay: bool
    """If a player delays this, the clock may start at once."""
    own_rack: bool = False
    """Only the player whose clock starts must have reracked, or have begun to write (WESPA 3.11)."""
    score_announced: bool = False
    """The score of an acceptable play is announced again (WESPA 3.11)."""


class ChallengeRule(Struct, frozen=True):
    acceptable_loses_turn: bool
    points_a_word: int
    """Points to the challenged player for each challenged word of an acceptable play; 0: none."""
    may_withdraw: bool
    """A challenge may be withdrawn before it is adjudicated (NZ 6.12.2.1: not)."""
    may_concede: bool
    """Either player may concede a challenge without a look-up (2017 IV.I.3.5); False if the source does not mention it."""
    review: ReviewBy | None
    """Who reviews a word judge's ruling (2014 IV.K, 2017 IV.K.4; NZ 6.15.3); None: the rulebook has no review."""
    restart: RestartRule | None = None
    """When a clock may run again; None: the rulebook does not say."""
    points_a_challenge: int = 0
    """Points for a challenge of an acceptable play, however many words; then ``points_a_word`` is 0."""
    points_are: PointsAre = "given"


ForfeitScore: TypeAlias = Literal["none", "average"]
"""The score of who wins by a forfeit: none, or that player's average in the tournament (NZ 10.2)."""


class ResultRule(Struct, frozen=True):
    forfeit_spread: int
    """Points of spread for who wins by a forfeit, and off for who loses (2017 V.K.1, NZ 10.2, 10.3)."""
    forfeit_score: ForfeitScore
    leaving_margin: int | None
    """The points that leaving a game in progress costs or gives (2017 V.K.2); None: it is a forfeit (NZ 10.1.2)."""
    bonus_words: bool
    """The result has each player's number of bonus words (NZ 9.2, 10.2)."""


class Rulebook(Struct, frozen=True):
    id: str
    title: str
    regulation_ns: int
    increment_ns: int
    """Added to a side's allowed time when its press ends its turn."""
    delay_ns: int
    """The first part of each turn, which neither side is charged for."""
    turn: TurnLimit | None
    """None: no limit a turn."""
    turns: int | None
    """The most turns of each player; None: as many as the tiles allow."""
    overtime: OvertimeRule
    limit: OvertimeLimit | None
    forfeit_remaining_s: int
    """Remaining seconds (not rounded) at which an absent player forfeits: 600 when the display turns to 10:00, 0 when all time is used (NZ 4.2), -1 when it turns to
    -0:01. Below the regulation."""
    forfeit_late_ns: int | None
    """The time from ``late_start`` to the forfeit, in place of ``forfeit_remaining_s``; None: that one counts."""
    late_started_by: PlayersOrDirector
    """Who may start an absent player's clock (2017 III.C: the director; NZ 4.2: the players, at the call to start)."""
    both_absent: BothAbsent
    late_forfeits_below_ns: int | None
    """A late player who is left with less may choose to forfeit (WESPA 2.3.4); None: no such choice."""
    hold_maximum: HoldMaximum | None
    """None: a hold lasts until its holder ends it."""
    draw_from_press: bool
    """The courtesy draw counts from the press that ended the turn (WESPA 3.10.6), not from the hold (2017 IV.I.2)."""
    out_play_ends_game: bool
    """The end of the out play window ends the game (2017 V.E). Otherwise the out player may then start the opponent's clock (NZ 8.2.1)."""
    recount_starts_itself: bool
    """The recount window starts at the game's end (2014 V.I), not when the players agree on the score (2017 V.I)."""
    infractions_a_minute: int | None
    """After so many minor infractions the director decides on a minute (2017 II.F; 2012 III.F.4, IV.H.1: corrections); None: no such rule."""
    minutes: Mapping[str, Minute]
    """The minutes of ``MINUTE_NAMES`` that the rules give (2017 III.G.6, IV.E.1)."""
    six_zeros_by: EndBy
    zeros_in_a_row: int
    """The scores of zero in succession that end a game."""
    six_zeros_at_zero_score: bool
    """Six zeros end a game at 0-0 as well. The clock does not know the score, so the players confirm it (general rules, on the end)."""
    resignation_by: EndBy
    challenge: ChallengeRule
    second_opinion_here: bool
    """The station looks the same words up again on request (2017 IV.J.1.n)."""
    first_word_off_centre: bool
    """A first word that misses the centre square comes off when it is challenged, whatever the words (2017 III.G.1)."""
    result: ResultRule
    windows: Mapping[str, int]
    """The rulebook's time frames by name, in ns."""
    directors_windows: frozenset[str]
    """Those that only the director's menu offers."""
    clock_windows: frozenset[str]
    """Decisions at whose end the other player's button starts the clock of the player who decides (2017 IV.B.2, IV.B.5.b)."""
    text: str | None = None
    """The text of a user's rulebook file; None for shipped ones. The journal stores it, since the file may change during the game."""


WindowName: TypeAlias = Literal[
    "courtesy_draw",
    "out_play",
    "missed_press",
    "return_to_table",
    "overdraw_decision",
    "tiles_returned",
    "tile_decision",
    "mixing",
    "recount",
    "recount_warning",
    "late_start",
    "between_rounds",
    "disconnected",
]
WINDOW_NAMES: Final[tuple[WindowName, ...]] = get_args(WindowName)
"""The names of all time frames (2017 index, "Time frame")."""

TILE_DECISION: Final = "tile_decision"
DECISIONS: Final = ("overdraw_decision", "tiles_returned", TILE_DECISION)

MinuteName: TypeAlias = Literal["clock_hit_in_error", "wrong_board"]
MINUTE_NAMES: Final[tuple[MinuteName, ...]] = get_args(MinuteName)
"""The names of the minutes that need no director where both players agree (2017 IV.E.1, III.G.6)."""
