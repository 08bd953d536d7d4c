"""Every event of docs/spec/events.md by buttons alone, on a full board and on two buttons: preview first, asked once more, cancelled without a trace."""

import pytest

from firmware.core.event_json import format_event
from firmware.core.events import Undo
from rules.rulebooks import load_rulebook
from tests.firmware.menu.director import Director, director
from tests.firmware.saying import keys_of

READY: tuple[str, ...] = ()
RUNNING = ("0 press right",)
STOPPED = ("0 press right", "4 neutralise")
HOLD = ("0 press right", "4 hold", "5 neutralise")
ADJUDICATION = ("0 press right", "4 challenge")
OVER = ("0 press right", "4 end reason=x")
NASPA, NZ = (load_rulebook(each).title for each in ("naspa-2017", "nzasp-2022"))

# On two buttons, opening the menu stops a running clock; so each starts where that makes no difference. Rows by their texts.
CASES: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "adjust left seconds=60 when=now": (STOPPED, ("Give or take time", "LEFT", "+1:00", "OK: +1:00", "Now", "wrong clock ran")),
    "adjust right seconds=-71 when=end": (
        STOPPED,
        ("Give or take time", "RIGHT", "-1:00", "-0:10", "-0:01", "OK: -1:11", "<end>", "delay by tracking"),
    ),
    "erase_overtime right": (STOPPED, ("Erase overtime", "RIGHT", "forced overtime")),
    "infraction right": (STOPPED, ("Minor infraction", "RIGHT")),
    "resume right": (STOPPED, ("Start a player's clock (turn)", "RIGHT")),
    "decide right": (STOPPED, ("Start a player's clock (decision)", "RIGHT")),
    "challenge": (STOPPED, ("Challenge", "player on turn")),
    "challenge right": (STOPPED, ("Challenge", "RIGHT")),
    "verdict acceptable=true words=1": (ADJUDICATION, ("Verdict", "ACCEPTABLE")),
    "verdict acceptable=false words=1": (ADJUDICATION, ("Verdict", "UNACCEPTABLE")),
    "withdraw": (ADJUDICATION, ("Withdraw the challenge",)),
    "release": (HOLD, ("Release the hold",)),
    "out_play": (STOPPED, ("Out play",)),
    "press left": (STOPPED, ("Press a player's button", "LEFT")),
    "window name=tile_decision": (STOPPED, ("Start a time frame", "<tile_decision>")),
    "window name=recount": (OVER, ("Start a time frame", "<recount>")),
    "late_start left": (READY, ("Late: start the absent player's clock", "LEFT")),
    "late_start both": (READY, ("Late: start the absent player's clock", "BOTH")),
    "arrive right": (("0 late_start both",), ("An absent player is there", "RIGHT")),
    "swap": (STOPPED, ("Swap the sides", "players sat at the wrong side")),
    "end": (STOPPED, ("End the game", "resignation")),
    "reopen": (OVER, ("Reopen the game", "wrong end")),
    "new_game rulebook=nzasp-2022 left_seconds=1560": (OVER, ("New game", NZ, "+1:00", "OK: +1:00", "No extra time")),
    "new_game rulebook=naspa-2017": (OVER, ("New game", NASPA, "No extra time", "No extra time")),
}
REASONED = {"adjust", "erase_overtime", "swap", "end", "reopen"}
boards = pytest.mark.parametrize("two_button", [False, True], ids=["full", "two-button"])


def _row(at: Director, text: str) -> str:
    """The row that is meant: ``<name>`` is a window or an instant, whose row has another text."""
    if not text.startswith("<"):
        return text
    name = text.strip("<>")
    return next(option.text for option in at.page.options if name in (option.value, getattr(option.value, "value", None)))


def _asked(case: str, *, two_button: bool) -> tuple[Director, Director]:
    """The director in the menu before, and where all steps are answered but the last question."""
    lines, rows = CASES[case]
    begun = director("naspa-2017", *lines, two_button=two_button)
    asked = begun
    for row in rows:
        asked = asked.take(_row(asked, row))
    return begun, asked


@boards
@pytest.mark.parametrize("case", CASES)
def test_the_event_can_be_reached_and_is_kept_with_its_reason(case: str, two_button: bool) -> None:
    begun, asked = _asked(case, two_button=two_button)
    done = asked.take("Do it")
    kept = format_event(done.table.record.event)
    expected = keys_of(case) | ({"reason": CASES[case][1][-1]} if keys_of(case)["do"] in REASONED else {})
    assert kept == expected
    assert done.table.record.number == (1 if kept["do"] == "new_game" else begun.table.record.number + 1)
    assert done.page.lines != ()


@boards
@pytest.mark.parametrize("case", CASES)
def test_it_is_shown_before_and_after_and_asked_once_more_before_it_takes(case: str, two_button: bool) -> None:
    begun, asked = _asked(case, two_button=two_button)
    assert asked.table.record is begun.table.record
    assert asked.page.lines != ()
    assert all(line.strip() for line in asked.page.lines)
    assert "Sure?" in asked.page.title
    assert asked.rows == ["Back", "Do it"]
    assert asked.table.menu is not None
    assert asked.table.menu.cursor == 0


