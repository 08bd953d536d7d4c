"""Withdrawing, conceding, a play that goes out (2014 V.A, 2017 V.A, V.E, NZ 8.1.1), and what a verdict means."""

from typing import Any

import pytest

from appliance.errors import Diagnosis
from kiosk import events as ev
from kiosk.challenge.apply import begin
from kiosk.challenge.flow import Flow, Outcome, Step
from kiosk.challenge.timeouts import asks_at, clears_at, counted_to, next_due, tick
from kiosk.context import Trouble, TroubleKind
from kiosk.events import Role, WriteEntry, consequence
from records.entry import Kind, Way
from rules.rulebooks import load_rulebook, shipped_ids
from rules.side import Side
from tests.firmware.saying import RULEBOOKS
from tests.kiosk.challenge.making import S, at_checking, at_verdict, at_words, context, everything_in, follows, key, played, run
from tests.some import some


def _outcome(flow: Flow) -> Outcome:
    assert flow.step is Step.CLOSED
    return some(flow.outcome)


def test_a_challenge_withdrawn_is_kept_in_the_log_and_nothing_follows_from_it() -> None:
    flow, effects = run(at_checking(begin(context()), "CAT"), ev.Withdraw())
    outcome = _outcome(flow)
    assert (outcome.consequence, outcome.row, effects) == (None, None, (WriteEntry(outcome.entry),))
    assert (outcome.entry.kind, outcome.entry.words, outcome.entry.acceptable) == (Kind.WITHDRAWN, ("CAT",), None)
    assert played(flow, ev.Done()).step is Step.IDLE


def test_under_new_zealands_rules_a_challenge_is_neither_withdrawn_nor_conceded() -> None:
    flow = at_words(begin(context("nzasp-2022")))
    assert (played(flow, ev.Withdraw()).step, key(played(flow, ev.Withdraw()))) == (Step.WORDS, "notice.no_withdrawal")
    assert (played(flow, ev.Concede(Side.LEFT)).step, key(played(flow, ev.Concede(Side.LEFT)))) == (Step.WORDS, "notice.no_concession")


def test_the_challenged_player_who_concedes_takes_the_play_off_as_if_it_were_unacceptable() -> None:
    outcome = _outcome(played(at_words(begin(context()), challenger=Side.LEFT), ev.Concede(Side.RIGHT)))
    follows = some(outcome.consequence)
    assert (follows.acceptable, follows.turn_lost_by, follows.on_turn) == (False, Role.CHALLENGED, Role.CHALLENGER)
    assert (outcome.entry.kind, outcome.entry.acceptable, outcome.entry.why) == (Kind.CONCEDED, None, "the challenged player conceded")


def test_the_challenger_who_concedes_loses_what_an_acceptable_play_costs() -> None:
    outcome = _outcome(played(at_words(begin(context()), challenger=Side.LEFT), ev.Concede(Side.LEFT)))
    follows = some(outcome.consequence)
    assert (follows.acceptable, follows.turn_lost_by, outcome.entry.why) == (True, Role.CHALLENGER, "the challenger conceded")


def test_a_challenger_who_concedes_pays_for_each_word_typed_or_for_those_of_the_first_try() -> None:
    typed = played(at_words(begin(context("naspa-2017-collins-5"))), ev.Type("cat dog"), ev.Concede(Side.LEFT))
    repeat = played(at_verdict(begin(context("naspa-2017-collins-5")), "CAT", "DOG", "EMU"), ev.RepeatIt(), ev.Concede(Side.LEFT))
    points = [_outcome(flow).consequence for flow in (typed, repeat)]
    assert [each.points for each in points if each is not None] == [10, 15]


def test_where_points_go_by_words_they_are_typed_first() -> None:
    flow = at_words(begin(context("naspa-2017-collins-5")))
    asked = played(flow, ev.Concede(Side.LEFT))
    assert (asked.step, key(asked)) == (Step.WORDS, "notice.count_needed")
    assert _outcome(played(flow, ev.Concede(Side.RIGHT))).consequence is not None
    # The page with the ways out says so.
    for event in (ev.Concede(Side.LEFT), ev.AskToConcede(Side.LEFT)):
        told = played(flow, ev.ShowWaysOut(), event)
        assert (told.leaving, told.conceding, told.step, key(told)) == (True, None, Step.WORDS, "notice.count_needed")


