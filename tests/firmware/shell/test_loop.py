import os
import re
import signal
import threading
from contextlib import suppress
from pathlib import Path

import gpiozero
import pytest

from appliance import power
from appliance.errors import Diagnosis, ScreenError
from appliance.power import Battery, Power
from appliance.program import Inbox, PowerOff, Supervisor
from appliance.settings import RejectedSettings
from firmware.screens.screen import ButtonEdge, Quit
from firmware.shell import assemble
from firmware.shell.displays import Signals
from firmware.shell.loop import Input
from game.game import Phase
from hardware.boards.board import load_board
from hardware.buttons.board_pins import BoardPins
from hardware.pins.mock import MockPins
from hardware.tones import Tones
from records.journal import reading, verify
from rules.contact import MS
from rules.duration import NS
from rules.side import Side
from tests.appliance.checks.test_voltage import system
from tests.firmware.hall.hall_faces import TIMER, look
from tests.firmware.saying import own_rulebook
from tests.firmware.shell.processes import notified
from tests.firmware.shell.rig import BEGAN, LONG_NS, PATIENCE_S, Hand, Rig, Step, ns, rig, rows_in
from tests.some import some

PERIOD_US = 400_000
WHY = Diagnosis("/boot/firmware/tileclock.toml: screen.width: expected greater than or equal to 320, found 2", "Correct it")
WEAK = "POWER TOO WEAK: give this clock the supply made for it"
WAS_WEAK = "The power was too weak for a time: give this clock the supply made for it"
UNSET = "1970-01-01T00:{:02d}:00.000+00:00"


def test_nothing_wakes_the_loop_while_nothing_can_change(table: Rig) -> None:
    table.play(until="3600")
    # Once more at the start: what came while the screen was opened is not slept over.
    assert table.screen.asked == [None, None]
    assert table.screen.drawn == 1


def test_a_running_clock_draws_once_a_second_and_wakes_no_oftener_than_reading_and_mark_ask(table: Rig) -> None:
    table.play(table.press("5.3", "right"), until="65.3")
    before = [drawn for drawn, _ in table.screen.faces if drawn < table.at("10")]
    assert len(table.screen.faces) - len(before) == 55
    # Four turns for the press itself, then a reading and a mark each second.
    assert len(table.screen.asked) <= 6 + 2 * 60
    since = [drawn - table.at("5.3") for drawn, _ in table.screen.faces[5:]]
    assert all(passed - round(passed / NS) * NS in range(2_000_000) for passed in since)


