"""The LED displays of a live clock: real drivers on pseudo-terminals, and what is lit is read at their far ends."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from appliance.clocks import Clocks
from appliance.errors import ScreenError
from appliance.program import Inbox
from firmware.face.value import Face
from firmware.screens.led import pictures
from firmware.screens.led.pictures import FOOT
from firmware.screens.screen import Quit
from firmware.settings.places import merge
from firmware.shell.assemble import assembled
from firmware.shell.displays import Displays, LedNews
from game.journal.row import Kind, decode
from hardware.boards.board import load_board
from hardware.led.emulator import FakeLed
from hardware.led.picture import Lit, Picture, cells, lit
from hardware.pins.mock import MockBoard
from hardware.settings import LedLine
from rules.side import BySide, Side
from tests.firmware.screens.faces import FACES
from tests.firmware.screens.led.reading_off import read_off
from tests.firmware.shell.processes import ready
from tests.firmware.shell.rig import ScriptedScreen, rig, rows_in
from tests.firmware.shell.whole_game import UNTIL, whole_game

pytestmark = pytest.mark.waits(10)

BARE = load_board("full")


@pytest.fixture
def fakes() -> Iterator[BySide[FakeLed]]:
    with FakeLed() as left, FakeLed() as right:
        yield BySide(left, right)


def word(text: str) -> Lit:
    return lit(cells(text))


class News:
    """Which displays are lost, by the news that came into an inbox."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._lost: dict[Side, str] = {}
        self._more = threading.Condition()
        put = Inbox.put

        def heard(inbox: Inbox[object], item: object) -> None:
            put(inbox, item)
            if isinstance(item, LedNews):
                with self._more:
                    self._lost.pop(item.side, None)
                    if item.trouble is not None:
                        self._lost[item.side] = str(item.trouble)
                    self._more.notify_all()

        monkeypatch.setattr(Inbox, "put", heard)

    def until(self, *lost: Side) -> None:
        """Wait until those are lost and no other."""
        with self._more:
            assert self._more.wait_for(lambda: self._lost.keys() == {*lost}, 10)

    def says(self, what: str) -> None:
        """Wait until that is said of a lost display."""
        with self._more:
            assert self._more.wait_for(lambda: any(what in why for why in self._lost.values()), 10)


