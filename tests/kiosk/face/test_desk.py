import pytest
from msgspec.structs import replace

from appliance.errors import Diagnosis
from appliance.texts import languages
from faults.errors import Phrase
from kiosk import events as ev
from kiosk import events as players
from kiosk.context import Division, Facts, JudgedBy, LogLine, LogPage, RulebookChoice, SelfTestResult, Trouble, TroubleKind
from kiosk.director.door import Lock
from kiosk.director.judge_desk import ROWS
from kiosk.face.page import Icon, Tone
from kiosk.face.view import page
from kiosk.station import begin
from kiosk.texts import load_texts
from records.entry import Entry, Kind
from rules.rulebooks import load_rulebook
from tests.cells import each_cell
from tests.kiosk.challenge.making import context, lexicon_name
from tests.kiosk.face.flows import ADJUDICATION, RULED, at_desk, ids, rows_of, seen, targets, texts_of
from tests.kiosk.kept_pin import KEPT_PIN
from tests.kiosk.screens.states import STATES
from tests.kiosk.station.playing import BEGUN, Playing, station
from tests.some import some


def test_the_menu_leads_to_every_place_and_back_to_the_players() -> None:
    shown = at_desk()
    assert [row.target.event for row in shown.rows if row.target] == [
        ev.GoTo(place) for place in ev.JudgeDeskPlace if place is not ev.JudgeDeskPlace.MENU
    ]
    assert [target.event for target in shown.actions] == [ev.LeaveJudgeDesk()] == [shown.keys["escape"]]


def test_the_name_is_typed_by_touch_or_keyboard() -> None:
    shown = at_desk(ev.GoTo(ev.JudgeDeskPlace.NAME))
    keys = {target.id for row in shown.keyboard for target in row}
    assert {"tile.A", "tile.Z", "tile.0", "space", "erase"} <= keys
    assert (shown.entry, shown.typed, shown.keys["return"]) == ("Station 1", True, players.Next())


def test_findings_say_in_words_whether_they_are_in_order() -> None:
    found = (SelfTestResult(Phrase("the disk"), fine=True), SelfTestResult(Phrase("the printer: plug it in"), fine=False))
    shown = at_desk(ev.GoTo(ev.JudgeDeskPlace.SELF_TEST), ev.JudgeDeskAnswer(Facts(findings=found)))
    assert [(row.text, row.detail) for row in shown.rows] == [("In order", "the disk"), ("Faulty", "the printer: plug it in")]
    assert (shown.lines, at_desk(ev.GoTo(ev.JudgeDeskPlace.SELF_TEST)).lines) == ((), ("One moment.",))


def test_the_log_shows_its_rows_or_says_that_it_looks_for_them() -> None:
    log = LogPage(
        (LogLine(7, "now", Entry(Kind.LOOKUP, 3, words=("AA",), acceptable=True)), LogLine(9, "now", Entry(Kind.STARTED))),
        None,
        older=False,
    )
    shown = at_desk(ev.GoTo(ev.JudgeDeskPlace.LOG), ev.JudgeDeskAnswer(Facts(log=log)))
    assert ([row.text.split()[0] for row in shown.rows], shown.lines, ids(shown)) == (["7", "9"], (), ["back"])
    assert "down" in ids(at_desk(ev.GoTo(ev.JudgeDeskPlace.LOG), ev.JudgeDeskAnswer(Facts(log=replace(log, older=True)))))
    looking = at_desk(ev.GoTo(ev.JudgeDeskPlace.LOG))
    assert (looking.rows, looking.lines) == ((), ("One moment.",))


def test_the_last_seconds_before_the_desk_locks_itself_are_told() -> None:
    played = station().opened()
    assert seen(played.after(289)).countdown_s is None
    assert seen(played.after(1.5)).countdown_s == 10
    # So are those before the door closes itself.
    knocked = station().do(ev.KnockAtDoor())
    assert [seen(knocked.after(seconds)).countdown_s for seconds in (9.5, 1)] == [None, 10]


def test_a_key_without_a_function_is_answered_at_the_desk_too_and_in_its_help_by_what_hides_it() -> None:
    for helping, begins in (((), "F7"), ((players.ShowHelp(),), "Go back first: F7")):
        notice = seen(station().opened().do(*helping, players.NoFunction("F7", behind=bool(helping)))).notice
        assert some(notice).startswith(begins), notice