@boards
@pytest.mark.parametrize("case", CASES)
def test_going_back_all_the_way_changes_nothing(case: str, two_button: bool) -> None:
    begun, back = _asked(case, two_button=two_button)
    while back.table.menu is not None and back.table.menu.action is not None:
        back = back.take("Back")
    left = back.leave()
    assert left.table.menu is None
    assert left.table.record is begun.table.record


def test_every_event_of_the_format_but_the_ones_below_is_among_the_cases() -> None:
    names = {keys_of(case)["do"] for case in CASES}
    others = {"neutralise", "hold", "undo"}
    every = "new_game press neutralise hold release out_play challenge withdraw verdict resume decide window end reopen late_start arrive"
    assert names | others == {*every.split(), "adjust", "erase_overtime", "swap", "infraction", "undo"}


@boards
@pytest.mark.parametrize(("row", "reason"), [("(no reason)", {}), ("underdraw", {"reason": "underdraw"})])
def test_stopping_the_clock_does_not_wait_to_be_asked_once_more(row: str, reason: dict[str, str], two_button: bool) -> None:
    running = director("naspa-2017", *STOPPED, two_button=two_button).take_all("Start a player's clock (turn)", "LEFT", "Do it")
    done = running.take_all("Stop the clock", row)
    assert format_event(done.table.record.event) == {"do": "neutralise"} | reason


@boards
def test_a_hold_can_be_said_for_the_player(two_button: bool) -> None:
    running = director("naspa-2017", *STOPPED, two_button=two_button).take_all("Start a player's clock (turn)", "LEFT", "Do it")
    done = running.take_all("Hold", "Do it")
    assert format_event(done.table.record.event) == {"do": "hold"}


@boards
def test_an_undo_is_chosen_from_the_latest_events_newest_first_and_shows_what_it_changes(two_button: bool) -> None:
    begun = director("naspa-2017", "0 press right", "4 infraction left", "5 neutralise", "6 window name=mixing", two_button=two_button)
    listed = begun.take("Undo")
    events = [row for row in listed.rows if row != "Back"]
    assert [row.split(".")[0] for row in events] == ["5", "4", "3", "2"]
    assert "infraction" in events[2]
    asked = listed.take_all(events[2], "wrong entry")
    assert any("LEFT" in line for line in asked.page.lines)
    assert asked.table.record is begun.table.record
    done = asked.take("Do it")
    assert done.table.record.event == Undo("wrong entry", 3)


@boards
def test_what_is_not_allowed_is_said_and_cannot_be_confirmed(two_button: bool) -> None:
    begun = director("naspa-2017", *STOPPED, two_button=two_button)
    for rows in (("Withdraw the challenge",), ("Reopen the game", "wrong end"), ("Verdict", "ACCEPTABLE")):
        asked = begun.take_all(*rows)
        assert asked.rows == ["Back"]
        assert "Not now" in asked.page.lines[0]


def test_on_a_full_board_a_players_button_takes_that_side_and_the_bar_goes_back() -> None:
    begun = director("naspa-2017", *STOPPED, two_button=False)
    done = begun.take("Minor infraction").press("right").take("Do it")
    assert format_event(done.table.record.event) == {"do": "infraction", "side": "right"}
    back = begun.take("Minor infraction").press("centre")
    assert back.page.title == begun.page.title


def test_on_a_full_board_only_the_key_leaves_so_that_no_button_plays_while_it_is_on() -> None:
    begun = director("naspa-2017", *STOPPED, two_button=False)
    assert "Leave the menu" not in begun.rows
    stayed = begun.press("centre").press("left").press("right")
    assert stayed.table.record is begun.table.record
    assert stayed.leave().table.menu is None


def test_on_a_full_board_the_cursor_moves_up_as_well_and_around() -> None:
    begun = director("naspa-2017", *STOPPED, two_button=False)
    around = begun.press("up").press("ok")
    assert around.page.title.startswith(begun.rows[-1])
    assert begun.press("down").press("up").table.menu == begun.table.menu


def test_a_window_that_the_rulebook_lacks_is_not_on_offer() -> None:
    assert director("nzasp-2022", *STOPPED, two_button=False).take("Start a time frame").rows == ["Back"]
    assert len(director("naspa-2017", *OVER, two_button=False).take("Start a time frame").rows) == 4


@boards
def test_the_change_takes_effect_at_the_instant_it_is_confirmed(two_button: bool) -> None:
    asked = (
        director("naspa-2017", *STOPPED, two_button=two_button)
        .take_all("Start a player's clock (turn)", "RIGHT")
        .press("left" if two_button else "down")
    )
    done = asked.press("right" if two_button else "ok")
    assert done.table.record.at == asked.now * 1_000_000


def test_after_an_out_play_window_has_ended_the_game_by_itself_only_the_windows_of_an_ended_game_are_on_offer() -> None:
    listed = director("naspa-2017", "0 press right", "4 out_play", two_button=False).take("Start a time frame")
    assert listed.table.record.game.phase.value == "out_play"
    assert listed.rows == ["RECOUNT 1:00", "RECOUNT WARNING 1:00", "BREAK 10:00", "Back"]


def test_each_window_on_offer_where_a_game_stands_or_has_ended_by_itself_can_be_started() -> None:
    for lines in (READY, STOPPED, ADJUDICATION, OVER, ("0 press right", "4 out_play")):
        listed = director("naspa-2017", *lines, two_button=False).take("Start a time frame")
        assert [row for row in listed.rows[:-1] if "Do it" not in listed.take(row).rows] == []