class Watched:
    """Looks at both displays whenever the clock goes to sleep, and counts the readings that were right."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, fakes: BySide[FakeLed]) -> None:
        self.readings = 0
        self._fakes = fakes
        self._seen: dict[Side, Picture] = {}
        sleep = ScriptedScreen.wait

        def wait(screen: ScriptedScreen, timeout_ms: int | None) -> None:
            self._look(screen.face)
            sleep(screen, timeout_ms)

        monkeypatch.setattr(ScriptedScreen, "wait", wait)

    def _look(self, face: Face) -> None:
        for side, picture in pictures(face).items():
            if picture != self._seen.get(side):
                self._seen[side] = picture
                self._right(side, picture, face.halves.of(side).reading)

    def _right(self, side: Side, picture: Picture, reading: str) -> None:
        frames = {frame.lit for frame in picture.frames}
        shows_reading = any(read_off(lit) for lit in frames)

        def wanted(lit: Lit) -> bool:
            return read_off(lit) == reading if shows_reading else lit in frames

        assert self._fakes.of(side).shows(wanted), (side, reading, self._fakes.of(side).lit)
        self.readings += shows_reading


def notes(path: Path) -> list[dict[str, object]]:
    return [decode(kept.row.body) for kept in rows_in(path) if kept.row.kind == Kind.NOTE]


def test_through_a_whole_game_the_displays_read_what_the_face_reads(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, fakes: BySide[FakeLed]
) -> None:
    watched = Watched(monkeypatch, fakes)
    with rig(monkeypatch, tmp_path / "journal.db", led__left=fakes.left.port, led__right=fakes.right.port) as table:
        table.play(whole_game(table), until=UNTIL)
    assert watched.readings > 250
    assert not any("given_up" in note for note in notes(tmp_path / "journal.db"))


def test_deep_into_overtime_the_displays_read_what_the_face_reads(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, fakes: BySide[FakeLed]
) -> None:
    watched = Watched(monkeypatch, fakes)
    with rig(monkeypatch, tmp_path / "journal.db", led__left=fakes.left.port, led__right=fakes.right.port) as table:
        # Without a screen that is looked at every second, an hour is only some thousand turns of the loop.
        table.play(table.press("5", "right"), until="2130")
        assert table.screen.face.halves.left.reading == "-10:01"
    assert watched.readings > 2100
    assert fakes.left.panel.eeprom_writes == fakes.right.panel.eeprom_writes == 1


def test_a_display_that_takes_nothing_holds_nothing_up_and_the_journal_says_so(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, fakes: BySide[FakeLed]
) -> None:
    news = News(monkeypatch)
    with FakeLed(reads=False) as deaf:
        deaf.fill_line()
        with rig(monkeypatch, tmp_path / "journal.db", led__left=fakes.left.port, led__right=deaf.port) as table:
            seen: list[bool] = []
            looked = (table.at("59.5"), lambda: seen.append(fakes.left.shows(lambda lit: read_off(lit) == "24:06")))
            table.play(table.press("5", "right"), [(table.at("7"), lambda: news.until(Side.RIGHT)), looked], until="60")
            assert table.face("59.5").halves.left.reading == "24:06"
            assert seen == [True]
    (lost,) = (note for note in notes(tmp_path / "journal.db") if "given_up" in note)
    assert lost["given_up"] == "LED display right"
    assert "it accepted nothing" in str(lost["why"])


def test_a_display_that_goes_and_comes_back_under_another_name_is_kept_in_the_journal_and_ends_nothing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    news = News(monkeypatch)
    first, second = FakeLed(), FakeLed()
    with second:
        (tmp_path / "usb-left-0").symlink_to(first.port)

        def pull() -> None:
            (tmp_path / "usb-left-0").unlink()
            first.unplug()
            news.until(Side.LEFT)

        def plug() -> None:
            (tmp_path / "usb-left-1").symlink_to(second.port)
            news.until()
            assert second.shows(lambda lit: read_off(lit) == "24:50")

        with rig(monkeypatch, tmp_path / "journal.db", led__left=str(tmp_path / "usb-left-*")) as table:
            shown = (table.at("6"), lambda: first.shows(lambda lit: read_off(lit) == "25:00"))
            table.play(table.press("5", "right"), [shown, (table.at("7"), pull), (table.at("15.5"), plug)], until="60")
            assert table.face("59.5").halves.left.reading == "24:06"
    told = [note for note in notes(tmp_path / "journal.db") if {"given_up", "back"} & note.keys()]
    assert [note.get("given_up") for note in told] == ["LED display left", None]
    assert told[1] == {"back": "LED display left"}


def test_a_clock_with_leds_alone_is_played_and_left_dark(tmp_path: Path, fakes: BySide[FakeLed]) -> None:
    chosen = {"journal.path": str(tmp_path / "journal.db"), "board.pins": "mock", "screen.kind": "none"}
    settings = merge([("test", {**chosen, "led.left": fakes.left.port, "led.right": fakes.right.port})]).settings
    board, clocks = MockBoard(BARE), Clocks()
    with assembled(settings, clocks, board.factory) as loop:
        playing = threading.Thread(target=loop.run)
        playing.start()
        assert all(fake.shows(lambda lit: read_off(lit) == "25:00") for _, fake in fakes.items())
        board.down("right", clocks.now())
        board.up("right", clocks.now() + 80_000_000)
        assert fakes.left.shows(lambda lit: read_off(lit) == "24:59" and not lit.colon)
        assert fakes.left.shows(lambda lit: read_off(lit) == "24:58" and lit.colon)
        assert read_off(fakes.right.lit) == "25:00"
        assert fakes.right.lit.colon
        loop.inbox.put(Quit())
        playing.join(10)
    assert all(fake.shows(lambda lit: lit == Lit()) for _, fake in fakes.items())


def test_after_a_power_cut_the_displays_ask_for_the_times_to_be_confirmed_and_no_colon_blinks(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, fakes: BySide[FakeLed]
) -> None:
    with rig(monkeypatch, tmp_path / "journal.db") as table:
        table.play(table.press("5", "right"), until="30", cut=True)
    seen: list[bool] = []

    def look() -> None:
        # The reading first: it stands for some seconds.
        seen.extend(fake.shows(lambda lit: read_off(lit) is not None) for _, fake in fakes.items())
        seen.extend(fake.shows(lambda lit: lit == word("ConF")) for _, fake in fakes.items())

    with rig(monkeypatch, tmp_path / "journal.db", led__left=fakes.left.port, led__right=fakes.right.port) as table:
        table.play([(table.at("1"), look)], until="2")
        assert table.screen.face.halves.left.reading in {read_off(lit) for lit in fakes.left.seen}
    assert seen == [True] * 4
    assert all(lit.colon for fake in (fakes.left, fakes.right) for lit in fake.seen if read_off(lit) and lit.points & FOOT)


def test_the_program_shows_on_its_displays_and_leaves_them_dark_when_it_is_ended(tmp_path: Path, fakes: BySide[FakeLed]) -> None:
    ports = ("--led-left", fakes.left.port, "--led-right", fakes.right.port)
    with ready(tmp_path, "--journal", str(tmp_path / "journal.db"), *ports, "--led-brightness", "35") as process:
        assert all(fake.shows(lambda lit: read_off(lit) == "25:00") for _, fake in fakes.items())
        process.terminate()
        assert process.wait(10) == 0
    assert all(fake.shows(lambda lit: lit == Lit()) for _, fake in fakes.items())
    assert {fake.panel.brightness for _, fake in fakes.items()} == {35}


def test_a_screen_that_is_lost_leaves_the_displays(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, fakes: BySide[FakeLed]) -> None:
    def lost(*_: object) -> bool:
        raise ScreenError(expected="the panel", found="it unplugged")

    with rig(monkeypatch, tmp_path / "journal.db", led__left=fakes.left.port) as table:
        monkeypatch.setattr(table.screen, "draw", lost)
        table.loop.inbox.put(Quit())
        table.play(until="1")
        assert fakes.left.shows(lambda lit: read_off(lit) == "25:00")


def test_faces_are_shown_once_each_and_nothing_is_shown_where_there_is_no_display(fakes: BySide[FakeLed]) -> None:
    heard: list[LedNews] = []
    displays = Displays(BySide(LedLine((fakes.left.port,)), None), heard.append)
    displays.show(FACES["running"])
    displays.show(FACES["running"])
    assert fakes.left.shows(lambda lit: read_off(lit) == FACES["running"].halves.left.reading)
    displays.close()
    assert not heard
    assert not fakes.right.received_bytes