def test_the_desk_speaks_the_stations_language_whatever_the_players_chose() -> None:
    played = station().do(players.ChooseLanguage("fr")).opened()
    assert (seen(played).title, seen(played).lines) == ("Director's desk", ())
    assert seen(station().typed().opened()).lines == ("Players are in a challenge: it goes on when the desk is closed.",)


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("rulebook", ["naspa-2017-collins-5", "nzasp-2022"])
def test_every_page_of_door_and_desk_is_complete_in_every_language(language: str, rulebook: str) -> None:
    played = Playing(begin(replace(context(rulebook), language=language), Lock(KEPT_PIN, key=True), BEGUN))
    names = {_helped(played.do(ev.KnockAtDoor())), _helped(played.opened())}
    log = LogPage(
        tuple(LogLine(row, "now", Entry(kind, 3, words=("AA",), acceptable=True, first=1)) for row, kind in enumerate(Kind)),
        None,
        older=True,
    )
    facts = ev.JudgeDeskAnswer(Facts(lexicons=(), rulebooks=(), log=log, findings=(SelfTestResult(Phrase("x"), fine=True),), result="so"))
    for place in ev.JudgeDeskPlace:
        names.add(_helped(played.do(ev.GoTo(place), facts)))
        played.do(players.Back())
    for event in (
        *ADJUDICATION,
        *RULED,
        ev.SecondOpinion(here=False),
        players.Type("CD"),
        players.Next(),
        ev.GiveVerdict(acceptable=False),
        ev.VerdictWritten(6),
        ev.Confirm(),
    ):
        names.add(_helped(played.do(event)))
        assert "{" not in texts_of(seen(played))
    assert len(names) >= 17


def _helped(played: Playing) -> str:
    """Return the page's name, after its help was opened by the target in the corner and closed by F1."""
    before = seen(played)
    assert before.help is not None
    assert before.keys["f1"] == before.help.event
    help_page = seen(played.do(before.help.event))
    assert (help_page.name, help_page.title, ids(help_page)) == ("help", before.title, ["help"])
    assert "{" not in texts_of(help_page) + (help_page.aside or "")
    assert seen(played.do(help_page.keys["f1"])) == before
    return before.name


def test_the_desk_is_worked_by_a_real_keyboard_alone_and_the_figure_of_a_row_is_named_on_it() -> None:
    for cell in each_cell([name for name in STATES if name.startswith(("desk_", "judge_"))]):
        with cell as name:
            page = STATES[name]("en")
            for number, row in enumerate((row for row in page.rows if row.target is not None), 1):
                assert row.target is not None
                assert (row.target.key, page.keys[str(number)]) == (str(number), row.target.event)
            if not page.typed:
                # A point of the screen is to be touched.
                assert all(target.event in page.keys.values() for target in page.actions[page.point is not None :]), name
            assert not page.typed or not any(key.isdigit() for key in page.keys)
            figures = [target.key for target in page.actions if target.key.isdigit()]
            assert all(page.keys[target.key] == target.event for target in page.actions if target.key in figures)


def test_the_pin_stands_there_in_dots_only() -> None:
    shown = seen(station().do(ev.KnockAtDoor(), players.Type("2468")))
    assert (shown.name, shown.entry, shown.typed) == ("door.pin", "••••", True)
    assert "2468" not in texts_of(shown)


def test_a_wrong_pin_is_said_and_too_many_of_them_how_long_to_wait() -> None:
    wrong = (players.Type("1111"), players.Next())
    assert seen(station().do(ev.KnockAtDoor(), *wrong)).notice == "Wrong PIN."
    shut = station().do(ev.KnockAtDoor(), *wrong, *wrong, *wrong)
    assert (seen(shut).title, seen(shut).lines[0]) == ("Wait 30 s", "Too many wrong PINs.")
    shut.seconds += 12.5
    assert seen(shut).title == "Wait 18 s"
    assert ids(seen(shut)) == ["back"]


def test_before_another_rulebook_is_taken_both_stand_there_and_when_it_is_taken() -> None:
    books = tuple(RulebookChoice(name, name.upper()) for name in (context().rulebook.id, "club"))
    played = station().typed().opened().do(ev.GoTo(ev.JudgeDeskPlace.RULEBOOKS), ev.JudgeDeskAnswer(Facts(rulebooks=books)))
    assert [some(row.target).icon for row in seen(played).rows] == [Icon.TICK, None]
    played.do(ev.Choose("club"))
    assert seen(played).name == "desk.confirm"
    now, instead, when = seen(played).lines
    assert (now, instead) == (f"In force now: {books[0].title} · {books[0].id}", "Use instead: CLUB · club")
    assert "as soon as the challenge is over" in when


def test_a_list_that_is_not_there_yet_asks_for_patience_and_an_empty_one_says_what_to_do() -> None:
    assert at_desk(ev.GoTo(ev.JudgeDeskPlace.LEXICONS)).lines == ("One moment.",)
    assert "Put one there" in at_desk(ev.GoTo(ev.JudgeDeskPlace.LEXICONS), ev.JudgeDeskAnswer(Facts(lexicons=()))).lines[0]


