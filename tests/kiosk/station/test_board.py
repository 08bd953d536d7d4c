import itertools
from types import SimpleNamespace
from typing import cast

from hypothesis import given
from hypothesis import strategies as st

from hardware.buttons.board_pins import BoardPins, Edge
from kiosk.challenge.flow import Flow, Step
from kiosk.director.door import Lock
from kiosk.events import Adjudicate, KeyTurned, KnockAtDoor
from kiosk.shell.loop import ButtonPanel
from kiosk.station import (
    BUTTON,
    Station,
    Timed,
    apply,
    begin,
    lamps_next_due,
    lit,
)
from records.entry import Way
from rules.contact import MS, REST_NS
from tests.kiosk.challenge.making import S, context
from tests.kiosk.face.flows import NOW, ailing, checking, every_flow, shown_again, verdict
from tests.kiosk.kept_pin import KEPT_PIN

NEVER = 10**18
KEY = "key"
ADJUDICATED = Adjudicate(Way.BUTTON)
MINUTE = 60_000 * MS
Edges = list[tuple[int, bool]]


def turns(edges: Edges, name: str = BUTTON, *, down: frozenset[str] = frozenset()) -> list[Timed]:
    """Return all that turned, long after these edges (instant in ns, down) of one contact."""
    panel = panel_with(down)
    reported = list(panel.startup_events)
    for at, closed in edges:
        reported += panel.edge(Edge(name, closed, at, stamped=True))
    return reported + panel.tick(NEVER)


def panel_with(down: frozenset[str]) -> ButtonPanel:
    return ButtonPanel(cast("BoardPins", SimpleNamespace(down=lambda: down)), 0)


def presses(edges: Edges, *, down: frozenset[str] = frozenset()) -> list[int]:
    return [at for _, at in turns(edges, down=down)]


def test_a_press_is_one_from_its_first_edge_and_is_let_go_at_the_first_edge_of_that() -> None:
    assert turns([(100 * MS, True), (180 * MS, False)]) == [(ADJUDICATED, 100 * MS)]
    assert turns([(100 * MS, True), (180 * MS, False)], KEY) == [(KeyTurned(on=True), 100 * MS), (KeyTurned(on=False), 180 * MS)]


def test_a_press_is_told_while_the_button_is_still_held() -> None:
    panel, idle = panel_with(frozenset()), begin(context(), Lock())
    panel.edge(Edge(BUTTON, True, 10 * MS, stamped=True))
    wake = min(due for due in panel.next_due(idle, 10 * MS) if due is not None)
    assert wake <= 15 * MS
    assert panel.tick(wake - 1) == []
    assert panel.tick(wake) == [(ADJUDICATED, 10 * MS)]
    assert panel.tick(MINUTE // 2) == []
    assert [panel.stuck(at) is None for at in (10 * MS + MINUTE - 1, 10 * MS + MINUTE)] == [True, False]
    assert panel.next_due(idle, MINUTE) == [None, 10 * MS + MINUTE]


def test_a_contact_that_bounces_on_the_way_down_and_up_is_one_press_and_a_spike_is_none() -> None:
    assert turns([(100 * MS, True), (101 * MS, False)]) == []
    bounce = [0, 1, 3, 4, 9, 10, 14]
    down = [(100 * MS + at * MS, closed) for at, closed in zip(bounce, itertools.cycle((True, False)))]
    up = [(300 * MS + at * MS, closed) for at, closed in zip(bounce, itertools.cycle((False, True)))]
    assert presses(down + up) == [100 * MS]


def test_a_button_that_is_down_at_the_start_is_no_press_until_it_was_let_go() -> None:
    stuck = frozenset({BUTTON})
    assert turns([], down=stuck) == []
    assert turns([(MINUTE, False)], down=stuck) == []
    assert presses([(MINUTE, False), (2 * MINUTE, True)], down=stuck) == [2 * MINUTE]


def test_a_key_that_is_on_at_the_start_is_told_once_and_so_is_its_turning_off() -> None:
    assert turns([(MINUTE, False)], KEY, down=frozenset({KEY})) == [
        (KeyTurned(on=True), 0),
        (KeyTurned(on=False), MINUTE),
    ]


@given(st.lists(st.integers(1, 100 * MS), max_size=60), st.booleans())
def test_whatever_the_edges_on_and_off_take_turns_and_presses_are_apart_by_the_time_of_rest(gaps: list[int], stuck: bool) -> None:
    edges = [(at, (number % 2 == 0) is not stuck) for number, at in enumerate(itertools.accumulate(gaps))]
    turned = turns(edges, KEY, down=frozenset({KEY} if stuck else ()))
    assert [event for event, _ in turned] == [KeyTurned(on=number % 2 == 0) for number in range(len(turned))]
    pressed = presses(edges, down=frozenset({BUTTON} if stuck else ()))
    assert all(later - earlier >= REST_NS for earlier, later in itertools.pairwise(pressed))
    assert set(pressed) <= {at for at, closed in edges if closed}


MIN = S // 2


def station(flow: Flow) -> Station:
    return begin(context(), Lock(KEPT_PIN)).replace(flow=flow)


def lamps(flow: Flow, after: int = 10 * S) -> list[str]:
    """Return the lamps lit so many ns after the flow's step began."""
    return sorted(lit(station(flow), flow.since + after))


def test_the_buttons_lamp_is_lit_from_the_instant_at_which_the_key_counts() -> None:
    flow = checking()
    assert lamps(flow, MIN - 1) == []
    assert lamps(flow, MIN) == ["adjudicate"]
    assert lamps_next_due(station(flow), flow.since) == flow.since + MIN
    assert lamps_next_due(station(flow), flow.since + MIN) is None


def test_the_buttons_lamp_is_dark_where_the_key_would_not_adjudicate() -> None:
    assert lamps(checking(count=3)) == []
    assert lamps(checking(context=ailing().context)) == []
    assert lamps(checking(step=Step.JUDGING)) == []
    assert lamps(checking(leaving=True)) == []
    assert lamps(checking(still_there=True)) == []


def test_while_a_verdict_stands_its_own_lamp_is_lit_and_no_other() -> None:
    assert lamps(verdict(acceptable=True)) == ["acceptable"]
    assert lamps(verdict(acceptable=False)) == ["unacceptable"]
    assert lamps(shown_again(acceptable=True)) == ["acceptable"]
    assert lamps(shown_again(acceptable=False)) == ["unacceptable"]
    assert lamps(verdict(acceptable=True, calling=True)) == lamps(shown_again(acceptable=True, calling=True)) == []


def test_at_every_other_step_all_lamps_are_dark_and_none_changes_by_itself() -> None:
    for flow in every_flow():
        if flow.step not in (Step.CHECKING, Step.VERDICT, Step.SHOWN_AGAIN):
            assert lamps(flow) == []
            assert lamps_next_due(station(flow), NOW) is None


def test_while_the_directors_door_is_not_closed_no_lamp_is_lit() -> None:
    knocked, _ = apply(station(checking(touched=NOW)), KnockAtDoor(), NOW + S)
    assert knocked.suspended_at is not None
    assert lit(knocked, NOW + 2 * S) == frozenset()
    assert lamps_next_due(knocked, NOW) is None
