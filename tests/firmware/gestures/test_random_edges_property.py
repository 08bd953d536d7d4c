"""200,000 random edges: every nanosecond is charged once, and nobody loses a game or a right without a held press (docs/spec/events.md, "Bad input")."""

from __future__ import annotations

from collections.abc import Iterator
from heapq import heapify, heapreplace
from random import Random

import pytest

from firmware.core import events
from firmware.core.game import Game, Phase
from firmware.core.record import Fate, Record
from firmware.core.timed_transitions import advance, next_transition
from firmware.gestures.clock_state import ClockState
from firmware.gestures.press_detection import edge, tick
from rules.side import Side
from tests.firmware.gestures.trains import MS, Edge, setup
from tests.firmware.saying import RULEBOOKS, attempt

STARTS = (
    (),
    ("0 press right",),
    ("0 press right", "4 hold"),
    ("0 press right", "3 hold", "4 neutralise"),
    ("0 press right", "4 out_play"),
    ("0 press right", "3 out_play", "4 hold"),
    ("0 press right", "3 out_play", "4 hold", "5 neutralise"),
    ("0 press right", "4 challenge"),
    ("0 press right", "3 out_play", "4 challenge"),
    ("0 press right", "2 neutralise", "4 decide right"),
    ("0 press right", "2 hold", "3 neutralise", "4 decide right"),
    ("0 press right", "2 neutralise", "3 window left name=overdraw_decision"),
    ("0 late_start left",),
)
BOARDS = [pytest.param(("left", "right"), id="two buttons"), pytest.param(("left", "right", "centre"), id="with a bar")]
SEEDS = range(10)
EDGES = 5_000
"""Edges a board, a seed and a kind of presses: 200,000 in all."""
HELD_ONLY = (events.Hold, events.Release, events.OutPlay, events.Challenge, events.Verdict, events.Withdraw, events.End, events.NewGame, events.Undo)


def random_edges(random: Random, buttons: tuple[str, ...], *, longest_ms: int) -> Iterator[Edge]:
    """Yield edges in order, from 7 s on: overlapping presses of all buttons, some with bounce, none longer than ``longest_ms``."""
    queue = [(7_000 * MS + random.randrange(2_000 * MS), button, True) for button in buttons]
    heapify(queue)
    while True:
        at, button, down = queue[0]
        yield Edge(at, button, down)
        if down:
            lengths = (random.randrange(6, 90), random.randrange(90, 990), random.randrange(90, longest_ms))
            gap = random.choice(lengths) * MS - random.randrange(MS)
        else:
            gap = random.choice((random.randrange(70, 400), random.randrange(400, 3_000))) * MS + random.randrange(MS)
        heapreplace(queue, (at + gap, button, not down))


def begun(random: Random, buttons: tuple[str, ...]) -> ClockState:
    """Return a table in a random phase under a random rulebook, with a code at its door."""
    # A rulebook may refuse a line of the start, which then begins elsewhere.
    record = attempt(random.choice(RULEBOOKS), *random.choice(STARTS)).record
    return ClockState(record, setup(two_button="centre" not in buttons, code=True))


def charged(record: Record, now: int) -> tuple[int, int, int]:
    """Return the ns of both sides and the neutral ones from the first link to ``now``, counted interval by interval."""
    counted = {Side.LEFT: 0, Side.RIGHT: 0, None: 0}
    links = [link for link in record if link.fate is not Fate.DROPPED][::-1]
    ends = [link.at for link in links[1:]] + [now]
    for link, end in zip(links, ends, strict=True):
        game, since = link.game, link.at
        while since < end:
            due = next_transition(game)
            until = end if due is None else min(max(due, since), end)
            counted[game.running] += until - since
            since = until
            game = advance(game, until)
            if due is not None and until == due and next_transition(game) == due:
                raise AssertionError("a transition that does not happen")
    return counted[Side.LEFT], counted[Side.RIGHT], counted[None]


def require_whole(record: Record, now: int) -> None:
    """Require that used + used + neutral is the elapsed time, and that each side is charged what its clock ran."""
    game = record.game_at(now)
    left, right, neutral = charged(record, now)
    first = [link.at for link in record][-1]
    assert (game.used_at(Side.LEFT, now), game.used_at(Side.RIGHT, now)) == (left, right)
    assert left + right + neutral == now - first


def rights(game: Game) -> tuple[Side | None, Side | None]:
    """Return who holds, and whose out play is pending."""
    return game.holder, game.out_player


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("buttons", BOARDS)
def test_every_nanosecond_is_charged_once_whatever_is_pressed_and_held(buttons: tuple[str, ...], seed: int) -> None:
    random = Random(seed)  # noqa: S311 - no secret
    state, now = begun(random, buttons), 0
    for count, one in enumerate(random_edges(random, buttons, longest_ms=12_000)):
        if count == EDGES:
            break
        state, now = edge(state, one.button, one.at, down=one.down), one.at
        if count % 100 == 0:
            require_whole(state.record, now)
    require_whole(tick(state, now + 20_000 * MS).record, now)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("buttons", BOARDS)
def test_without_a_press_of_a_second_nothing_ends_and_no_right_is_lost_but_by_the_holders_own_press(buttons: tuple[str, ...], seed: int) -> None:
    random = Random(1_000 + seed)  # noqa: S311 - no secret
    count = 0
    while count < EDGES:
        state = begun(random, buttons)
        before = state.record
        for one in random_edges(random, buttons, longest_ms=990):
            state = edge(state, one.button, one.at, down=one.down)
            count += 1
            if state.record is not before:
                _require_kept(before, state.record, one.at)
                before = state.record
            game = state.game_at(one.at)
            if game.phase is Phase.OVER or count >= EDGES or one.at > 400_000 * MS:
                break
        assert state.table_menu is None
        require_whole(state.record, one.at)


def _require_kept(before: Record, after: Record, now: int) -> None:
    numbers = {link.number for link in after}
    # A chord takes back what its buttons did alone: no right comes from such a press.
    taken_back = [link for link in before if link.number not in numbers]
    stood = before if not taken_back else taken_back[-1].before
    assert stood is not None
    known = {link.number for link in stood}
    new = [link for link in after if link.number not in known]
    assert not [link.event for link in new if isinstance(link.event, HELD_ONLY)]
    assert after.game.phase is not Phase.OVER
    held, pending = rights(stood.game_at(now))
    holds, stands = rights(after.game_at(now))
    if held is not None and holds is not held and after.game_at(now).phase is not Phase.OVER:
        # Only the holder's own press ends the turn, and the hold with it.
        assert any(link.event == events.Press(held) for link in new), (held, [link.event for link in new])
    if pending is not None and after.game_at(now).phase is not Phase.OVER:
        assert stands is pending
