from msgspec.structs import replace

from appliance.errors import Diagnosis
from kiosk import events as players
from kiosk.context import Division, JudgedBy, Trouble, TroubleKind
from kiosk.director.door import Lock
from kiosk.events import AskReview, Event, GiveVerdict, GoTo, JudgeDeskPlace, KnockAtDoor, NoSide, Settle, TakeOpinion, VerdictWritten
from kiosk.face.page import Icon
from kiosk.face.view import page
from kiosk.station.station import begin
from kiosk.texts import load_texts
from rules.rulebooks import load_rulebook
from tests.kiosk.challenge.making import context, lexicon_name
from tests.kiosk.face.desk_pages import ADJUDICATION, RULED, at_desk, ids, seen, texts_of
from tests.kiosk.screens.states import STATES
from tests.kiosk.station.playing import BEGUN, Playing, station


def test_a_slip_is_written_on_the_players_pages_without_what_is_the_players_alone() -> None:
    names, events = [], set[Event]()
    for end in range(2, len(ADJUDICATION)):
        shown = at_desk(*ADJUDICATION[:end])
        names.append(shown.name)
        events |= {target.event for target in shown.actions} | set(shown.keys.values())
        assert (shown.door, shown.adjudicate) == (None, None)
    assert names == ["judge.table.table", "judge.table.table", "judge.table.challenger", "judge.words", "judge.words"]
    assert not any(isinstance(event, (players.CallDirector, players.Withdraw, players.Concede, players.Adjudicate)) for event in events)
    assert NoSide() in events


def test_the_slips_table_stands_on_every_page_from_the_moment_it_is_known() -> None:
    events = (*ADJUDICATION, *RULED, AskReview(), players.Type("CD"), players.Next(), GiveVerdict(acceptable=False), VerdictWritten(6))
    entered = events.index(players.Next()) + 1
    for end in range(2, len(events) + 1):
        assert at_desk(*events[:end]).table == ("Table 7" if end >= entered else None), events[:end]
    assert at_desk(*events, players.ShowHelp()).table == "Table 7"


def test_the_players_table_stands_on_the_door_that_hides_their_challenge_and_not_at_the_desk_behind_it() -> None:
    asked = station().typed("HEM", table="7").do(KnockAtDoor())
    assert (seen(asked).name, seen(asked).table) == ("door.pin", "Table 7")
    assert seen(asked.do(players.ShowHelp())).table == "Table 7"
    opened = station().typed("HEM", table="7").opened()
    assert (seen(opened).name, seen(opened).table) == ("desk.menu", None)
    assert seen(station().do(KnockAtDoor())).table is None


def test_the_slip_is_read_back_with_its_words_before_anybody_judges() -> None:
    shown = at_desk(*ADJUDICATION)
    assert (shown.name, [word.text for word in shown.words]) == ("judge.played", ["HEM", "ZAX"])
    assert (ids(shown), shown.adjudicate) == (["finish", "back"], None)


def test_a_ruling_says_verdict_judges_and_what_happens_at_the_table_and_no_word() -> None:
    shown = at_desk(*ADJUDICATION, *RULED)
    assert shown.banner is not None
    assert (shown.banner.text, shown.banner.icon) == ("ACCEPTABLE", Icon.TICK)
    assert shown.lines == ("AB: ACCEPTABLE", "The challenger loses the turn.", "The challenger starts the challenged player's clock.")
    assert ids(shown) == ["settle", "review", "last_play"]
    assert "HEM" not in texts_of(shown)


def test_where_two_judges_differ_the_page_says_what_follows_and_no_key_settles_it_by_accident() -> None:
    second = (AskReview(), players.Type("CD"), players.Next(), GiveVerdict(acceptable=False), VerdictWritten(6))
    shown = at_desk(*ADJUDICATION, *RULED, *second)
    assert shown.lines[0] == "AB: ACCEPTABLE · Second judge CD: UNACCEPTABLE"
    assert "the first ruling has precedence" in shown.lines[1]
    assert [target.event for target in shown.actions] == [Settle(), AskReview(), players.LastPlay(was_last=True)]
    assert "return" not in shown.keys


def test_before_its_row_is_written_nothing_of_a_verdict_stands_there() -> None:
    shown = at_desk(*ADJUDICATION, *RULED[:-1])
    assert (shown.name, shown.banner, shown.actions) == ("judge.keeping", None, ())


def test_a_judge_with_a_book_writes_a_slip_where_there_is_no_lexicon() -> None:
    broken = replace(context(), lexicon=None, spelling=None, trouble=Trouble(TroubleKind.LEXICON_MISSING, Diagnosis("none")))
    played = Playing(begin(broken, Lock(pin=True), BEGUN)).opened().do(*ADJUDICATION[:-2])
    shown = page(played.now, played.at, load_texts, ())
    assert {"tile.H", "tile.E", "tile.M"} <= {target.id for row in shown.keyboard for target in row}
    assert page(played.do(*ADJUDICATION[-2:]).now, played.at, load_texts, ()).name == "judge.played"


def test_the_rulebook_and_the_list_of_the_tables_division_are_in_the_footer_of_every_page_of_its_slip() -> None:
    other = JudgedBy(load_rulebook("nzasp-2022"), replace(lexicon_name(), name="OPEN LIST"), context().spelling)
    mixed = replace(context(), divisions=(Division("Open", (range(7, 8),), other),))
    played = Playing(begin(mixed, Lock(pin=True), BEGUN)).opened()
    events: tuple[Event, ...] = (*ADJUDICATION, *RULED)
    at_table = events.index(players.Next()) + 1
    for event in events[:at_table]:
        assert seen(played).footer.rulebook == mixed.rulebook.title
        played.do(event)
    for event in events[at_table:]:
        assert (seen(played).footer.rulebook, seen(played).footer.lexicon.split(" · ")[0]) == (other.rulebook.title, "OPEN LIST")
        played.do(event)
    assert (seen(played).name, seen(played).footer.rulebook) == ("judge.ruled", other.rulebook.title)


def test_a_second_opinion_is_read_back_as_words_that_stay_and_a_new_slip_as_words_that_may_still_change() -> None:
    asked = (
        station()
        .checking()
        .judged(row=40)
        .do(players.SecondOpinion(here=False))
        .after(1)
        .opened()
        .do(GoTo(JudgeDeskPlace.JUDGE), TakeOpinion(7))
    )
    new = STATES["judge_played"]("en")
    again = page(asked.now, asked.at, load_texts, ())
    assert (again.name, new.name) == ("judge.played", "judge.played")
    assert "Words may still be added or removed." in " ".join(new.lines)
    assert "a second opinion changes none of them" in " ".join(again.lines)
    assert "added or removed" not in " ".join(again.lines)


def test_practice_stands_across_the_pages_of_a_slip_whose_division_has_the_practice_list_and_of_no_other() -> None:
    for station_practises in (True, False):
        own = replace(context(), lexicon=lexicon_name(practice=station_practises))
        by = JudgedBy(own.rulebook, lexicon_name(practice=not station_practises), own.spelling)
        played = Playing(begin(replace(own, divisions=(Division("Open", (range(7, 8),), by),)), Lock(pin=True), BEGUN)).opened()
        at_table = ADJUDICATION.index(players.Next()) + 1
        before, after = ("PRACTICE" if each else None for each in (station_practises, not station_practises))
        events: tuple[Event, ...] = (*ADJUDICATION, *RULED)
        for event in events[:at_table]:
            assert seen(played).practice == before
            played.do(event)
        for event in events[at_table:]:
            assert seen(played).practice == after
            played.do(event)
        assert seen(played.do(Settle())).practice == before
