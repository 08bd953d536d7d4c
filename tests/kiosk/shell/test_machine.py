import csv
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from appliance import power
from appliance.errors import Diagnosis, PinUnavailable
from appliance.power import Power
from appliance.program import Supervisor
from appliance.settings import RejectedSettings
from hardware.boards.board import STATION, load_board
from hardware.buttons.board_pins import BoardPins, Edge, Lamps
from hardware.pins import opening
from kiosk.context import Trouble, TroubleKind
from kiosk.log import export_csv
from kiosk.settings import merge
from kiosk.shell.effect_handler import StationConditions
from kiosk.shell.loop import ButtonPanel
from kiosk.shell.threads import watched
from kiosk.station import BUTTON
from records.entry import Kind
from rules.contact import MS
from tests.appliance.checks.test_voltage import system
from tests.hardware.printer.emulator import FakePrinter
from tests.hardware.waiting import Library, Systemd
from tests.kiosk.challenge.making import context
from tests.kiosk.log.making import kept_in
from tests.kiosk.shell import rig as rigs
from tests.kiosk.shell.rig import BOARD, PIN, Hand, Rig, rig
from tests.some import some
from tools.mock_board import MockBoard

pytestmark = pytest.mark.usefixtures("dummy_display")

WHY = Diagnosis("/boot/firmware/tilekiosk.toml: flow.idle_s: expected greater than or equal to 15, found 2", "Correct it")
UNSET = "1970-01-01T00:{:02d}:00.000+00:00"


@pytest.mark.parametrize(("kept", "said"), [(True, "The last good settings are in force"), (False, "The defaults are in force")])
def test_settings_that_are_not_in_force_are_told_until_the_director_has_seen_it_and_stay_at_the_desk_and_in_the_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, kept: bool, said: str
) -> None:
    monkeypatch.setattr(rigs, "merge", lambda layers: replace(merge(layers), refused=RejectedSettings(WHY, last_good=kept)))
    with rig(tmp_path, **PIN) as station:
        assert "Director: new settings cannot be used, others are in force. See the desk." in station.said
        assert "tilekiosk.toml" not in station.said
        assert "ACCEPTABLE" in station.judged("TILE")
        station.tap("done")
        station.opened()
        assert f"{WHY} {said}. Restart afterwards." in station.said
        station.tap("close")
        assert "Director" not in station.said
        assert station.entries()[0].kind is Kind.STARTED
        assert f"; settings not taken: {WHY.problem}" in (station.entries()[0].why or "")


def low(station: Rig, *, low: bool = True) -> None:
    station.loop.inbox.put(Power(low=low))
    station.goes_by(1)


def reported(station: Rig) -> list[str | None]:
    return [entry.why for entry in station.entries() if entry.kind is Kind.SELF_TEST]


def test_power_that_is_too_weak_is_told_each_time_until_the_director_has_seen_it_and_each_change_is_in_the_log(station: Rig) -> None:
    for times in ("1 time", "2 times"):
        low(station)
        assert "Director: the power supply is too weak. See the desk." in station.said
        station.opened()
        assert f"The voltage has been too low {times} since the start. Use the supply made for this model" in station.said
        station.tap("close")
        assert "power" not in station.said
        low(station, low=False)
        assert "power" not in station.said
    assert reported(station) == ["the voltage is too low", "the voltage is right again"] * 2
    station.asked("TILE")
    low(station)
    station.tap("adjudicate")
    assert "ACCEPTABLE" in station.said


