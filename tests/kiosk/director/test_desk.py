from msgspec.structs import replace

from appliance.errors import Diagnosis
from faults.errors import Phrase
from kiosk import events
from kiosk import events as ev
from kiosk import events as players
from kiosk.context import Facts, LexiconFile, LogLine, LogPage, RulebookChoice, SelfTestResult, Trouble, TroubleKind
from kiosk.director.judge_desk import LONGEST_NAME, ROWS, Around, JudgeDesk, apply, left
from kiosk.director.word_judge import Opinion
from kiosk.events import Effect
from records.entry import Entry, Kind
from tests.cells import each_cell
from tests.kiosk.challenge.making import context, lexicon_name
from tests.some import some

AT = 10**12
AROUND = Around(context())


def after(*events: object, around: Around = AROUND) -> tuple[JudgeDesk, tuple[Effect, ...]]:
    desk, asked = JudgeDesk(), tuple[Effect, ...]()
    for event in events:
        desk, asked = apply(desk, event, around, AT)
    return desk, asked


def lines(*rows: int) -> tuple[LogLine, ...]:
    return tuple(LogLine(row, "2026-11-21 10:00:00", Entry(Kind.LOOKUP)) for row in rows)


PLACES = [
    (ev.JudgeDeskPlace.LEXICONS, (events.LookForLexicons(),)),
    (ev.JudgeDeskPlace.RULEBOOKS, (events.LookForRulebooks(),)),
    (ev.JudgeDeskPlace.LOG, (events.ReadLog(None, ROWS),)),
    (ev.JudgeDeskPlace.SELF_TEST, (events.TestYourself(),)),
    (ev.JudgeDeskPlace.NAME, ()),
    (ev.JudgeDeskPlace.EXPORT, ()),
    (ev.JudgeDeskPlace.JUDGE, ()),
    (ev.JudgeDeskPlace.QUIT, ()),
]


def test_each_place_asks_for_what_it_shows_and_has_a_way_back() -> None:
    for cell in each_cell(PLACES):
        with cell as (place, asked):
            desk, found = after(ev.GoTo(place))
            assert (desk.place, found) == (place, asked)
            assert apply(desk, players.Back(), AROUND, AT) == (JudgeDesk(), ())


def test_a_lexicon_is_chosen_by_its_file_also_one_that_could_not_be_used_before() -> None:
    files = (LexiconFile("/a.dawg", lexicon_name()), LexiconFile("/b.dawg", None, Phrase("damaged")))
    for file in files:
        _, asked = after(ev.GoTo(ev.JudgeDeskPlace.LEXICONS), ev.JudgeDeskAnswer(Facts(lexicons=files)), ev.Choose(file.id), ev.Confirm())
        # The list is looked for again: what the file holds by then stands on it.
        assert asked == (events.Use(file), events.LookForLexicons())
    assert (
        after(ev.GoTo(ev.JudgeDeskPlace.LEXICONS), ev.JudgeDeskAnswer(Facts(lexicons=files)), ev.Choose("/etc/passwd"), ev.Confirm())[1]
        == ()
    )


def test_a_touch_on_a_list_changes_nothing_before_it_is_asked_for_once_more() -> None:
    files, books = (LexiconFile("/a.dawg", lexicon_name()),), (RulebookChoice("club", "Club rules"),)
    for place, facts, choose in (
        (ev.JudgeDeskPlace.LEXICONS, Facts(lexicons=files), ev.Choose("/a.dawg")),
        (ev.JudgeDeskPlace.RULEBOOKS, Facts(rulebooks=books), ev.Choose("club")),
    ):
        listed, _ = after(ev.GoTo(place), ev.JudgeDeskAnswer(facts))
        chosen, asked = apply(listed, choose, AROUND, AT)
        assert (chosen.wanted is not None, asked) == (True, ())
        assert apply(chosen, choose, AROUND, AT) == (chosen, ()), "the same place touched twice is no answer"
        assert apply(chosen, players.Back(), AROUND, AT) == (listed, ())
        assert apply(listed, ev.Confirm(), AROUND, AT) == (listed, ())
        assert apply(chosen, ev.Confirm(), AROUND, AT)[0] == listed


def test_nothing_is_asked_about_what_is_in_force_unless_it_is_unsound_or_something_else_is_to_come() -> None:
    same = tuple(LexiconFile(path, lexicon_name()) for path in ("/a.dawg", "/b.dawg"))
    reported, stands = Facts(lexicons=same, in_use="/a.dawg"), context()
    ill = Around(replace(stands, trouble=Trouble(TroubleKind.LEXICON_DAMAGED, Diagnosis("damaged"))))
    for path, around, asks in (
        ("/a.dawg", AROUND, False),
        ("/b.dawg", AROUND, True),
        ("/a.dawg", ill, True),
        ("/a.dawg", Around(stands, has_pending=True), True),
    ):
        desk, _ = after(ev.GoTo(ev.JudgeDeskPlace.LEXICONS), ev.JudgeDeskAnswer(reported), ev.Choose(path), around=around)
        assert (desk.wanted is not None) is asks
    books = ev.JudgeDeskAnswer(Facts(rulebooks=(RulebookChoice(stands.rulebook.id, "The one in force"),)))
    assert after(ev.GoTo(ev.JudgeDeskPlace.RULEBOOKS), books, ev.Choose(stands.rulebook.id))[0].wanted is None


