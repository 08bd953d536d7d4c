import json
import re
import stat
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel, ValidationError

from appliance.records.chain import GENESIS, chained
from firmware.journal.writer import Store, open_journal
from records.journal import GameStamp, Kind, reading, row_of
from tests.cells import each_cell
from wire.keys import DeviceKeyError, load_key, signature_fits
from wire.proposals import ORDER, ORDERS, RefusalReason, SetUpNext, VerdictBody, _OrderBase
from wire.record import NO_ROWS, DeviceRecord, HeadSigner, Proof, signed_by
from wire.reports import MAX_ROW_BYTES, MAX_ROWS, DeviceBeat, OpenCall, RowBatch, SignedHead, as_line
from wire.topics import CLOCK, STATION, Topics, device_id, is_device, is_hall, is_station, signed_bytes

TO: dict[str, Any] = {"v": 1, "id": "0a" * 16, "device": "c-" + "a" * 16, "epoch": "0011223344556677", "game": 1}
ORDERED: dict[str, Any] = {**TO, "issuer": "desk-main", "number": 4, "nonce": "0f" * 16}
GIVEN: dict[str, Any] = {
    **TO, "station": "s-" + "b" * 16, "nonce": "0f" * 16, "do": "verdict", "challenge": 3, "acceptable": True, "count": 1, "words": ["QI"]
}  # fmt: skip


def read(keys: dict[str, Any]) -> Any:
    return ORDER.validate_json(json.dumps(keys))


def test_orders_and_verdicts_are_read_as_typed_and_name_only_what_is_to_change() -> None:
    keys = {**ORDERED, "do": "setup", "rulebook": "naspa-2017", "left_seconds": None, "right_seconds": 1200}
    assert isinstance(read(keys), SetUpNext)
    assert read({**ORDERED, "do": "settings", "led_brightness": 0, "buzzer_enabled": False}).settings == {
        "led.brightness": 0,
        "buzzer.enabled": False,
    }
    assert read({**ORDERED, "do": "timer", "begins": -5, "seconds": 150, "warnings": [60, 20]}).warnings == (60, 20)
    assert VerdictBody.model_validate_json(json.dumps(GIVEN)).words == ("QI",)
    assert all(reason.sentence.endswith(".") for reason in RefusalReason)


def test_every_class_of_order_stands_in_the_table_by_its_own_name() -> None:
    assert set(ORDERS.values()) == set(_OrderBase.__subclasses__())
    assert ORDERS["setup"] is SetUpNext


def test_the_contract_has_a_line_for_each_order_and_for_each_reason() -> None:
    contract = (Path(__file__).parents[2] / "docs" / "spec" / "wire.md").read_text("utf-8")
    assert set(re.findall(r"^\| `order` `(\w+)`", contract, re.MULTILINE)) == set(ORDERS)
    reasons = contract.split("### Reasons")[1].split("\n## ")[0]
    assert set(re.findall(r"(?<=[|,] )`(\w+)`", reasons)) == set(RefusalReason)


NO_ORDERS: list[dict[str, Any]] = [
    {"do": "notice", "text": "x", "seconds": 4},
    {"do": "notice", "text": "", "seconds": 5},
    {"do": "notice", "text": "a\nb", "seconds": 5},
    {"do": "notice", "text": "x" * 121, "seconds": 5},
    {"do": "notice", "text": "x", "seconds": "5"},
    {"do": "notice", "text": "x", "seconds": 5, "loud": True},
    {"do": "stop", "text": "x", "v": 2},
    {"do": "stop", "text": "x" * 121},
    {"do": "stop"},
    {"do": "assign", "table": 0, "left": "a", "right": "b", "lexicon": None},
    {"do": "assign", "table": 1, "left": "a" * 41, "right": "b", "lexicon": None},
    {"do": "setup", "rulebook": "../x", "left_seconds": None, "right_seconds": None},
    {"do": "setup", "rulebook": "club", "left_seconds": -1, "right_seconds": None},
    {"do": "settings"},
    {"do": "settings", "language": None},
    {"do": "settings", "language": "../fr"},
    {"do": "settings", "led_brightness": 101},
    {"do": "settings", "led_brightness": True},
    {"do": "settings", "buzzer_enabled": 1},
    {"do": "settings", "language": "fr", "rulebook": "club"},
    {"do": "settings", "language": "fr", "journal.path": "/x"},
    {"do": "round"},
    {"do": "round", "began": "5"},
    {"do": "round", "began": 1 << 63},
    {"do": "round", "began": 5, "minutes": 5},
    {"do": "timer", "begins": 5},
    {"do": "timer", "begins": None, "seconds": 180},
    {"do": "timer", "begins": 5, "seconds": 4},
    {"do": "timer", "begins": 5, "seconds": 180, "warnings": [20, 30]},
    {"do": "timer", "begins": 5, "seconds": 180, "warnings": [180]},
    {"do": "timer", "begins": 5, "seconds": 180, "label": "x" * 25},
    {"do": "update", "version": "2.0"},
    {"do": "update", "package": "tileclock"},
    {"do": "update", "source": "https://example.org/"},
    {"do": "press", "side": "left"},
]
NO_VERDICTS: list[dict[str, Any]] = [
    {"acceptable": None},
    {"acceptable": 1},
    {"challenge": None},
    {"by": "left"},
    {"nonce": None},
    {"count": 0},
    {"failed": "QI"},
    {"station": "c-" + "b" * 16},
    {"do": "withdrawn"},
    {"do": "call"},
    {"do": "conceded", "acceptable": None},
    {"do": "withdrawn", "acceptable": None, "replaces": "0a" * 16},
]


