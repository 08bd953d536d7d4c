"""What is written for other programs: it reads back as it was, and looks as those programs write it."""

import csv
import dataclasses
import io
import json
import re
from datetime import date

import pytest
from hypothesis import given, settings
from msgspec.structs import replace

from hall.errors import ResultsError
from hall.event.model import BYE, Event, Pairing, Player, TableAssignment
from hall.event.reading import read_event
from hall.results.book import Applied, Forfeit, GameResult, Source
from hall.results.standings import coco_csv, results_csv
from hall.results.tsh import division_text, naspa_text, newt_text, tou_text
from tests.examples import examples
from tests.hall.results.events import NAMES, events, with_rows

ANN, BO, CY = (
    Player("A", 1, "Ångström, Ann", "1800", "AA000001"),
    Player("A", 2, "O'Neil, Bo", "1700"),
    Player("A", 3, "Lee, Cy", "0", team="Red Sox"),
)
EVENT = Event(
    (ANN, BO, CY),
    (
        Pairing("A", 1, 2, 1, ordered=True, board=4, scores=(350, 412)),
        Pairing("A", 1, 3, BYE, scores=(50, None)),
        Pairing("A", 2, 1, 3, ordered=True, board=1, scores=(400, 400)),
        Pairing("A", 2, 2, BYE, scores=(-50, None)),
        Pairing("A", 3, 3, 2),
    ),
)


def read(name: str, text: str, known: Event | None = None) -> Event:
    return read_event({name: text.encode()}, known)


def without_extras(event: Event) -> Event:
    return dataclasses.replace(event, players=tuple(replace(each, extras="", team="") for each in event.players))


def in_order(event: Event) -> tuple[Pairing, ...]:
    """Return the pairings with the lower number first where nothing says who goes first."""
    return tuple(sorted(event.pairings, key=lambda each: (each.division, each.round, each.first)))


def test_a_t_file_is_as_tsh_writes_it() -> None:
    assert division_text(EVENT, "A") == (
        "Ångström, Ann:AA000001  1800 2 3; 412 400; board 4 1; p12 2 1\n"
        "O'Neil, Bo              1700 1 0 3; 350 -50; board 4 0 0; p12 1 0 4\n"
        "Lee, Cy                    0 0 1 2; 50 400; board 0 1 0; p12 0 2 4; team Red Sox\n"
    )


@settings(max_examples=examples(300), deadline=None)
@given(events())
def test_a_t_file_reads_back_with_all_that_tsh_has_of_a_player(event: Event) -> None:
    for division in event.divisions:
        found = read(f"{division}.t", division_text(event, division))
        assert found.players == tuple(each for each in event.players if each.division == division)
        assert in_order(found) == tuple(each for each in event.pairings if each.division == division)


@settings(max_examples=examples(300), deadline=None)
@given(events())
def test_tourney_js_reads_back(event: Event) -> None:
    event = dataclasses.replace(event, tables=(TableAssignment("A", 2, 7), TableAssignment("A", 1, 9)))
    found = read("tourney.js", newt_text(event))
    assert (found.players, in_order(found)) == (event.players, event.pairings)
    assert set(found.tables) == set(event.tables)


def test_tourney_js_has_numbers_as_numbers() -> None:
    players = (replace(ANN, rating="1700.5", extras="excwins -3.07160046801756 2 1.50"), replace(BO, rating="1437+21"))
    text = newt_text(Event(players))
    assert '"rating":1700.5,' in text
    assert '"excwins":[-3.07160046801756,2,"1.50"]' in text
    assert '"rating":"1437+21"' in text


def test_tourney_js_has_undefined_for_what_is_not_there() -> None:
    text = newt_text(EVENT)
    assert text.startswith('newt={"config":{"max_rounds":3')
    assert "null" not in text
    assert '"spread_cap":undefined,"standings_spread_cap":undefined' in text
    assert '"pairings":[1,0,3],"scores":[350,-50]' in text
    assert json.loads(text[5:-2].replace("undefined", "null"))["divisions"][0]["players"][1]["rating"] == 1800


