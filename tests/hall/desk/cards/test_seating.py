"""Names and places of an import, by table."""

from hall.desk.cards.seating import FloorPosition, TableSeat, seats_of
from hall.event.model import BYE, Event, FloorPlan, Pairing, Player, TableAssignment, TablePlace
from rules.side import BySide

PLAYERS = (Player("A", 1, "Ann"), Player("A", 2, "Bo"), Player("A", 3, "Cy"))


def test_a_round_seats_its_players_at_the_tables_of_their_boards() -> None:
    event = Event(
        players=PLAYERS,
        pairings=(Pairing("A", 1, 2, 1, board=1), Pairing("A", 1, 3, BYE), Pairing("A", 2, 1, 3, table=9)),
        tables=(TableAssignment("A", 1, 12),),
        floor=FloorPlan((TablePlace(12, 10, 20), TablePlace(13, 30, 20), TablePlace(14, 20, 60))),
    )
    first = seats_of(event, 1)
    assert first[12] == TableSeat(BySide("Bo", "Ann"), "A", FloorPosition(0.0, 0.0))
    assert (first[13].place, first[14].place) == (FloorPosition(1.0, 0.0), FloorPosition(0.5, 1.0))
    assert {table for table, seat in first.items() if seat.division} == {12}
    assert seats_of(event, 2)[9].names == BySide("Ann", "Cy")


def test_a_plan_of_one_table_stands_in_the_middle() -> None:
    assert seats_of(Event(floor=FloorPlan((TablePlace(1, 7, 7),))), 1)[1].place == FloorPosition(0.5, 0.5)