def test_what_is_not_exactly_an_order_or_a_verdict_is_refused() -> None:
    for cell in each_cell(NO_ORDERS):
        with cell as wrong, pytest.raises(ValidationError):
            read({**ORDERED, **wrong})
    for cell in each_cell(NO_VERDICTS):
        with cell as wrong, pytest.raises(ValidationError):
            VerdictBody.model_validate_json(json.dumps({**GIVEN, **wrong}))


HASH = "ab" * 32
BATCH: dict[str, Any] = {
    "v": 1,
    "epoch": "0011223344556677",
    "first": 1,
    "last": 1,
    "previous": "0" * 64,
    "rows": [[HASH, [1, "boot", None]]],
}
BEAT: dict[str, Any] = {
    "v": 1, "nonce": "0f" * 16, "boot": "b", "epoch": None, "seq": 0, "head": "0" * 64, "lexicon": None, "power": "ok",
    "lag": 0, "dropped": 0, "sent": 5, "echo": {"v": 1, "t1": 1, "t2": 2, "t3": 3, "t4": 4},
}  # fmt: skip
NO_REPORTS: list[tuple[type[BaseModel], dict[str, Any]]] = [
    (RowBatch, {**BATCH, "v": 2}),
    (RowBatch, {**BATCH, "first": "1"}),
    (RowBatch, {**BATCH, "epoch": "short"}),
    (RowBatch, {**BATCH, "rows": []}),
    (RowBatch, {**BATCH, "rows": [[HASH, None]] * (MAX_ROWS + 1)}),
    (RowBatch, {**BATCH, "rows": [["hash", None]]}),
    (DeviceBeat, {**BEAT, "seq": -1}),
    (DeviceBeat, {**BEAT, "sent": 1 << 63}),
    (DeviceBeat, {**BEAT, "boot": "two\nlines"}),
    (DeviceBeat, {**BEAT, "power": "perhaps"}),
    (DeviceBeat, {**BEAT, "update": "perhaps"}),
]


def test_a_report_keeps_its_fields_ignores_a_key_of_a_later_release_and_is_refused_where_it_does_not_fit() -> None:
    batch = RowBatch.model_validate_json(json.dumps({**BATCH, "first": 7, "last": 7, "rows": [[HASH, [7, None, "a"]]]}))
    assert batch.rows == [(HASH, [7, None, "a"])]
    assert RowBatch.model_validate({**BATCH, "rows": [[HASH, None]]}).rows == [(HASH, None)]
    assert DeviceBeat.model_validate({**BEAT, "humidity": 40}) == DeviceBeat.model_validate(BEAT)
    assert as_line("a\n\x7fbc" + "d" * 200) == "a  bc" + "d" * 195
    assert '"from":"players"' in OpenCall(since=1, boot="b", table=12).model_dump_json(by_alias=True)
    for cell in each_cell(NO_REPORTS):
        with cell as (model, message), pytest.raises(ValidationError):
            model.model_validate(message)