def test_the_name_is_printable_bounded_and_not_empty() -> None:
    desk, _ = after(ev.GoTo(ev.JudgeDeskPlace.NAME))
    assert desk.name == "Station 1"
    for _ in range(20):
        desk, _ = apply(desk, players.Erase(), AROUND, AT)
    assert apply(desk, players.Next(), AROUND, AT) == (desk, ())
    for text in ("  \x1b", "Room\n\u202e 2", "x" * 1000):
        desk, _ = apply(desk, players.Type(text), AROUND, AT)
    assert desk.name == ("Room 2" + "x" * 1000)[:LONGEST_NAME]
    assert apply(desk, players.Next(), AROUND, AT)[1] == (events.Rename(desk.name),)


def test_a_long_list_is_turned_a_page_at_a_time_and_no_further() -> None:
    found = tuple(SelfTestResult(Phrase(str(number)), fine=True) for number in range(ROWS * 2 + 1))
    firsts = [
        after(ev.GoTo(ev.JudgeDeskPlace.SELF_TEST), ev.JudgeDeskAnswer(Facts(findings=found)), *[ev.TurnPage(1)] * turns)[0].first
        for turns in range(4)
    ]
    assert firsts == [0, ROWS, ROWS * 2, ROWS * 2]
    assert (
        after(
            ev.GoTo(ev.JudgeDeskPlace.SELF_TEST),
            ev.JudgeDeskAnswer(Facts(findings=found)),
            ev.TurnPage(1),
            ev.TurnPage(-1),
            ev.TurnPage(-1),
        )[0].first
        == 0
    )


def test_the_log_is_read_a_page_at_a_time_from_the_newest_row_on_and_back() -> None:
    newest, older = LogPage(lines(9, 8, 7), None, older=True), LogPage(lines(6, 5), 7, older=False)
    desk, asked = after(ev.GoTo(ev.JudgeDeskPlace.LOG), ev.JudgeDeskAnswer(Facts(log=newest)), ev.TurnPage(1))
    assert asked == (events.ReadLog(7, ROWS),)
    desk, asked = apply(desk, ev.TurnPage(1), AROUND, AT)
    assert asked == (), "the page that was asked for is not there yet"
    desk, _ = apply(desk, ev.JudgeDeskAnswer(Facts(log=older)), AROUND, AT)
    assert apply(desk, ev.TurnPage(1), AROUND, AT)[1] == ()
    assert apply(desk, ev.TurnPage(-1), AROUND, AT)[1] == (events.ReadLog(None, ROWS),)


def test_export_end_and_switching_off_come_only_when_asked_for_once_more_and_the_last_where_that_can_be() -> None:
    can = Around(replace(context(), power_off=True))
    for place, event, effect in (
        (ev.JudgeDeskPlace.EXPORT, ev.Confirm(), events.ExportLog()),
        (ev.JudgeDeskPlace.QUIT, ev.Confirm(), events.Leave()),
        (ev.JudgeDeskPlace.QUIT, ev.SwitchOffNow(), events.SwitchOff()),
    ):
        assert after(ev.GoTo(place), event, around=can)[1] == (effect,)
        assert after(event, around=can)[1] == ()
    assert after(ev.GoTo(ev.JudgeDeskPlace.QUIT), ev.SwitchOffNow())[1] == ()


def test_a_word_judge_begins_with_an_empty_slip_or_with_one_that_waits() -> None:
    others = (Opinion(table, None, (tuple("ZAX"),), table, AT + 1) for table in (3, 12))
    waiting = Around(context(), (next(others), Opinion(9, None, (tuple("HEM"),), 55, AT + 1), *others))
    empty, _ = after(ev.GoTo(ev.JudgeDeskPlace.JUDGE), ev.Begin(), around=waiting)
    assert some(empty.judging).slip.words == ()
    taken, _ = after(ev.GoTo(ev.JudgeDeskPlace.JUDGE), ev.Choose("9"), around=waiting)
    slip = some(taken.judging).slip
    assert (slip.table, slip.words) == (9, (tuple("HEM"),))
    assert after(ev.GoTo(ev.JudgeDeskPlace.JUDGE), ev.Choose("8"), around=waiting)[0].judging is None
    # Those that wait are turned a page at a time too.
    many = Around(context(), tuple(Opinion(table, None, (tuple("ZAX"),), table, AT + 1) for table in range(1, ROWS + 2)))
    assert [after(ev.GoTo(ev.JudgeDeskPlace.JUDGE), ev.TurnPage(1), around=each)[0].first for each in (waiting, many)] == [0, ROWS]


def test_nothing_else_at_the_desk_takes_an_adjudication_away() -> None:
    desk, _ = after(ev.GoTo(ev.JudgeDeskPlace.JUDGE), ev.Begin())
    for event in (ev.GoTo(ev.JudgeDeskPlace.MENU), ev.GoTo(ev.JudgeDeskPlace.QUIT), ev.Confirm(), ev.Begin()):
        assert apply(desk, event, AROUND, AT)[0] == desk
    assert left(desk, "locked") == ()
