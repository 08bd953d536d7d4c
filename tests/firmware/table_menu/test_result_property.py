"""Random hands on the pages of a result: never a row without both own buttons held apart, and never other scores than the rules give (docs/spec/result.md)."""

from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from firmware.gestures.clock_state import ClockState
from firmware.gestures.hands import Hands
from firmware.table_menu.actions import CHANGE, SIGN, Draft, entry, opened
from game.events import Result
from game.history import accept
from game.rulings import counted
from rules.side import BySide, Side
from tests.examples import examples
from tests.firmware.gestures.trains import MS, Press, table
from tests.firmware.saying import NASPA, NZ
from tests.some import of_kind, some

ENDS = (
    (NASPA, ("0 press right", "100 out_play", "110 release")),
    (NASPA, ("0 press right", "1561 out_play", "1562 release")),
    (NASPA, ("0 press right", "1600 end reason=resignation loser=left")),
    (NZ, ("0 press right", "1700 press left", "3400 end reason=x")),
    ("wespa-2021", ("0 press right", "2050 end reason=x")),
)
BEGINS = 4_000_000
"""When the first press may come, in ms."""
HELD = st.sampled_from((80, 150, 700, 950, 1_000, 1_050, 1_200, 1_200, 1_200, 2_200, 5_100))
PRESSES = st.lists(st.tuples(st.sampled_from(("left", "right", "left", "right", "centre")), st.integers(0, 2_500), HELD), max_size=12)
PAGES = st.sampled_from((SIGN, SIGN, SIGN, CHANGE, entry("score", Side.RIGHT, 2), entry("score", Side.LEFT)))
SCORES = st.builds(BySide, st.integers(0, 999), st.integers(0, 999))


def hands(presses: list[tuple[str, int, int]]) -> list[Press]:
    """Return presses that overlap freely, but each button's own ones come one after the other."""
    at, free, found = BEGINS, dict.fromkeys(("left", "right", "centre"), 0), []
    for button, gap, held in presses:
        at = max(at + gap, free[button])
        free[button] = at + held + 100
        found.append(Press(button, at, held))
    return found


def begun(end: int, path: tuple[str, ...], scores: BySide[int], *, two_button: bool) -> ClockState:
    rulebook, lines = ENDS[end]
    state = table(rulebook, *lines, two_button=two_button, results=True)
    draft = Draft(scores, entered=path[-1] in ("sign", "change"))
    return replace(state, draft=draft, table_menu=opened(state.game_at(BEGINS * MS), path))


@settings(max_examples=examples(1600), deadline=None)
@given(presses=PRESSES, end=st.integers(0, len(ENDS) - 1), path=PAGES, scores=SCORES, two_button=st.booleans())
def test_no_result_without_both_own_buttons_held_apart_for_a_second(
    presses: list[tuple[str, int, int]], end: int, path: tuple[str, ...], scores: BySide[int], two_button: bool
) -> None:
    made = [each for each in hands(presses) if each.button != "centre" or not two_button]
    done = Hands(begun(end, path, scores, two_button=two_button), 0)
    until = BEGINS + 60_000
    for edge in sorted(edge for press in made for edge in press.edges(bouncy=False)):
        done = done.edge(edge.button, edge.at, down=edge.down)
    state = done.tick(until * MS).shown
    signed = [link for link in state.history if isinstance(link.event, Result)]
    assert len(signed) <= 1
    for link in signed:
        event = of_kind(Result, link.event)
        before = some(link.before).game
        assert event.final == counted(before, event.scores, link.at, taken_off=event.taken_off)
        own = {side: [press for press in made if press.button == side.value and press.held >= 1_000] for side in Side}
        instants = {side: link.at - event.signed.of(side) for side in Side}
        pairs = [
            (left, right)
            for left, right in product(own[Side.LEFT], own[Side.RIGHT])
            if (left.at * MS, right.at * MS) == (instants[Side.LEFT], instants[Side.RIGHT])
        ]
        assert pairs, "each signature is a press of the own button, held for a second"
        assert all(left.at + left.held <= right.at or right.at + right.held <= left.at for left, right in pairs), "apart"
        assert state.draft == Draft()
        # The row stands by itself: read again, it is accepted at its place.
        assert some(accept(some(link.before), event, link.at).game.end).result == event
    if not signed and state.draft != Draft():
        assert state.history.game_at(until * MS).end is not None