def test_a_signature_covers_purpose_hall_and_the_body_as_it_was_sent() -> None:
    expected = "\n".join(["tc/2 head", "c-mzuhvlpymk6xo3ep", "0011223344556677", "42", "ab" * 32])
    assert signed_bytes("tc/2 head", "c-mzuhvlpymk6xo3ep", "0011223344556677", "42", "ab" * 32) == expected.encode()
    assert signed_bytes("tc/1 order", "other", "{}") != signed_bytes("tc/1 order", "club", "{}")
    assert signed_bytes("tc/1 order", "club", '{"a":1}') != signed_bytes("tc/1 order", "club", '{"a": 1}')


TOPICS = Topics("club")
CLOCK_ID = device_id(CLOCK, bytes(32))


def test_ids_follow_from_the_key_and_topics_of_this_hall_come_apart_as_they_were_made() -> None:
    assert CLOCK_ID == "c-mzuhvlpymk6xo3ep"
    assert is_device(CLOCK_ID)
    assert not is_station(CLOCK_ID)
    assert is_station(device_id(STATION, bytes(32)))
    assert device_id(CLOCK, bytes(31) + b"\1") != CLOCK_ID
    assert TOPICS.of_device(CLOCK_ID, "ack/1f") == f"tc/1/club/dev/{CLOCK_ID}/ack/1f"
    assert TOPICS.reported(TOPICS.of_device(CLOCK_ID, "ack/1f")) == (CLOCK_ID, "ack/1f")
    assert TOPICS.addressed(TOPICS.to_device(CLOCK_ID, "order")) == (CLOCK_ID, "order")
    assert [name for name in ("club", "club-7", "", "a/b", "A", "x" * 33, "+") if is_hall(name)] == ["club", "club-7"]
    for topic in (
        "",
        "tc/1/club/root",
        f"tc/1/club/dev/{CLOCK_ID}",
        f"tc/1/club/dev/{CLOCK_ID}/",
        f"tc/1/other/dev/{CLOCK_ID}/up",
        f"tc/2/club/dev/{CLOCK_ID}/up",
        f"tc/1/club/cmd/{CLOCK_ID}/up",
        "tc/1/club/dev/c-UPPER/up",
        "tc/1/club/dev/+/up",
    ):
        assert TOPICS.reported(topic) is None


STAMP = GameStamp(1, 2, "boot", "2026-01-01T00:00:00.000+00:00")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return open_journal(tmp_path / "journal.db").path


def _record(path: Path) -> DeviceRecord:
    return DeviceRecord(lambda: reading(path, refused=True))


def _write(path: Path, *texts: str) -> None:
    store = Store(path)
    store.append([row_of(Kind.NOTE, 0, STAMP, {"text": text}) for text in texts], None)
    store.close()


def _write_signed(path: Path, signed: SignedHead) -> None:
    with closing(Store(path)) as store:
        store.append([row_of(Kind.SIGNED, 0, STAMP, signed.model_dump())], None)


def _chain(batch: RowBatch, head: str) -> str:
    assert batch.previous == head
    for expected, (own, fields) in enumerate(batch.rows, batch.first):
        if fields is not None:
            assert (fields[0], chained(head, fields)) == (expected, own)
        head = own
    return head


def test_every_row_arrives_once_in_order_and_fits_the_chain(path: Path) -> None:
    _write(path, *(f"é {number}" for number in range(250)))
    record, head, after, sizes = _record(path), GENESIS, 0, []
    while (batch := record.rows(after, 100)) is not None:
        batch = RowBatch.model_validate_json(batch.model_dump_json())
        head, after = _chain(batch, head), batch.last
        sizes.append(len(batch.rows))
    assert sizes == [100, 100, 50]
    end = record.end()
    assert (end.seq, end.head) == (250, head)
    first = record.rows(0, 1)
    assert first is not None
    assert end.epoch == first.epoch == first.rows[0][0][:16]


def test_a_batch_stays_within_its_bytes(path: Path) -> None:
    _write(path, *("x" * 25_000 for _ in range(5)))
    record, after, sizes = _record(path), 0, []
    while (batch := record.rows(after, 100)) is not None:
        assert len(batch.model_dump_json()) <= MAX_ROW_BYTES + 500
        after = batch.last
        sizes.append(len(batch.rows))
    assert sizes == [2, 2, 1]