def test_a_long_list_shows_five_rows_and_says_which() -> None:
    books = tuple(RulebookChoice(f"book-{number}", f"Book {number}") for number in range(ROWS + 2))
    first = at_desk(ev.GoTo(ev.JudgeDeskPlace.RULEBOOKS), ev.JudgeDeskAnswer(Facts(rulebooks=books)))
    assert (len(first.rows), ids(first), first.title) == (ROWS, ["up", "down", "back"], "Which rulebook? · 1 to 5 of 7")
    assert [(target.text, target.tone is Tone.OFF) for target in first.actions[:2]] == [("Top of the list", True), ("Further down", False)]
    second = at_desk(ev.GoTo(ev.JudgeDeskPlace.RULEBOOKS), ev.JudgeDeskAnswer(Facts(rulebooks=books)), first.keys["down"])
    assert (rows_of(second), ids(second), second.title) == (
        ["rulebook.book-5", "rulebook.book-6"],
        ["up", "down", "back"],
        "Which rulebook? · 6 to 7 of 7",
    )


def test_the_slips_table_stands_on_every_page_from_the_moment_it_is_known() -> None:
    events = (
        *ADJUDICATION,
        *RULED,
        ev.SecondOpinion(here=False),
        players.Type("CD"),
        players.Next(),
        ev.GiveVerdict(acceptable=False),
        ev.VerdictWritten(6),
    )
    entered = events.index(players.Next()) + 1
    for end in range(2, len(events) + 1):
        shown = at_desk(*events[:end])
        assert (shown.table, shown.aside) == ("Table 7" if end >= entered else None, None), events[:end]
    assert at_desk(*events, players.ShowHelp()).table == "Table 7"


def test_where_two_judges_differ_the_page_says_what_follows_and_no_key_settles_it_by_accident() -> None:
    second = (ev.SecondOpinion(here=False), players.Type("CD"), players.Next(), ev.GiveVerdict(acceptable=False), ev.VerdictWritten(6))
    shown = at_desk(*ADJUDICATION, *RULED, *second)
    assert shown.lines[0] == "AB: ACCEPTABLE · Second judge CD: UNACCEPTABLE"
    assert "the first ruling has precedence" in shown.lines[1]
    assert shown.lines[2:] == ("The challenger loses the turn.", "The challenger starts the challenged player's clock.")
    wanted: list[players.Event] = [ev.Confirm(), ev.SecondOpinion(here=False), players.LastPlay(was_last=True)]
    assert [target.event for target in shown.actions] == wanted
    assert shown.keys["return"] == players.NoFunction("Return")


def test_the_desk_offers_to_switch_off_only_a_machine_that_can_be() -> None:
    for can in (True, False):
        there = Playing(begin(replace(context(), power_off=can), Lock(KEPT_PIN), BEGUN)).opened().do(ev.GoTo(ev.JudgeDeskPlace.QUIT))
        assert (ev.SwitchOffNow() in [target.event for target in targets(seen(there))]) is can


def test_before_its_row_is_written_nothing_of_a_verdict_stands_there() -> None:
    shown = at_desk(*ADJUDICATION, *RULED[:-1])
    assert (shown.name, shown.banner) == ("judge.book", None)
    assert [target.event for target in shown.actions[:2]] == [ev.GiveVerdict(acceptable=True), ev.GiveVerdict(acceptable=False)]


def test_a_judge_with_a_book_writes_a_slip_where_there_is_no_lexicon() -> None:
    broken = replace(context(), lexicon=None, spelling=None, trouble=Trouble(TroubleKind.LEXICON_MISSING, Diagnosis("none")))
    played = Playing(begin(broken, Lock(KEPT_PIN), BEGUN)).opened().do(*ADJUDICATION[:-2])
    shown = page(played.now, played.at, load_texts, ())
    assert {"tile.H", "tile.E", "tile.M"} <= {target.id for row in shown.keyboard for target in row}
    assert page(played.do(*ADJUDICATION[-2:]).now, played.at, load_texts, ()).name == "judge.played"


def test_the_rulebook_and_the_list_of_the_tables_division_are_in_the_footer_of_every_page_of_its_slip() -> None:
    other = JudgedBy(load_rulebook("nzasp-2022"), replace(lexicon_name(practice=True), name="OPEN LIST"), context().spelling)
    mixed = replace(context(), divisions=(Division((range(7, 8),), other),))
    played = Playing(begin(mixed, Lock(KEPT_PIN), BEGUN)).opened()
    events: tuple[ev.Event, ...] = (*ADJUDICATION, *RULED)
    at_table = events.index(players.Next()) + 1
    for event in events[:at_table]:
        assert (seen(played).footer.rulebook, seen(played).practice) == (mixed.rulebook.title, None)
        played.do(event)
    for event in events[at_table:]:
        assert (seen(played).footer.rulebook, seen(played).footer.lexicon.split(" · ")[0]) == (other.rulebook.title, "OPEN LIST")
        assert seen(played).practice == "PRACTICE"
        played.do(event)
    assert (seen(played).name, seen(played).footer.rulebook) == ("judge.ruled", other.rulebook.title)
    assert {seen(played.do(each)).practice for each in (ev.Confirm(), ev.LeaveJudgeDesk(), ev.KnockAtDoor())} == {None}
