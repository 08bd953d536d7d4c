from random import Random

import pytest

from firmware.face.schedule import answers_at
from firmware.gestures.clock_state import ClockState
from firmware.gestures.presses import SETTLED_NS, tick
from firmware.gestures.stroke import Act, Stroke
from firmware.table_menu.pages import BACK, CLOSE, NO, page
from firmware.table_menu.value import PageKind
from game import events
from game.game import Game, Phase
from game.history import History
from tests.firmware.gestures.random_play import BOARDS, EDGES, RandomPlay
from tests.firmware.gestures.test_random_edges_property import reaches, require_whole
from tests.firmware.gestures.trains import MS

ANNOUNCED = (
    *(events.Hold, events.Release, events.OutPlay, events.NotOut, events.Challenge, events.Verdict, events.Withdraw),
    *(events.End, events.NewGame, events.Undo, events.Adjust),
)
"""What no short press does, unless a menu or the director's pages were open."""
AGREED = (events.NotOut, events.Undo, events.Adjust)
"""What two players do only together, besides a resignation and a player's own time."""


def _reached(stroke: Stroke, event: events.Event, by: int = 0) -> bool:
    """Return whether ``stroke`` has been held to a stage that makes ``event``, or will have been ``by`` then (ns) if it is held on."""
    acts = {Act.NEXT_GAME: events.NewGame, Act.DOOR: events.Challenge}
    does = [stage.does for index, stage in enumerate(stroke.stages) if index < stroke.stage or stroke.held_from + stage.after <= by]
    return any(each == event or (isinstance(each, Act) and isinstance(event, acts.get(each, ()))) for each in does)


def _had_a_page(state: ClockState) -> bool:
    return any((state.table_menu, state.door, state.menu)) or any(
        stroke.before.table_menu is not None or stroke.agrees is not None for stroke in state.button_state.strokes.values()
    )


def _new(before: History, after: History) -> list[History]:
    known = {link.number: link.event for link in before} if after.find(1) is before.find(1) else {}
    return [link for link in after if known.get(link.number) is not link.event and known.get(link.number) != link.event]


def _require_announced(before: ClockState, after: ClockState, now: int) -> None:
    for link in _new(before.history, after.history):
        if isinstance(link.event, ANNOUNCED):
            # A new game forgets the presses of the one before.
            gone = before.button_state.strokes.values() if isinstance(link.event, events.NewGame) else ()
            held = any(_reached(stroke, link.event) for stroke in after.button_state.strokes.values())
            held = held or any(_reached(stroke, link.event, by=now) for stroke in gone)
            assert held or _had_a_page(before), link.event
        if isinstance(link.event, AGREED) and link.by is events.By.PLAYERS:
            assert any(stroke.agrees is not None for stroke in before.button_state.strokes.values()), link.event


def _require_out_player(before: ClockState, after: ClockState) -> None:
    """Require that a new out play is of the player who said so on the page that asks, and that it was that player's turn."""
    for link in _new(before.history, after.history):
        if isinstance(link.event, events.OutPlay) and link.before is not None:
            out_player = link.before.game_at(link.at).turn
            assert out_player is not None
            paths = [
                menu.path for menu in (before.table_menu, *(each.before.table_menu for each in after.button_state.strokes.values())) if menu
            ]
            said = {path[1] for path in paths if path[:1] == ("out_play",) and len(path) > 1}
            answered = any(path == ("out_play",) for path in paths)
            assert out_player.value in said or answered or before.menu is not None, (out_player, said)


def _ended(before: Game, after: Game) -> bool:
    return before.phase is not Phase.OVER and after.phase is Phase.OVER


def _refused_in_silence(before: ClockState, after: ClockState, now: int) -> bool:
    """Return whether a row was taken that changed nothing, and neither a page nor a sentence came of it."""
    menu = before.table_menu
    if (
        menu is None
        or after.table_menu is not None
        or after.history is not before.history
        or after.door is not None
        or after.menu is not None
    ):
        return False
    if now >= menu.closes_at + SETTLED_NS:
        # It closed by itself some time between the two edges, and said so then.
        closed = tick(before, menu.closes_at + SETTLED_NS)
        return closed.table_menu is not None or not answers_at(closed, menu.closes_at + SETTLED_NS)
    if any(stroke.stage > 1 for stroke in after.button_state.strokes.values()):
        # The bar was held on: its fill says what comes next.
        return False
    # A chord takes the row that was chosen before its first button moved on.
    for taken in (menu, *(stroke.before.table_menu for stroke in after.button_state.strokes.values())):
        shown = None if taken is None else page(taken, before.history, before.setup, before.instant(now))
        if shown is not None and shown.kind is PageKind.ROWS and shown.rows[shown.cursor].name in (CLOSE, BACK, NO):
            return False
    return not answers_at(after, now) and menu.path[:1] != ("keep",)


@pytest.mark.parametrize("buttons", BOARDS)
def test_no_game_ends_and_no_right_is_lost_without_a_held_or_asked_act_and_every_refusal_is_on_the_face(buttons: tuple[str, ...]) -> None:
    play = RandomPlay(Random(7), buttons, longest=9_000 * MS)  # noqa: S311 - no secret
    ends = 0
    while play.reached["edges"] < EDGES // 2:
        state = before = play.begun(menu=play.random.random() < 0.5)
        for state, now in play.played(state):  # noqa: B020 - the next one
            # Both at this instant: what a timed transition does between two edges is its own.
            game, earlier = state.game_at(now), before.game_at(now)
            if state.history is not before.history:
                _require_announced(before, state, now)
                _require_out_player(before, state)
            elif _ended(earlier, game):
                raise AssertionError("a game ended without an event")
            ends += _ended(earlier, game)
            silent = _refused_in_silence(before, state, now)
            assert not silent or _changed_phase(before, state, now), (before.table_menu, state.button_state.strokes)
            before = state
        require_whole(tick(state, now + 20_000 * MS).history, now)
    assert ends, "no game ended at all"
    reaches(play, "menu", "out_play pending", "hold pending", "adjudication pending", "neutral", "over", least=0.002)


def _changed_phase(before: ClockState, after: ClockState, now: int) -> bool:
    """Return whether the menu closed because the game went on: a clock that a player started, or an end that came by itself."""
    menu = before.table_menu
    game = after.game_at(now)
    return menu is not None and (game.phase, game.running) != menu.seen
