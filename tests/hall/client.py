"""A plain MQTT client for tests: shows a certificate, publishes, and collects what arrives."""

from __future__ import annotations

import ssl
import threading
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple, Protocol

from paho.mqtt.client import Client, ConnectFlags, DisconnectFlags, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode

from hall.keys.files import Identity
from tests.processes import PATIENCE_S


class Reachable(Protocol):
    """Where a broker listens."""

    @property
    def host(self) -> str: ...

    @property
    def port(self) -> int: ...


class Place(NamedTuple):
    """A broker that the test has started itself."""

    host: str
    port: int


class TestClient:
    """A connection to a broker, by paho's thread."""

    __test__ = False

    def __init__(self, broker: Reachable, identity: Identity, client_id: str = "", patience_s: float = PATIENCE_S) -> None:
        self._patience_s = patience_s
        self.messages: deque[tuple[str, bytes, bool]] = deque()
        self.answers: dict[int, int] = {}
        """The reason code of each acknowledgement, by its message id."""
        self.ended: list[int] = []
        self._changed = threading.Condition()
        self._connected = False
        context = ssl.create_default_context(cafile=identity.ca)
        context.load_cert_chain(identity.certificate, identity.key)
        self._paho = Client(
            CallbackAPIVersion.VERSION2, client_id=client_id, protocol=MQTTProtocolVersion.MQTTv5, reconnect_on_failure=False
        )
        self._paho.tls_set_context(context)
        self._paho.on_connect = self._on_connect
        self._paho.on_message = self._on_message
        self._paho.on_publish = self._on_answer
        self._paho.on_disconnect = self._on_disconnect
        self._paho.connect(broker.host, broker.port, keepalive=60)
        self._paho.loop_start()
        self.wait(lambda: self._connected, "the broker's CONNACK")

    def publish(self, topic: str, payload: bytes = b"x", *, retain: bool = False, patient: bool = True) -> int:
        """Publish with QoS 1; return the reason code of the broker's acknowledgement."""
        mid = self._paho.publish(topic, payload, qos=1, retain=retain).mid
        if not patient:
            return 0
        self.wait(lambda: mid in self.answers, f"the acknowledgement of {topic}")
        return self.answers[mid]

    def subscribe(self, *topics: str) -> None:
        """Subscribe, and wait until the broker says so (which it does for forbidden topics too)."""
        granted = threading.Event()
        self._paho.on_subscribe = lambda *_: granted.set()
        self._paho.subscribe([(topic, _qos_1()) for topic in topics])
        assert granted.wait(PATIENCE_S)

    def topics(self) -> set[str]:
        """Return the topics of all messages so far."""
        return {topic for topic, _, _ in tuple(self.messages)}

    def wait(self, condition: Any, what: str) -> None:
        """Wait until ``condition()`` holds."""
        deadline = time.monotonic() + self._patience_s
        with self._changed:
            while not condition():
                assert time.monotonic() < deadline, what
                self._changed.wait(0.1)

    def close(self) -> None:
        self._paho.disconnect()
        self._paho.loop_stop()

    def _on_connect(self, _c: Client, _u: Any, _f: ConnectFlags, code: ReasonCode, _p: Properties | None) -> None:
        with self._changed:
            self._connected = not code.is_failure
            self._changed.notify_all()

    def _on_message(self, _c: Client, _u: Any, message: MQTTMessage) -> None:
        with self._changed:
            self.messages.append((message.topic, bytes(message.payload), message.retain))
            self._changed.notify_all()

    def _on_answer(self, _c: Client, _u: Any, mid: int, code: ReasonCode, _p: Properties) -> None:
        with self._changed:
            self.answers[mid] = code.value
            self._changed.notify_all()

    def _on_disconnect(self, _c: Client, _u: Any, _f: DisconnectFlags, code: ReasonCode, _p: Properties | None) -> None:
        with self._changed:
            self.ended.append(code.value)
            self._changed.notify_all()


@contextmanager
def connected(broker: Reachable, identity: Identity, client_id: str = "", patience_s: float = PATIENCE_S) -> Iterator[TestClient]:
    """Connect for the time of the block."""
    client = TestClient(broker, identity, client_id, patience_s)
    try:
        yield client
    finally:
        client.close()


def _qos_1() -> Any:
    from paho.mqtt.subscribeoptions import SubscribeOptions  # noqa: PLC0415 - one use

    return SubscribeOptions(qos=1)
