import json
import shutil
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from appliance.clocks import Clocks
from appliance.program import Supervisor, UpdateRequest
from firmware.journal.recovery import recover
from firmware.journal.writer import HeadSigned, JournalWriter
from firmware.screens.screen import Quit
from firmware.settings import DeskFile, HallSettings, merge, read_desk_file
from firmware.shell import hall
from firmware.shell.assemble import assembled
from firmware.shell.hall import ClockDevice, load_trust
from hardware.boards.board import load_board
from records.journal import Kind, reading, verify
from rules.rulebooks import load_rulebook
from rules.side import Side
from tests.firmware.shell.rig import PRESS_NS, LiveClock, held, live, rows_in
from tests.firmware.shell.test_wear import stored
from tests.processes import PATIENCE_S, until
from tests.some import some
from tests.wire.local.served import packets
from tools.mock_board import MockBoard
from wire.keys import DeviceKey, load_key
from wire.record import Proof, signed_by
from wire.reports import ButtonWear, CardHealth, ClockReport, DeviceBeat, OfferedSetUp, Presence, RowBatch, SignedHead
from wire.topics import CLOCK, STATION, signed_bytes


@pytest.fixture
def clock(tmp_path: Path) -> Iterator[LiveClock]:
    with live(tmp_path) as clock:
        yield clock


def _rows(clock: LiveClock) -> RowBatch:
    """Return the rows once the start is signed: no more come by themselves."""
    until(lambda: bool(_signed(clock.journal)), "the start's signature")
    clock.client.write({"t": "rows", "after": 0, "limit": 100})
    return RowBatch.model_validate(packets(clock.client, "rows")[0])


def _beat(clock: LiveClock) -> DeviceBeat:
    clock.client.write({"t": "beat"})
    packet = packets(clock.client, "beat")[0]
    return DeviceBeat.model_validate({**packet, "sent": 1, "echo": None, "lag": 0, "dropped": 0})


def _signed(journal: Path) -> list[SignedHead]:
    return [SignedHead.model_validate_json(stored.row.body) for stored in rows_in(journal) if stored.row.kind == Kind.SIGNED]


def test_a_press_makes_one_state_and_a_running_clock_none(clock: LiveClock) -> None:
    began = clock.state("ready", None)
    # A state that is sent before the journal has a row names no epoch; it is sent again with the next beat.
    until(lambda: clock.value("state")["epoch"] is not None, "the epoch")
    clock.press("right")
    ran = clock.state("running", "left")
    assert ran.number == began.number + 1
    assert ran.epoch == rows_in(clock.journal)[0].hash[:16]
    now = time.monotonic_ns()
    game = clock.loop._clock.table.game_at(now)
    assert abs(ran.left.remaining_ns - (now - ran.at) - game.remaining(Side.LEFT, now)) < 5_000_000
    before = len(clock.heard)
    clock.press("left")
    clock.state("running", "right")
    assert [each["name"] for each in clock.heard[before:] if each["t"] == "set"] == ["state"]


def test_presence_says_who_and_where_and_a_beat_has_the_head_of_the_journal_and_one_of_the_last_three_nonces(clock: LiveClock) -> None:
    until(lambda: clock.value("up") is not None, "presence")
    presence = Presence.model_validate(clock.value("up"))
    assert (presence.up, presence.kind, presence.table, presence.name) == (True, "clock", 12, "Red case")
    assert presence.versions.keys() == {"tileclock"}
    assert load_key(clock.folder / "device.pem", CLOCK).public == presence.key
    batch, beats = _rows(clock), [_beat(clock) for _ in range(4)]
    for beat in beats:
        assert (beat.seq, beat.head, beat.epoch, beat.power) == (batch.last, batch.rows[-1][0], batch.epoch, "ok")
        assert beat.card is not None
        assert (beat.card.free or 0) > 0
        assert (beat.card.slowest_ns > 0, beat.card.fault) == (True, None)
    assert len({beat.nonce for beat in beats}) == 4
    assert some(clock.loop._hall)._source.nonces == tuple(beat.nonce for beat in beats[1:])


