"""The game on the clock: one frozen value, what follows from it at any instant, and what happens to it without an event.

A ``Game`` stores what each side has used and, in its state, since when the running side runs; remaining time is derived on read. ``carry_out`` changes a
game for an event. The end of an out play window, the overtime limit, a forfeit and the end of the longest hold have instants of their own, independent of when the
program looks: ``advance`` brings a game to an instant, ``next_due`` returns when to wake.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from enum import Enum, StrEnum
from typing import Any, ClassVar, Final, Literal, TypeAlias, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from faults.errors import Phrase, TileclockError, as_phrase
from game.events import Result
from rules.duration import NS
from rules.rulebooks.model import OvertimeLimit, Rulebook
from rules.side import BySide, Side, plain_members


@plain_members
class Phase(Enum):
    READY = "ready"
    LATE = "late"
    RUNNING = "running"
    HOLD = "hold"
    NEUTRAL = "neutral"
    OUT_PLAY = "out_play"
    ADJUDICATION = "adjudication"
    OVER = "over"


class Ending(StrEnum):
    """An end without an event, which also fixes the penalty."""

    LIMIT = "overtime limit"
    FORFEIT = "forfeit"
    DOUBLE_FORFEIT = "double forfeit"
    TIME = "time over"
    """Time is over where that loses no game: one player's, or both players'."""


EXCLUDES_RECOUNT: Final = frozenset(Ending)
"""The reasons of an end after which there is no recount, also where an event gives them (2014 V.G, 2017 V.G.3); after the limit the rulebook may say otherwise."""
COURTESY_DRAW: Final = "courtesy_draw"
OUT_PLAY_WINDOW: Final = "out_play"
RECOUNT: Final = "recount"
NOTHING: BySide[int] = BySide(0, 0)
OUT_PLAY_REASON = "out play"
TURNS_PLAYED: Final = "turns played"
SIX_ZEROS: Final = "six zeros"
ZEROS: Final = "zeros in a row"
"""The same where a rulebook names another number."""
TIMES_CORRECTED: Final = "corrected times"
"""The reason of a stop: times that an undo has corrected would end the game, so the clock stands and people decide."""
_MAY_BE_CHALLENGED: Final = (OUT_PLAY_REASON, TURNS_PLAYED, SIX_ZEROS, ZEROS)
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
        return self.starts + self.length

    @property
    def hidden_from(self) -> int:
        return self.ends + WINDOW_LINGERS_NS


class Account(Struct, frozen=True):
    """What a side has besides its used time. Durations in ns."""

    allowed: int
    """Regulation plus what was given since."""
    own: int | None = None
    """The allowance of its own with which it began, in place of regulation, and which another rulebook does not change (2017 III.A.3)."""
    credit: int = 0
    """Added to the allowed time once the game is over; below zero: what the side owes."""
    points: int = 0
    infractions: int = 0
    turns: int = 0
    """Turns that a press has ended, or that a challenge has cost, where the rulebook limits them."""


class Standing(Struct, frozen=True):
    """A state in which no clock runs."""

    side: ClassVar[Side | None] = None
    since: ClassVar[int] = 0


class Ready(Standing, frozen=True):
    """No clock has run yet, or none counts."""

    phase: ClassVar[Phase] = Phase.READY


class Late(Struct, frozen=True):
    """One player or both are absent (2017 III.C)."""

    phase: ClassVar[Phase] = Phase.LATE
    absent: tuple[Side, ...]
    began: int
    """The instant from which lateness counts."""
    side: Side | None
    """Whose clock runs; None: with both absent, none does."""
    since: int


class Running(Struct, frozen=True):
    phase: ClassVar[Phase] = Phase.RUNNING
    side: Side
    since: int
    """From when it is charged: its start, or later where a delay comes first."""
    deciding: bool = False
    """It runs for a decision, which a player on turn may have to make too (2017 IV.B.5.b)."""


class Held(Running, frozen=True):
    """The clock of the holder runs, or after an out play the opponent's."""

    phase: ClassVar[Phase] = Phase.HOLD


Ruling: TypeAlias = Literal["acceptable", "unacceptable", "withdrawn", "not_out", "reopened"]


