"""The reason of the stop that stands, and the call for the director (2017 II.A)."""

from tests.cells import each_cell
from tests.firmware.saying import play

STOPPED = ("0 press right", "5 neutralise")


def test_a_reason_is_kept_with_the_stop_that_stands_and_replaces_an_earlier_one() -> None:
    told = play("naspa-2017", *STOPPED, "6 reason reason=overdraw")
    assert told.face("7")["reason"] == "overdraw"
    again = told.then("8 reason reason=underdraw")
    assert (again.face("8")["reason"], again.states("8"), again.readings("8")) == ("underdraw", told.states("7"), told.readings("7"))
    assert again.then("9 resume left", "10 neutralise").face("10")["reason"] is None


UNGIVEN = {
    "ready": (),
    "running": ("0 press right",),
    "verdict": ("0 press right", "1 challenge", "2 verdict acceptable=true"),
    "withdrawn": ("0 press right", "1 challenge", "2 withdraw"),
    "reopened": ("0 press right", "1 end reason=x", "2 reopen reason=x"),
    "struck end": ("0 press right", "1 end reason=x", "2 undo reason=x"),
    "over": ("0 press right", "1 end reason=x"),
}


def test_what_no_neutralise_stopped_takes_no_reason() -> None:
    for cell in each_cell(UNGIVEN):
        with cell as name:
            assert play("naspa-2017", *UNGIVEN[name]).then("5 reason reason=overdraw").refused


def test_a_call_is_the_reason_of_a_stop_that_has_none() -> None:
    assert play("naspa-2017", *STOPPED, "6 call on=true").face("6")["reason"] == "director called"
    given = play("naspa-2017", *STOPPED, "6 reason reason=overdraw", "7 call on=true").face("7")
    assert (given["reason"], given["called"]) == ("overdraw", True)
    answered = play("naspa-2017", *STOPPED, "6 call on=true", "7 call on=false").face("7")
    assert (answered["reason"], answered["called"]) == ("director called", False)


ANSWERS = {
    "call on=false": ("1 call on=true",),
    "new_game rulebook=club": ("0 press right", "1 end reason=x", "2 call on=true"),
}
STANDS = {
    "press left": ("0 press right", "1 call on=true"),
    "resume left": (*STOPPED, "6 call on=true"),
    "decide right": (*STOPPED, "6 call on=true"),
    "late_start left": ("1 call on=true",),
    "late_start both": ("1 call on=true",),
    "arrive left": ("0 late_start both", "1 call on=true"),
    "new_game rulebook=club called=true": ("0 press right", "1 end reason=x", "2 call on=true"),
    "neutralise": ("0 press right", "1 call on=true"),
    "reason reason=overdraw": (*STOPPED, "6 call on=true"),
    "challenge": (*STOPPED, "6 call on=true"),
    "end reason=x": (*STOPPED, "6 call on=true"),
    "adjust left seconds=60 when=now reason=x": (*STOPPED, "6 call on=true"),
}


def test_a_call_stands_until_it_is_answered_whatever_clock_starts_and_goes_on_into_the_next_game_if_that_says_so() -> None:
    for cell in each_cell(ANSWERS | STANDS):
        with cell as event:
            told = play("naspa-2017", *(ANSWERS | STANDS)[event])
            assert told.face("7")["called"]
            assert told.then(f"8 {event}").face("8")["called"] is (event in STANDS)
