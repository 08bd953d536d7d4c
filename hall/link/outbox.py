"""What a link publishes for its device: of each name the latest value, what is on its way, and what the broker refuses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from hall.link.connection import BrokerConnection
from wire.values import KEPT, checksum

_ANSWER: Final = "ack/"
_ANSWER_S: Final = 60


class Outbox:
    """The publications of one device.

    Args:
        connection: to the broker.
        topic_of: the topic of a name.
    """

    def __init__(self, connection: BrokerConnection, topic_of: Callable[[str], str]) -> None:
        self._connection, self._topic_of = connection, topic_of
        self._kept: dict[str, bytes] = {}
        self._waiting: dict[str, bytes] = {}
        self._in_flight: dict[int, str] = {}
        self.refused: set[str] = set()
        """The names whose last publication the broker has refused."""

    @property
    def checksum(self) -> int:
        """What the broker keeps once all is published, as a beat says it."""
        return checksum(self._kept)

    def put(self, name: str, payload: bytes) -> None:
        """Publish a value with the next ``publish``. What waits of the same name is replaced; what no name allows is dropped."""
        if name in KEPT:
            self._kept[name] = payload
        elif not name.startswith(_ANSWER):
            return
        self._waiting[name] = payload

    def connected(self) -> None:
        """Begin with a new connection: the broker may have forgotten everything."""
        self.refused.clear()
        self._in_flight.clear()
        self.repeat()

    def repeat(self) -> None:
        """Publish again what the broker keeps."""
        # An empty call ends one that was left at the broker.
        self._waiting = {"call": b"", **self._kept, **self._waiting}

    def lost(self) -> None:
        """Note that the connection is gone, and what was on its way with it."""
        self._in_flight.clear()

    def publish(self) -> None:
        """Publish the values that have changed. One of a name is on its way at a time: what changes meanwhile replaces what waits."""
        if not self._connection.is_up:
            return
        for name in [name for name in self._waiting if name not in self._in_flight.values()]:
            expiry = _ANSWER_S if name.startswith(_ANSWER) else None
            if not self.send(name, self._topic_of(name), self._waiting[name], retain=name in KEPT, expiry_s=expiry):
                return
            del self._waiting[name]

    def send(self, name: str, topic: str, payload: bytes, *, retain: bool = False, expiry_s: int | None = None) -> bool:
        """Publish at once, and wait for the broker's answer under ``name``; False: there is no connection, and it is lost."""
        mid = self._connection.publish(topic, payload, retain=retain, expiry_s=expiry_s)
        if mid is not None:
            self._in_flight[mid] = name
        return mid is not None

    def acknowledged(self, mid: int, *, refused: bool) -> None:
        """Take the broker's answer."""
        name = self._in_flight.pop(mid, None)
        if name is not None:
            (self.refused.add if refused else self.refused.discard)(name)

    def in_flight(self, name: str) -> int:
        """Return how many of ``name`` the broker has not answered."""
        return sum(each == name for each in self._in_flight.values())