@settings(max_examples=examples(200), deadline=None)
@given(events())
def test_naspas_text_reads_back_without_what_tsh_alone_has(event: Event) -> None:
    found = read("results.txt", naspa_text(event))
    assert found.players == without_extras(event).players
    assert {(each.round, each.first, each.second, each.scores) for each in in_order(found)} == {
        (each.round, one, two, scores)
        for each in event.pairings
        for one, two, scores in [
            (each.first, each.second, each.scores)
            if each.second == BYE or each.first < each.second
            else (each.second, each.first, each.scores[::-1])
        ]
    }


@settings(max_examples=examples(200), deadline=None)
@given(events())
def test_our_csv_reads_back_over_an_event_without_scores(event: Event) -> None:
    bare = dataclasses.replace(event, pairings=())
    found = read("results.csv", results_csv(event), bare) if event.pairings else bare
    assert (in_order(found), found.players) == (event.pairings, event.players)


@settings(max_examples=examples(200), deadline=None)
@given(events(("A",), NAMES))
def test_cocos_csv_has_the_winner_first_and_reads_back(event: Event) -> None:
    text = coco_csv(event, "A")
    rows = list(csv.reader(io.StringIO(text.removeprefix("\ufeff"))))
    assert rows[0] == ["Submitted On", "Round", "Winner", "Winners Score", "Opponent", "Opponents Score"]
    assert all(int(row[3]) >= int(row[5]) for row in rows[1:] if row[4] != "Bye")
    scored = {
        (each.round, frozenset({(each.first, each.scores[0]), (each.second, each.scores[1] or 0)}))
        for each in event.pairings
        if each.is_scored
    }
    if scored:
        found = read("results.csv", text, dataclasses.replace(event, pairings=()))
        assert {(each.round, frozenset({(each.first, each.scores[0]), (each.second, each.scores[1])})) for each in found.pairings} == scored


def test_a_division_whose_numbers_have_gaps_is_refused_for_tsh() -> None:
    with pytest.raises(ResultsError, match="no player 2"):
        division_text(dataclasses.replace(EVENT, players=(ANN, CY)), "A")


@pytest.mark.parametrize(("name", "written"), [("A;B", "A, B"), ("#1 Ann", "1 Ann"), ("X", "X."), ("7", "7.")])
def test_a_name_that_tsh_would_misread_is_written_as_near_as_it_reads(name: str, written: str) -> None:
    event = Event((Player("A", 1, name, "1500"), BO), (Pairing("A", 1, 1, 2, scores=(1, 2)),))
    found = read("A.t", division_text(event, "A"))
    assert (found.players[0].name, found.players[0].rating, found.pairings[0].scores) == (written, "1500", (1, 2))


@pytest.mark.parametrize(
    ("name", "member", "written"),
    [
        ("Team 5", "", "Team 5,"),
        ("Team 5 6", "", "Team 5 6,"),
        ("Bot 3.5", "", "Bot 3.5,"),
        ("Room 101 B", "", "Room 101 B"),
        ("Team5", "", "Team5"),
        ("Team 5", "AA000005", "Team 5:AA000005"),
    ],
)
def test_a_comma_parts_digits_at_the_end_of_a_name_from_the_rating_as_in_tsh(name: str, member: str, written: str) -> None:
    event = Event((Player("A", 1, name, "1500", member), BO), (Pairing("A", 1, 1, 2, scores=(1, 2)),))
    text = division_text(event, "A")
    assert text.startswith(f"{written:<22}  1500 2; 1")
    assert read("A.t", text).players == event.players


def lines_of(text: str) -> list[tuple[str, list[str]]]:
    lines = text.split("\r\n")
    assert lines[-2:] == ["*** END OF FILE ***", ""]
    return [(line[:20].strip(), re.findall(r"\S+", line[20:])) for line in lines if line and line[0] not in " *"]


def rows_of(text: str) -> dict[str, list[str]]:
    return dict(lines_of(text))