class Stopped(Standing, frozen=True):
    """All clocks stand, and a press starts one."""

    phase: ClassVar[Phase] = Phase.NEUTRAL
    at: int
    explicit: bool = False
    """A ``neutralise`` stopped it: the stop can have a reason."""
    reason: str | None = None
    ruling: Ruling | None = None
    """What made this stop, if that is news to the players."""
    lost_turn: Side | None = None


class OutPlaying(Standing, frozen=True):
    """The out play's window counts, or under NZ 8.2.1 is over and the game goes on."""

    phase: ClassVar[Phase] = Phase.OUT_PLAY


class Adjudication(Standing, frozen=True):
    phase: ClassVar[Phase] = Phase.ADJUDICATION
    challenger: Side


class Over(Standing, frozen=True):
    phase: ClassVar[Phase] = Phase.OVER
    at: int
    reason: str
    ending: Ending | None = None
    """The kind of an end without an event; None: an event ended the game."""
    recount_at: int | None = None
    """When the recount window started; None: it has not."""
    out_player: Side | None = None
    """Who had made the out play that was pending then; None where a verdict has decided on it, or none was pending."""
    loser: Side | None = None
    result: Result | None = None
    """What both players have signed (2017 V.J); None: nothing yet."""
    disputed: bool = False


State = Ready | Late | Running | Stopped | OutPlaying | Adjudication | Over


class Turn(Struct, frozen=True):
    """A turn and how long the clock has run for it, charged or not, without stops and decisions (ns)."""

    side: Side
    used: int = 0
    """While it runs, up to ``since``."""
    since: int | None = None
    """Since when it runs; None: it stands."""

    def used_at(self, now: int) -> int:
        return self.used if self.since is None else self.used + now - self.since


class Hold(Struct, frozen=True):
    """A hold that stands; on an out play whose window starts no clock, one that was said (NZ 8.2)."""

    side: Side
    since: int
    turn_used: int = 0
    """How long the clock had run for the turn when it was called: the courtesy draw may count from there (WESPA 3.10.6)."""


