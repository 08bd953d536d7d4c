from collections.abc import Iterator
from itertools import product

import pytest
from msgspec.structs import replace

from kiosk import events
from kiosk.challenge.flow import EarlierRow, Flow, Question
from kiosk.director.door import Lock
from kiosk.events import Effect, Judge, WriteVerdict
from kiosk.face.page import Page
from kiosk.face.view import page
from kiosk.keyboards import keyboard
from kiosk.layout.arrange import arrange
from kiosk.layout.placed import Options
from kiosk.screens.pressing import MIN_NS, Answered, UnreadGuard, after, keys_that_count, touched
from kiosk.station import Station, apply, begin
from kiosk.texts import load_texts
from lexicon.alphabet import load_alphabet
from records.entry import Kind
from rules.duration import NS
from rules.side import Side
from tests.cells import each_cell
from tests.examples import THOROUGH
from tests.kiosk.challenge.making import context
from tests.kiosk.face.flows import asked, checking, every_flow, idle, typing
from tests.kiosk.kept_pin import KEPT_PIN
from tests.kiosk.screens.states import BOOK, BOOKS, FINDINGS, LEXICONS, PLAYED, RULED, SLIP, WHO, facts
from tests.kiosk.station.playing import Playing

AT = 1_000 * NS
AGAIN = NS // 5
SIZES = [(800, 480), (480, 800), *([(1280, 720), (1920, 1080)] if THOROUGH else [])]
TYPING = (events.Type, events.TypeTile, events.Erase)
REPEATED = (events.AddWord, events.ChooseWord, events.Next, events.TurnPage)
KEYS = keyboard("qwerty", load_alphabet("english").spelling.tiles)


def standing(flow: Flow) -> Station:
    return begin(context(), Lock(KEPT_PIN)).replace(flow=flow)


def challenges() -> Iterator[Station]:
    flows = (*every_flow(), typing(words=(("C", "A", "T"), ("Q", "I"), ("Z", "A")), count=2, chosen=1))
    for flow, side in product(flows, Side):
        known = flow if flow.challenger is None else flow.replace(challenger=side)
        yield standing(known.replace(since=AT - 9 * NS, touched=AT - NS))


def desks() -> Iterator[Station]:
    ways: tuple[tuple[events.Event, ...], ...] = (
        *((events.GoTo(place),) for place in events.JudgeDeskPlace),
        facts(events.JudgeDeskPlace.LEXICONS, lexicons=LEXICONS * 3),
        facts(events.JudgeDeskPlace.RULEBOOKS, rulebooks=BOOKS),
        facts(events.JudgeDeskPlace.SELF_TEST, findings=FINDINGS * 3),
        *(SLIP[:2], SLIP[:3], SLIP, PLAYED[:-1], PLAYED, WHO[:-1], BOOK, RULED, (*RULED, events.SecondOpinion(here=False))),
    )
    for way in ways:
        played = Playing(begin(context("naspa-2017"), Lock(KEPT_PIN, key=True), AT - NS))
        played.seconds = (AT - NS) / NS - 1_000
        yield played.opened().do(*way).now
    asked_pin = Playing(begin(context(), Lock(KEPT_PIN), AT - NS))
    yield asked_pin.do(events.KnockAtDoor(), events.Type("2468")).now


STATIONS = (*challenges(), *desks())


def seen(station: Station, at: int) -> Page:
    return page(station, at, load_texts, KEYS)


def done(station: Station, event: events.Event, at: int) -> Station:
    answers: dict[type[Effect], events.Event] = {
        Judge: events.Judged(acceptable=True, row=3),
        WriteVerdict: events.VerdictWritten(4),
    }
    station, effects = apply(station, event, at)
    for effect in effects:
        if type(effect) in answers:
            station, _ = apply(station, answers[type(effect)], at)
    return station