def test_a_press_counts_at_its_instant_if_the_loop_wakes_before_the_pins_thread(table: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    unread = table.press("10.25", "right")

    def behind(_: MockPins) -> bool:
        found = bool(unread) and table.hand.now >= table.at("12")
        while found and unread:
            unread.pop(0)[1]()
        return found

    def stall() -> None:
        table.hand.now = table.at("12")
        table.screen.wake()

    monkeypatch.setattr(MockPins, "behind", property(behind))
    # The press before is decided after the stall, and none can come before what is decided.
    table.play(table.press("5", "right"), table.press("9.9", "left"), [(table.at("10.1"), stall)], table.press("15", "centre"), until="20")
    assert table.used() == (ns("9.65"), ns("0.35"))


def test_the_lamp_of_the_side_that_runs_is_lit(table: Rig) -> None:
    lit: list[tuple[bool, bool]] = []
    looks = [(table.at(at), lambda: lit.append((table.board.lit("left"), table.board.lit("right")))) for at in ("4", "6", "11", "16")]
    table.play(looks, table.press("5", "right"), table.press("10", "left"), table.press("15", "centre"), until="20")
    assert lit == [(False, False), (True, False), (False, True), (False, False)]


LITTLE_TIME = '[regulation]\ntime = "2:10"'
_EARPHONES = [(5, "turn", Side.LEFT), (15, "two minutes", Side.LEFT), (135, "zero", Side.LEFT), (195, "overtime", Side.LEFT)]


@pytest.mark.parametrize(
    ("output", "expected"),
    [("earphones", [*_EARPHONES, (200, "turn", Side.RIGHT)]), ("loudspeaker", [(135, "zero", None)]), ("none", [])],
)
def test_earphones_sound_all_that_is_a_players_own_and_a_loudspeaker_only_what_both_may_hear(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, output: str, expected: list[tuple[int, str, Side | None]]
) -> None:
    sounded: list[tuple[int, str, Side | None]] = []
    monkeypatch.setattr(Tones, "open", lambda _: None)
    with rig(tmp_path, sound__output=output, rulebook=own_rulebook(tmp_path, LITTLE_TIME)) as table:
        monkeypatch.setattr(Tones, "play", lambda _, name, side: sounded.append(((table.hand.now - table.at("0")) // NS, name, side)))
        table.play(table.press("5", "right"), table.press("200", "left"), until="202")
    assert sounded == expected


def test_a_clock_without_a_sound_card_plays_on_and_notes_it_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SDL_AUDIODRIVER", "none-such")
    with rig(tmp_path, sound__output="earphones") as table:
        table.play(table.press("5", "right"), until="10")
        assert table.clock.table.history.game.running is Side.LEFT
        assert [note["given_up"] for note in table.notes() if "given_up" in note] == ["sound"]


def test_the_buzzer_tells_a_window_from_a_players_zero(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with rig(tmp_path, buzzer__enabled=True, rulebook=own_rulebook(tmp_path, LITTLE_TIME)) as table:
        beeps: list[int] = []
        monkeypatch.setattr(some(table.loop._pins).buzzer, "sound", lambda times, _melody: beeps.append(times))
        table.play(table.press("5", "right"), table.press("10", "right", held=LONG_NS), until="140")
        assert beeps == [1, 2]


@pytest.mark.parametrize("first", [True, False])
def test_the_buzzer_is_as_the_last_order_wants_it_even_if_the_settings_have_not_reached_the_pins_yet(*, first: bool) -> None:
    given_up: list[str] = []
    signals = Signals(lambda what, _, __: given_up.append(what), buzzer=first)
    with BoardPins(load_board("full"), MockPins(), lambda _: None) as pins:
        # Without pins it waits for them.
        for reached, enabled in ((pins, not first), (None, first)):
            assert signals.try_buzzer(reached, enabled=enabled)
            signals.show(pins, look("5"), 0)
            assert (pins.buzzer._buzzer is not None, given_up) == (enabled, [])


def test_the_buzzer_sounds_once_for_each_call_of_the_halls_timer(monkeypatch: pytest.MonkeyPatch) -> None:
    signals = Signals(lambda *_: None, buzzer=True)
    with BoardPins(load_board("full"), MockPins(), lambda _: None) as pins:
        sounded: list[int] = []
        for at in range(995, 1190):
            monkeypatch.setattr(pins.buzzer, "sound", lambda *_, at=at: sounded.append(at))
            signals.show(pins, look(str(at), timer=TIMER), 0)
    assert sounded == [1000, 1150, 1180]


def test_a_click_whose_press_and_release_are_read_in_one_go_is_a_press(tmp_path: Path) -> None:
    with rig(tmp_path, board__pins="none") as table:
        click = [ButtonEdge("right", down=True), ButtonEdge("right", down=False)]
        table.play([(table.at("5"), lambda: table.screen.inputs.extend(click))], until="10")
        assert table.used() == (0, 0)
        assert table.clock.table.history.game.running is Side.LEFT


def _lost(table: Rig) -> None:
    # Once its screen is gone the loop waits on its queue, where the rig's time does not move: so the end is in there already.
    table.loop.inbox.put(Quit())
    raise ScreenError(expected="the panel to stay connected", found="none")


@pytest.mark.parametrize("call", ["draw", "poll", "wait"])
def test_a_screen_that_is_lost_ends_no_game_that_is_played_on_pins(table: Rig, call: str) -> None:
    lost = [(table.at("7"), lambda: setattr(table.screen, call, lambda *_: _lost(table)))]
    table.play(table.press("5", "right"), lost, until="8")
    assert table.screen.closed
    assert table.clock.table.history.game.running is not None
    assert not table.clock.table.setup.screen, "a menu that is out of sight does not open"
    assert {"given_up": "screen", "why": "expected the panel to stay connected, found none."} in table.notes()


def test_without_pins_a_lost_screen_ends_the_program_with_all_in_the_journal(tmp_path: Path) -> None:
    with rig(tmp_path, board__pins="none") as table:
        table.play([(table.at("5"), lambda: setattr(table.screen, "poll", lambda: _lost(table)))], until="8")
        assert table.screen.closed
    assert table.notes()[-1]["given_up"] == "screen"


def test_a_lamp_that_fails_is_given_up_once_and_the_game_goes_on(monkeypatch: pytest.MonkeyPatch, table: Rig) -> None:
    pins = table.loop._pins
    assert isinstance(pins, BoardPins)

    def torn_off() -> None:
        raise gpiozero.PinSetInput("the wire is off")

    monkeypatch.setattr(pins.lamps._leds["left"], "on", torn_off)
    table.play(table.press("5", "right"), table.press("10", "left"), table.press("15", "right"), until="20")
    assert [used // NS for used in table.used()] == [5, 5]
    assert [note["given_up"] for note in table.notes() if "given_up" in note] == ["lamps"]


def _escape(table: Rig, at: str) -> Step:
    return table.at(at), lambda: table.screen.inputs.append(Quit())


@pytest.mark.parametrize("stopped", [False, True])
def test_one_stray_key_ends_no_game_running_or_stopped(table: Rig, *, stopped: bool) -> None:
    table.play(table.press("5", "right"), table.press("8", "centre") if stopped else [], [_escape(table, "10")], until="30")
    assert table.hand.now == table.at("30")
    assert table.notices("11", "16") == [("A game is in progress. Repeat within 5\u00a0s to leave it",), ()]


@pytest.mark.parametrize(("press", "escapes"), [("5", ("10", "14")), (None, ("14",))])
def test_asked_twice_within_five_seconds_or_before_a_game_it_leaves(table: Rig, press: str | None, escapes: tuple[str, ...]) -> None:
    table.play(table.press(press, "right") if press else [], [_escape(table, at) for at in escapes], until="30")
    assert table.hand.now == table.at("14")


@pytest.mark.parametrize(("last_good", "said"), [(True, "OLD SETTINGS IN FORCE"), (False, "SETTINGS IGNORED")])
def test_settings_that_are_not_in_force_are_told_until_the_director_has_been_at_the_menu(table: Rig, *, last_good: bool, said: str) -> None:
    table.clock.refused(BEGAN, RejectedSettings(WHY, last_good=last_good))
    key = (table.turn("25", "key", on=True), table.turn("30", "key", on=False))
    table.play(table.press("5", "right"), table.press("15", "centre"), *key, until="40")
    kept = f"{said}. Director, correct: {WHY}"
    assert table.notices("1", "6", "16", "26", "31") == [(kept,), (), (kept,), (kept,), ()]
    assert table.used() == (ns("10"), 0)
    assert table.notes() == [{"settings": str(WHY)}]


def test_power_that_is_too_weak_is_told_at_once_and_that_it_was_at_the_next_stop_and_each_change_is_in_the_journal(table: Rig) -> None:
    power = [(table.at(at), lambda low=low: table.loop.inbox.put(Power(low))) for at, low in (("10", True), ("80", False))]
    key = (table.turn("100", "key", on=True), table.turn("105", "key", on=False))
    table.play(table.press("5", "right"), power, table.press("95", "centre"), *key, until="110")
    assert table.notices("9", "11", "79") == [(), (WEAK,), (WEAK,)]
    assert table.notices("81", "96", "101", "106") == [(), (WAS_WEAK,), (WAS_WEAK,), ()]
    assert table.used() == (ns("90"), 0)
    assert table.notes() == [{"power": "too weak"}, {"power": "right again"}]


def test_the_batterys_charge_shows_in_a_stop_and_at_any_time_once_it_is_low(table: Rig) -> None:
    readings = (("1", 61, True), ("20", 25, True), ("40", 24, True), ("60", 90, False))
    put = [
        (table.at(at), lambda percent=percent, used=used: table.loop.inbox.put(Battery(percent, discharging=used)))
        for at, percent, used in readings
    ]
    table.play(table.press("5", "right"), put, until="70")
    low = "BATTERY {} %: plug this clock in, or change the battery. The game is kept"
    assert table.notices("2", "6", "21", "41", "61") == [("Battery 61 %",), (), (low.format(25),), (low.format(24),), ()]
    assert table.notes() == [{"battery": "25 %"}]


def test_the_firmwares_alarm_reaches_the_screen_of_a_live_clock(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(power, "SYSTEM", system(tmp_path / "sys", "1\n"))
    heard = threading.Event()

    class Heard(Inbox[Input]):
        def put(self, item: Input) -> None:
            super().put(item)
            if isinstance(item, Power):
                heard.set()

    monkeypatch.setattr(assemble, "Inbox", Heard)
    with rig(tmp_path) as table:
        table.play([(table.at("0.3"), lambda: heard.wait(PATIENCE_S))], until="1")
        assert table.notices("0.5") == [(WEAK,)]


def test_without_a_date_a_game_is_timed_kept_and_brought_back_to_the_nanosecond_and_no_time_of_day_is_claimed(tmp_path: Path) -> None:
    with rig(tmp_path, Hand(wall=lambda: UNSET.format(3))) as table:
        table.play(table.press("5", "right"), table.press("15.5", "left"), until="30", cut=True)
    # The clock on the wall begins anew: it runs behind what is recorded.
    with rig(tmp_path, Hand(BEGAN + ns("7"), lambda: UNSET.format(0), "second boot")) as table:
        key = (table.turn("5", "key", on=True), table.presses("6", "ok"), table.turn("9", "key", on=False))
        table.play(*key, table.press("20", "left"), until="21")
        (notice,) = table.face("1").notices
        assert re.match(r"POWER WAS LOST\. Last record: time unknown; if recording, up to [12]\xa0s missing\.", notice)
        assert table.face("1").phase is Phase.NEUTRAL
        used = table.used()
    assert used[0] == ns("10.5")
    assert ns("13") <= used[1] <= ns("15.5")
    with reading(table.path) as connection:
        assert verify(connection).fault is None
    assert {kept.row.wall[:4] for kept in rows_in(table.path)} == {"1970"}


WATCHED = ("--pins", "mock", "--screen", "none")


def test_it_says_that_it_is_ready_after_its_first_picture_and_beats_from_then_on(tmp_path: Path) -> None:
    with notified(tmp_path, *WATCHED, WATCHDOG_USEC=str(PERIOD_US)) as (systemd, _):
        heard = [systemd.recv(100) for _ in range(6)]
    assert heard == [b"READY=1", *[b"WATCHDOG=1"] * 5]


def test_a_loop_that_hangs_beats_no_more_whatever_its_threads_do(tmp_path: Path) -> None:
    with notified(tmp_path, *WATCHED, WATCHDOG_USEC=str(PERIOD_US)) as (systemd, clock):
        while systemd.recv(100) != b"READY=1":
            pass
        os.kill(clock.pid, signal.SIGSTOP)
        systemd.settimeout(3 * PERIOD_US / 1e6)
        with suppress(TimeoutError):
            while systemd.recv(100):
                pass
        with pytest.raises(TimeoutError):
            systemd.recv(100)


@pytest.mark.parametrize(("folder", "said"), [("", "The machine is being switched off"), ("gone", "Use the power button.")])
def test_the_director_has_the_machine_switched_off_by_the_menu_or_is_told_how_else(tmp_path: Path, folder: str, said: str) -> None:
    wish = PowerOff(tmp_path / folder / "poweroff")
    with rig(tmp_path, supervisor=Supervisor(power_off=wish)) as table:
        # From the late start, on which the cursor begins, up round to the last row.
        table.play(table.turn("5", "key", on=True), table.presses("6", *["up"] * 11, "ok", "down", "ok"), until="40")
        (notice,) = (each for each in table.screen.face.notices if "switch" in each)
        assert notice.endswith(said)
        assert ({"power_off": "asked for in the menu"} in table.notes(), wish.path.exists()) == (not folder, not folder)


def test_a_hand_that_trembles_plays_with_long_presses_from_their_first_edges_and_its_brushes_do_nothing(tmp_path: Path) -> None:
    with rig(tmp_path, steady__press_ms=200, steady__guard_ms=500) as table:
        # The left button's first two are too short, its last one within the guard.
        presses = (
            ("5.25", "right", 300),
            ("8", "left", 100),
            ("9", "left", 100),
            ("10.5", "left", 250),
            ("11", "left", 250),
            ("12.5", "right", 250),
        )
        table.play(*(table.press(at, button, held=held * MS) for at, button, held in presses), until="15.5")
        assert table.clock.table.history.game.running is Side.LEFT
        assert table.used() == (5_250 * MS, 2_000 * MS)
