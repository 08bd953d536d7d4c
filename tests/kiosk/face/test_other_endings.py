"""How a challenge ends without a look-up: on no page by one touch or key, and on the page of the ways out by a target that says who does what."""

from __future__ import annotations

import pytest

from kiosk.challenge.flow import Flow, Question
from kiosk.events import Back, CallDirector, Concede, ShowWaysOut, Withdraw
from kiosk.face.page import Icon
from rules.side import BySide, Side
from tests.cells import each_cell
from tests.kiosk.face.flows import NO_WAY_OUT, asked, checking, every_flow, said, shown, targets, typing

PAGES = [asked(Question.COUNT, digits="12", challenger=Side.LEFT), typing(), checking()]
on_each = pytest.mark.parametrize("flow", PAGES, ids=["number", "words", "check"])


@on_each
def test_one_target_leads_there_from_each_page_and_so_do_the_keys_of_all_ways_out(flow: Flow) -> None:
    page = shown(flow)
    assert [(target.text, target.key) for target in page.actions if target.event == ShowWaysOut()] == [("Withdraw, concede", "F9")]
    assert [page.keys[key] for key in ("f10", "f3", "f4", "f9")] == [ShowWaysOut()] * 4


def test_on_no_other_page_does_a_single_touch_or_key_end_a_challenge_that_can_be_ended_so() -> None:
    for cell in each_cell([flow for flow in every_flow() if not flow.leaving], lambda flow: shown(flow).name):
        with cell as flow:
            page = shown(flow)
            assert not any(isinstance(target.event, Withdraw | Concede) for target in targets(page))
            if flow.context.rulebook.challenge.may_concede and flow.link is None:
                assert not any(isinstance(event, Withdraw | Concede) for event in page.keys.values())


@on_each
def test_there_each_way_out_stands_with_what_it_means_and_who_concedes_is_named_by_side_and_presses_there(flow: Flow) -> None:
    out = shown(flow.replace(leaving=True))
    assert (out.name, out.words, out.keyboard, out.typed, out.adjudicate) == ("ways", (), (), False, None)
    assert [target.event for target in out.actions] == [Withdraw(), Back(), CallDirector()]
    assert out.by_side is not None
    assert out.by_side.map(lambda target: (target.event, target.text, target.icon, target.key)) == BySide(
        (Concede(Side.LEFT), "Left player concedes", Icon.LEFT, "F3"), (Concede(Side.RIGHT), "Right player concedes", Icon.RIGHT, "F4")
    )
    assert [out.keys[key] for key in ("f10", "f3", "f4", "escape")] == [Withdraw(), Concede(Side.LEFT), Concede(Side.RIGHT), Back()]
    assert out.lines[1:] == (
        "Withdraw: nothing follows, the game goes on as it stood.",
        "Left player concedes: the play counts as acceptable.",
        "Right player concedes: the play comes off, unacceptable.",
    )


def test_what_a_concession_means_goes_by_who_challenges() -> None:
    lines = shown(typing(challenger=Side.RIGHT, leaving=True)).lines
    assert "Left player concedes: the play comes off, unacceptable." in lines
    assert "Right player concedes: the play counts as acceptable." in lines


@pytest.mark.parametrize("language", ["en", "fr", "es"])
def test_the_ways_out_are_said_in_every_language(language: str) -> None:
    assert "{" not in said(shown(typing(leaving=True), language=language))


def test_a_rulebook_without_concessions_leaves_the_withdrawal() -> None:
    flow = typing("naspa-2012", leaving=True)
    rule = flow.context.rulebook.challenge
    out = shown(flow)
    assert (out.by_side is not None, Withdraw() in [target.event for target in out.actions]) == (rule.may_concede, rule.may_withdraw)


@pytest.mark.parametrize("flow", [typing(NO_WAY_OUT), checking(NO_WAY_OUT)])
def test_under_a_rulebook_that_has_none_there_is_no_target_for_them_and_their_keys_say_so(flow: Flow) -> None:
    page = shown(flow)
    assert ShowWaysOut() not in [target.event for target in page.actions]
    assert [page.keys[key] for key in ("f10", "f3", "f4")] == [Withdraw(), Concede(Side.LEFT), Concede(Side.RIGHT)]