def test_the_ways_out_end_a_challenge_or_lead_back_to_where_they_were_asked_for_and_nothing_counts_meanwhile() -> None:
    for flow in (played(at_words(begin(context())), ev.Type("cat")), at_checking(begin(context()), "CAT", "DOG")):
        asked = played(flow, ev.ShowWaysOut())
        assert (asked.leaving, asked.step) == (True, flow.step)
        meanwhile = (ev.Type("dog"), ev.Erase(), ev.Finish(), ev.Adjudicate(Way.TAB), ev.Adjudicate(Way.BUTTON), ev.ShowWaysOut())
        assert run(asked, *meanwhile) == (asked, ())
        assert played(asked, ev.CallDirector(), ev.Back()).replace(since=0, touched=0) == asked.replace(since=0, touched=0)
        back = played(asked, ev.Back())
        assert back.replace(since=0, touched=0) == flow.replace(since=0, touched=0)
        ends = (played(asked, ev.Withdraw()), played(asked, ev.Concede(Side.LEFT)), tick(asked, some(clears_at(asked)))[0])
        assert [(end.step, end.leaving) for end in ends] == [(Step.CLOSED, False), (Step.CLOSED, False), (Step.IDLE, False)]
        # What a concession costs is shown first; help and call lead back there.
        costs = played(asked, ev.AskToConcede(Side.RIGHT))
        assert (costs.leaving, costs.conceding, costs.step) == (True, Side.RIGHT, flow.step)
        for hides in (ev.ShowHelp(), ev.CallDirector()):
            assert played(costs, hides, ev.Back()).replace(since=0, touched=0) == costs.replace(since=0, touched=0)
        assert played(costs, ev.Back()).replace(since=0, touched=0) == asked.replace(since=0, touched=0)
        assert _outcome(played(costs, ev.Concede(Side.RIGHT))).entry.why == "the challenged player conceded"
    # The finger on back is no adjudication key: the words come up once more.
    assert played(back, ev.Adjudicate(Way.TOUCH), gap=S // 2 - 1).step is Step.CHECKING
    assert played(back, ev.Adjudicate(Way.TOUCH), gap=S // 2).step is Step.JUDGING


def test_a_play_that_has_a_verdict_is_not_withdrawn_and_a_second_opinion_is_not_conceded_either() -> None:
    verdict = at_verdict(begin(context()), "CAT")
    assert run(verdict, ev.Withdraw(), ev.Concede(Side.LEFT)) == (verdict, ())
    opinion, repeat = played(verdict, ev.SecondOpinion(True)), played(verdict, ev.RepeatIt())
    for refused in (played(opinion, ev.Withdraw()), played(opinion, ev.Concede(Side.LEFT)), played(repeat, ev.Withdraw())):
        assert key(refused) == "notice.already_judged"
    assert _outcome(played(repeat, ev.Concede(Side.LEFT))).entry.first == 11


def test_there_are_no_ways_out_where_nobody_challenges_yet_or_all_is_over() -> None:
    opinion = played(at_verdict(begin(context()), "CAT"), ev.SecondOpinion(here=True))
    for flow in (begin(context()), played(at_words(begin(context())), ev.Back()), at_verdict(begin(context()), "CAT"), opinion):
        assert run(flow, ev.ShowWaysOut()) == (flow, ())
    # A repeat can be conceded, where challenges can.
    for rulebook in RULEBOOKS:
        rule = load_rulebook(rulebook).challenge
        assert played(at_words(begin(context(rulebook))), ev.ShowWaysOut()).leaving is (rule.may_withdraw or rule.may_concede)
        repeat = played(at_verdict(begin(context(rulebook)), "CAT"), ev.RepeatIt())
        assert played(repeat, ev.ShowWaysOut()).leaving is rule.may_concede


@pytest.mark.parametrize("rulebook", shipped_ids())
def test_an_acceptable_last_play_ends_the_game_costs_no_turn_and_pays_what_the_rule_pays(rulebook: str) -> None:
    rule = load_rulebook(rulebook).challenge
    follows = consequence(rule, 3, acceptable=True, last_play=True)
    assert (follows.on_turn, follows.turn_lost_by, follows.restart) == (None, None, None)
    assert follows.points == 3 * rule.points_a_word + rule.points_a_challenge
    assert follows.points_to is (Role.CHALLENGED if follows.points else None)


def test_players_say_with_an_acceptable_verdict_that_it_was_the_last_play_and_may_take_that_back() -> None:
    judged = at_verdict(begin(context()), "CAT")
    over, effects = run(judged, ev.LastPlay(was_last=True))
    assert (over.step, follows(over).on_turn, follows(over).acceptable) == (Step.VERDICT, None, True)
    (row,) = [effect.entry for effect in effects if isinstance(effect, WriteEntry)]
    assert (row.kind, row.table, row.words, row.acceptable, row.first, row.last_play) == (Kind.LAST_PLAY, 7, ("CAT",), True, 11, True)
    assert [each.consequence.on_turn for each in over.verdicts] == [None]
    assert [each.last_play for each in over.open] == [True]
    assert follows(played(over, ev.LastPlay(was_last=False))) == follows(judged)


def test_nothing_depends_on_the_last_play_where_the_play_comes_off() -> None:
    judged = at_verdict(begin(context()), "CAT", acceptable=False)
    assert run(judged, ev.LastPlay(was_last=True)) == (judged, ())


@pytest.mark.parametrize(
    ("rulebook", "lost_by", "on_turn", "points"),
    [
        ("naspa-2012", Role.CHALLENGER, Role.CHALLENGED, 0),
        ("naspa-2014", Role.CHALLENGER, Role.CHALLENGED, 0),
        ("naspa-2017", Role.CHALLENGER, Role.CHALLENGED, 0),
        ("naspa-2014-collins-5", None, Role.CHALLENGER, 15),
        ("naspa-2014-collins-10", None, Role.CHALLENGER, 30),
        ("naspa-2017-collins-5", None, Role.CHALLENGER, 15),
        ("naspa-2017-collins-10", None, Role.CHALLENGER, 30),
        ("nzasp-2022", None, Role.CHALLENGER, 15),
        ("club", None, Role.CHALLENGER, 0),
    ],
)
def test_an_acceptable_play_of_three_words_is_as_the_source_says(rulebook: str, lost_by: Role | None, on_turn: Role, points: int) -> None:
    follows = consequence(load_rulebook(rulebook).challenge, 3, acceptable=True)
    assert (follows.turn_lost_by, follows.on_turn, follows.points) == (lost_by, on_turn, points)
    assert follows.points_to is (Role.CHALLENGED if points else None)


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_an_unacceptable_play_costs_its_player_the_turn_and_nobody_points_under_every_rulebook(rulebook: str) -> None:
    follows = consequence(load_rulebook(rulebook).challenge, 3, acceptable=False)
    assert (follows.turn_lost_by, follows.on_turn, follows.points, follows.points_to) == (Role.CHALLENGED, Role.CHALLENGER, 0, None)
    assert consequence(load_rulebook(rulebook).challenge, 3, acceptable=False, last_play=True) == follows


WORDS = ("QUARTZ", "ZEPHYR")
TROUBLE = Trouble(TroubleKind.LEXICON_DAMAGED, Diagnosis("damaged"))
KNOWN = frozenset({"context", "open", "own", "verdicts"})
"""What the station stands like, and what a table may do about its last challenge."""


def _flow(**limits: Any) -> Flow:
    return begin(context(**limits))


def _typing(**limits: Any) -> Flow:
    return played(at_words(_flow(**limits), table=345), ev.ChooseLanguage("fr"), ev.Type("quartz"))


def _checking() -> Flow:
    return played(at_checking(_flow(), *WORDS, table=345), ev.ChooseLanguage("fr"))


def _verdict(**limits: Any) -> Flow:
    return played(at_verdict(_flow(**limits), *WORDS, table=345, row=6789), ev.ChooseLanguage("fr"))


CLEARED: list[tuple[Flow, tuple[ev.ChallengeEvent, ...]]] = [
    (played(_flow(), ev.ChooseLanguage("fr"), ev.Begin(), ev.Type("345")), (ev.Back(), ev.Back())),
    (_typing(), (ev.Back(),) * 6),
    (_checking(), (ev.Back(),) * 7),
    (played(_verdict(), ev.SecondOpinion(True)), (ev.Back(),)),
    (_verdict(), (ev.Done(),)),
    (played(_typing(), ev.Withdraw()), (ev.Done(),)),
    (played(_verdict(), ev.CallDirector()), (ev.Back(), ev.Done())),
    (played(_checking(), ev.Adjudicate(Way.TAB)), (ev.CannotJudge(TROUBLE),)),
    (played(_verdict(), ev.RepeatIt(), ev.Type("quartz")), (ev.Back(), ev.Back(), ev.Back(), ev.Back())),
]
IDS = ["table", "words", "checking", "second opinion", "verdict", "closed", "director", "judging", "repeat"]


@pytest.mark.parametrize(("flow", "events"), CLEARED, ids=IDS)
def test_of_a_challenge_that_is_over_nothing_is_left_in_the_state(flow: Flow, events: tuple[ev.ChallengeEvent, ...]) -> None:
    clears = clears_at(flow)
    ends = [played(flow, *events)] if clears is None else [played(flow, *events), tick(flow, clears)[0]]
    for idle in ends:
        assert (idle.step, idle.language, idle.notice) == (Step.IDLE, "en", None)
        assert (idle.open, idle.verdicts) == (flow.open, flow.verdicts)
        left = [value for value in everything_in(idle, KNOWN) if value not in {None, "", 0, idle.since, idle.touched}]
        assert left == [idle.step, idle.question, "en"]
        assert idle == Flow(idle.context, since=idle.since, touched=idle.touched, open=idle.open, verdicts=idle.verdicts)


TYPED: dict[str, Flow] = {
    "words": _typing(),
    "checking": _checking(),
    "back at the number": played(_typing(), ev.Back()),
    "ways out": played(_typing(), ev.ShowWaysOut()),
    "help": played(_checking(), ev.ShowHelp()),
    "call": played(_typing(), ev.CallDirector()),
    "second opinion": played(_verdict(), ev.SecondOpinion(True)),
    "repeat": played(_verdict(), ev.RepeatIt(), ev.Type("quartz")),
}


@pytest.mark.parametrize("name", TYPED)
def test_words_that_nobody_touches_are_kept_two_minutes_then_asked_after_and_one_touch_goes_on_exactly_there(name: str) -> None:
    flow = TYPED[name]
    assert asks_at(flow) == flow.touched + 120 * S
    assert tick(flow, flow.touched + 120 * S - 1) == (flow, ())
    asking, effects = tick(flow, flow.touched + 120 * S)
    assert (asking, effects) == (flow.replace(still_there=True), ())
    back, logged = run(asking, ev.Back(), gap=170 * S)
    assert (back, logged) == (flow.replace(since=back.since, touched=flow.touched + 170 * S), ())
    assert asks_at(back) == back.touched + 120 * S


def test_while_it_asks_whether_anybody_is_there_nothing_is_typed_answered_or_adjudicated() -> None:
    for flow in (_typing(), _checking()):
        asking, _ = tick(flow, flow.touched + 120 * S)
        events = (
            ev.Type("x"),
            ev.NoFunction("F7"),
            ev.Finish(),
            ev.Withdraw(),
            ev.Concede(Side.LEFT),
            ev.CallDirector(),
            ev.ShowHelp(),
            ev.ChooseLanguage("es"),
            ev.Done(),
        )
        assert run(asking, *events) == (asking, ())


@pytest.mark.parametrize("way", list(Way))
def test_a_key_to_adjudicate_only_says_that_somebody_is_there_and_counts_again_after_half_a_second(way: Way) -> None:
    flow = _checking()
    asking, _ = tick(flow, flow.touched + 120 * S)
    back, effects = run(asking, ev.Adjudicate(way))
    assert (back.step, back.still_there, effects) == (Step.CHECKING, False, ())
    assert run(back, ev.Adjudicate(way), gap=S // 2 - 1)[0].step is Step.CHECKING
    assert run(back, ev.Adjudicate(way), gap=S // 2)[0].step is Step.JUDGING


@pytest.mark.parametrize(
    ("limits", "flow", "asks"),
    [
        ({"words_s": 300}, _typing, 300),
        ({"idle_s": 600}, _typing, 600),
        ({"director_s": 10}, lambda **limits: played(_typing(**limits), ev.CallDirector()), 120),
        # The repeat that players asked for is theirs before its first letter too.
        ({}, lambda **_: played(at_verdict(begin(context()), "CAT"), ev.RepeatIt()), 120),
        ({"director_s": 900}, lambda **limits: played(_typing(**limits), ev.CallDirector()), 900),
    ],
)
def test_typed_words_are_kept_as_long_as_the_longest_time_that_applies(limits: Any, flow: Any, asks: int) -> None:
    waiting = flow(**limits)
    assert asks_at(waiting) == waiting.touched + asks * S
    assert counted_to(waiting) == (asks_at(waiting) if waiting.calling else None)


def test_a_verdict_clears_30_s_after_it_came_up_whatever_is_touched_and_is_in_the_log_already() -> None:
    verdict = _verdict()
    assert clears_at(verdict) == verdict.since + 30 * S
    assert tick(verdict, verdict.since + 30 * S - 1) == (verdict, ())
    assert tick(verdict, verdict.since + 30 * S)[1] == ()
    called = played(_verdict(director_s=70), ev.CallDirector())
    assert clears_at(called) == called.touched + 70 * S


def _woken(flow: Flow, since: int) -> list[int]:
    now, woken = since, list[int]()
    while (wake := next_due(flow.replace(open=(), verdicts=()), now)) is not None and wake > now:
        woken.append(wake - since)
        now = wake
    return woken


def test_the_station_wakes_for_each_second_of_a_verdict_and_for_the_last_ten_of_a_page_for_input() -> None:
    verdict, asked = _verdict(verdict_s=15), played(_flow(), ev.Begin())
    assert _woken(verdict, verdict.since) == [second * S for second in range(1, 16)]
    assert _woken(asked, asked.touched) == [second * S for second in range(35, 46)]


def test_the_station_wakes_when_a_challenge_can_no_longer_be_repeated_or_its_verdict_shown_again() -> None:
    idle = played(_verdict(), ev.Done())
    assert next_due(idle.replace(verdicts=()), idle.touched) == idle.open[0].until
    assert next_due(idle, idle.touched) == idle.verdicts[0].until
    assert tick(idle, idle.verdicts[0].until - 1) == (idle, ())
    assert tick(idle, idle.verdicts[0].until)[0].verdicts == ()
