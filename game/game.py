"""The game on the clock: one frozen value, and what follows from it at any instant.

A ``Game`` stores what each side has used and since when the running side runs; remaining time is derived on read. Nothing here changes a
game: ``apply`` does so for events, ``timed_transitions`` for changes that need no event.
"""

from __future__ import annotations

from collections.abc import Collection
from enum import Enum
from typing import Any, Final, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from faults.errors import Phrase, TileclockError, as_phrase
from rules.duration import NS
from rules.rulebooks.model import Rulebook
from rules.side import BySide, Side, plain_members

T = TypeVar("T")


@plain_members
class Phase(Enum):
    """The state of the game."""

    READY = "ready"
    LATE = "late"
    RUNNING = "running"
    HOLD = "hold"
    NEUTRAL = "neutral"
    OUT_PLAY = "out_play"
    ADJUDICATION = "adjudication"
    OVER = "over"


@plain_members
class Ending(Enum):
    """An end without an event, which also fixes the penalty."""

    LIMIT = "overtime limit"
    FORFEIT = "forfeit"
    DOUBLE_FORFEIT = "double forfeit"


EXCLUDES_RECOUNT: Final = frozenset(ending.value for ending in Ending)
"""The reasons of an end after which there is no recount, also where an event gives them (2014 V.G, 2017 V.G.3)."""
COURTESY_DRAW: Final = "courtesy_draw"
RECOUNT: Final = "recount"
NEITHER: Final = BySide(left=False, right=False)
NOTHING: BySide[int] = BySide(0, 0)
OUT_PLAY_REASON = "out play"
SIX_ZEROS: Final = "six zeros"
ZEROS: Final = "zeros in a row"
"""The same where a rulebook names another number."""
NEXT_GAME_AFTER_NS: Final = 20 * NS
"""A game that an out play or six zeros have ended is left this long after its end at the earliest: the bar held for a challenge that comes too late begins no next game
(2017 V.E), and disconnected tiles may reopen it (2017 III.G.5.7)."""
WINDOW_LINGERS_NS = 10 * NS
"""How long an expired window stays on the display (ns)."""


class Window(Struct, frozen=True):
    """A running or expired time frame; instants and length in ns."""

    name: str
    starts: int
    length: int
    side: Side | None = None
    """Who decides, in a window that is a decision."""

    @property
    def ends(self) -> int:
        """The instant at which it expires."""
        return self.starts + self.length

    @property
    def hidden_from(self) -> int:
        """The instant from which it is no longer shown."""
        return self.ends + WINDOW_LINGERS_NS


class GameEnd(Struct, frozen=True):
    """The end of a game."""

    at: int
    ending: Ending | None
    """The kind of an end without an event; None: an event ended the game."""
    recount_at: int | None
    """When the recount window started; None: it has not."""
    out_player: Side | None = None
    """Who had made the out play that was pending then; None where a verdict has decided on it, or none was pending."""


