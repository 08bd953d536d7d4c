"""A device as a listener sees it: a chain of rows, beats, reports. Its messages are made as a link makes them."""

import hashlib
import json
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from appliance.records.chain import GENESIS, chained
from hall.listener.service import Listener
from hall.picture import Hall
from hall.store.store import Store, open_store
from wire.keys import DeviceKey, signed_head
from wire.record import SIGNED
from wire.topics import CLOCK, Topics, device_id

NS = 1_000_000_000
TOPICS = Topics("trial")


class Device:
    def __init__(self, name: str = "one", boot: str = "boot-1", text: str = "", *, rows: int = 0) -> None:
        private = Ed25519PrivateKey.from_private_bytes(hashlib.sha256(name.encode()).digest())
        raw = private.public_key().public_bytes_raw()
        self.device_key = DeviceKey(private, device_id(CLOCK, raw))
        self.key, self.id = self.device_key.public, self.device_key.device
        self.boot = boot
        self.rows: list[tuple[str, list[Any]]] = []
        self.text = text
        self._nonces = 0
        self.write(rows)

    @property
    def head(self) -> str:
        return self.rows[-1][0] if self.rows else GENESIS

    @property
    def epoch(self) -> str:
        return self.rows[0][0][:16]

    def write(self, count: int = 1, kind: str = "note", body: str = "{}") -> None:
        for _ in range(count):
            self.add(kind, 1, None, 5, 6, self.boot, self.text, body)

    def add(self, *fields: Any) -> None:
        row = [len(self.rows) + 1, *fields]
        self.rows.append((chained(self.head, row), row))

    def batch(self, first: int, last: int) -> dict[str, Any]:
        previous = GENESIS if first == 1 else self.rows[first - 2][0]
        return {"v": 1, "epoch": self.epoch, "first": first, "last": last, "previous": previous, "rows": self.rows[first - 1 : last]}

    def sign(self, seq: int, /, **changes: Any) -> None:
        """Write the row with the signature of an earlier row's head."""
        signed = signed_head(self.device_key, self.epoch, seq, self.rows[seq - 1][0]).model_dump()
        self.write(1, SIGNED, json.dumps(signed | changes))

    def beat(self, sent: int = 0, echo: tuple[int, int, int, int] | None = None, **changes: Any) -> dict[str, Any]:
        self._nonces += 1
        stamps = None if echo is None else dict(zip(("t1", "t2", "t3", "t4"), echo, strict=True))
        return {
            "v": 1, "nonce": f"{self._nonces:032x}", "boot": self.boot, "epoch": self.epoch if self.rows else None, "seq": len(self.rows),
            "head": self.head, "lexicon": None, "power": "ok", "lag": 0, "dropped": 0, "sent": sent, "echo": stamps, **changes,
        }  # fmt: skip

    def up(self, **changes: Any) -> dict[str, Any]:
        return {
            "v": 1, "up": True, "kind": "clock", "key": self.key, "boot": self.boot, "epoch": self.epoch if self.rows else None,
            "table": None, "name": "", "versions": {}, **changes,
        }  # fmt: skip

    def state(self, **changes: Any) -> dict[str, Any]:
        side = {"remaining_ns": 1500 * NS, "used_ns": 0, "penalty": 0, "credit_ns": 0, "points": 0, "infractions": 0}
        return {
            "v": 1, "boot": self.boot, "nonce": "0e" * 16, "epoch": self.epoch, "game": 1, "number": 2, "at": 0, "phase": "running", "running": "left",
            "turn": "left", "holder": None, "reason": None, "called": False, "left": side, "right": side, "pending": None,
            "challenge": None, "rulebook": "naspa-2017", "table": None, "names": {"left": "", "right": ""}, "between_games": False, "freeze": "advisory",
            "lexicon": None, **changes,
        }  # fmt: skip


@dataclass
class Rig:
    store: Store
    hall: Hall = field(default_factory=lambda: Hall(TOPICS.hall))
    sent: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    now: int = 1000 * NS
    committed: list[tuple[str, int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.hall.broker_up = True
        self.listener = Listener(
            self.store,
            self.hall,
            lambda topic, payload: self.sent.append((topic, json.loads(payload))),
            lambda: self.now,
            lambda taken: self.committed.extend((device, row[1][0]) for device, _, rows in taken for row in rows if row[1]),
        )

    def report(self, device: Device, what: str, message: dict[str, Any] | None, turn: bool = True) -> None:
        payload = b"" if message is None else json.dumps(message).encode()
        self.raw(device, what, payload, turn)

    def raw(self, device: Device, what: str, payload: bytes, turn: bool = True) -> None:
        self.listener.receive(TOPICS.of_device(device.id, what), payload, self.now)
        if turn:
            self.listener.turn(self.now)

    def pass_time(self, seconds: float) -> None:
        self.now += int(seconds * NS)
        self.listener.turn(self.now)

    def wants(self, device: Device) -> list[int]:
        asked = self.wants_of(device)
        self.sent.clear()
        return asked

    def wants_of(self, device: Device) -> list[int]:
        return [message["after"] for topic, message in self.sent if topic == TOPICS.to_device(device.id, "want")]

    def seqs(self, device: Device) -> list[int]:
        return [row.seq for row in self.store.rows(device.id, device.epoch)]

    def known(self, device: Device) -> Any:
        return self.hall.devices[device.id]


@contextmanager
def rig(folder: Path) -> Iterator[Rig]:
    store, _ = open_store(folder / "hall.db", TOPICS.hall)
    with closing(store):
        yield Rig(store)
