"""Random edges: every nanosecond is charged once, and no player loses a game or a right without a held press (docs/spec/events.md, "Bad input"); and random hands.

``TILECLOCK_RANDOM_EDGES`` sets how many edges each test sends on each board.
"""

from collections.abc import Mapping
from itertools import takewhile
from random import Random
from typing import Final

import pytest

from firmware.face.schedule import answers_at
from firmware.gestures.clock_state import ClockState, Stroke
from firmware.gestures.meaning import Act
from firmware.table_menu.actions import PageKind, TableMenu
from firmware.table_menu.pages import BACK, CLOSE, NO, keeping, page
from game import events
from game.game import Game, Phase
from game.history import History
from rules.side import Side
from tests.examples import THOROUGH
from tests.firmware.gestures.random_play import BOARDS, EDGES, RandomPlay
from tests.firmware.gestures.trains import MS, tick
from tests.firmware.random_games import require_whole

STATES: Final = (
    *("ready", "late", "running", "hold", "neutral", "adjudication", "over"),
    *("hold pending", "neutral pending", "out_play pending", "adjudication pending"),
)
MENU_EDGES: Final = 20
"""Edges on an open menu after which another game begins."""
ANNOUNCED: Final = (
    *(events.Hold, events.Release, events.OutPlay, events.NotOut, events.Challenge, events.Verdict, events.Withdraw),
    *(events.End, events.NewGame, events.Undo, events.Adjust),
)
"""What no short press does, unless a menu or the director's pages were open."""
PAGES: Final = ("first page", "reason", "frames", "take_back", "infraction", "six_zeros", "allowance", "rulebook", "words")


def rights(game: Game) -> tuple[Side | None, Side | None]:
    return game.holder, game.out_player


def reaches(play: RandomPlay, *names: str, least: float) -> None:
    """Require of a long run that each of these states was found by this part of the edges or more: a state that is not reached shows nothing."""
    rare = {name: play.reached[name] for name in names if play.reached[name] < least * play.reached["edges"]}
    assert not (THOROUGH and rare), (rare, play.reached)


@pytest.mark.parametrize("buttons", BOARDS)
def test_without_a_press_of_a_second_nothing_ends_and_no_right_is_lost_but_by_the_holders_own_press(buttons: tuple[str, ...]) -> None:
    play = RandomPlay(Random(2), buttons, longest=1_000 * MS - 1)  # noqa: S311 - no secret
    while play.reached["edges"] < EDGES // 2:
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
    reaches(play, *STATES, "chord stage 0" if "centre" not in buttons else "bar stage 0", least=0.001)


@pytest.mark.parametrize("buttons", BOARDS)
def test_in_the_table_menu_short_presses_take_rows_and_nothing_that_two_have_to_agree_on_or_hold(buttons: tuple[str, ...]) -> None:
    play = RandomPlay(Random(3), buttons, longest=1_000 * MS - 1)  # noqa: S311 - no secret
    held = (events.Release, events.Withdraw, events.Undo, events.Adjust)
    while play.reached["edges"] < EDGES // 6:
        state = play.begun(menu=True)
        before = state.history
        known = {link.number for link in before}
        for count, (state, now) in enumerate(play.played(state)):  # noqa: B020 - the next one
            if state.table_menu is None or count > MENU_EDGES:
                break
            assert state.game_at(now).running is None or state.game_at(now).phase is Phase.LATE, "a clock runs behind the menu"
        made = [link.event for link in state.history if link.number not in known]
        assert not [event for event in made if isinstance(event, held)]
        assert all(event.reason == "six zeros" for event in made if isinstance(event, events.End))
        require_whole(state.history, now)
    reaches(play, *(f"menu {page}" for page in (*PAGES, "called")), least=0.0003)


