"""The reasons on offer in the menu are those the rulebooks name, for stops, for time and for ends."""

import pytest

from firmware.texts import load_reasons
from game.event_table import format_event
from tests.firmware.menu.director import director

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
    begun = director("naspa-2017", "0 press right", "4 neutralise", two_button=False)
    loser = {"loser": "right"} if reason in ("resignation", "forfeit") else {}
    done = begun.take_all("End the game", reason, *(each.upper() for each in loser.values()), "Do it").table.record
    assert format_event(done.event) == {"do": "end", "reason": reason, **loser}
    assert (done.game.phase.value, done.game.reason, done.game.running) == ("over", reason, None)


@pytest.mark.parametrize(("amount", "seconds"), [("+1:00", 60), ("-1:00", -60)])
def test_a_minute_is_given_or_taken_after_a_third_infraction_in_one_visit_to_the_menu(amount: str, seconds: int) -> None:
    lines = ("0 press right", "1 infraction left", "2 infraction left", "3 infraction left", "4 neutralise")
    begun = director("naspa-2017", *lines, two_button=False)
    done = begun.take_all("Give or take time", "LEFT", amount, f"OK: {amount}", "Now", "third minor infraction", "Do it").table.record
    assert done.game.allowed.left == (1500 + seconds) * 10**9
    assert done.game.allowed.right == 1500 * 10**9