def test_a_journal_that_is_lost_begins_a_new_epoch(clock: LiveClock) -> None:
    first = _rows(clock).epoch
    for suffix in ("", "-wal", "-shm"):
        Path(f"{clock.journal}{suffix}").unlink(missing_ok=True)
    clock.press("right")

    def anew() -> bool:
        clock.client.write({"t": "rows", "after": 0, "limit": 1})
        clock.heard += clock.client.read()
        return any(each["epoch"] != first for each in clock.heard if each["t"] == "rows")

    until(anew, "the new journal's rows")
    until(lambda: clock.value("state") is not None and clock.value("state")["epoch"] not in (None, first), "the new epoch in the state")


def test_a_clock_whose_socket_cannot_be_made_plays(tmp_path: Path) -> None:
    board = MockBoard(load_board("full"))
    chosen = {
        "journal.path": str(tmp_path / "journal.db"), "board.pins": "mock", "screen.kind": "none", "hall.enabled": True,
        "hall.socket": str(tmp_path / "missing" / "hall.sock"), "hall.key": str(tmp_path / "missing" / "device.pem"),
    }  # fmt: skip
    with assembled(merge([("test", chosen)]).settings, Clocks(), board.factory) as loop:
        loop.begin()
        thread = threading.Thread(target=loop.run)
        thread.start()
        board.press("right", time.monotonic_ns(), PRESS_NS)
        until(lambda: loop._clock.table.game_at(time.monotonic_ns()).running is not None, "the press")
        until(lambda: "cannot be made" in loop._hall._source.link_state.why, "the reason")  # type: ignore[union-attr]  # the clock's own end
        loop.inbox.put(Quit())
        thread.join()
    with reading(tmp_path / "journal.db") as connection:
        assert verify(connection).fault is None


def test_a_beat_says_why_nothing_can_be_written(tmp_path: Path) -> None:
    folder = tmp_path / "journal.db"
    folder.mkdir()
    writer = JournalWriter(folder, lambda _: None)
    desk = ClockDevice(HallSettings(), folder, Clocks(), lambda _: None)
    desk.watch(writer)
    until(lambda: writer.trouble is not None, "the trouble")
    card = CardHealth.model_validate(desk.beat()["card"])
    assert ((card.free or 0) > 0, "The game is not being recorded" in (card.fault or "")) == (True, True)
    writer.close()


def test_a_beat_names_the_worn_buttons(tmp_path: Path) -> None:
    stored(tmp_path / "journal.db", games=4)
    with live(tmp_path) as clock:
        until(lambda: bool(_beat(clock).worn), "the loop's first turn")
        assert _beat(clock).worn == [ButtonWear(button="left", sign="touches", before=0, now=15)]


def test_without_a_hall_nothing_of_it_is_imported(tmp_path: Path) -> None:
    program = (
        "import sys; from firmware.shell.assemble import assembled; from firmware.settings import merge; from appliance.clocks import Clocks\n"
        f"settings = merge([('test', {{'journal.path': {str(tmp_path / 'journal.db')!r}, 'board.pins': 'none', 'screen.kind': 'terminal'}})]).settings\n"
        "import firmware.shell.assemble as o; from appliance.display.screen import BlankScreen; o.open_screen = lambda _: BlankScreen()\n"
        "with assembled(settings, Clocks()) as loop: loop.begin()\n"
        "print(sorted(name for name in sys.modules if name.split('.')[0] in ('wire', 'hall', 'cryptography', 'paho') or 'firmware.hall' in name))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True, timeout=120, cwd=Path(__file__).parents[3]
    )
    assert done.stdout.strip().splitlines()[-1] == "[]"


def test_a_stop_leaves_one_whole_file_though_the_hall_reads_it_meanwhile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ends, reads, closed = threading.Event(), threading.Event(), threading.Event()
    close = JournalWriter.close

    @contextmanager
    def reading_long(path: Path, *, refused: bool) -> Iterator[sqlite3.Connection]:
        with reading(path, refused=refused) as connection:
            if ends.is_set():
                reads.set()
                assert closed.wait(PATIENCE_S)
            yield connection

    def closed_while_read(writer: JournalWriter) -> bool:
        ends.set()
        some(writer._on_rows)()
        assert reads.wait(PATIENCE_S)
        written = close(writer)
        closed.set()
        return written

    monkeypatch.setattr(hall, "reading", reading_long)
    monkeypatch.setattr(JournalWriter, "close", closed_while_read)
    (tmp_path / "clock").mkdir()
    with live(tmp_path / "clock") as clock:
        clock.press("right")
        clock.state("running", "left")
    assert not list(clock.folder.glob("journal.db-[ws]*"))
    alone = shutil.copy(clock.journal, tmp_path)
    assert Kind.STOPPED in {link.row.kind for link in rows_in(Path(alone))}