def test_the_firmwares_alarm_reaches_the_screen_of_a_live_station(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(power, "SYSTEM", system(tmp_path / "sys", "1\n"))
    with rig(tmp_path) as station:
        station.reads("the power supply is too weak")


def test_without_a_date_verdicts_are_given_and_kept_in_order_and_the_desk_says_that_the_date_is_not_set(tmp_path: Path) -> None:
    with rig(tmp_path, Hand(wall=UNSET.format(3)), **PIN) as station:
        assert "ACCEPTABLE" in station.judged("TILE")
        station.tap("done")
        station.opened()
        station.tap("place.log")
        assert "date not set" in station.said
        assert "1970" not in station.said
        assert [kept.seq for kept in kept_in(station.log)] == list(range(1, len(station.entries()) + 1))


@pytest.mark.parametrize(
    ("before", "after", "open_"),
    [
        (UNSET.format(1), UNSET.format(5), True),
        (UNSET.format(1), UNSET.format(20), False),
        ("2026-11-21T10:00:00.000+00:00", UNSET.format(1), True),
        ("2026-11-21T10:00:00.000+00:00", "2026-11-21T10:09:00.000+00:00", True),
        ("2026-11-21T10:00:00.000+00:00", "2026-11-21T10:11:00.000+00:00", False),
    ],
)
def test_ten_minutes_for_a_mistyped_challenge_outlive_a_loss_of_power(tmp_path: Path, before: str, after: str, *, open_: bool) -> None:
    with rig(tmp_path, Hand(wall=before)) as station:
        station.judged("TILE", table=7)
        kept = station.power_lost()
    with rig(kept, Hand(wall=after, boot="next boot")) as station:
        station.tap("7", "challenger.left")
        assert (station.page == "table.repeat") is open_


def test_a_slip_without_a_date_says_so_in_the_players_language(tmp_path: Path) -> None:
    with FakePrinter() as printer, rig(tmp_path, Hand(wall=UNSET.format(3)), printer__port=printer.port) as station:
        station.tap("language.es")
        station.judged("TILE")
        (slip,) = printer.slips(1)
        assert "fecha sin ajustar" in [line.text for line in slip]
        assert not any("1970" in line.text for line in slip)


def test_a_button_wired_to_ground_is_told_after_a_minute_and_screen_and_keyboard_adjudicate(tmp_path: Path, board: MockBoard) -> None:
    board.down("adjudicate", 0)
    with rig(tmp_path, factory=board.factory, **BOARD, **PIN) as station:
        assert "stuck" not in station.said
        station.goes_by(61)
        assert "Director: the adjudication button is stuck. See the desk." in station.said
        station.opened()
        assert "look for a short in its wires" in station.said
        station.tap("close")
        assert "stuck" not in station.said
        assert "ACCEPTABLE" in station.judged("TILE")


BUSY = PinUnavailable(where="board station", expected="GPIO5", found="it is busy", remedy="End the program that holds the pin")
NOTICE = "Director: adjudication button, lamps and key switch do not work. See the desk."


@pytest.fixture
def systemd() -> Systemd:
    return Systemd()


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch) -> Library:
    library = Library(BUSY)
    monkeypatch.setattr(opening, "open_factory", library.open)
    return library


@pytest.fixture
def pinless(dummy_display: None, tmp_path: Path, systemd: Systemd, library: Library) -> Iterator[Rig]:
    supervisor = Supervisor(notifier=systemd)
    with rig(tmp_path, supervisor=supervisor, board__file="station", board__pins="gpiod", door__key_switch=True, **PIN) as station:
        yield station


def test_it_judges_by_touch_until_the_board_is_there(pinless: Rig, library: Library, board: MockBoard, systemd: Systemd) -> None:
    assert NOTICE in pinless.said
    assert pinless.page == "idle"
    assert "ACCEPTABLE" in pinless.judged("TILE")
    pinless.tap("done")
    assert reported(pinless) == [f"the board's pins cannot be opened: {BUSY}"]
    library.there = board
    pinless.goes_by(6)
    assert "Director" not in pinless.said
    pinless.asked("TILE", table=13)
    pinless.goes_by(1)
    assert board.lit("adjudicate")
    board.press("adjudicate", pinless.hand.now)
    assert pinless.goes_by(0.5).startswith("verdict")
    assert reported(pinless)[1:] == ["the board's pins are there"]
    assert systemd.heard == [f"STATUS=No pins,retrying: {BUSY}", "STATUS="]


def test_the_desk_has_the_whole_reason_and_the_notice_is_quiet_once_it_was_seen(pinless: Rig, library: Library, board: MockBoard) -> None:
    def findings(*, fine: bool) -> list[str]:
        return [str(finding.what) for finding in pinless.loop._handler.examine() if finding.fine is fine]

    pinless.opened()
    assert f"The board's pins cannot be opened: {BUSY} It is tried again every 5 s." in pinless.said
    assert "the PIN opens this desk, the key switch does not" in pinless.said
    assert "pins: board station: expected GPIO5, found it is busy. End the program that holds the pin." in findings(fine=False)
    pinless.tap("close")
    for seconds in (0, 60):
        pinless.goes_by(seconds)
        assert "Director" not in pinless.said
    library.there = board
    pinless.goes_by(6)
    board.down("key", pinless.hand.now)
    assert pinless.goes_by(1) == "desk.menu"
    assert "GPIO5" not in pinless.said
    assert "pins: gpiod: all pins of the station are open" in findings(fine=True)


@pytest.fixture
def heard() -> list[Edge]:
    return []


@pytest.fixture
def pins(board: MockBoard, heard: list[Edge]) -> Iterator[BoardPins]:
    with BoardPins(board.board, board.factory, heard.append) as opened:
        yield opened


def shining(board: MockBoard) -> set[str]:
    return {lamp for lamp in board.board.lamps if board.lit(lamp)}


