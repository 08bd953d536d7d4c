"""Random edges: every nanosecond is charged once, and nobody loses a game or a right without a held press (docs/spec/events.md, "Bad input").

``TILECLOCK_RANDOM_EDGES`` sets how many edges each test sends on each board.
"""

from collections.abc import Mapping
from random import Random
from typing import Final

import pytest

from firmware.gestures.presses import tick
from game import events, timed_transitions
from game.game import Game, Phase
from game.history import Fate, History
from game.timed_transitions import advance
from rules.side import Side
from tests.firmware.gestures.random_play import BOARDS, EDGES, RandomPlay
from tests.firmware.gestures.trains import MS

STATES: Final = (
    *("ready", "late", "running", "hold", "neutral", "adjudication", "over"),
    *("hold pending", "neutral pending", "out_play pending", "adjudication pending"),
)
PAGES: Final = ("first page", "reason", "frames", "take_back", "infraction", "six_zeros", "allowance", "rulebook", "words")
HELD_ONLY: Final = (
    *(events.Hold, events.Release, events.OutPlay, events.Challenge, events.Verdict, events.Withdraw),
    *(events.End, events.NewGame, events.Undo, events.Adjust),
)


def charged(history: History, now: int) -> tuple[int, int, int]:
    """Return the ns of both sides and the neutral ones from the first link to ``now``, counted interval by interval."""
    counted = {Side.LEFT: 0, Side.RIGHT: 0, None: 0}
    links = [link for link in history if link.fate is not Fate.DROPPED][::-1]
    ends = [link.at for link in links[1:]] + [now]
    for link, end in zip(links, ends, strict=True):
        if (
            isinstance(link.event, events.Arrive)
            and link.before is not None
            and link.before.game.running is None
            and link.fate is Fate.VALID
        ):
            # Both were absent: the one who comes later is charged from the start.
            from_start = link.at - link.before.game.since
            counted[None] -= from_start
            counted[link.event.side.other] += from_start
        game, since = link.game, link.at
        while since < end:
            due = timed_transitions.next_due(game)
            until = end if due is None else min(max(due, since), end)
            counted[game.running] += until - since
            since = until
            game = advance(game, until)
            if due is not None and until == due and timed_transitions.next_due(game) == due:
                raise AssertionError("a transition that does not happen")
    return counted[Side.LEFT], counted[Side.RIGHT], counted[None]


def require_whole(history: History, now: int) -> None:
    """Require that used + used + neutral is the elapsed time, and that each side is charged what its clock ran."""
    game = history.game_at(now)
    left, right, neutral = charged(history, now)
    first = [link.at for link in history][-1]
    used = game.used_at(Side.LEFT, now), game.used_at(Side.RIGHT, now)
    if any(isinstance(link.event, events.Swap) for link in history):
        assert sum(used) == left + right
    else:
        assert used == (left, right)
    assert sum(used) + neutral == now - first


def rights(game: Game) -> tuple[Side | None, Side | None]:
    return game.holder, game.out_player


def reaches(play: RandomPlay, *names: str, least: float) -> None:
    """Require that each of these states was found by this part of the edges or more: a state that is not reached shows nothing."""
    rare = {name: play.reached[name] for name in names if play.reached[name] < least * play.reached["edges"]}
    assert not rare, (rare, play.reached)


@pytest.mark.parametrize("buttons", BOARDS)
def test_every_nanosecond_is_charged_once_whatever_is_pressed_and_held(buttons: tuple[str, ...]) -> None:
    play = RandomPlay(Random(1), buttons, longest=20_000 * MS)  # noqa: S311 - no secret
    while play.reached["edges"] < EDGES:
        state = play.begun()
        for count, (state, now) in enumerate(play.played(state)):  # noqa: B020 - the next one
            if count % 30 == 0:
                require_whole(state.history, now)
        require_whole(tick(state, now + 20_000 * MS).history, now)
    reaches(play, *STATES, "menu", "offer", "own button stage 1", "chord stage 1", least=0.002)
    own = ("door", "director's menu", "chord stage 2") if "centre" not in buttons else ("bar stage 1", "bar stage 2")
    reaches(play, *own, *(f"menu {page}" for page in PAGES if page not in ("rulebook", "six_zeros")), least=0.00005)


@pytest.mark.parametrize("buttons", BOARDS)
def test_without_a_press_of_a_second_nothing_ends_and_no_right_is_lost_but_by_the_holders_own_press(buttons: tuple[str, ...]) -> None:
    play = RandomPlay(Random(2), buttons, longest=1_000 * MS - 1)  # noqa: S311 - no secret
    while play.reached["edges"] < EDGES:
        state = play.begun()
        before = state.history
        known = {link.number for link in before}
        for state, now in play.played(state):  # noqa: B020 - the next one
            if state.history is not before:
                _require_kept(before, state.history, now)
                before = state.history
            assert (state.table_menu, state.door, state.menu) == (None, None, None)
            if state.game_at(now).phase is Phase.OVER and play.random.random() < 0.1:
                break
        require_whole(state.history, now)
        _require_own_presses([link for link in state.history if link.number not in known], play.first_edges)
    reaches(play, *STATES, "chord stage 0", least=0.002)


@pytest.mark.parametrize("buttons", BOARDS)
def test_in_the_table_menu_short_presses_take_rows_and_nothing_that_two_have_to_agree_on_or_hold(buttons: tuple[str, ...]) -> None:
    play = RandomPlay(Random(3), buttons, longest=1_000 * MS - 1)  # noqa: S311 - no secret
    held = (events.Release, events.Withdraw, events.Undo, events.Adjust)
    while play.reached["edges"] < EDGES // 5:
        state = play.begun(menu=True)
        before = state.history
        known = {link.number for link in before}
        for state, now in play.played(state):  # noqa: B020 - the next one
            if state.table_menu is None:
                break
            assert state.game_at(now).running is None or state.game_at(now).phase is Phase.LATE, "a clock runs behind the menu"
        made = [link.event for link in state.history if link.number not in known]
        assert not [event for event in made if isinstance(event, held)]
        assert all(event.reason == "six zeros" for event in made if isinstance(event, events.End))
        require_whole(state.history, now)
    reaches(play, *(f"menu {page}" for page in PAGES), least=0.0005)


def _require_own_presses(made: list[History], first_edges: Mapping[int, str]) -> None:
    """Require that each event stands at the first edge of a press of its own, and that a turn ends by that player's own button."""
    assert len(made) == len({link.at for link in made}), "two events of one press"
    for link in made:
        assert link.at in first_edges, "an event that no press has made"
        # The bar is the out player's button while the out play is pending, be it the centre button or both.
        if isinstance(link.event, events.Press) and link.before is not None and link.before.game.out_player is not link.event.side:
            assert first_edges[link.at] == link.event.side.value, (link.event, first_edges[link.at])


def _require_kept(before: History, after: History, now: int) -> None:
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