def test_the_end_of_a_game_and_the_stop_are_signed_without_any_link(tmp_path: Path) -> None:
    with live(tmp_path) as clock:
        clock.client.close()
        # A new game is signed, since it may end one before.
        until(lambda: bool(_signed(clock.journal)), "the first signature")
    stop, signature = rows_in(clock.journal)[-2:]
    assert (stop.row.kind, signature.row.kind) == (Kind.STOPPED, Kind.SIGNED)
    signed = _signed(clock.journal)[-1]
    assert (signed.seq, signed.head, signature.row.at) == (stop.seq, stop.hash, stop.row.at)
    with reading(clock.journal) as connection:
        assert verify(connection).fault is None
        device = load_key(tmp_path / "device.pem", CLOCK).device
        assert signed_by(connection, CLOCK, device) == Proof(f"Signed up to row {stop.seq} by this device.")
        # The stop in order is still seen as one.
        recovered = recover(clock.journal, load_rulebook)
    assert some(recovered).switched_off


def test_the_stop_is_signed_though_an_earlier_rows_signature_comes_after_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with live(tmp_path) as clock:
        clock.client.close()
        until(lambda: bool(_signed(clock.journal)), "the first signature")
        stop = clock.loop._clock.stop
        late = HeadSigned(_signed(clock.journal)[0].model_dump(mode="json"), of_stop=False)

        def stop_and_hear_late(now: int) -> None:
            clock.loop.inbox.put(late)
            stop(now)

        monkeypatch.setattr(clock.loop._clock, "stop", stop_and_hear_late)
    rows = rows_in(clock.journal)
    assert [stored.row.kind for stored in rows[-3:]] == [Kind.STOPPED, Kind.SIGNED, Kind.SIGNED]
    assert _signed(clock.journal)[-1].head == rows[-3].hash


HALL = "club-hall"
BUZZER = some(load_board("full").buzzer).name


class Hall:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.key, self.director = (load_key(folder / f"{name}.pem", CLOCK) for name in ("hall", "director"))
        self.station = load_key(folder / "station.pem", STATION)
        (folder / "hall.toml").write_text(
            f'hall = "{HALL}"\nhall_key = "{self.key.public}"\ndirector_key = "{self.director.public}"\n', encoding="utf-8"
        )
        self._sent = 0

    def order(self, clock: LiveClock, do: str, by: DeviceKey | None = None, **keys: Any) -> dict[str, Any]:
        self._sent += 1
        # The journal's epoch is known once its first row is on the disk.
        until(lambda: clock.value("state")["epoch"] is not None, "the epoch")
        # Its last nonce, and not one of before.
        clock.heard = [each for each in clock.heard if each["t"] != "beat"]
        clock.client.write({"t": "beat"})
        until(lambda: clock.value("") is None and any(each["t"] == "beat" for each in clock.heard), "a beat")
        nonce = next(each["nonce"] for each in clock.heard if each["t"] == "beat")
        state, name = clock.value("state"), f"{self._sent:032x}"
        device = load_key(self.folder / "device.pem", CLOCK).device
        to = {"id": name, "device": device, "epoch": state["epoch"], "game": state["game"], "number": state["number"]}
        body = json.dumps({**to, "issuer": "desk", "nonce": nonce, "do": do, **keys})
        payload = json.dumps({"v": 1, "body": body, "signature": (by or self.director).sign(signed_bytes("tc/1 order", HALL, body))})
        clock.client.write({"t": "in", "topic": "order", "payload": payload, "retained": False})
        until(lambda: clock.value(f"ack/{name}") is not None, "the answer")
        found: dict[str, Any] = clock.value(f"ack/{name}")
        return found


@pytest.fixture
def club(tmp_path: Path) -> Hall:
    return Hall(tmp_path)


