"""Which lamps are lit, and that none tells more than the screen does."""

from __future__ import annotations

from typing import Any

from kiosk.challenge.flow import Flow, Step
from kiosk.director.door import Lock
from kiosk.events import KnockAtDoor
from kiosk.station.apply import apply, begin
from kiosk.station.board import lamps_wake_at, lit
from kiosk.station.value import Station
from rules.side import Side
from tests.kiosk.challenge.making import S, context
from tests.kiosk.face.flows import NOW, ailing, checking, conceded, every_flow, idle, shown_again, typing, verdict, withdrawn

MIN = S // 2


def station(flow: Flow) -> Station:
    return begin(context(), Lock(pin=True)).replace(flow=flow)


def lamps(flow: Flow, after: int = 10 * S) -> list[str]:
    """Return the lamps lit so many ns after the flow's step began."""
    return sorted(lit(station(flow), flow.since + after))


def test_the_buttons_lamp_is_lit_from_the_instant_at_which_the_key_counts() -> None:
    flow = checking()
    assert lamps(flow, MIN - 1) == []
    assert lamps(flow, MIN) == ["adjudicate"]
    assert lamps_wake_at(station(flow), flow.since) == flow.since + MIN
    assert lamps_wake_at(station(flow), flow.since + MIN) is None


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


def test_a_challenge_conceded_has_no_verdict_and_no_lamp() -> None:
    assert lamps(conceded(acceptable=True)) == lamps(withdrawn()) == []


def test_at_every_other_step_all_lamps_are_dark_and_none_changes_by_itself() -> None:
    for flow in every_flow():
        if flow.step not in (Step.CHECKING, Step.VERDICT, Step.SHOWN_AGAIN):
            assert lamps(flow) == []
            assert lamps_wake_at(station(flow), NOW) is None


def test_while_the_directors_door_is_not_closed_no_lamp_is_lit() -> None:
    knocked, _ = apply(station(checking(touched=NOW)), KnockAtDoor(), NOW + S)
    assert knocked.suspended_at is not None
    assert lit(knocked, NOW + 2 * S) == frozenset()
    assert lamps_wake_at(knocked, NOW) is None


def test_the_lamps_tell_nothing_of_words_or_sides() -> None:
    changes: tuple[dict[str, Any], ...] = ({}, {"words": (("Z", "A"),), "count": 1}, {"challenger": Side.RIGHT})
    assert {tuple(lamps(checking(**each))) for each in changes} == {("adjudicate",)}
    assert lamps(typing()) == lamps(idle()) == []