class Game(Struct, frozen=True):
    """Instants and durations in ns."""

    rulebook: Rulebook
    accounts: BySide[Account]
    used: BySide[int] = NOTHING
    """Charged time; for the running side, up to the state's ``since``."""
    state: State = Ready()
    on_turn: Turn | None = None
    hold: Hold | None = None
    out_player: Side | None = None
    """Who made the pending out play: neither accepted nor challenged off."""
    window: Window | None = None
    called: bool = False

    def replace(self, **changes: Any) -> Game:
        return replace(self, **changes)

    def add(self, side: Side, **amounts: int) -> Game:
        """Return this game with ``amounts`` added to that side's account; below 0: taken."""
        account = self.accounts.of(side)
        changed = {name: getattr(account, name) + amount for name, amount in amounts.items()}
        return replace(self, accounts=self.accounts.replace(side, replace(account, **changed)))

    @property
    def phase(self) -> Phase:
        return self.state.phase

    @property
    def running(self) -> Side | None:
        return self.state.side

    @property
    def turn(self) -> Side | None:
        return None if self.on_turn is None else self.on_turn.side

    @property
    def holder(self) -> Side | None:
        """The side whose hold stands; not one that was only said."""
        return None if self.hold is None or self.hold_noted else self.hold.side

    @property
    def hold_noted(self) -> bool:
        """Whether a hold was called on an out play whose window starts no clock (NZ 8.2)."""
        return self.hold is not None and isinstance(self.state, OutPlaying)

    @property
    def absent(self) -> tuple[Side, ...]:
        return self.state.absent if isinstance(self.state, Late) else ()

    @property
    def deciding(self) -> bool:
        return isinstance(self.state, Running) and self.state.deciding

    @property
    def challenger(self) -> Side | None:
        return self.state.challenger if isinstance(self.state, Adjudication) else None

    @property
    def reason(self) -> str | None:
        return self.state.reason if isinstance(self.state, (Stopped, Over)) else None

    @property
    def ruling(self) -> Ruling | None:
        return self.state.ruling if isinstance(self.state, Stopped) else None

    @property
    def lost_turn(self) -> Side | None:
        return self.state.lost_turn if isinstance(self.state, Stopped) else None

    @property
    def end(self) -> Over | None:
        return self.state if isinstance(self.state, Over) else None

    @property
    def loser(self) -> Side | None:
        return None if self.end is None else self.end.loser

    @property
    def limit_loser(self) -> Side | None:
        return self.loser if self.end is not None and self.end.ending is Ending.LIMIT else None

    @property
    def result(self) -> Result | None:
        return None if self.end is None else self.end.result

    @property
    def disputed(self) -> bool:
        return self.end is not None and self.end.disputed

    @property
    def unexplained(self) -> bool:
        """Whether the clock stands without a reason: the player has to state one (2017 II.A)."""
        return isinstance(self.state, Stopped) and self.state.explicit and self.state.reason is None

    def used_at(self, side: Side, now: int) -> int:
        used, state = self.used.of(side), self.state
        return used + max(0, now - state.since) if state.side is side else used

    def remaining(self, side: Side, now: int) -> int:
        """Return this side's remaining ns, including credits once the game is over; negative in overtime."""
        account = self.accounts.of(side)
        remaining = account.allowed - self.used_at(side, now)
        return remaining + account.credit if isinstance(self.state, Over) else remaining

    def remaining_after_debts(self, side: Side, now: int) -> int:
        """Return the remaining ns less what the side owes: that will be deducted at the end (2017 III.C)."""
        remaining = self.remaining(side, now)
        return remaining if isinstance(self.state, Over) else remaining + min(0, self.accounts.of(side).credit)

    def penalty(self, side: Side, now: int) -> int:
        """Return the penalty points for this side's reading (2014 V.G, 2017 V.G.2 and V.G.3)."""
        if self.end is not None and self.end.ending in (Ending.FORFEIT, Ending.DOUBLE_FORFEIT):
            return 0
        overtime, limit = self.rulebook.overtime.penalty(self.remaining_after_debts(side, now)), self.rulebook.limit
        if self.limit_loser is not side or limit is None:
            return overtime
        return limit.penalty if limit.charge == "instead" else overtime + limit.penalty

    @property
    def alleged_out_player(self) -> Side | None:
        """Whose out play is pending, or has ended the game and may prove to be none until both have signed (2017 V.C.3)."""
        return self.out_player if self.end is None else None if self.end.result is not None else self.end.out_player

    @property
    def out_play_ends(self) -> int:
        """The instant at which the window of the out play expires, in ``out_play``; no other window starts in that phase."""
        return 0 if self.window is None else self.window.ends

    @property
    def turns_over(self) -> bool:
        most = self.rulebook.turns
        return most is not None and all(account.turns >= most for _, account in self.accounts.items())

    @property
    def accepted_reason(self) -> str:
        return TURNS_PLAYED if self.turns_over else OUT_PLAY_REASON

    def makes_no_more_moves(self, side: Side) -> bool:
        """Return whether that side, whose clock stands, is at the limit under a rulebook that lets the opponent play on alone."""
        limit = self.rulebook.limit
        if limit is None or limit.does != "opponent_plays_on":
            return False
        account = self.accounts.of(side)
        return account.allowed + account.credit - self.used.of(side) <= limit.reading_s * NS

    @property
    def excludes_recount(self) -> bool:
        """Whether there is no recount after this end (2014 V.G, 2017 V.G.3)."""
        end, limit = self.end, self.rulebook.limit
        counts_again = limit is not None and limit.recount
        return end is not None and end.reason in EXCLUDES_RECOUNT and not (end.reason in (Ending.LIMIT, Ending.TIME) and counts_again)

    @property
    def draw(self) -> Window | None:
        """The courtesy draw of the hold that stands, expired or not; None: no hold, no courtesy draw in the rulebook, or no tile to draw (2017 IV.I.2).

        Where it counts from the press (WESPA 3.10.6), the time that the clock had run for the turn is gone when the hold is called. While an out play is
        pending the bag is empty.
        """
        length = self.rulebook.windows.get(COURTESY_DRAW)
        if self.hold is None or self.out_player is not None or length is None:
            return None
        return Window(COURTESY_DRAW, self.hold.since - (self.hold.turn_used if self.rulebook.draw_from_press else 0), length)

    def window_at(self, now: int) -> Window | None:
        """Return the window shown at ``now``, expired or not: the one that was started, else the courtesy draw; None where there is neither."""
        return next((each for each in (self.window, self.draw) if each is not None and now < each.hidden_from), None)

    def turn_left(self, now: int) -> int | None:
        """Return the ns that are left for the present turn, 0 once they are over; None: no turn, or no limit of its time."""
        limit = self.rulebook.turn
        return None if limit is None or self.on_turn is None else max(0, limit.ns - self.on_turn.used_at(now))

    def turn_ending(self, now: int) -> int | None:
        """Return the same from its first warning on, for the face; before that None."""
        limit, left = self.rulebook.turn, self.turn_left(now)
        return None if limit is None or left is None or left > limit.shown_ns or self.end is not None else left

    def wait_to_leave(self, now: int) -> int:
        """Return the ns after ``now`` until which the players have to leave an ended game as it is."""
        if self.end is None or self.end.result is not None or self.end.reason not in _MAY_BE_CHALLENGED:
            return 0
        return max(0, self.end.at + NEXT_GAME_AFTER_NS - now)

    def elapsed(self, now: int) -> int | None:
        """Return the ns since the end, or since time counts against both absent players; else None."""
        state = self.state
        if isinstance(state, Over):
            return now - state.at
        return now - state.began if isinstance(state, Late) and state.side is None else None


