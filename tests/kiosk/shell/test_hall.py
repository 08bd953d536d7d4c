import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from appliance.records.chain import GENESIS, chained
from firmware.hall.opening import Trust, opened
from kiosk.cli.main import main
from kiosk.context import ClockAnswer, ClockChallenge, NoFacts, TableFacts
from kiosk.events import CallAtClock, ClockAnswered, HallEvent, Propose, TableHeard
from kiosk.shell.hall import ClockLine
from records.entry import Kind
from records.log import reading, rows_from
from rules.side import Side
from tests.kiosk.shell.rig import Rig, rig
from tests.processes import until
from tests.some import some
from tests.wire.local.served import greet, packets
from wire.keys import load_key, signature_fits
from wire.local.client import DeviceClient
from wire.proposals import VerdictBody
from wire.record import signed_by
from wire.reports import STALE_NS, DeviceBeat, Presence, RowBatch, SignedHead, StationReport
from wire.topics import CLOCK, STATION, signed_bytes

pytestmark = pytest.mark.usefixtures("dummy_display")


@contextmanager
def linked(folder: Path) -> Iterator[Rig]:
    settings: dict[str, Any] = {"hall__enabled": True, "hall__socket": str(folder / "hall.sock"), "hall__key": str(folder / "device.pem")}
    with rig(folder, name="Station B", **settings) as station:
        # ``run`` does this, after the first page.
        some(station.loop._hall).begin()
        station.loop.turn()
        yield station


@pytest.fixture
def station(tmp_path: Path) -> Iterator[Rig]:
    with linked(tmp_path) as station:
        yield station


@pytest.fixture
def client(station: Rig, tmp_path: Path) -> Iterator[DeviceClient]:
    client = DeviceClient(tmp_path / "hall.sock")
    greet(client)
    yield client
    client.close()


def _values(client: DeviceClient, count: int) -> dict[str, Any]:
    return {packet["name"]: packet["value"] for packet in packets(client, "set", count)}


def test_presence_and_state_say_which_station_and_which_list(client: DeviceClient) -> None:
    values = _values(client, 2)
    presence, state = Presence.model_validate(values["up"]), StationReport.model_validate(values["state"])
    assert (presence.kind, presence.name, set(presence.versions)) == ("station", "Station B", {"tilekiosk"})
    assert (state.busy, state.table, state.trouble) == (False, None, None)
    assert state.lexicon is not None
    client.write({"t": "beat"})
    packet = packets(client, "beat")[0]
    beat = DeviceBeat.model_validate({**packet, "sent": 1, "echo": None, "lag": 0, "dropped": 0})
    assert beat.card is not None
    assert ((beat.card.free or 0) > 0, beat.card.fault) == (True, None)
    assert (beat.seq, beat.lexicon, beat.epoch) == (1, state.lexicon.sha256, presence.epoch)


def test_a_challenge_makes_it_busy_at_that_table_and_its_row_follows(client: DeviceClient, station: Rig) -> None:
    _values(client, 2)
    client.write({"t": "rows", "after": 0, "limit": 100})
    first = RowBatch.model_validate(packets(client, "rows")[0])
    station.asked("TILE", table=7)
    seen: list[dict[str, Any]] = []

    def stands() -> bool:
        seen.extend(each["value"] for each in client.read() if each["t"] == "set" and each["name"] == "state")
        return bool(seen) and (seen[-1]["busy"], seen[-1]["table"]) == (True, 7)

    until(stands, "busy at table 7")
    client.write({"t": "rows", "after": first.last, "limit": 100})
    station.tap("adjudicate")
    batch = RowBatch.model_validate(packets(client, "rows")[0])
    head = GENESIS
    for own, fields in (*first.rows, *batch.rows):
        head = chained(head, some(fields))
        assert head == own
    assert (batch.rows[0][1] or [])[1] == "lookup"


def _signed(log: Path) -> list[tuple[int, SignedHead]]:
    with reading(log) as connection:
        rows = [stored for stored in rows_from(connection, 1) if stored.row.kind == Kind.SIGNED]
        return [(stored.seq, SignedHead.model_validate_json(stored.row.body)) for stored in rows]


def test_each_verdict_and_the_stop_are_signed_by_the_stations_own_key(tmp_path: Path) -> None:
    with linked(tmp_path) as station:
        station.judged("TILE", table=7)
        verdict = next(row for row, entry in enumerate(station.entries(), 1) if entry.kind is Kind.LOOKUP)
        station.until(lambda: [head.seq for _, head in _signed(station.log)] == [verdict])
        log = station.log
    (_, first), (row, stop) = _signed(log)
    key = load_key(tmp_path / "device.pem", STATION)
    with reading(log) as connection:
        stored = {each.seq: each for each in rows_from(connection, 1)}
        said = signed_by(connection, STATION, key.public)
    assert (said.sentence, said.holds) == (f"Signed up to row {stop.seq} by this device.", True)
    assert (stored[first.seq].row.kind, stored[stop.seq].row.kind) == ("lookup", "stopped")
    # The signature is the last row of all: whoever cuts it or what it covers is found out.
    assert (row, stop.seq) == (len(stored), len(stored) - 1)
    # The same from the command line: by this station's key, and by another's.
    for given, code, sentence in (
        (key.device, 0, f"Signed up to row {stop.seq} by this device."),
        (f"s-{'a' * 16}", 1, "Signed by another device"),
    ):
        done = CliRunner().invoke(main, ["log", "verify", "--log", str(log), "--key", given])
        assert (done.exit_code, sentence in done.output) == (code, True), done.output