def _require_own_presses(made: list[History], first_edges: Mapping[int, str]) -> None:
    """Require that each event stands at the first edge of a press of its own, and that a turn ends by that player's own button."""
    assert len(made) == len({link.at for link in made}), "two events of one press"
    for link in made:
        assert link.at in first_edges, "an event that no press has made"
        # The bar is the out player's button while the out play is pending, be it the centre button or both.
        if isinstance(link.event, events.Press) and link.before is not None and link.before.game.out_player is not link.event.side:
            assert first_edges[link.at] == link.event.side.value, (link.event, first_edges[link.at])


def _require_kept(before: History, after: History, now: int) -> None:
    # What the first button of a chord would have done is gone: no right comes from such a press.
    stood = next(link for link in before if any(link is each for each in after))
    new = list(takewhile(lambda link: link is not stood, after))
    assert not [link.event for link in new if isinstance(link.event, ANNOUNCED)]
    assert after.game.phase is not Phase.OVER
    held, pending = rights(stood.game_at(now))
    holds, stands = rights(after.game_at(now))
    if held is not None and holds is not held and after.game_at(now).phase is not Phase.OVER:
        # Only the holder's own press ends the turn, and the hold with it.
        assert any(link.event == events.Press(held) for link in new), (held, [link.event for link in new])
    if pending is not None and after.game_at(now).phase is not Phase.OVER:
        assert stands is pending


AGREED = (events.NotOut, events.Undo, events.Adjust)
"""What two players do only together, besides a resignation and a player's own time."""


def _reached(stroke: Stroke, event: events.Event, by: int = 0) -> bool:
    """Return whether ``stroke`` has been held to a stage that makes ``event``, or will have been ``by`` then (ns) if it is held on."""
    acts = {Act.NEXT_GAME: events.NewGame, Act.DOOR: events.Challenge}
    does = [stage.does for index, stage in enumerate(stroke.stages) if index < stroke.stage or stroke.held_from + stage.after <= by]
    return any(each == event or (isinstance(each, Act) and isinstance(event, acts.get(each, ()))) for each in does)


def _had_a_page(state: ClockState) -> bool:
    return any((state.table_menu, state.door, state.menu)) or any(stroke.page is not None for stroke in state.strokes.values())


def _require_announced(before: ClockState, after: ClockState, made: list[History], now: int) -> None:
    for link in made:
        if isinstance(link.event, ANNOUNCED):
            # A new game ends the presses of the one before.
            gone = before.strokes.values() if isinstance(link.event, events.NewGame) else ()
            held = any(_reached(stroke, link.event) for stroke in after.strokes.values())
            held = held or any(_reached(stroke, link.event, by=now) for stroke in gone)
            # A first press that closes a page may become the chord that takes its row.
            paged = _had_a_page(before) or any(stroke.page is not None for stroke in after.strokes.values())
            assert held or paged, link.event
        if isinstance(link.event, AGREED) and link.by is events.By.PLAYERS:
            assert any(stroke.agrees for stroke in before.strokes.values()), link.event


GUARDED_NS: Final = 3_000 * MS
STARTS_A_CLOCK: Final = (events.Press, events.Decide, events.Resume, events.Arrive)


def _require_safe(after: ClockState, made: list[History]) -> None:
    """Require that no press that began soon after a page had closed by itself has started a clock, but by a button that kept its meaning there."""
    began = {stroke.at for stroke in after.strokes.values() if stroke.page is None}
    for link in made:
        if after.closed_at is None or link.before is None or not after.closed_at <= link.at < after.closed_at + GUARDED_NS:
            continue
        if isinstance(link.event, STARTS_A_CLOCK) and link.at in began:
            stood = link.before.game_at(link.at)
            assert stood.running is not None or link.event.side in keeping(stood), link.event


def _require_out_player(before: ClockState, after: ClockState, made: list[History], menus: list[TableMenu]) -> None:
    """Require that a new out play is of the player who said so on the page that asks, or of the row that was chosen."""
    for link in made:
        if isinstance(link.event, events.OutPlay) and link.before is not None:
            out_player = link.game.out_player
            assert out_player is not None
            menu = before.table_menu
            paths = [
                path for path in (None if menu is None else menu.path, *(each.page for each in after.strokes.values())) if path is not None
            ]
            said = {path[1] for path in paths if path[:1] == ("out_play",) and len(path) > 1}
            said |= {chosen.split()[1] for each in menus if (chosen := each.chosen or "").startswith("out_play ")}
            answered = any(path == ("out_play",) for path in paths)
            assert out_player.value in said or answered or before.menu is not None, (out_player, said)