def test_aupairs_report_has_wins_ties_and_who_went_first() -> None:
    text = tou_text(Applied(EVENT), "Øresund Open", date(2026, 3, 9), woogles=False)
    assert text.startswith("*M09.03.2026 Oresund Open\r\n*A\r\n                                      0\r\n")
    assert "Ann Angstrom         2412   2 1400  +3\r\n" in text
    # A bye is a win against oneself, a lost one a loss; a round that is not over is none of the report.
    assert rows_of(text) == {
        "Ann Angstrom": ["2412", "2", "1400", "+3"],
        "Bo O'Neil": ["350", "+1", "0000", "2"],
        "Cy Lee": ["2001", "+3", "1400", "1"],
    }


def test_a_word_of_digits_in_a_name_is_no_score_of_aupairs_report() -> None:
    event = Event(
        (Player("A", 1, "Ng, 1"), Player("A", 2, "Route 66"), Player("A", 3, "77")),
        (Pairing("A", 1, 1, 2, scores=(400, 300)), Pairing("A", 1, 3, BYE, scores=(0, None))),
    )
    # A bye without a spread is a draw against oneself.
    assert rows_of(tou_text(Applied(event), "X", date(2026, 3, 9), woogles=False))["Player"] == ["1000", "3"]
    assert list(rows_of(tou_text(Applied(event), "X", date(2026, 3, 9), woogles=False))) == ["Ng", "Route", "Player"]


def test_a_name_in_aupairs_report_has_its_letters_and_apostrophe_in_ascii() -> None:
    event = Event((Player("A", 1, "Żołądź, D\u2019Arc Ý"), Player("A", 2, "\u0131Þór, Ð")), (Pairing("A", 1, 1, 2, scores=(400, 300)),))
    assert list(rows_of(tou_text(Applied(event), "X", date(2026, 3, 9), woogles=False))) == ["D'Arc Y Zoladz", "D iThor"]


def test_both_dialects_of_aupairs_report_say_byes_and_forfeits_in_their_way() -> None:
    forfeit = GameResult(row=1, division="A", round=3, first=3, second=2, source=Source.END, forfeit=Forfeit((2,), 50))
    results = with_rows(EVENT, forfeit)
    of_tsh, of_woogles = (rows_of(tou_text(results, "X", date(2026, 3, 9), woogles=each)) for each in (False, True))
    assert (of_tsh["Bo O'Neil"][2:], of_tsh["Cy Lee"][4:], of_tsh["Ann Angstrom"][4:]) == (
        ["0000", "2", "0000", "2"],
        ["2001", "+3"],
        ["1000", "1"],
    )
    assert of_woogles["Bo O'Neil"][2:] == ["100", "2", "100", "2"]
    assert (of_woogles["Cy Lee"][:2], of_woogles["Cy Lee"][4:]) == (["50", "3"], ["2150", "3"])
    assert of_woogles["Ann Angstrom"][4:] == ["0", "1"]


@settings(max_examples=examples(200), deadline=None)
@given(events(("A",)))
def test_aupairs_report_has_each_score_of_a_game_at_the_opponents_line(event: Event) -> None:
    text = tou_text(Applied(event), "X", date(2026, 3, 9), woogles=False)
    rows = [row for _, row in lines_of(text)]
    for own, row in enumerate(rows, 1):
        for at in range(0, len(row), 2):
            score, opponent = int(row[at]), int(row[at + 1])
            if opponent != own:
                theirs = int(rows[opponent - 1][at])
                assert int(rows[opponent - 1][at + 1]) == own
                if score % 1000 and theirs % 1000:
                    assert (score // 1000, theirs // 1000) == {1: (2, 0), 0: (1, 1), -1: (0, 2)}[
                        (score % 1000 > theirs % 1000) - (score % 1000 < theirs % 1000)
                    ]


def test_a_disputed_result_has_no_score_and_a_settled_one_replaces_the_imported() -> None:
    said = GameResult(row=1, division="A", round=1, first=1, second=2, source=Source.SLIP, scores=(412, 351))
    assert with_rows(EVENT, said).event.pairings[0].scores == (351, 412)
    two = replace(said, row=2, source=Source.CLOCK, device="c", scores=(412, 350))
    assert with_rows(EVENT, said, two).event.pairings[0].scores == (None, None)
    assert with_rows(EVENT).event == EVENT
