from collections.abc import Iterator
from itertools import product
from typing import get_args

import pytest

from appliance.texts import languages
from kiosk import events as ev
from kiosk.challenge.apply import apply
from kiosk.challenge.flow import EarlierRow, Flow, Question, Step, notice
from kiosk.challenge.timeouts import asks_at, clears_at, tick
from kiosk.director.door import Lock
from kiosk.face.page import FUNCTION_KEYS, Icon, Page, Tone
from kiosk.face.view import page as station_page
from kiosk.station import apply as station_apply
from kiosk.station import begin, next_due
from kiosk.station import tick as station_tick
from kiosk.texts import load_texts
from records.entry import Kind
from rules.duration import NS
from tests.cells import each_cell
from tests.kiosk.face.flows import (
    BOARD,
    NOW,
    WORDS,
    asked,
    checking,
    conceded,
    every_flow,
    idle,
    judge_called,
    said,
    shown,
    shown_again,
    targets,
    typing,
    verdict,
    withdrawn,
)
from tests.kiosk.kept_pin import KEPT_PIN
from tests.some import some

PAGES = {
    "idle",
    "idle.joining",
    "idle.trouble",
    "table.table",
    "table.challenger",
    "table.repeat",
    "table.looking",
    "table.runs",
    "words",
    "ways",
    "concede",
    "help",
    "checking",
    "verdict",
    "closed.withdrawn",
    "closed.conceded",
    "director",
    "word_judge",
    "still_there",
    "verdict.again",
}
SHORT = notice("short", word="QI", least=2)
KEYS = {"tab", "return", "backspace", "escape", "up", "down", "left", "right", "delete", *(f"f{number}" for number in range(1, 13))}
FROM_THE_SHELL = {ev.Judged, ev.CannotJudge, ev.SetContext, *get_args(ev.HallEvent)}


def events_of(*kinds: type[object]) -> set[type[object]]:
    every: set[type[object]] = {each for each in vars(ev).values() if isinstance(each, type) and ev.ChallengeEvent in each.__bases__}
    return every - FROM_THE_SHELL - set(kinds)


def named(flow: Flow) -> str:
    return f"{shown(flow).name} ({flow.context.rulebook.id}, {flow.link}, count {flow.count}, word {flow.chosen}, leaving {flow.leaving})"


def by_touch(page: Page) -> list[ev.Event]:
    return [target.event for target in targets(page)]


def test_every_step_has_a_page_of_its_own_name() -> None:
    assert {shown(flow).name for flow in every_flow()} == PAGES
    # The shell's answer comes before the next picture.
    assert {flow.step for flow in every_flow()} == {*Step} - {Step.JUDGING}


def test_every_event_of_the_players_flow_is_reached_by_touch() -> None:
    reached = {type(event) for flow in every_flow() for event in by_touch(shown(flow))}
    assert reached - {ev.KnockAtDoor} == events_of(ev.Type, ev.NoFunction)


def test_every_event_of_the_players_flow_is_reached_by_keyboard() -> None:
    pages = [shown(flow) for flow in every_flow()]
    reached = {type(event) for page in pages for event in page.keys.values()}
    # Digits and letters are typed.
    assert reached - {ev.KnockAtDoor} == events_of(ev.Type, ev.TypeTile)
    assert any(page.typed for page in pages if page.name == "words")


def test_whatever_can_be_touched_can_be_done_with_a_key() -> None:
    for cell in each_cell(every_flow(), named):
        with cell as flow:
            page = shown(flow)
            for event in by_touch(page):
                typed = page.typed and isinstance(event, ev.TypeTile)
                chosen = page.name == "words" and isinstance(event, ev.ChooseWord)
                adjudicated = page.name == "checking" and isinstance(event, ev.Adjudicate)
                # One key leads round all languages.
                language = isinstance(event, ev.ChooseLanguage) and isinstance(page.keys["f11"], ev.ChooseLanguage)
                assert typed or chosen or adjudicated or language or event in page.keys.values(), event


def test_no_two_targets_of_a_page_have_the_same_name_and_each_says_something() -> None:
    for cell in each_cell(product(every_flow(), languages()), lambda cell: (named(cell[0]), cell[1])):
        with cell as (flow, language):
            pressed = list(targets(shown(flow, language=language)))
            assert len({target.id for target in pressed}) == len(pressed)
            assert all(target.text for target in pressed)