def test_a_row_that_is_too_large_goes_alone_as_its_hash(path: Path) -> None:
    _write(path, "a", "x" * MAX_ROW_BYTES, "b")
    record, head, after, missing = _record(path), GENESIS, 0, []
    while (batch := record.rows(after, 100)) is not None:
        head, after = _chain(batch, head), batch.last
        missing.append([fields is None for _, fields in batch.rows])
    assert missing == [[False], [True], [False]]
    assert record.end().head == head


def test_what_is_signed_in_a_chain_is_signed_by_its_device_up_to_a_row_of_it(tmp_path: Path, path: Path) -> None:
    key, other = load_key(tmp_path / "a.pem", CLOCK), load_key(tmp_path / "b.pem", CLOCK)

    def proof(whose: str | None) -> Proof:
        with reading(path) as connection:
            return signed_by(connection, CLOCK, whose)

    _write(path, "a", "b")
    assert (proof(None), proof(key.device)) == (Proof("Nothing is signed."), Proof("Nothing is signed.", holds=False))
    signer = HeadSigner(lambda kind, body: kind == Kind.NOTE and body["text"] == "b")
    with reading(path) as connection:
        signed = signer.sign(connection, lambda: key)
        assert signer.sign(connection, lambda: key) is None
    assert signed is not None
    assert (signed.seq, signed.head, signed.key, signer.covered) == (2, _record(path).end().head, key.public, Kind.NOTE)
    _write_signed(path, signed)
    assert proof(key.device) == proof(key.public) == Proof("Signed up to row 2 by this device.")
    assert proof(None) == Proof(f"Signed up to row 2 by {key.device}: compare this with the device's id.")
    assert proof(other.device) == Proof(f"Signed by another device, {key.device}.", holds=False)
    _write_signed(path, signed.model_copy(update={"seq": 1}))
    assert (proof(None).holds, proof(None).sentence[:29]) == (False, "The signature in row 4 does n")
    # After a start only the last 100 rows are looked at.
    _write(tmp_path / "long.db", "b", *["a"] * 100)
    with reading(tmp_path / "long.db") as connection:
        assert HeadSigner(lambda _, body: body["text"] == "b").sign(connection, lambda: key) is None


def test_after_the_end_and_of_what_cannot_be_read_there_is_nothing(tmp_path: Path, path: Path) -> None:
    assert _record(path).end() == NO_ROWS
    assert _record(path).rows(0, 100) is None
    missing = _record(tmp_path / "missing.db")
    assert (missing.end(), missing.rows(0, 100)) == (NO_ROWS, None)
    (tmp_path / "damaged.db").write_bytes(b"no journal")
    damaged = _record(tmp_path / "damaged.db")
    assert (damaged.end(), damaged.rows(0, 100)) == (NO_ROWS, None)
    _write(path, "a")
    record = _record(path)
    assert record.rows(1, 100) is None
    assert record.rows(99, 100) is None
    assert record.rows((1 << 63) - 1, 100) is None


def test_a_missing_key_is_made_and_its_signatures_fit_it_alone(tmp_path: Path) -> None:
    path = tmp_path / "device.pem"
    made, read = load_key(path, CLOCK), load_key(path, CLOCK)
    assert (made.public, made.device) == (read.public, read.device)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert is_device(made.device)
    assert is_station(load_key(path, STATION).device)
    # A signature fits its key and its bytes alone.
    key, other = load_key(tmp_path / "a", CLOCK), load_key(tmp_path / "b", CLOCK)
    signature = key.sign(b"head")
    assert signature_fits(key.public, signature, b"head")
    assert not signature_fits(key.public, signature, b"another head")
    assert not signature_fits(other.public, signature, b"head")
    for public, none in (("", ""), ("é", "x"), ("AAAA", "AAAA"), ("A" * 43 + "=", "A" * 86 + "==")):
        assert not signature_fits(public, none, b"head")
    # A file that is no key is refused and kept; so is one that cannot be made.
    path = tmp_path / "device.pem"
    path.write_text("not a key")
    with pytest.raises(DeviceKeyError, match="expected this device's Ed25519 key, found another kind of file"):
        load_key(path, CLOCK)
    assert path.read_text() == "not a key"
    with pytest.raises(DeviceKeyError, match=r"no such file or directory\. Check that its folder exists and is writable\."):
        load_key(tmp_path / "missing" / "device.pem", CLOCK)