@pytest.mark.parametrize("size", SIZES)
def test_two_taps_on_one_point_do_one_thing_of_consequence(size: tuple[int, int]) -> None:
    for cell in each_cell(product([False, True], [False, True]) if THOROUGH else [(False, True), (True, False)]):
        with cell as (left, large):
            options = Options(large_text=large, left_handed=left, millimetres_wide=154.08 if size[0] >= size[1] else 85.92)
            held_up = 0
            for station in STATIONS:
                before = seen(station, AT)
                arranged = arrange(before, size, options)
                for item in (item for item in arranged.items if item.target is not None and not isinstance(item.target.event, TYPING)):
                    spot = item.box.x + item.box.width // 2, item.box.y + item.box.height // 2
                    first = touched(UnreadGuard(0), arranged, spot, AT)
                    assert first is not None
                    now = done(station, first.event, AT)
                    then = seen(now, AT + AGAIN)
                    known = after(UnreadGuard(0), first.event, before, arranged, AT)
                    sight = known if then.name == before.name else UnreadGuard(AT)
                    laid = arrange(then, size, options)
                    second = touched(sight, laid, spot, AT + AGAIN)
                    if second is None:
                        held_up += touched(UnreadGuard(0), laid, spot, AT + AGAIN) is not None
                        continue
                    same = then.name == before.name and second.id == first.id
                    assert isinstance(second.event, TYPING) or same, (before.name, first, second)
            assert held_up > 100


def test_a_key_struck_twice_does_one_thing_of_consequence() -> None:
    for station in STATIONS:
        before = seen(station, AT)
        arranged = arrange(before, SIZES[0], Options())
        for name, event in before.keys.items():
            then = seen(done(station, event, AT), AT + AGAIN)
            known = after(UnreadGuard(0), event, before, arranged, AT)
            sight = known if then.name == before.name else UnreadGuard(AT)
            second = keys_that_count(sight, then, AT + AGAIN).get(name)
            assert second is None or isinstance(second, (*TYPING, *REPEATED)), (before.name, name, event, second)
            assert second is None or isinstance(second, TYPING) or type(second) is type(event), (before.name, name, event, second)


def test_after_half_a_second_everything_counts() -> None:
    for station in STATIONS:
        shown = seen(station, AT)
        arranged = arrange(shown, SIZES[0], Options())
        for sight in (UnreadGuard(AT - MIN_NS), UnreadGuard(0, Answered(AT - MIN_NS, events.Done(), shown, arranged))):
            assert keys_that_count(sight, shown, AT) == shown.keys
            for item in (item for item in arranged.items if item.target is not None):
                assert touched(sight, arranged, (item.box.x, item.box.y), AT) == item.target


def test_what_is_tapped_repeatedly_and_what_types_is_never_held_up_on_its_page() -> None:
    flow = typing(count=None, chosen=0, context=context(), words=(("C", "A", "T"), ("Q", "I"), ("Z", "A")))
    shown = seen(standing(flow), AT)
    arranged = arrange(shown, SIZES[0], Options())
    for item in (item for item in arranged.items if item.target is not None):
        assert item.target is not None
        sight = after(UnreadGuard(0), item.target.event, shown, arranged, AT)
        again = touched(sight, arranged, (item.box.x, item.box.y), AT + 1)
        repeated = isinstance(item.target.event, (*TYPING, events.AddWord, events.ChooseWord, events.Next))
        assert (again == item.target) is repeated, item.target
    assert keys_that_count(after(UnreadGuard(0), shown.keys["down"], shown, arranged, AT), shown, AT + 1)["down"] == shown.keys["down"]


def test_a_letter_typed_in_between_ends_a_double_tap() -> None:
    shown = seen(standing(typing()), AT)
    arranged, before = (arrange(each, SIZES[0], Options()) for each in (shown, seen(begin(context(), Lock(KEPT_PIN)), AT)))
    moved = UnreadGuard(0, Answered(AT, events.Next(), replace(shown, keys={}), before))
    (finish,) = (item for item in arranged.items if item.target is not None and item.target.id == "finish")
    spot = finish.box.x + 1, finish.box.y + 1
    assert touched(moved, arranged, spot, AT + 1) is None
    assert touched(after(moved, events.Type("A"), shown, arranged, AT), arranged, spot, AT + 1) == finish.target


def test_typing_keys_count_on_a_page_that_has_just_come_up() -> None:
    leaving = typing(link=EarlierRow(Kind.REPEAT, 3, 1), leaving=True)
    for flow, keys in (
        (asked(Question.TABLE, digits="1"), {"backspace": events.Erase()}),
        (idle(), {"backspace": events.Erase()}),
        (leaving, {}),
    ):
        assert keys_that_count(UnreadGuard(AT), seen(standing(flow), AT), AT) == keys
    # The challenged player's key is held up as all else.
    assert keys_that_count(UnreadGuard(AT - MIN_NS + 1), seen(standing(checking()), AT), AT) == {}