ICONS = {Icon.LEFT: "left", Icon.RIGHT: "right", Icon.UP: "up", Icon.DOWN: "down", Icon.ERASE: "backspace"}
"""The icons that are the sign of a key."""


def test_a_target_shows_its_key_and_a_key_that_has_no_function_says_so() -> None:
    for cell in each_cell(product(every_flow(), languages()), lambda cell: (named(cell[0]), cell[1])):
        with cell as (flow, language):
            page = shown(flow, language=language)
            assert set(page.keys) == KEYS
            for target in targets(page):
                does = {name for name, event in page.keys.items() if event == target.event or (target.id == "adjudicate" and name == "tab")}
                labels = {load_texts(language).by_key.get(f"key.{name}", name.upper()) for name in does}
                assert (
                    target.key in labels
                    if target.key
                    else not does or ICONS.get(target.icon or Icon.TICK) in does or target.id.startswith("word.")
                ), target
                # On the words page the keys of all ways out lead to where they are named, as the target does.
                assert target.key == FUNCTION_KEYS.get(target.id, "").upper() or FUNCTION_KEYS.get(target.id) not in does


def test_a_key_without_a_function_is_answered_by_the_page_that_it_is_pressed_on() -> None:
    for cell in each_cell(product(every_flow(), languages()), lambda cell: (named(cell[0]), cell[1])):
        with cell as (flow, language):
            page = shown(flow, language=language)
            for event in page.keys.values():
                if isinstance(event, ev.NoFunction):
                    after, effects = apply(flow, event, NOW)
                    answered = shown(after, language=language)
                    assert (answered.name, effects) == (page.name, ())
                    assert event.key in some(answered.notice)


def test_the_help_is_in_a_corner_of_every_page_but_itself_and_the_one_that_has_a_single_answer() -> None:
    for cell in each_cell(every_flow(), named):
        with cell as flow:
            page = shown(flow)
            if flow.helping or flow.still_there:
                assert page.help is None
            else:
                assert page.help is not None
                assert (page.help.icon, page.help.event, page.help.key) == (Icon.HELP, ev.ShowHelp(), "F1")
                assert page.keys["f1"] == ev.ShowHelp()


UNKNOWN = {"idle", "idle.joining", "idle.trouble", "table.table"}
"""The pages before the table's number is entered."""


def test_the_tables_number_stands_on_every_page_from_the_moment_it_is_known() -> None:
    for cell in each_cell(product(every_flow(), languages()), lambda cell: (named(cell[0]), cell[1])):
        with cell as (flow, language):
            hidden = shown(flow.replace(helping=False), language=language)
            label = None if hidden.name in UNKNOWN else load_texts(language).say("words.where", table=12)
            assert shown(flow, language=language).table == hidden.table == label


READ = [verdict(acceptable=True), shown_again(acceptable=False), withdrawn(), conceded(acceptable=True), judge_called()]


