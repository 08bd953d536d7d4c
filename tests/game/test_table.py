"""A table between games: whether one goes on, and the next one, set up from outside or under the rulebook of the one before."""

import pytest

from game.table import OfferedGame, between_games, is_offered, next_game, own_allowances, set_up_next
from rules.side import BySide
from tests.firmware.saying import NASPA, NZ, new_game, play

OVER = ("1 press right", "9 end reason=x")


@pytest.mark.parametrize(
    ("lines", "between"),
    [
        ((), True),
        (OVER, True),
        (("1 press right",), False),
        (("1 late_start left", "5 arrive left"), False),
        (("1 infraction left",), True),
    ],
)
def test_a_game_goes_on_from_its_first_charge_to_its_end(lines: tuple[str, ...], between: bool) -> None:
    assert between_games(play(NASPA, *lines).game("10")) is between


def test_a_game_that_is_set_up_is_the_next_one_of_the_game_it_was_set_up_for_alone_and_a_call_goes_on() -> None:
    over = play(NASPA, *OVER, "10 call on=true")
    beginning = over.history.first.event
    offered = OfferedGame(new_game("club left_seconds=1200"), beginning)
    other = OfferedGame(offered.game, new_game(NZ))
    assert [is_offered(over.history, each) for each in (offered, other, None)] == [True, False, False]
    found = [next_game(over.history, each) for each in (offered, other, None)]
    assert [(each.rulebook_ref, each.allowed, each.called) for each in found] == [
        ("club", BySide(1200 * 10**9, None), True),
        *[(NASPA, BySide(None, None), True)] * 2,
    ]
    assert not next_game(play(NASPA, *OVER).history, offered).called
    shown = set_up_next(over.history, offered, over.game("11"))
    assert shown is not None
    assert shown.accounts.map(lambda account: account.allowed) == BySide(1200 * 10**9, 1500 * 10**9)
    assert set_up_next(over.history, other, over.game("11")) is None
    assert set_up_next(over.history, offered, play(NASPA, "1 press right").game("11")) is None


def test_the_next_game_has_the_last_rulebook_that_stood_and_own_times_follow_their_players() -> None:
    begun = f"{NASPA} left_seconds=1800"
    changed = play(
        begun, "1 rulebook rulebook=club reason=x", "2 rulebook rulebook=nzasp-2022 reason=x", "3 swap reason=x", "9 end reason=x"
    )
    assert (next_game(changed.history).rulebook_ref, own_allowances(changed.history)) == (NZ, BySide(None, 1800 * 10**9))
    struck = changed.then("10 undo reason=x event=3", "11 undo reason=x event=4")
    assert (next_game(struck.history).rulebook_ref, own_allowances(struck.history)) == ("club", BySide(1800 * 10**9, None))