def test_lamps_and_the_exported_log_are_the_same_whichever_word_of_a_play_fails(dummy_display: None, tmp_path: Path) -> None:
    seen: dict[str, list[set[str]]] = {}
    plays = ("ZZZ QI CAT", "QI CAT ZZZ")
    for play in plays:
        folder = tmp_path / play.replace(" ", "-")
        folder.mkdir()
        board = MockBoard(load_board("station", STATION))
        with rig(folder, factory=board.factory, **BOARD) as station:
            station.asked(*play.split(" "))
            station.goes_by(1)
            lamps = seen[play] = [shining(board)]
            station.tap("adjudicate")
            for _ in range(40):
                lamps.append(shining(board))
                station.goes_by(1)
        export_csv(station.log, folder / "log.csv")
    assert all(lamps == seen[plays[0]] for lamps in seen.values())
    assert {"unacceptable"} in seen[plays[0]]
    kept = [(tmp_path / play.replace(" ", "-") / "log.csv").read_text(encoding="utf-8").replace(play, "") for play in plays]
    rows = [[{**row, "hash": "", "lexicon_sha256": ""} for row in csv.DictReader(each.splitlines())] for each in kept]
    for each in rows:
        assert each == rows[0]


def test_lamps_that_fail_once_are_given_up_for_good_none_stays_lit_that_is_said_once_and_the_button_goes_on(
    wired: Rig, board: MockBoard, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    tried: list[str] = []

    def fails(_: object, name: str, *, on: bool) -> None:
        tried.append(name)
        raise PinUnavailable(expected=f"to switch the lamp {name}", found="it fails")

    wired.judged("TILE")
    assert shining(board) == {"acceptable"}
    monkeypatch.setattr(Lamps, "set", fails)
    wired.tap("done")
    wired.asked("QI", table=13)
    wired.goes_by(0.6)
    board.press("adjudicate", wired.hand.now)
    assert (wired.goes_by(0.6), wired.last.table, shining(board), tried) == ("verdict", 13, set(), ["acceptable"])
    assert capsys.readouterr().out.count("the lamps are given up") == 1


def test_a_press_without_edges_is_looked_up(board: MockBoard, pins: BoardPins, heard: list[Edge], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(board.factory.pin(board.board.buttons[BUTTON].name), "_call_when_changed", lambda: None)
    panel = ButtonPanel(pins, 0)
    board.down(BUTTON)
    again = some(panel.reread(MS))
    assert panel.reread(again) is None
    assert [(edge.button, edge.down, edge.at, edge.stamped) for edge in heard] == [(BUTTON, True, MS, False)]


def test_a_library_that_fails_at_a_look_is_not_asked_again_and_the_panel_goes_on(pins: BoardPins, monkeypatch: pytest.MonkeyPatch) -> None:
    panel, asked = ButtonPanel(pins, 0), list[int]()

    def fails(now: int) -> int | None:
        asked.append(now)
        raise PinUnavailable(expected="to read the buttons' pins", found="gone")

    monkeypatch.setattr(pins, "reread", fails)
    assert [panel.reread(1), panel.reread(2)] == [None, None]
    assert asked == [1]


def died(of: BaseException) -> None:
    def dies() -> None:
        raise of

    thread = threading.Thread(target=dies, name="lexicon loader")
    thread.start()
    thread.join()


def test_a_thread_that_died_is_known_by_name_and_error(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    before: list[threading.ExceptHookArgs] = []
    monkeypatch.setattr(threading, "excepthook", before.append)
    with watched() as deaths:
        reported = ["; ".join(deaths)]
        died(RuntimeError("one"))
        died(SystemExit())
        died(ValueError("two"))
        reported += ["; ".join(deaths)]
    assert reported == ["", "lexicon loader (RuntimeError: one); lexicon loader (ValueError: two)"]
    assert [args.exc_type for args in before] == [RuntimeError, SystemExit, ValueError]
    assert capsys.readouterr().out.count("a thread crashed") == 2
    died(RuntimeError("three"))
    assert "three" not in str(deaths)


def test_the_self_test_tells_of_it_and_the_players_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threading, "excepthook", lambda _: None)
    with rig(tmp_path, **PIN) as station:
        died(RuntimeError("unforeseen"))
        assert "ACCEPTABLE" in station.judged("TILE")
        station.tap("done")
        station.opened()
        station.tap("place.self_test")
        station.until(lambda: station.loop.station.judge_desk.facts.findings is not None)
        bad = [str(each.what) for each in station.loop.station.judge_desk.facts.findings or () if not each.fine]
        assert [each for each in bad if each.startswith("program: ") and "lexicon loader (RuntimeError: unforeseen)" in each]


FULL, READ_ONLY = (Trouble(TroubleKind.LOG, Diagnosis(f"the disk is {how}")) for how in ("full", "read-only"))
MISSING = Trouble(TroubleKind.LEXICON_MISSING, Diagnosis("there is no such file"))


def test_why_the_log_cannot_be_written_is_told_when_it_changes_and_does_not_hide_that_there_is_no_lexicon() -> None:
    ground = StationConditions(context(), {})
    for lexicon in (None, MISSING):
        assert ground.log(None) is None
        for trouble in (FULL, READ_ONLY, None):
            stands = some(ground.log(trouble))
            assert stands.context.trouble == (lexicon or trouble)
            assert ground.log(trouble) is None
        ground.log(FULL)
        assert ground.lexicon(MISSING).context.trouble == MISSING
        ground.log(None)