class Game(Struct, frozen=True):
    """One game. Instants and durations in ns."""

    rulebook: Rulebook
    allowed: BySide[int]
    """Regulation plus what was given since."""
    own_allowance: BySide[bool] = NEITHER
    """Whether the side has an allowance of its own, which another rulebook does not change."""
    phase: Phase = Phase.READY
    used: BySide[int] = NOTHING
    """Charged time; for the running side, up to ``since``."""
    credit: BySide[int] = NOTHING
    """Added to the allowed time once the game is over."""
    points: BySide[int] = NOTHING
    infractions: BySide[int] = NOTHING
    running: Side | None = None
    since: int = 0
    """From when the running clock is charged: its start, or later where a delay comes first; in ``late``, when time began to count."""
    stopped: int = 0
    """When a clock last stopped, or the game was reopened."""
    turn: Side | None = None
    turn_used: int = 0
    """How long the clock has run for the present turn, charged or not; while it runs, up to ``turn_since``. Counted where the rulebook times turns."""
    turn_since: int | None = None
    """Since when it runs for the turn; None: it stands, or runs for a decision."""
    holder: Side | None = None
    hold_since: int | None = None
    """The instant of the hold that stands; None: there is none."""
    pressed: int | None = None
    """When the present turn began, by a press as a rule. Kept where the courtesy draw counts from it (WESPA 3.10.6)."""
    hold_noted: bool = False
    """A hold was called on an out play whose window starts no clock (NZ 8.2)."""
    out_player: Side | None = None
    """Who made the pending out play: neither accepted nor challenged off."""
    challenger: Side | None = None
    window: Window | None = None
    absent: tuple[Side, ...] = ()
    reason: str | None = None
    deciding: bool = False
    """The clock runs for a decision, which a player on turn may have to make too (2017 IV.B.5.b)."""
    neutralised: bool = False
    """The last stop was a ``neutralise``: it can have a reason."""
    judged: bool | None = None
    """The verdict during the stop that follows it: whether the play was acceptable."""
    loser: Side | None = None
    lost_turn: Side | None = None
    end: GameEnd | None = None
    """None while the game goes on."""
    called: bool = False
    """The players have called the director."""

    def replace(self, **changes: Any) -> Game:
        """Return this game with some fields changed."""
        return replace(self, **changes)

    def used_at(self, side: Side, now: int) -> int:
        """Return the ns that this side has used at ``now``."""
        used = self.used.of(side)
        return used + max(0, now - self.since) if self.running is side else used

    def remaining(self, side: Side, now: int) -> int:
        """Return this side's remaining ns, including credits once the game is over; negative in overtime."""
        remaining = self.allowed.of(side) - self.used_at(side, now)
        return remaining + self.credit.of(side) if self.phase is Phase.OVER else remaining

    def penalty(self, side: Side, now: int) -> int:
        """Return the penalty points for this side's reading (2014 V.G, 2017 V.G.2 and V.G.3)."""
        if self.ending in (Ending.FORFEIT, Ending.DOUBLE_FORFEIT):
            return 0
        remaining = self.remaining(side, now)
        if self.phase is not Phase.OVER:
            # What a side owes will be deducted from its remaining time at the end (2017 III.C).
            remaining += min(0, self.credit.of(side))
        overtime, limit = self.rulebook.overtime.penalty(remaining), self.rulebook.limit
        if self.ending is not Ending.LIMIT or self.loser is not side or limit is None:
            return overtime
        return limit.penalty if limit.charge == "instead" else overtime + limit.penalty

    @property
    def ending(self) -> Ending | None:
        """The kind of an end without an event; None: the game goes on, or an event ended it."""
        return None if self.end is None else self.end.ending

    @property
    def out_play_ends(self) -> int:
        """The instant at which the window of the out play expires, in ``out_play``; no other window starts in that phase."""
        return 0 if self.window is None else self.window.ends

    @property
    def unexplained(self) -> bool:
        """Whether the clock stands without a reason: the player has to state one (2017 II.A)."""
        return self.phase is Phase.NEUTRAL and self.neutralised and self.reason is None

    @property
    def excludes_recount(self) -> bool:
        """Whether the game is over in a way that excludes a recount (2014 V.G, 2017 V.G.3)."""
        return self.phase is Phase.OVER and self.reason is not None and excludes_recount(self.rulebook, self.reason)

    @property
    def draw(self) -> Window | None:
        """The courtesy draw of the hold that stands, expired or not; None: no hold, no courtesy draw in the rulebook, or no tile to draw (2017 IV.I.2).

        Where it counts from the press (WESPA 3.10.6), it may be over when the hold is called. While an out play is pending the bag is empty.
        """
        if self.hold_since is None or self.out_player is not None:
            return None
        length = self.rulebook.windows.get(COURTESY_DRAW)
        if length is None:
            return None
        return Window(COURTESY_DRAW, self.hold_since if self.pressed is None else self.pressed, length)

    def window_at(self, now: int) -> Window | None:
        """Return the window shown at ``now``, expired or not: the one that was started, else the courtesy draw; None where there is neither."""
        if self.window is not None and now < self.window.hidden_from:
            return self.window
        draw = self.draw
        return draw if draw is not None and now < draw.hidden_from else None

    def turn_left(self, now: int) -> int | None:
        """Return the ns that are left for the present turn, 0 once they are over; None: no turn, or no limit of its time."""
        limit = self.rulebook.turn
        if limit is None or self.turn is None:
            return None
        used = self.turn_used if self.turn_since is None else self.turn_used + now - self.turn_since
        return max(0, limit.ns - used)

    def may_be_left(self, now: int) -> bool:
        """Return whether the players may begin the next game at ``now``."""
        return self.end is not None and not self.wait_to_leave(now)

    def wait_to_leave(self, now: int) -> int:
        """Return the ns after ``now`` until which the players have to leave an ended game as it is."""
        if self.end is None or self.reason not in (OUT_PLAY_REASON, SIX_ZEROS, ZEROS):
            return 0
        return max(0, self.end.at + NEXT_GAME_AFTER_NS - now)

    def elapsed(self, now: int) -> int | None:
        """Return the ns since the end, or since time counts against both absent players; else None."""
        if self.end is not None:
            return now - self.end.at
        return now - self.since if self.phase is Phase.LATE and self.running is None else None


def excludes_recount(rulebook: Rulebook, reason: str) -> bool:
    """Return whether there is no recount after an end for ``reason`` (2014 V.G, 2017 V.G.3)."""
    recount_after_limit = rulebook.limit is not None and rulebook.limit.recount
    return reason in EXCLUDES_RECOUNT and not (reason == Ending.LIMIT.value and recount_after_limit)


class EventNotAllowed(TileclockError):
    """The game does not allow the event; nothing changes. ``str`` returns the bare reason, a clause, because menu and script embed it in their own sentences."""

    def __init__(self, why: str) -> None:
        super().__init__(expected="an event that the game allows", found=why)
        self.why = as_phrase(why)

    def __str__(self) -> str:
        return str(self.why)


def zeros_reason(rulebook: Rulebook) -> str:
    """Return the reason for which zeros in a row end a game under ``rulebook``."""
    return SIX_ZEROS if rulebook.zeros_in_a_row == 6 else ZEROS


def require_phase(game: Game, phases: Collection[Phase]) -> None:
    """Raise ``EventNotAllowed`` unless the game is in one of ``phases``."""
    if game.phase not in phases:
        raise EventNotAllowed(Phrase("not in {phase}", phase=as_phrase(game.phase.value)))
