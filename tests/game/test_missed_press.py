"""A tile was drawn and the opponent's clock not started: the wrong clock ran, the turn had ended at the draw (2017 IV.G.2.a, II.D)."""

from tests.firmware.saying import play


def test_once_the_missed_press_is_made_the_play_can_be_held_by_the_player_it_was_made_against() -> None:
    told = play("naspa-2017", "0 press right", "30 window name=missed_press", "40 press left", "41 hold")
    assert told.window("39") == ("missed_press", "0:11", False)
    assert told.states("41") == ("hold", "right", "right")
    assert told.window("41") == ("courtesy_draw", "0:15", False)


def test_the_time_that_ran_on_the_wrong_clock_comes_back_at_the_end_of_the_game() -> None:
    told = play("naspa-2017", "0 press right", "40 press left", "41 adjust left seconds=10 when=end reason=x")
    assert told.readings("42") == ("24:20", "24:58")
    assert told.then("60 end reason=x").readings("60") == ("24:30", "24:40")