def _refused_in_silence(before: ClockState, after: ClockState, since: int, now: int, menus: list[TableMenu]) -> bool:
    """Return whether a row was taken that changed nothing, and neither a page nor a sentence came of it since the edge before, at ``since`` (ns).

    ``menus``: those of the last edges.
    """
    menu = before.table_menu
    if (
        menu is None
        or after.table_menu is not None
        or after.history is not before.history
        or after.door is not None
        or after.menu is not None
    ):
        return False
    if any(stroke.stage > 1 for stroke in after.strokes.values()):
        # The bar was held on: its fill says what comes next.
        return False
    # A chord takes the row that was chosen before its first button moved on.
    for taken in menus:
        shown = page(taken, before.history, before.setup, before.instant(now))
        if shown.kind is PageKind.CALLED or (shown.kind is PageKind.ROWS and shown.rows[shown.cursor].name in (CLOSE, BACK, NO)):
            return False
    # A sentence may have come and gone between two edges: the first edge of a press is not yet a press, and nothing else has to follow.
    return not answers_at(after, since) and menu.path[:1] != ("keep",)


def _new(before: History, after: History) -> list[History]:
    known = {link.number: link.event for link in before} if after.first.at == before.first.at else {}
    return [link for link in after if known.get(link.number) is not link.event and known.get(link.number) != link.event]


@pytest.mark.parametrize("buttons", BOARDS)
def test_every_nanosecond_is_charged_once_and_nothing_ends_or_is_lost_without_a_held_act_or_refused_in_silence(
    buttons: tuple[str, ...],
) -> None:
    play = RandomPlay(Random(7), buttons, longest=0)  # noqa: S311 - no secret
    ends = 0
    while play.reached["edges"] < EDGES // 2:
        # Longer than ten seconds a button is stuck.
        play.longest = (20_000 if play.random.random() < 0.4 else 9_000) * MS
        state = before = play.begun(menu=play.random.random() < 0.5)
        since, menus = 0, list[TableMenu]()
        for count, (state, now) in enumerate(play.played(state)):  # noqa: B020 - the next one
            # Both at this instant: what a timed transition does between two edges is its own.
            ended = before.game_at(now).phase is not Phase.OVER and state.game_at(now).phase is Phase.OVER
            ends += ended
            made = [] if state.history is before.history else _new(before.history, state.history)
            assert state.history is not before.history or not ended, "a game ended without an event"
            _require_announced(before, state, made, now)
            _require_safe(state, made)
            _require_out_player(before, state, made, [*menus, *filter(None, [before.table_menu])])
            menus = [*menus[-30:], *filter(None, [before.table_menu])]
            silent = _refused_in_silence(before, state, since, now, menus)
            assert not silent or _changed_phase(before, state, now), (before.table_menu, state.strokes)
            if count % 30 == 0:
                require_whole(state.history, now)
            before, since = state, now
        require_whole(tick(state, now + 20_000 * MS).history, now)
    assert ends, "no game ended at all"
    assert play.reached["closed by itself"], "no page closed by itself"
    reaches(play, *STATES, "menu", "offer", "own button stage 1", least=0.002)
    own = ("door", "director's menu", "chord stage 1", "chord stage 2") if "centre" not in buttons else ("bar stage 1", "bar stage 2")
    reaches(play, *own, least=0.00005)


def _changed_phase(before: ClockState, after: ClockState, now: int) -> bool:
    """Return whether the menu closed because the game went on: a clock that a player started, or an end that came by itself."""
    menu = before.table_menu
    game = after.game_at(now)
    return menu is not None and (game.phase, game.running) != menu.seen
