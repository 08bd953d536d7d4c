"""The desk's parts: whose tile comes first, exports, proofs, its store, the stream to the browsers, and who may use it."""

import asyncio
import csv
import io
import json
import os
import sqlite3
import stat
import time
from contextlib import closing, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from sqlalchemy import Engine, delete, update
from sqlalchemy.exc import DBAPIError

from appliance.errors import RecordError
from appliance.records.files import PUBLIC, write_whole
from appliance.spreadsheet import as_written
from game.events import Challenge, End, Hold, Press, Undo
from game.events import Event as GameEvent
from hall.desk.access import accounts as access
from hall.desk.access.accounts import IDLE_NS, LONGEST_NS, Session, Sessions
from hall.desk.access.limits import (
    AT_ONCE,
    FIRST_NS,
    FREE,
    LONGEST_WAIT_NS,
    PAUSE_NS,
    PLACES,
    Strangers,
    TooBusy,
    Tries,
    allowed_hosts,
    require_safe_bind,
    wait_ns,
)
from hall.desk.publisher import COALESCE_S, KEPT, Publisher
from hall.desk.rows import journal_proof
from hall.desk.store import LOGIN, ROUND_BEGINS, CallKey, DeskStore, open_store, round_start
from hall.desk.tiles.folded import folded
from hall.desk.web.api import ExportedSide, TableMeasures, as_csv, exported_round, table_measures
from hall.errors import HallError
from hall.event.model import BYE, Event, Pairing, Player
from hall.keys.pages import PageFiles, write_page_certificate
from hall.results.book import ResultBook
from hall.store.database import LOG
from rules.duration import NS
from rules.side import BySide, Side
from tests.errors import with_fields
from tests.hall.desk.trial_hall import TrialHall
from tests.hall.desk.web.serving import CHEAP, PASSWORD
from tests.hall.reporting import Device, rig
from tests.some import some
from wire.keys import SigningKey

TABLES = 250


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> TrialHall:
    found = TrialHall(tmp_path_factory.mktemp("hall"), TABLES)
    for table in found.clocks:
        found.begin(table)
    found.desk.changes(time.monotonic_ns())
    return found


def test_a_press_is_in_the_next_event_although_a_whole_hall_beats(hall: TrialHall) -> None:
    hall.beat_all()
    hall.press(TABLES)
    content, _ = hall.desk.changes(time.monotonic_ns())
    assert [tile["id"] for tile in content["tiles"]] == [hall.clocks[TABLES].device.id]


NAMES = (
    "=cmd()", "=cmd|'/c calc'!A1", "+1+1", "-2+3", "@SUM(1)", "\t=1", "|calc", '"=1"', 'a",=cmd()', "a\n=cmd()", "a;=cmd()", "Ann Abel",
)  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_a_name_or_a_division_is_one_cell_that_no_spreadsheet_computes(name: str) -> None:
    event = Event((Player(name, 1, name), Player(name, 2, "Bo")), (Pairing(name, 1, 1, 2, table=7),))
    rows = list(csv.DictReader(io.StringIO(as_csv(exported_round("club", event, ResultBook(), 1, {})).removeprefix("\ufeff"), newline="")))
    assert len(rows) == 1
    for cell in (rows[0]["Division"], rows[0]["Player1"]):
        assert as_written(cell) == name
        assert not cell.startswith(("=", "+", "-", "@", "|", "\t", "\r"))
    assert (rows[0]["Player2"], rows[0]["table"]) == ("Bo", "7")


def test_the_games_come_by_table_and_those_without_one_last() -> None:
    players = tuple(Player("A", number, f"player {number}") for number in range(1, 8))
    pairings = (Pairing("A", 1, 1, BYE), Pairing("A", 1, 2, 3, table=12), Pairing("A", 1, 4, 5, table=7), Pairing("A", 1, 6, 7))
    exported = exported_round("club", Event(players, pairings), ResultBook(), 1, {})
    assert [(game.table, game.players[0].name) for game in exported.games] == [
        (7, "player 4"), (12, "player 2"), (None, "player 1"), (None, "player 6"),
    ]  # fmt: skip