T = TypeVar("T")


class EventNotAllowed(TileclockError):
    """The game does not allow the event; nothing changes. ``str`` returns the bare reason, a clause, because menu and script embed it in their own sentences.

    ``phases``: where the phase decides, those in which it is allowed; ``until``: where time alone does, the instant (ns) from which on it is.
    """

    def __init__(self, why: str, *, phases: Collection[Phase] = (), until: int | None = None) -> None:
        super().__init__(expected="an event that the game allows", found=why)
        self.why, self.phases, self.until = as_phrase(why), phases, until

    def __str__(self) -> str:
        return str(self.why)


def needed(value: T | None, why: str) -> T:
    """Return ``value``, which an event needs; raises ``EventNotAllowed`` where there is none."""
    if value is None:
        raise EventNotAllowed(why)
    return value


def zeros_reason(rulebook: Rulebook) -> str:
    return SIX_ZEROS if rulebook.zeros_in_a_row == 6 else ZEROS


def require_phase(game: Game, phases: Collection[Phase]) -> None:
    if game.state.phase not in phases:
        raise EventNotAllowed(Phrase("not in {phase}", phase=as_phrase(game.phase.value)), phases=phases)


def advance(game: Game, now: int) -> Game:
    """Return the game at ``now`` (ns), including all timed transitions up to and at that instant."""
    return settle(game, now)[0]


def settle(game: Game, now: int, since: int = 0) -> tuple[Game, int | None]:
    """Return the game at ``now`` (ns) and the instant of its next transition, None: there is none. No transition takes effect before ``since`` (ns)."""
    due, transition = _next(game)
    while due is not None and due <= now:
        game = transition(game, max(due, since))
        due, transition = _next(game)
    return game, due


def next_due(game: Game) -> int | None:
    """Return the instant (ns) of the next transition if no event comes first, or None."""
    return _next(game)[0]


def _next(game: Game) -> tuple[int | None, Callable[[Game, int], Game]]:
    """Return the instant of the next transition (None: there is none), and the transition. Each event asks this: replay must stay fast.

    The overtime limit is due when the running side's remaining time and credit reach it (2012 V.F.3, 2014 V.G, 2017 V.G.3); a side that was past it before its
    clock started loses at that start.
    """
    state, hold, limit = game.state, game.hold, None
    if isinstance(state, OutPlaying):
        return (game.out_play_ends if game.rulebook.out_play_ends_game else None), lambda game, at: finish(game, at, game.accepted_reason)
    if state.side is not None and game.rulebook.limit is not None:
        account, used = (game.accounts.left, game.used.left) if state.side is Side.LEFT else (game.accounts.right, game.used.right)
        left = account.allowed + account.credit - used - game.rulebook.limit.reading_s * NS
        limit = state.since + left if left > 0 else state.since
    if isinstance(state, Late) and (limit is None or _forfeit_instant(game, state) <= limit):
        return _forfeit_instant(game, state), _forfeited
    # Nothing accepts an out play by itself while it is held.
    if hold is None or game.out_player is not None or (maximum := game.rulebook.hold_maximum) is None or not maximum.releases:
        return limit, _limit_reached
    ends = hold.since + maximum.ns
    return (limit, _limit_reached) if limit is not None and limit <= ends else (ends, without_hold)


