import pytest
from msgspec.structs import replace

from firmware.menu.steps import credit_due
from firmware.texts import load_reasons
from game.event_table import format_event
from rules.duration import NS
from rules.side import BySide
from tests.firmware.menu.director import Director, director
from tests.firmware.saying import NASPA, play

CREDIT = "Credit since asked to stop, LEFT, +0:05"


def _stop_asked(at_s: int, *lines: str, two_button: bool = False) -> Director:
    there = director(NASPA, *lines, two_button=two_button)
    return replace(there, table=replace(there.table, setup=replace(there.table.setup, stop_asked=at_s * NS)))


@pytest.mark.parametrize("two_button", [False, True])
def test_the_row_comes_with_its_seconds_and_gives_them_once(two_button: bool) -> None:
    there = _stop_asked(4, "0 press right", "9 neutralise", two_button=two_button)
    assert next(row for row in there.rows if row.startswith("Credit")) == CREDIT
    given = there.take_all(CREDIT, "LEFT, +0:05", "Do it")
    assert given.table.history.game.allowed.left - there.table.history.game.allowed.left == 5 * NS
    assert not [row for row in given.rows if row.startswith("Credit")]


@pytest.mark.parametrize(
    ("asked", "lines", "due"),
    [
        (4 * NS + 1, ("0 press right", "9 neutralise"), (5 * NS - 1, 0)),
        # Both used time: the turn changed in between.
        (4 * NS, ("0 press right", "6 press left", "9 neutralise"), (2 * NS, 3 * NS)),
        # Play that goes on afterwards is not given back.
        (4 * NS, ("0 press right", "6 neutralise", "7 resume left", "9 neutralise"), (2 * NS, 0)),
        # The game that ends meanwhile stands.
        (4 * NS, ("0 press right", "6 end reason=x"), (2 * NS, 0)),
        (4 * NS, ("0 press right",), (0, 0)),
        (4 * NS, ("0 press right", "3 neutralise", "8 resume left"), (0, 0)),
        (None, ("0 press right", "9 neutralise"), (0, 0)),
        # Of the game before.
        (-1, ("0 press right", "9 neutralise"), (0, 0)),
    ],
)
def test_what_is_due(asked: int | None, lines: tuple[str, ...], due: tuple[int, int]) -> None:
    assert credit_due(play(NASPA, *lines).history, asked) == BySide(*due)


def test_a_credit_that_is_undone_is_offered_again() -> None:
    given = _stop_asked(4, "0 press right", "9 neutralise").take_all(CREDIT, "LEFT, +0:05", "Do it")
    undo = next(row for row in given.take("Undo").rows if str(given.table.history.number) in row.split()[0])
    assert CREDIT in given.take_all("Undo", undo, "wrong button", "Do it").rows


STOPS = (
    *("challenge", "score discrepancy", "director called", "overdraw", "blank clarification", "blank slip", "tiles from another game"),
    *("too few tiles to exchange", "underdraw", "tile count", "misplaced tiles", "late arrival", "return to table", "official away"),
    *("improper procedure", "six zeros"),
)
"""2017 index, "Clock, stopping"; its out play is an event of its own."""
TIMES = (
    *("third minor infraction", "clock started in error", "wrong board after a challenge", "delay by tracking", "wrong clock ran"),
    "medical extra time",
)
ENDS = ("six zeros", "resignation", "director-shortened game", "forfeit", "double forfeit")
ERASED = ("forced overtime", "clock not stopped after the out play")
REOPENED = ("tiles found in the bag", "disconnected tiles")


@pytest.mark.parametrize(("kind", "named"), [("stop", STOPS), ("time", TIMES), ("end", ENDS), ("erase", ERASED), ("reopen", REOPENED)])
def test_every_reason_that_the_rulebooks_name_is_on_offer(kind: str, named: tuple[str, ...]) -> None:
    assert set(named) <= set(load_reasons()[kind])


@pytest.mark.parametrize("reason", ENDS)
def test_the_director_ends_a_game_for_each_of_these_reasons_and_both_clocks_stand(reason: str) -> None:
    begun = director(NASPA, "0 press right", "4 neutralise")
    loser = {"loser": "right"} if reason in ("resignation", "forfeit") else {}
    done = begun.take_all("End the game", reason, *(each.upper() for each in loser.values()), "Do it").table.history
    assert format_event(done.event) == {"do": "end", "reason": reason, **loser}
    assert (done.game.phase.value, done.game.reason, done.game.running) == ("over", reason, None)


@pytest.mark.parametrize(("amount", "seconds"), [("+1:00", 60), ("-1:00", -60)])
def test_a_minute_is_given_or_taken_after_a_third_infraction_in_one_visit_to_the_menu(amount: str, seconds: int) -> None:
    lines = ("0 press right", "1 infraction left", "2 infraction left", "3 infraction left", "4 neutralise")
    begun = director(NASPA, *lines)
    done = begun.take_all("Give or take time", "LEFT", amount, f"OK: {amount}", "Now", "third minor infraction", "Do it").table.history
    assert done.game.allowed.left == (1500 + seconds) * 10**9
    assert done.game.allowed.right == 1500 * 10**9
