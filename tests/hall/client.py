"""A plain MQTT client for tests: shows a certificate, publishes, and collects what arrives."""

import ssl
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from paho.mqtt.client import Client, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion
from paho.mqtt.subscribeoptions import SubscribeOptions

from hall.keys.files import Identity
from tests.processes import PATIENCE_S
from tools.trial_broker import Broker


class Place(NamedTuple):
    host: str
    port: int


class TestClient:
    __test__ = False

    def __init__(self, broker: Broker | Place, identity: Identity, client_id: str = "", patience_s: float = PATIENCE_S) -> None:
        self._patience_s = patience_s
        self.messages: deque[tuple[str, bytes, bool]] = deque()
        self.answers: dict[int, int] = {}
        """The reason code of each acknowledgement, by its message id."""
        self.ended: list[int] = []
        self._changed = threading.Condition()
        self._failures: list[bool] = []
        context = ssl.create_default_context(cafile=identity.ca)
        context.load_cert_chain(identity.certificate, identity.key)
        self._paho = Client(
            CallbackAPIVersion.VERSION2, client_id=client_id, protocol=MQTTProtocolVersion.MQTTv5, reconnect_on_failure=False
        )
        self._paho.tls_set_context(context)
        self._paho.on_connect = self._noting(lambda _client, _data, _flags, code, _properties: self._failures.append(code.is_failure))
        self._paho.on_message = self._noting(self._keep)
        self._paho.on_publish = self._noting(lambda _client, _data, mid, code, _properties: self.answers.update({mid: code.value}))
        self._paho.on_disconnect = self._noting(lambda _client, _data, _flags, code, _properties: self.ended.append(code.value))
        self._paho.connect(broker.host, broker.port, keepalive=60)
        self._paho.loop_start()
        self.wait(lambda: False in self._failures, "the broker's CONNACK")

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
        self._paho.subscribe([(topic, SubscribeOptions(qos=1)) for topic in topics])
        assert granted.wait(PATIENCE_S)

    def topics(self) -> set[str]:
        return {topic for topic, _, _ in tuple(self.messages)}

    def wait(self, condition: Any, what: str) -> None:
        deadline = time.monotonic() + self._patience_s
        with self._changed:
            while not condition():
                assert time.monotonic() < deadline, what
                self._changed.wait(0.1)

    def close(self) -> None:
        self._paho.disconnect()
        self._paho.loop_stop()

    def _keep(self, _client: Client, _data: Any, message: MQTTMessage) -> None:
        self.messages.append((message.topic, bytes(message.payload), message.retain))

    def _noting(self, change: Callable[..., object]) -> Callable[..., None]:
        def noted(*said: Any) -> None:
            with self._changed:
                change(*said)
                self._changed.notify_all()

        return noted


@contextmanager
def connected(broker: Broker | Place, identity: Identity, client_id: str = "", patience_s: float = PATIENCE_S) -> Iterator[TestClient]:
    client = TestClient(broker, identity, client_id, patience_s)
    try:
        yield client
    finally:
        client.close()
