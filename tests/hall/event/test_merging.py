"""A later import adds and corrects; what would go is shown first, and goes only where the files are to decide."""

import pytest

from faults.errors import Phrase
from hall.event.model import BYE, Event, Pairing, Player, TableAssignment, TablePlace
from hall.event.parsing import UnreadableEvent
from hall.event.reading import lost, merged, read_event, read_import

ROSTER = "name,rating,member\nAnn,1500,AA000001\nBo,1400,\nCy,,\nDi,1200,\n"
RESULTS = "round,player1,player2,score1,score2,table\n1,Ann,Bo,400,350,4\n1,Cy,Di,300,310,5\n2,Ann,Cy,,,4\n2,Bo,,50,,\n"
KNOWN = read_event({"p.csv": ROSTER.encode(), "q.csv": RESULTS.encode()})


def imported(text: str, known: Event = KNOWN, name: str = "new.csv") -> tuple[Event, list[Phrase]]:
    return read_import({name: text.encode()}, known)


def test_a_roster_with_one_late_entry_keeps_pairings_scores_and_numbers_in_any_order() -> None:
    for text in ("name\nEve\n", "name,rating\nEve,\nDi,1210\nAnn,\nCy,\nBo,\n"):
        found, gone = imported(text)
        assert (gone, found.pairings, found.players[:3]) == ([], KNOWN.pairings, KNOWN.players[:3])
        assert found.players[4] == Player("A", 5, "Eve")
    assert found.players[3] == Player("A", 4, "Di", "1210")
    # So does a list of TSH, whose numbers are its lines.
    found, gone = imported("Ann 1500;\nBo 1400;\nCy 1300;\nDi 1200;\nEve 900;\n", name="A.t")
    assert (gone, found.pairings, len(found.players), found.players[0].member) == ([], KNOWN.pairings, 5, "AA000001")


def test_people_of_one_name_keep_their_numbers_by_that_of_the_federation() -> None:
    known = Event((Player("A", 1, "Ann", member="AA000001"), Player("A", 2, "Ann", member="AA000002"), Player("A", 5, "Bo")))
    found, gone = imported("name,member\nBo,AA000003\nAnn,AA000002\nAnn,AA000009\n", known)
    assert [(each.number, each.member) for each in found.players] == [(1, "AA000001"), (2, "AA000002"), (3, "AA000009"), (5, "AA000003")]
    assert gone == []
    with pytest.raises(UnreadableEvent, match=r'new\.csv, line 2: expected one player called "Ann", found players 1, 2\.'):
        imported("name\nAnn\n", known)


def test_one_line_of_pairings_keeps_the_rest_of_its_round_and_scores_that_it_does_not_have() -> None:
    found, gone = imported("round,player1,player2,table\n1,Bo,Ann,9\n")
    assert gone == []
    # The line says who goes first, and where; the scores go with the players.
    assert found.round(1) == (Pairing("A", 1, 2, 1, True, table=9, scores=(350, 400)), KNOWN.round(1)[1])
    assert found.round(2) == KNOWN.round(2)
    found, gone = imported("Ann 1500 2; ; board 3\nBo 1400 1;\n", name="A.t")
    assert (gone, found.round(1)[0]) == ([], Pairing("A", 1, 1, 2, True, 3, 4, scores=(400, 350)))


def test_what_contradicts_the_event_is_said_and_goes_only_as_it_is_said() -> None:
    found, gone = imported("round,player1,player2,score1,score2\n1,Ann,Cy,,\n1,Bo,Di,,\n2,Ann,Cy,300,290\n")
    assert gone == ["Division A, round 1: these pairings go: Ann - Bo 400:350, Cy - Di 300:310."]
    assert (len(found.round(1)), found.round(2)[0].scores, found.round(2)[1]) == (2, (300, 290), KNOWN.round(2)[1])
    found, gone = imported("round,player1,player2,score1,score2\n1,Ann,Bo,401,350\n1,Cy,Di,,\n2,Bo,,50,\n")
    assert gone == ["Division A, round 1: these scores go: Ann - Bo 400:350 (now 401:350)."]
    assert [each.scores for each in found.round(1)] == [(401, 350), (300, 310)]
    assert found.round(2) == KNOWN.round(2)


@pytest.mark.parametrize("decides", [False, True])
@pytest.mark.parametrize("players", ["Ann,Bo", "Bo,Ann"])
def test_a_round_without_scores_leaves_those_that_are_known(players: str, decides: bool) -> None:
    known = read_event({"q.csv": b"round,player1,player2,score1,score2\n1,Ann,Bo,412,-5\n"}, Event(KNOWN.players))
    found, gone = read_import({"q.csv": f"round,player1,player2,score1,score2\n1,{players},,\n".encode()}, known, decides=decides)
    (pairing,) = found.pairings
    assert {pairing.first: pairing.scores[0], pairing.second: pairing.scores[1]} == {1: 412, 2: -5}
    assert gone == []


@pytest.mark.parametrize("score", ["9999", "99999", "-1000", "2000"])
def test_a_score_that_no_game_has_is_refused_with_the_range(score: str) -> None:
    with pytest.raises(UnreadableEvent, match=rf'q\.csv, line 2: expected a number from -999 to 1999 as score[12], found "{score}"'):
        imported(f"round,player1,player2,score1,score2\n1,Ann,Bo,{score},400\n", name="q.csv")


def test_another_person_at_a_number_is_said_with_the_games_and_a_moved_one_takes_none_along() -> None:
    assert imported("number,name\n2,Flo\n")[1] == ["Division A: player 2, Bo, becomes Flo, in 2 pairings."]
    # Without the no-show Bo all numbers of the list of TSH are others; Di is not there twice.
    found, gone = imported("Ann 1500;\nCy 1300;\nDi 1200;\n", name="A.t")
    assert gone == [
        "Division A: player 2, Bo, becomes Cy, in 2 pairings.",
        "Division A: player 3, Cy, becomes Di, in 1 pairing.",
        "Division A: player 4, Di, goes.",
        "Division A, round 1: these pairings go: Cy - Di 300:310.",
    ]
    assert ([each.name for each in found.players], len(found.pairings)) == (["Ann", "Cy", "Di"], 3)


def test_boards_are_added_by_board_and_a_shorter_list_of_tsh_or_floor_plan_is_said() -> None:
    known = Event(KNOWN.players, tables=(TableAssignment("A", 1, 7), TableAssignment("A", 2, 8)), floor=(TablePlace(7, 0, 0),))
    found, gone = imported("board,table\n2,9\n", known)
    assert ([(each.board, each.table) for each in found.tables], gone) == ([(1, 7), (2, 9)], [])
    shorter = merged(known, Event(tables=(TableAssignment("A", 1, 6),), floor=(TablePlace(8, 0, 0),)))
    assert lost(known, shorter) == ["Division A: these boards lose their tables: 2.", "Floor plan: these tables go: 7."]


def test_a_long_list_of_what_goes_is_short() -> None:
    known = Event(tuple(Player("A", each, f"P{each}") for each in range(1, 9)), tuple(Pairing("A", 1, each, BYE) for each in range(1, 9)))
    assert lost(known, Event(known.players)) == [
        "Division A, round 1: these pairings go: P1 - bye, P2 - bye, P3 - bye, P4 - bye, P5 - bye and 3 more."
    ]
