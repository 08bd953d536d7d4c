import pytest

from kiosk import events as players
from kiosk.events import Event
from kiosk.face.speech import Moment, news
from kiosk.face.view import PageMaker
from kiosk.station import Station
from kiosk.texts import load_texts
from records.entry import Way
from tests.kiosk.station.playing import Playing, station

ENGLISH = load_texts("en")
PAGES = PageMaker("qwerty")


def said(table: Playing, *acts: Event, verdict: bool = False) -> tuple[str, ...]:
    """Return what the station says after ``acts``."""
    before = _moment(table.now, table.at)
    table.do(*acts)
    return news(before, _moment(table.now, table.at), ENGLISH, verdict=verdict)


def _moment(now: Station, at: int) -> Moment:
    return Moment(now.flow, PAGES(now, at))


def test_letters_are_said_as_they_are_typed_and_as_they_are_erased() -> None:
    typing = station().typed("HE")
    assert said(typing, players.Type("M")) == ("M",)
    assert said(typing, players.Type("SA")) == ("S", "A")
    assert said(typing, players.Erase()) == ("Erase", "A")


def test_the_digits_of_the_table_are_said_as_they_are_typed() -> None:
    typing = station().do(players.Begin(), players.Type("1"))
    assert said(typing, players.Type("7")) == ("7",)


def test_another_word_says_which_one_of_how_many_and_its_letters() -> None:
    typing = station().typed("HEM")
    assert said(typing, players.AddWord()) == ("Word 2 of 2",)
    typing.do(players.Type("ZAX"))
    assert said(typing, players.ChooseWord(0)) == ("Word 1 of 2", "H", "E", "M")


def test_before_the_adjudication_each_word_is_spelled_and_said_whole() -> None:
    told = said(station().typed("HEM ZAX"), players.Finish())
    words = ("Word 1 of 2", "H", "E", "M", "hem", "Word 2 of 2", "Z", "A", "X", "zax")
    assert told[: len(words) + 1] == ("Is every word as it was played?", *words)
    assert "TAB" in told[-1]


@pytest.mark.parametrize("acceptable", [True, False])
def test_a_verdict_is_said_only_where_the_director_allows_it_and_no_word_with_it(*, acceptable: bool) -> None:
    judged = players.Adjudicate(Way.TAB), players.Judged(acceptable, 40)
    assert said(station().checking(), *judged) == ("Words challenged: 2",)
    told = said(station().checking(), *judged, verdict=True)
    assert told[1] == ("ACCEPTABLE" if acceptable else "UNACCEPTABLE")
    assert not {"hem", "zax", "H", "Z"} & {*told}


def test_a_verdict_that_is_shown_once_more_is_not_said_either() -> None:
    again = station().checking().judged(acceptable=False).do(players.Done(), players.Type("7"), players.Next())
    told = said(again, players.ShowVerdict())
    assert len(told) == 1
