"""No judge rules twice on a play; rows and slips of a manual adjudication are linked: a review to the first ruling, the first ruling to the players' look-up, where there was one."""

import pytest

from faults.errors import Phrase
from kiosk import events as players
from kiosk.challenge.flow import Notice
from kiosk.director.adjudication import Opinion, Stage, from_opinion
from kiosk.events import AskReview, GiveVerdict, Settle, VerdictNotWritten
from rules.side import Side
from tests.kiosk.challenge.making import context
from tests.kiosk.director.judging import AT, Judging, slip


def test_what_is_printed_is_linked_as_the_row_of_the_ruling_that_stands_is() -> None:
    opinion = Opinion(9, Side.LEFT, (tuple("HEM"),), 55, AT)
    for second, row, first in ((True, 101, 55), (False, 101, 55)):
        judged = Judging(from_opinion(context(), opinion, AT)).do(players.Finish()).ruled_by("AB", acceptable=True)
        printed = judged.reviewed_by("CD", acceptable=second).do(Settle()).asked[-1]
        assert (printed.row, printed.entry.first) == (row, first)
        assert [each.first for each in judged.kept] == [55, 101]
    third = slip().ruled_by("AB", acceptable=True).reviewed_by("CD", acceptable=False).reviewed_by("EF", acceptable=False)
    printed = third.do(Settle()).asked[-1]
    assert (printed.row, printed.entry.first, printed.entry.why) == (103, 101, "third judge EF")


def test_where_the_first_ruling_could_not_be_logged_the_next_ones_keep_the_link_to_the_look_up() -> None:
    opinion = Opinion(9, Side.LEFT, (tuple("HEM"),), 55, AT)
    judged = Judging(from_opinion(context(judge_unlogged=True), opinion, AT)).do(players.Finish())
    judged.do(players.Type("AB"), players.Next(), GiveVerdict(acceptable=True), VerdictNotWritten(Phrase("full")))
    assert [row.first for row in judged.reviewed_by("CD", acceptable=True).kept] == [55, 55]


def test_naspa_a_second_judges_row_is_linked_to_the_first_and_two_who_agree_are_final() -> None:
    judged = slip().ruled_by("AB", acceptable=True).reviewed_by("CD", acceptable=True)
    assert [(row.first, row.why) for row in judged.kept] == [(None, "first judge AB"), (101, "second judge CD")]
    assert judged.at.seat is None
    assert judged.do(AskReview()).at.stage is Stage.RULED


@pytest.mark.parametrize("before", ["AB", "CD"])
def test_a_third_judge_is_neither_of_the_first_two(before: str) -> None:
    differ = slip().ruled_by("AB", acceptable=True).reviewed_by("CD", acceptable=False)
    differ.do(AskReview(), players.Type(before), players.Next())
    assert (differ.at.stage, differ.at.notice) == (Stage.JUDGE, Notice("judge.notice.same"))
    assert differ.do(*[players.Erase()] * 2).ruled_by("EF", acceptable=False).kept[-1].why == "third judge EF"