def test_a_result_is_what_the_clock_itself_says_of_each_side(tmp_path: Path) -> None:
    hall = TrialHall(tmp_path, 1, lambda: 10_000 * NS)
    hall.begin(1, ago_s=1600)
    acts: tuple[GameEvent, ...] = (Hold(), Press(Side.LEFT), Hold(), Undo("a slip"), Challenge(), End("x"))
    for count, act in enumerate(acts):
        hall.say(1, act, 30.0 - 5 * count)
    hall.desk.changes(hall.now())
    tile, record, names = some(hall.desk.tile("1")), some(hall.clocks[1].history), hall.clocks[1].names
    game = record.game_at(record.at)
    used = game.used.map(lambda each: each // 1_000_000)
    sides = BySide(
        ExportedSide(name=names.left, used_ms=used.left, overtime_ms=75_000, penalty=20, holds=1, challenges=0),
        ExportedSide(name=names.right, used_ms=used.right, overtime_ms=0, penalty=0, holds=0, challenges=1),
    )
    assert (game.remaining(Side.LEFT, record.at), game.penalty(Side.LEFT, record.at)) == (-75 * NS, 20)
    assert table_measures(tile, hall.desk.game(tile), hall.now()) == TableMeasures(1, over=True, journal="0" * 64, sides=sides)


def test_a_proof_follows_each_row_and_contradiction(tmp_path: Path) -> None:
    with rig(tmp_path) as listener:
        device, other, store = Device(rows=4), Device(text="anew", rows=7), tmp_path / "hall.db"
        device.sign(2)
        contradiction = other.batch(5, 6) | {"epoch": device.epoch}
        proved = ((3, 0, False), (5, 2, False), (5, 2, True))
        for message, expected in zip((device.batch(1, 3), device.batch(4, 5), contradiction), proved, strict=True):
            listener.report(device, "rows", message)
            found = some(journal_proof(store, "trial", device.id, device.epoch))
            assert (found.rows, found.signed, found.fault is not None) == expected
        assert journal_proof(store, "trial", device.id, "0" * 16) is None
    assert journal_proof(tmp_path / "none.db", "trial", "c-" + "a" * 16, "0" * 16) is None


@pytest.fixture(params=["file", "database"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return str(tmp_path / "desk.db") if request.param == "file" else request.getfixturevalue("database")


@pytest.fixture
def engine(url: str) -> Engine:
    return open_store(url)


def test_the_log_is_there_after_a_restart_newest_first(url: str) -> None:
    DeskStore(open_store(url), "trial", "desk-1").add("ruth", "notice", {"text": "Böard 3 <b>"}, "a" * 32)
    DeskStore(open_store(url), "other", "desk-1").add("jo", "notice", {})
    again = DeskStore(open_store(url), "trial", "desk-2")
    again.add("jo", "took call", {})
    newest, oldest = again.latest(10)
    assert (newest.desk, newest.who, newest.request) == ("desk-2", "jo", None)
    assert (oldest.desk, oldest.who, oldest.what, oldest.request) == ("desk-1", "ruth", "notice", "a" * 32)
    assert oldest.detail == {"text": "Böard 3 <b>"}
    assert again.latest(10, before=newest.n) == (oldest,)
    # No entry is ever changed: a file refuses it, a database does nothing.
    for statement in (update(LOG).values(who="ann"), delete(LOG)):
        with suppress(DBAPIError), again.engine.begin() as connection:
            connection.execute(statement)
    assert again.latest(10) == (newest, oldest)


def test_the_first_who_goes_to_a_call_has_it(url: str) -> None:
    calls = DeskStore(open_store(url), "trial", "desk-1")
    call = CallKey("c-aaaaaaaaaaaaaaaa", "boot", 1 << 62)
    assert calls.take_call(call, "ruth")
    assert not calls.take_call(call, "jo")
    assert calls.take_call(call._replace(since=5), "jo")
    again = DeskStore(open_store(url), "trial", "desk-1").call_takers()
    assert {key.since: each.who for key, each in again.items()} == {1 << 62: "ruth", 5: "jo"}
    assert DeskStore(open_store(url), "other", "desk-1").call_takers() == {}


class Trial:
    def __init__(self) -> None:
        self.now = 100 * NS
        self.waiting: list[dict[str, Any]] = []
        self.publisher = Publisher(self._changes, lambda: {"tiles": []}, lambda: self.now)

    def _changes(self, now: int) -> tuple[dict[str, Any], int]:
        content = {"tiles": self.waiting} if self.waiting else {}
        self.waiting = []
        return content, now + 3600 * NS


def fields(event: bytes) -> tuple[str, dict[str, Any]]:
    found = dict(line.split(": ", 1) for line in event.decode().strip().splitlines())
    return found.get("event", ""), json.loads(found.get("data", "{}"))


def test_a_snapshot_for_another_browser_brings_no_old_time_and_a_stream_that_begins_again_another_run() -> None:
    async def run() -> None:
        trial = Trial()
        for later_s in (0, 8):
            trial.now += later_s * NS
            stream = trial.publisher.events()
            assert fields(await anext(stream))[0] == ""
            name, content = fields(await anext(stream))
            assert (name, content["now"]) == ("now", trial.now // 1000)
            name, content = fields(await anext(stream))
            assert name == "snapshot"
            assert "now" not in content
            await stream.aclose()  # type: ignore[attr-defined]
        stream = trial.publisher.events()
        first = [fields(await anext(stream)) for _ in range(3)]
        trial.publisher.begin_again()
        again = [fields(await anext(stream)) for _ in range(2)]
        assert [name for name, _ in again] == ["now", "snapshot"]
        assert again[0][1]["run"] == trial.publisher.run_id != first[1][1]["run"]
        await stream.aclose()  # type: ignore[attr-defined]

    asyncio.run(run())


def test_what_comes_within_250_ms_is_one_event_and_who_is_too_slow_begins_again() -> None:
    async def run() -> None:
        trial = Trial()
        fast, slow = trial.publisher.events(), trial.publisher.events()
        for each in (fast, slow):
            assert [fields(await anext(each))[0] for _ in range(3)] == ["", "now", "snapshot"]
        running = asyncio.create_task(trial.publisher.run())
        await asyncio.sleep(0)
        for number in range(20):
            trial.waiting.append({"id": str(number)})
            trial.publisher.wake()
            await asyncio.sleep(COALESCE_S / 50)
        await asyncio.sleep(2 * COALESCE_S)
        running.cancel()
        # The first one at once; the rest together, in two if the machine is slow.
        ids, deltas = list[str](), 0
        while len(ids) < 20:
            ids += [tile["id"] for tile in fields(await anext(fast))[1]["tiles"]]
            deltas += 1
        assert (deltas <= 3, ids) == (True, [str(number) for number in range(20)])
        for number in range(KEPT):
            trial.publisher._publish({"calling": number})
        assert [fields(await anext(slow))[0] for _ in range(2)] == ["now", "snapshot"]
        # From there on it misses nothing.
        trial.publisher._publish({"calling": 99})
        assert fields(await anext(slow))[1]["calling"] == 99
        for each in (fast, slow):
            await each.aclose()  # type: ignore[attr-defined]

    asyncio.run(run())


@pytest.fixture(scope="module")
def director_key() -> SigningKey:
    private = Ed25519PrivateKey.generate()
    return SigningKey(private)


def test_the_file_holds_hashes_for_its_owner_alone(tmp_path: Path, director_key: SigningKey) -> None:
    accounts = access.Accounts(tmp_path / "accounts.json")
    accounts.put(access.new_account("ruth", PASSWORD, director_key, CHEAP))
    accounts.put(access.new_account("jo", PASSWORD, None, CHEAP))
    written = accounts.path.read_bytes()
    assert stat.S_IMODE(accounts.path.stat().st_mode) == 0o600
    assert (PASSWORD.encode() in written, director_key.private.private_bytes_raw() in written) == (False, False)
    # Each guess costs a thief that much, unless a test says otherwise.
    assert "$m=65536,t=3,p=4$" in access.password_hash(PASSWORD)
    # Two accounts with one password do not show it.
    assert written.count(b"$argon2id$") == 2
    assert sorted(accounts.all()) == ["jo", "ruth"]
    found = some(accounts.find("ruth"))
    assert found.may is access.DeskRole.DIRECTOR
    assert access.password_fits(PASSWORD, found.password)
    assert not access.password_fits(PASSWORD + " ", found.password)
    assert not access.password_fits(PASSWORD, None)
    # However a keyboard composes its accents.
    assert access.password_fits(
        "cafe\N{COMBINING ACUTE ACCENT} scrabble", access.password_hash("caf\N{LATIN SMALL LETTER E WITH ACUTE} scrabble", CHEAP)
    )
    # The signing key opens with its password for its account.
    sealed = access.wrapped(director_key, PASSWORD, "ruth", CHEAP)
    assert access.unwrapped(sealed, PASSWORD, "ruth").public == director_key.public
    for password, account in ((PASSWORD + "!", "ruth"), (PASSWORD, "jo")):
        with pytest.raises(HallError):
            access.unwrapped(sealed, password, account)


def test_a_running_desk_sees_a_changed_file_and_a_name_of_another_form_is_refused(tmp_path: Path) -> None:
    for name in ("", "Ruth", "../ruth", "ruth\n", "-r", "r" * 33, "<b>"):
        with pytest.raises(access.AccountError):
            access.new_account(name, PASSWORD, None, CHEAP)
    running, command = access.Accounts(tmp_path / "accounts.json"), access.Accounts(tmp_path / "accounts.json")
    assert running.find("jo") is None
    command.put(access.new_account("jo", PASSWORD, None, CHEAP))
    assert running.find("jo") is not None
    command.remove("jo")
    assert running.find("jo") is None
    with pytest.raises(access.AccountError, check=with_fields(found='"jo"')):
        command.remove("jo")


@pytest.mark.parametrize("content", [b"", b"[]", b'{"v": 2, "accounts": []}', b'{"v": 1, "accounts": [{}]}', b"\xff"])
def test_a_damaged_file_lets_nobody_in(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "accounts.json"
    path.write_bytes(content)
    with pytest.raises(access.AccountError) as refused:
        access.Accounts(path).find("ruth")
    assert refused.value.where == str(path)


@pytest.fixture
def files(tmp_path: Path) -> PageFiles:
    return write_page_certificate(tmp_path, "club", tmp_path, ("hall-pc.local", "10.1.2.3", "fd00::7"), datetime.now(UTC))


def test_a_network_needs_a_certificate_and_a_request_may_ask_for_its_names(files: PageFiles) -> None:
    for host in ("0.0.0.0", "::", "192.168.1.5", "hall-pc.local", "localhost.example"):  # noqa: S104 - refused
        with pytest.raises(HallError, check=with_fields(where=host)):
            require_safe_bind(host, None)
        require_safe_bind(host, files)
    for host in ("127.0.0.1", "127.0.0.9", "::1", "localhost"):
        require_safe_bind(host, None)
    assert allowed_hosts(None) == ("localhost", "127.0.0.1", "::1", "[::1]")
    assert set(allowed_hosts(files)) >= {"hall-pc.local", "10.1.2.3", "fd00::7", "[fd00::7]", "localhost"}


RUTH = access.UserAccount(name="ruth", role="director", password="$argon2id$1", key=None)  # noqa: S106 - no password has this hash


@pytest.fixture
def sessions() -> Sessions:
    return Sessions()


def begun(sessions: Sessions) -> Session:
    private = Ed25519PrivateKey.generate()
    return sessions.begin(RUTH, SigningKey(private), 0)


def test_a_session_ends_after_idle_time_and_an_open_stream_does_not_prolong_it(sessions: Sessions) -> None:
    session = begun(sessions)
    assert sessions.find(session.id, RUTH.password, IDLE_NS) is session
    assert sessions.find(session.id, RUTH.password, 2 * IDLE_NS, counts=False) is session
    assert sessions.find(session.id, RUTH.password, 2 * IDLE_NS + 1) is None
    # And after the day, whatever comes.
    session = begun(sessions)
    for at in range(0, LONGEST_NS + 1, IDLE_NS):
        assert sessions.find(session.id, RUTH.password, at) is session
    assert sessions.find(session.id, RUTH.password, LONGEST_NS + 1) is None


def wrong(tries: Tries, count: int, at: int = 0) -> int:
    for _ in range(count):
        if wait := tries.begin("browser", at):
            at += wait
            assert tries.begin("browser", at) == 0
    return at


def test_each_further_wrong_password_of_a_known_browser_waits_twice_as_long_until_the_right_one() -> None:
    tries = Tries()
    at = wrong(tries, FREE)
    assert at == 0
    waits = []
    for _ in range(4):
        at = wrong(tries, 1, at)
        waits.append(tries.begin("browser", at))
    assert waits == [FIRST_NS, 2 * FIRST_NS, 4 * FIRST_NS, 8 * FIRST_NS]
    assert wait_ns(1_000_000) == LONGEST_WAIT_NS
    # Tries that wait are not counted, nor those of another browser; the right password begins anew.
    assert [tries.begin("browser", at) for _ in range(100)] == [8 * FIRST_NS] * 100
    assert tries.begin("other", at) == 0
    tries.right("browser")
    assert wrong(tries, FREE, at) == at


def test_strangers_enter_at_a_pace_first_the_address_that_has_tried_least_and_of_those_the_latest() -> None:
    now = 0
    strangers, entered = Strangers(lambda: now), list[str]()

    async def enter(address: str) -> None:
        try:
            async with strangers.turn(address):
                entered.append(address)
                await asyncio.sleep(0)
        except TooBusy:
            entered.append(f"no place: {address}")

    async def play() -> list[str]:
        nonlocal now
        for _ in range(AT_ONCE):
            await enter("crowd")
        crowd = [asyncio.create_task(enter("crowd")) for _ in range(PLACES)]
        late = [asyncio.create_task(enter(address)) for address in ("mistyped", "new", "mistyped")]
        await asyncio.sleep(0.3)
        waiting = entered[AT_ONCE:]
        for _ in range(PLACES):
            now += PAUSE_NS
            await asyncio.sleep(0.3)
        await asyncio.gather(*crowd, *late)
        return waiting

    # No pause has passed, but three of the crowd have lost their places.
    assert asyncio.run(play()) == ["no place: crowd"] * 3
    assert entered[AT_ONCE + 3 :] == ["new", "mistyped", "mistyped"] + ["crowd"] * (PLACES - 3)


def test_a_game_is_folded_once_for_all_batches_that_have_come_and_not_for_rows_beyond_the_most(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted = Mock(wraps=folded)
    monkeypatch.setattr("hall.desk.desk.folded", counted)
    monkeypatch.setattr("hall.desk.desk.MOST_ROWS", 9)
    hall = TrialHall(tmp_path, 1, lambda: 10_000 * NS)
    hall.begin(1, ago_s=100)
    for second in range(60, 40, -1):
        hall.press(1, second)
    counted.reset_mock()
    hall.desk.changes(hall.now())
    hall.press(1, 20)
    hall.desk.changes(hall.now())
    assert [len(call.args[0]) for call in counted.call_args_list] == [9]


def test_an_endless_game_keeps_no_page_busy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hall.desk.desk.MOST_ROWS", 20)
    hall = TrialHall(tmp_path, 1, lambda: 10_000 * NS)
    hall.begin(1, ago_s=100)
    for second in range(60, 20, -1):
        hall.press(1, second)
    hall.desk.changes(hall.now())
    (tile,) = hall.desk.tiles.values()
    game = hall.desk.game(tile)
    assert game is not None
    # What the clock reports counts: the 42nd event, not the 20th.
    assert (len(game.rows), tile.running) == (20, hall.clocks[1].history.game.running if hall.clocks[1].history else None)
    hall.say(1, End("x"), 10)
    hall.begin(1, ago_s=5)
    hall.desk.changes(hall.now())
    game = hall.desk.game(next(iter(hall.desk.tiles.values())))
    assert game is not None
    assert (game.number, len(game.rows)) == (2, 2)


def test_a_desks_store_with_damaged_pages_is_refused_in_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "desk.db"
    engine = open_store(str(path))
    log = DeskStore(engine, "trial", "desk-1")
    for number in range(50):
        log.add("ruth", "notice", {"text": f"{number:0500}"})
    engine.dispose()
    whole = path.read_bytes()
    # SQLite quotes the last damage, which is no UTF-8.
    named = whole.replace(b"tabledesk_lease", b"table" + b"\xff" * 10, 1).replace(b"CREATE TABLE desk_lease", b"CREATE TABEL desk_lease", 1)
    for damaged, said in ((whole[:-8192] + bytes(8192), "btreeInitPage"), (whole[:4096], "malformed"), (named, "the names of its tables")):
        path.write_bytes(damaged)
        with pytest.raises(RecordError, match=f"found .*{said}.* rename a damaged file"):
            open_store(str(path))


@pytest.mark.parametrize("damaged", [b'{"at": "2026-01-0', b'["at", "2026-01-01T1", "b"', b'{"at": "2\xff26-01-01T10:0", ', b"7" * 12])
def test_an_entry_whose_detail_is_damaged_is_named_and_hides_no_other(tmp_path: Path, damaged: bytes) -> None:
    engine = open_store(str(tmp_path / "desk.db"))
    log = DeskStore(engine, "trial", "desk-1")
    log.add("ruth", LOGIN, {"from": "10.0.0.1"})
    log.add("ruth", ROUND_BEGINS, {"at": "2026-01-01T10:00:00+00:00"})
    log.add("ruth", LOGIN, {"from": "10.0.0.2"})
    engine.dispose()
    with closing(sqlite3.connect(tmp_path / "desk.db")) as connection:
        connection.execute("DROP TRIGGER desk_log_UPDATE")
        connection.execute("UPDATE desk_log SET detail = CAST(? AS TEXT), who = CAST(x'7275ff68' AS TEXT) WHERE n = 2", (damaged,))
        connection.commit()
    assert [entry.who for entry in log.latest(9)] == ["ruth", "ru\ufffdh", "ruth"]
    assert [(entry.detail.get("from"), entry.text) for entry in log.latest(9)] == [("10.0.0.2", ""), (None, "damaged"), ("10.0.0.1", "")]
    assert round_start(log) is None
    # Nor does an instant of another form say anything.
    log.add("ruth", ROUND_BEGINS, {"begins": {"mono": 5, "boot": "b"}})
    assert round_start(log) is None


def test_the_desks_store_is_for_its_owner_and_group_whatever_the_umask_and_names_a_folder_that_is_missing(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        with closing(open_store(str(tmp_path / "desk.db")).connect()):
            assert {stat.S_IMODE(each.stat().st_mode) for each in tmp_path.iterdir()} == {0o640}
            assert len(list(tmp_path.iterdir())) == 3
        # Also where it was open to others before.
        (tmp_path / "desk.db").chmod(0o666)
        open_store(str(tmp_path / "desk.db")).dispose()
        assert stat.S_IMODE((tmp_path / "desk.db").stat().st_mode) == 0o660
        write_whole(tmp_path / "acl", b"user listener\n", PUBLIC)
        assert stat.S_IMODE((tmp_path / "acl").stat().st_mode) == 0o644
    finally:
        os.umask(before)
    with pytest.raises(RecordError, match=r"none: expected the folder of the desk's store, found none\. Make the folder"):
        open_store(str(tmp_path / "none" / "desk.db"))
