"""The pages of the director's desk, in every language: where they lead, and what each of them says."""

from dataclasses import replace

import pytest

from faults.errors import Phrase
from game.challenge_log.entry import Entry, Kind
from kiosk import events as players
from kiosk.director.door import Lock
from kiosk.events import AskReview, DeskAnswer, DeskPlace, GiveVerdict, GoTo, KnockAtDoor, LeaveDesk, Settle, VerdictWritten
from kiosk.face.view import page
from kiosk.facts import Facts, LogLine, LogPage, SelfTestResult
from kiosk.station.apply import begin
from kiosk.texts import languages, load_texts
from rules.duration import NS
from tests.cells import each_cell
from tests.kiosk.challenge.making import context, lexicon_name
from tests.kiosk.face.desk_pages import ADJUDICATION, BOARD, RULED, at_desk, ids, seen, texts_of
from tests.kiosk.screens.states import STATES
from tests.kiosk.station.playing import BEGUN, Playing, station


def test_the_menu_leads_to_every_place_and_back_to_the_players() -> None:
    shown = at_desk()
    assert [row.target.event for row in shown.rows if row.target] == [GoTo(place) for place in DeskPlace if place is not DeskPlace.MENU]
    assert [target.event for target in shown.actions] == [LeaveDesk()] == [shown.keys["escape"]]


def test_every_place_has_a_way_back_by_touch_and_by_key() -> None:
    for cell in each_cell([place for place in DeskPlace if place is not DeskPlace.MENU]):
        with cell as place:
            shown = at_desk(GoTo(place))
            assert "back" in ids(shown)
            assert shown.keys["escape"] == players.Back()


def test_the_name_is_typed_by_touch_or_keyboard() -> None:
    shown = at_desk(GoTo(DeskPlace.NAME))
    keys = {target.id for row in shown.keyboard for target in row}
    assert {"tile.A", "tile.Z", "tile.0", "space", "erase"} <= keys
    assert (shown.entry, shown.typed, shown.keys["return"]) == ("Station 1", True, players.Next())


def test_a_row_of_the_log_says_when_which_table_what_and_how_it_was_judged() -> None:
    entry = Entry(Kind.REPEAT, 7, "left", ("HEM", "ZAX"), acceptable=False, first=11)
    log = LogPage((LogLine(12, "2026-11-21 10:40:02", entry),), None, older=True)
    shown = at_desk(GoTo(DeskPlace.LOG), DeskAnswer(Facts(log=log)))
    (row,) = shown.rows
    assert row.text == "12 · 2026-11-21 10:40:02 · table 7 · repeat: mistyped"
    assert row.detail == "HEM ZAX · UNACCEPTABLE · to row 11"
    assert row.target is None, "there is nothing to browse"
    assert ids(shown) == ["down", "back"]


def test_findings_say_in_words_whether_they_are_in_order() -> None:
    found = (SelfTestResult(Phrase("the disk"), fine=True), SelfTestResult(Phrase("the printer: plug it in"), fine=False))
    shown = at_desk(GoTo(DeskPlace.SELF_TEST), DeskAnswer(Facts(findings=found)))
    assert [(row.text, row.detail) for row in shown.rows] == [("In order", "the disk"), ("To be mended", "the printer: plug it in")]


def test_the_last_seconds_before_the_desk_locks_itself_are_told() -> None:
    played = station().opened()
    assert seen(played.after(289)).countdown_s is None
    assert seen(played.after(1.5)).countdown_s == 10


def test_the_desk_speaks_the_stations_language_whatever_the_players_chose() -> None:
    played = station().do(players.ChooseLanguage("fr")).opened()
    assert seen(played).title == "Director's desk"


@pytest.mark.parametrize("language", sorted(languages()))
@pytest.mark.parametrize("rulebook", ["naspa-2017-collins-5", "nzasp-2022"])
def test_every_page_of_door_and_desk_is_complete_in_every_language(language: str, rulebook: str) -> None:
    played = Playing(begin(replace(context(rulebook, count_first=False), language=language), Lock(pin=True, key=True), BEGUN))
    names = {_helped(played.do(KnockAtDoor())), _helped(played.opened())}
    log = LogPage(
        tuple(LogLine(row, "now", Entry(kind, 3, words=("AA",), acceptable=True, first=1)) for row, kind in enumerate(Kind)),
        None,
        older=True,
    )
    facts = DeskAnswer(Facts(lexicons=(), rulebooks=(), log=log, findings=(SelfTestResult(Phrase("x"), fine=True),), result="so"))
    for place in DeskPlace:
        names.add(_helped(played.do(GoTo(place), facts)))
        played.do(players.Back())
    for event in (
        *ADJUDICATION,
        *RULED,
        AskReview(),
        players.Type("CD"),
        players.Next(),
        GiveVerdict(acceptable=False),
        VerdictWritten(6),
        Settle(),
    ):
        names.add(_helped(played.do(event)))
        assert "{" not in texts_of(seen(played))
    assert len(names) >= 18


def _helped(played: Playing) -> str:
    """Return the page's name, after its help was opened by the target in the corner and closed by F1."""
    before = seen(played)
    if before.name in {"door.checking", "judge.keeping"}:
        assert before.help is None
        return before.name
    assert before.help is not None
    assert before.keys["f1"] == before.help.event
    help_page = seen(played.do(before.help.event))
    assert (help_page.name, help_page.title, ids(help_page)) == ("help", before.title, ["help"])
    assert "{" not in texts_of(help_page) + (help_page.aside or "")
    assert seen(played.do(help_page.keys["f1"])) == before
    return before.name


def test_practice_stands_across_the_desk_too() -> None:
    practice = replace(context(), lexicon=lexicon_name(practice=True))
    assert seen(Playing(begin(practice, Lock(pin=True), BEGUN)).opened()).practice == "PRACTICE"


def test_time_on_the_page_is_that_of_the_station() -> None:
    played = station().opened()
    assert page(played.now, played.at + 295 * NS, load_texts, BOARD).countdown_s == 5


def test_the_desk_is_worked_by_a_real_keyboard_alone_and_the_figure_of_a_row_is_named_on_it() -> None:
    for cell in each_cell([name for name in STATES if name.startswith(("desk_", "judge_"))]):
        with cell as name:
            page = STATES[name]("en")
            for number, row in enumerate((row for row in page.rows if row.target is not None), 1):
                assert row.target is not None
                assert (row.target.key, page.keys[str(number)]) == (str(number), row.target.event)
            if not page.typed:
                assert all(target.event in page.keys.values() for target in page.actions), name
            assert not page.typed or not any(key.isdigit() for key in page.keys)
            figures = [target.key for target in page.actions if target.key.isdigit()]
            assert all(page.keys[target.key] == target.event for target in page.actions if target.key in figures)