@pytest.fixture
def enrolled(club: Hall) -> Iterator[LiveClock]:
    desk = DeskFile(club.folder / "desk.toml", frozenset({"led.brightness"}))
    with live(club.folder, desk, hall__trust=str(club.folder / "hall.toml"), rulebook="naspa-2017-collins-5") as clock:
        clock.state("ready", None)
        until(lambda: clock.value("state")["epoch"] is not None, "the first row")
        yield clock


def test_a_set_up_that_is_offered_outlives_a_restart(club: Hall) -> None:
    for restarted in (False, True):
        with live(club.folder, hall__trust=str(club.folder / "hall.toml"), rulebook="naspa-2017-collins-5") as clock:
            clock.state("ready", None)
            if not restarted:
                assert club.order(clock, "setup", rulebook="nzasp-2022", left_seconds=1200, right_seconds=None)["accepted"]
            until(lambda clock=clock: clock.value("state")["offered"] is not None, "the set-up")  # type: ignore[misc] # bound at once
            offered = ClockReport.model_validate(clock.value("state")).offered
            assert offered == OfferedSetUp(rulebook="nzasp-2022", left=1_200_000_000_000, right=1_500_000_000_000)


def test_settings_of_the_desk_are_in_force_at_once_and_on_the_card_and_none_comes_in_during_a_game(enrolled: LiveClock, club: Hall) -> None:
    answer = club.order(enrolled, "settings", language="fr", buzzer_enabled=True)
    assert (answer["accepted"], answer["reason"]) == (True, None)
    until(lambda: enrolled.loop._pins.buzzer._buzzer is not None, "the buzzer")  # type: ignore[union-attr] # this clock has pins
    assert enrolled.loop._clock.table.setup.texts.language == "fr"
    until(lambda: read_desk_file(club.folder / "desk.toml").layer[1] == {"language": "fr", "buzzer.enabled": True}, "the card")
    assert club.order(enrolled, "settings", led_brightness=9)["reason"] == "set_on_card"
    assert club.order(enrolled, "settings", by=club.station, language="es")["reason"] == "bad_signature"
    enrolled.press("right")
    enrolled.state("running", "left")
    assert club.order(enrolled, "settings", language="es")["reason"] == "not_between_games"
    assert enrolled.loop._clock.table.setup.texts.language == "fr"


def test_settings_with_a_buzzer_whose_pin_is_held_are_refused(enrolled: LiveClock, club: Hall) -> None:
    with held(BUZZER):
        assert club.order(enrolled, "settings", language="fr", buzzer_enabled=True)["reason"] == "no_buzzer"
    assert enrolled.loop._clock.table.setup.texts.language == "en"
    assert not (club.folder / "desk.toml").exists()
    assert club.order(enrolled, "settings", language="fr", buzzer_enabled=True)["accepted"]


def test_an_update_of_a_clock_that_allows_it_is_asked_for_without_a_word_and_no_press_counts_meanwhile(club: Hall) -> None:
    request = UpdateRequest(club.folder / "update", club.folder / "outcome")
    request.outcome.write_text("failed\n", encoding="utf-8")
    request.ask()
    settings: dict[str, Any] = {"hall__trust": str(club.folder / "hall.toml"), "hall__updates": True}
    with live(club.folder, supervisor=Supervisor(update=request), **settings) as clock:
        clock.state("ready", None)
        # What a program before this one has asked for is withdrawn.
        assert not request.path.exists()
        assert club.order(clock, "update", version="99.0")["reason"] == "malformed"
        assert club.order(clock, "update", by=club.station)["reason"] == "bad_signature"
        assert next(each["update"] for each in reversed(clock.heard) if each["t"] == "beat") == "failed"
        answer = club.order(clock, "update")
        assert (answer["accepted"], answer["reason"]) == (True, None)
        clock.press("right")
        until(request.path.exists, "the request")
        assert request.path.read_bytes() == b""
        assert clock.value("state")["phase"] == "ready"


@pytest.mark.parametrize(
    "text", ["", "hall = 1", 'hall = "a b"', 'hall = "x"\nhall_key = "y"\ndirector_key = "z"', "=", "\x00", "a=" + "[" * 9999]
)
def test_a_file_that_no_enrolment_wrote_is_named(tmp_path: Path, text: str, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "hall.toml"
    path.write_text(text, encoding="utf-8")
    assert load_trust(path) is None
    assert f"nothing of the hall counts here: enrol this clock again file={path} why=" in capsys.readouterr().out