@pytest.mark.parametrize("flow", [*READ, asked(Question.TABLE, calling=True), verdict(acceptable=True, helping=True)])
def test_a_page_that_is_only_read_shows_all_along_for_how_long_it_stays(flow: Flow) -> None:
    end = some(clears_at(flow))
    assert [shown(flow, at).countdown_s for at in (NOW, NOW + 1, NOW + NS, end)] == [(end - NOW) // NS] * 2 + [(end - NOW) // NS - 1, 0]


@pytest.mark.parametrize("flow", [typing(words=((),), chosen=0), idle(language="fr"), asked(Question.TABLE)])
def test_a_page_for_input_tells_its_last_ten_seconds_rounded_up(flow: Flow) -> None:
    end = some(clears_at(flow))
    assert shown(flow, end - 10 * NS - 1).countdown_s is None
    assert shown(flow, end - 10 * NS).countdown_s == 10
    assert shown(flow, end - 9 * NS - 1).countdown_s == 10
    assert shown(flow, end - 9 * NS).countdown_s == 9
    assert shown(flow, end - 1).countdown_s == 1
    assert shown(flow, end).countdown_s == 0
    assert shown(flow, end + NS).countdown_s == 0


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize(
    "flow", [typing(), checking(), typing(helping=True), typing(leaving=True), typing(calling=True), typing(notice=SHORT)]
)
def test_the_question_whether_anybody_is_there_counts_down_all_its_time_and_shows_nothing_of_the_words(flow: Flow, language: str) -> None:
    asks, end = asks_at(flow), clears_at(flow)
    assert asks is not None
    assert end is not None
    asking, _ = tick(flow, asks)
    page = shown(asking, asks, language)
    assert (page.name, page.countdown_s) == ("still_there", 60)
    assert [target.event for target in page.actions] == [ev.Back()]
    assert not [word for word in ("CAT", "QI") if word in said(page)]
    for left in (60, 31, 1):
        counted = shown(asking, end - left * NS, language)
        assert counted.countdown_s == left
        assert str(left) in counted.lines[-1]
    assert shown(flow, asks - 1).countdown_s == (1 if flow.calling else None)


def test_what_is_grey_leaves_the_page_as_it_is_when_it_is_pressed() -> None:
    grey = 0
    for flow in (*every_flow(), typing(words=WORDS * 4), verdict(acceptable=False, open=())):
        for target in targets(shown(flow)):
            if target.tone is Tone.OFF:
                grey += 1
                after, effects = apply(flow, target.event, NOW + NS)  # type: ignore[arg-type]  # a page's events are the players', but for the door's
                assert (shown(after).name, effects) == (shown(flow).name, ())
                assert after.notice is not None or isinstance(target.event, ev.ChooseLanguage), "a language in use has a tick"
    assert grey > 3


IRREVOCABLE = (
    ev.Adjudicate,
    ev.Withdraw,
    ev.Concede,
    ev.ShowVerdict,
    ev.SecondOpinion,
    ev.Confirm,
    ev.SwitchOffNow,
    ev.GiveVerdict,
)
SAID_NS = 3 * NS


def closings(flow: Flow) -> Iterator[tuple[Page, Page]]:
    """Yield each page that closes by itself, as it is three seconds before, and the next one; with the players' page in sight, and with the director's door."""
    known = begin(flow.context, Lock(KEPT_PIN), NOW).replace(flow=flow)
    for station in (known, station_apply(known, ev.KnockAtDoor(), NOW)[0]):
        now, at = station, NOW
        while (due := next_due(now, at)) is not None:
            before, now, at = now, station_tick(now, due)[0], due
            early, late = (station_page(each, instant, load_texts, BOARD) for each, instant in ((before, at - SAID_NS), (now, at)))
            if early.name != late.name:
                yield early, late


def test_where_a_page_closes_by_itself_the_next_touch_does_nothing_irrevocable_unless_the_page_said_so_for_three_seconds() -> None:
    closed = [pages for flow in every_flow() for pages in closings(flow)]
    assert len(closed) > 40
    for early, late in closed:
        does = [*late.keys.values(), *(target.event for target in targets(late))]
        assert early.countdown_s is not None or not any(isinstance(event, IRREVOCABLE) for event in does), (early.name, late.name)


def test_the_help_of_a_repeat_says_what_may_be_changed_in_it() -> None:
    flow = typing(link=EarlierRow(Kind.REPEAT, 3, 1), helping=True)
    assert shown(flow).lines == (
        "Type the words of the first try again. One of them may differ by one letter; anything else is for the director.",
    )
    assert shown(flow.replace(leaving=True)).lines != shown(flow).lines


OFF_CENTRE = "A first word off the centre square comes off when it is challenged, whatever the words: do not look it up, call the director."


@pytest.mark.parametrize("rulebook", ["naspa-2012", "naspa-2014", "naspa-2017", "naspa-2017-collins-5", "club", "nzasp-2022"])
def test_who_challenges_a_first_word_off_the_centre_square_reads_in_the_help_where_rules_say_that_no_list_decides(rulebook: str) -> None:
    flow = typing(rulebook)
    assert (OFF_CENTRE in shown(flow.replace(helping=True)).lines) is (rulebook != "nzasp-2022")
    assert OFF_CENTRE not in said(shown(flow))
    assert OFF_CENTRE not in shown(flow.replace(helping=True, calling=True)).lines
    assert OFF_CENTRE not in shown(verdict(rulebook, acceptable=True, helping=True)).lines