HALL = "club-hall"
DEVICE = "c-" + "a" * 16
EPOCH, START = "00" * 8, "0e" * 16
SIDE = {"remaining_ns": 1, "used_ns": 1, "penalty": 0, "credit_ns": 0, "points": 0, "infractions": 0}
STATE: dict[str, Any] = {
    "boot": "b", "nonce": START, "epoch": EPOCH, "game": 3, "number": 14, "at": 5, "phase": "adjudication", "running": None, "turn": "left", "holder": None,
    "reason": None, "called": False, "left": SIDE, "right": SIDE, "pending": None,
    "challenge": {"number": 14, "challenger": "right", "words_asked": True}, "rulebook": "naspa-2017", "table": 12,
    "names": {"left": "", "right": ""}, "between_games": False, "freeze": "advisory", "lexicon": None,
}  # fmt: skip
CHALLENGE = ClockChallenge(DEVICE, EPOCH, 3, 14, Side.RIGHT)


class Line:
    def __init__(self, folder: Path) -> None:
        self.now, self.sent, self.reported = 0, list[Mapping[str, object]](), list[HallEvent]()
        self.hall, self.station = load_key(folder / "hall.pem", CLOCK), load_key(folder / "station.pem", STATION)
        body = json.dumps({"device": self.station.device, "key": self.station.public, "not_after_day": 99_999})
        text = f"hall = {json.dumps(HALL)}\n[credential]\nbody = {json.dumps(body)}\nsignature = {json.dumps(self.hall.sign(signed_bytes('tc/1 credential', HALL, body)))}\n"
        (folder / "hall.toml").write_text(text, encoding="utf-8")
        self.line = ClockLine(folder / "hall.toml", self._send, self.reported.append, lambda: self.now)
        self.line.key = self.station
        self.line.focus(12)

    def hear(self, what: str, payload: object, device: str | None = DEVICE) -> None:
        self.line.heard({"t": "heard", "device": device, "what": what, "payload": json.dumps(payload)})

    def opened(self) -> Any:
        packet = self.sent[-1]
        assert packet["device"] == DEVICE
        trust = Trust(HALL, self.hall.public, self.hall.public)
        return opened(f"verdict/{self.station.device}", str(packet["payload"]), trust, signature_fits, None)

    def _send(self, packet: Mapping[str, object]) -> bool:
        self.sent.append(packet)
        return True


@pytest.fixture
def line(tmp_path: Path) -> Line:
    return Line(tmp_path)


FACTS = TableFacts(DEVICE, running=False, challenge=CHALLENGE, last_play=False, called=False)


@pytest.mark.parametrize(
    ("what", "payload", "shown"),
    [
        ("state", STATE, FACTS),
        ("state", {**STATE, "table": 11}, None),
        ("unknown", "", NoFacts.UNKNOWN),
        ("ambiguous", "", NoFacts("ambiguous")),
        ("state", None, None),
        ("state", [], None),
        ("state", {}, None),
        ("state", {**STATE, "v": 2}, None),
        ("state", {**STATE, "running": "up"}, None),
    ],
)
def test_only_a_valid_state_of_the_tables_own_is_told(line: Line, what: str, payload: object, shown: TableFacts | NoFacts | None) -> None:
    line.line.focus(12)
    assert line.sent == [{"t": "focus", "table": 12}]
    line.hear(what, payload, DEVICE if what == "state" else None)
    assert line.reported == ([] if shown is None else [TableHeard(12, shown)])


def test_a_clock_that_is_gone_or_silent_is_not_known(line: Line) -> None:
    line.hear("state", STATE)
    for now in (STALE_NS - 1, STALE_NS, 2 * STALE_NS):
        line.line.tick(now)
        assert line.reported[1:] == [TableHeard(12, NoFacts.UNKNOWN)] * (now >= STALE_NS)


def test_a_verdict_opens_at_the_clock(line: Line) -> None:
    line.hear("state", STATE)
    line.reported.clear()
    effect = Propose(CHALLENGE, "verdict", True, None, 2, ("QI", "ZA"), "ab" * 32, 7, None)
    sent = line.line.propose(effect).sent
    body = line.opened()
    assert isinstance(body, VerdictBody)
    assert (body.id, body.nonce, body.challenge, body.acceptable, body.words, body.row) == (sent.id, START, 14, True, ("QI", "ZA"), 7)
    line.hear("ack", {"command": sent.id, "accepted": False, "reason": "gone_on", "at": 1, "seq": 1, "number": None})
    assert line.reported == [ClockAnswered(sent.id, "gone_on")]


def test_nothing_is_sent_before_the_clock_has_told_its_start_and_a_restarted_clock_gets_its_new_one(line: Line) -> None:
    line.line.call(CallAtClock(DEVICE))
    effect = Propose(CHALLENGE, "withdrawn", None, None, None, (), None, None, None)
    assert line.line.propose(effect).sent.answer is ClockAnswer.UNSENT
    assert len(line.sent) == 1
    for start in (START, "1e" * 16):
        line.hear("state", STATE | {"nonce": start})
        line.line.call(CallAtClock(DEVICE))
        assert (line.opened().do, line.opened().nonce) == ("call", start)
        line.line.propose(effect)
        assert (line.opened().do, line.opened().nonce) == ("withdrawn", start)