def _forfeited(game: Game, at: int) -> Game:
    return finish(game, at, Ending.DOUBLE_FORFEIT if game.running is None else Ending.FORFEIT, loser=game.running)


def _limit_reached(game: Game, at: int) -> Game:
    limit = game.rulebook.limit
    return finish(game, at, Ending.LIMIT, loser=game.running) if limit is None or limit.does == "lost" else _out_of_time(game, at, limit)


def _out_of_time(game: Game, at: int, limit: OvertimeLimit) -> Game:
    """Return the game in which the running side's time is over, and which it does not lose: the opponent may play on alone, from an own press."""
    side = game.running
    if limit.does == "over" or side is None or game.makes_no_more_moves(side.other):
        return finish(game, at, Ending.TIME)
    stopped = Stopped(at, explicit=True, reason=str(Ending.TIME))
    if game.out_player is not None:
        return charge(game, at, state=stopped, window=None)
    turn = game.on_turn if game.turn is side.other else Turn(side.other)
    return charge(game, at, state=stopped, on_turn=turn, hold=None, window=None)


def finish(game: Game, at: int, reason: str, *, loser: Side | None = None) -> Game:
    """Return the game over at ``at``: clocks stopped, nothing pending; a recount window if the rulebook starts one (2014 V.I).

    ``reason``: an ``Ending`` where time brings it about.
    """
    state = Over(at, str(reason), reason if isinstance(reason, Ending) else None, out_player=game.out_player, loser=loser)
    over = charge(game, at, state=state, hold=None, out_player=None, window=None)
    if not game.rulebook.recount_starts_itself or over.excludes_recount:
        return over
    return over.replace(state=replace(state, recount_at=at), window=Window(RECOUNT, at, game.rulebook.windows[RECOUNT]))


def charge(game: Game, at: int, **changes: Any) -> Game:
    """Return the game with the running clock charged up to ``at``, and with ``changes``, a new state among them. Time is charged nowhere else."""
    state, turn = game.state, game.on_turn
    if state.side is not None and at > state.since:
        used = game.used
        # Unpacked by hand: nearly every event charges a clock.
        spent = at - state.since
        changes["used"] = BySide(used.left + spent, used.right) if state.side is Side.LEFT else BySide(used.left, used.right + spent)
    if turn is not None and turn.since is not None and "on_turn" not in changes:
        changes["on_turn"] = Turn(turn.side, turn.used_at(at))
    return replace(game, **changes)


def stand(game: Game, at: int) -> Game:
    """Return the game with what counts in it stopped at ``at`` (ns): a running clock, lateness, an out play's window."""
    match game.state:
        case Late():
            return charge(game, at, state=Ready(), window=None)
        case Running() | OutPlaying():
            return charge(game, at, state=Stopped(at), window=None)
        case _:
            return game


def without_hold(game: Game, _: int = 0) -> Game:
    state = game.state
    return game.replace(state=Running(state.side, state.since) if isinstance(state, Held) else state, hold=None, window=None)


def _forfeit_instant(game: Game, late: Late) -> int:
    """Return when the absent player forfeits (2017 III.C, NZ 4.2); with both absent, from the larger allowance."""
    rulebook, accounts = game.rulebook, game.accounts
    if rulebook.forfeit_late_ns is not None:
        return late.began + rulebook.forfeit_late_ns
    largest = max(accounts.left.allowed, accounts.right.allowed)
    left = largest if late.side is None else accounts.of(late.side).allowed - game.used.of(late.side)
    return late.since + left - rulebook.forfeit_remaining_s * NS
