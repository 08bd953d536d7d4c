"""When the face next changes by itself, and what on it passes with time: the fills of the presses in progress, and the answers that stand.

The shell sleeps until then; nothing is drawn in between.
"""

from collections.abc import Iterator
from contextlib import suppress
from typing import Final

from msgspec import Struct

from firmware.face.value import FILL_STEPS
from firmware.gestures.clock_state import AGREE_NS, Answer, ClockState, agreeing, lapses_at, without_act
from firmware.gestures.meaning import Act, Does, Offers
from firmware.menu.menu import proposed
from firmware.table_menu.pages import page
from firmware.texts import KeyedMessage, message
from game.game import EventNotAllowed, Game, Phase
from game.game import next_due as next_transition
from game.history import accept
from rules.contact import MS
from rules.duration import NS, seconds_shown
from rules.side import Side

SHOWS_AFTER_NS: Final = 250 * MS
"""A fill appears so long after the first edge: a short press shows none."""


class Fill(Struct, frozen=True):
    where: Side | None
    """The half of the player who holds; None: the strip, for the bar and for both players."""
    since: int
    shows_from: int
    full_at: int | None
    """The instant at which it is full; None: holding on does nothing more, the fill stays full."""
    let_go: KeyedMessage
    hold_on: KeyedMessage | None
    stage: int = 0
    """How many stages of the press are behind it, each as long on the fill: a look tells the first second from the second one."""
    stages: int = 1

    def fraction(self, now: int) -> float:
        if self.full_at is None:
            return 1.0
        return (self.stage + min(max((now - self.since) / (self.full_at - self.since), 0.0), 1.0)) / self.stages


def fills(state: ClockState) -> tuple[Fill, ...]:
    return (*_held(state), *_agreeing(state))


def held_back(state: ClockState, now: int) -> ClockState:
    """Return the state as it stood before a press that would start a clock, once its fill shows at ``now`` (ns): the fill says what letting go does.

    The clock stands for both players while a hold asks; a turn that flashes up on the other half would mislead.
    """
    for stroke in state.open_strokes:
        starts = stroke.game.running is None and state.history.game.running is not None
        if starts and stroke.next_stage is not None and now >= stroke.at + SHOWS_AFTER_NS:
            return without_act(state, stroke)
    return state


def answers_at(state: ClockState, now: int) -> tuple[Answer, ...]:
    return tuple(answer for answer in state.answers if now < answer.until)


def _held(state: ClockState) -> Iterator[Fill]:
    for stroke in state.open_strokes:
        stage, reached, where = stroke.next_stage, stroke.reached, stroke.side
        since = stroke.held_from + (0 if reached is None else reached.after)
        shows = stroke.at + SHOWS_AFTER_NS
        if stage is not None:
            full_at, stages = stroke.held_from + stage.after, len(stroke.stages)
            short = stroke.short.let_go if isinstance(stroke.short, Does | Offers) else "nothing"
            let_go = message(f"fill.let_go.{short}") if reached is None else reached.hold_on
            yield Fill(where, since, shows, full_at, let_go, stage.hold_on, stroke.stage, stages)
        elif reached is not None and reached.does is Act.NEXT_GAME:
            yield Fill(where, since, shows, None, reached.hold_on, None, stroke.stage, stroke.stage)


def _agreeing(state: ClockState) -> Iterator[Fill]:
    strokes = agreeing(state)
    let_go = message("fill.let_go.back")
    if len(strokes) == 2:
        since = strokes[1].at
        yield Fill(None, since, since, since + AGREE_NS, let_go, message("fill.hold_on.agreed"))
    for stroke in strokes if len(strokes) == 1 else ():
        yield Fill(stroke.side, stroke.at, stroke.at, None, let_go, message("fill.hold_on.other_holds"))


FRAME_NS: Final = NS // 60


def next_due(state: ClockState, now: int) -> int | None:
    """Return the next instant after ``now`` (ns, CLOCK_MONOTONIC) at which the face changes without an input; None: never."""
    state = held_back(state, now)
    instants = [*_of_hands(state, now)]
    if state.frozen is None:
        instants += _of_rows(state, now)
        instants += [instant - state.offset for game in _games(state, now) for instant in _instants(game, state.instant(now))]
    return min((instant for instant in instants if instant > now), default=None)


def _of_hands(state: ClockState, now: int) -> Iterator[int]:
    yield from (answer.until for answer in state.answers)
    for fill in fills(state) if state.frozen is None else ():
        if now < fill.shows_from:
            yield fill.shows_from
        elif fill.full_at is not None and now < fill.full_at:
            # The next step of the face, at most one a display frame.
            step = (fill.full_at - fill.since) * fill.stages // FILL_STEPS
            yield max(now + FRAME_NS, fill.since + ((now - fill.since) // step + 1) * step)
    closing = (
        None if state.door is None else state.door.closes_at,
        None if state.menu is None else state.menu_closes_at,
        lapses_at(state),
    )
    yield from (now + _until_next_reading(at - now) for at in closing if at is not None and at > now)
    if state.door is not None and now < state.shut_until:
        yield now + _until_next_reading(state.shut_until - now)


def _of_rows(state: ClockState, now: int) -> Iterator[int]:
    if state.table_menu is not None:
        shown = page(state.table_menu, state.history, state.setup, state.instant(now), state.draft)
        lapses = (shown.lapses, *(row.lapses for row in shown.rows))
        yield from (now + _until_next_reading(left) for left in lapses if left)


def _games(state: ClockState, now: int) -> Iterator[Game]:
    yield state.game_at(now)
    at = state.instant(now)
    event = None if state.menu is None else proposed(state.menu, state.history, state.setup, at)
    if event is not None:
        # A refused event changes nothing.
        with suppress(EventNotAllowed):
            yield accept(state.history, event, at).game_at(at)


def _instants(game: Game, now: int) -> Iterator[int]:
    due = next_transition(game)
    if due is not None:
        yield due
    if game.running is not None:
        remaining = game.remaining(game.running, now)
        yield now + _until_next_reading(remaining)
        # The points count what the side owes at the end too, which is no whole number of seconds.
        counted = now + _until_next_reading(remaining + min(0, game.accounts.of(game.running).credit))
        if game.penalty(game.running, counted) != game.penalty(game.running, now):
            yield counted
    limit, turn, left = game.rulebook.turn, game.on_turn, game.turn_left(now)
    if limit is not None and turn is not None and turn.since is not None and left:
        yield now + (_until_next_reading(left) if left <= limit.shown_ns else left - limit.shown_ns)
    # While a hold counts, the courtesy draw is in the players' instructions also where another window stands.
    for window in (game.window_at(now), game.draw if game.phase is Phase.HOLD else None):
        if window is not None:
            left = window.ends - now
            yield now + _until_next_reading(left) if left > 0 else window.hidden_from
    if game.phase is Phase.OUT_PLAY and game.out_play_ends > now:
        yield now + _until_next_reading(game.out_play_ends - now)
    elapsed = game.elapsed(now)
    if elapsed is not None:
        yield now + NS - elapsed % NS


def _until_next_reading(remaining: int) -> int:
    """Return for how many ns the reading of ``remaining`` ns still holds; at zero it turns to -0:00 at once."""
    return remaining - (seconds_shown(remaining) - 1) * NS if remaining else 1
