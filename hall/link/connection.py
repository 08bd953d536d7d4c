"""The link's connection to the broker: paho without a thread of its own, dialled again after each loss (docs/spec/wire.md, "Topics")."""

from __future__ import annotations

import json
import os
import random
import select
import socket
import ssl
import threading
import time
from collections import deque
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from paho.mqtt.client import Client, ConnectFlags, DisconnectFlags
from paho.mqtt.enums import CallbackAPIVersion, MQTTErrorCode, MQTTProtocolVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode
from paho.mqtt.subscribeoptions import SubscribeOptions

from faults.errors import Phrase

if TYPE_CHECKING:
    from typing_extensions import Buffer


class LinkPlan(NamedTuple):
    """The two ends of a link. No dataclass, here and in the link's other modules: that module alone takes 1.5 MB."""

    hall: str
    host: str
    port: int
    ca: Path
    certificate: Path
    key: Path
    device: str
    socket: Path
    ends: str = ""
    """The certificate's last day, for sentences; empty: unknown."""
    renew_at: int = 0
    """From when on the certificate is to be renewed, in s since 1970; 0: never by the link."""
    enrol_port: int = 0
    look_from: str = ""
    """Where ``host`` is empty: the address of this machine from which the broker is looked for; empty: all."""

    def to_json(self) -> str:
        return json.dumps(self._asdict(), default=str)

    @classmethod
    def from_json(cls, text: str) -> LinkPlan:
        fields = json.loads(text)
        return cls(**fields | {name: Path(fields[name]) for name in ("ca", "certificate", "key", "socket")})


DIAL_S: Final = 10.0
"""How long TCP may take for one of the broker's addresses, and TLS for each of its steps."""


class Refused(Exception):
    """The connection cannot be made. ``found``: what is wrong with the link's own files, as it follows "found"; empty: nothing."""

    def __init__(self, sentence: str, found: str = "") -> None:
        super().__init__(sentence)
        self.found = found


class TlsSocket(ssl.SSLSocket):
    """Keeps the reason for which the broker has ended the connection: paho drops it."""

    fault: ssl.SSLError | None = None

    def recv(self, buflen: int = 1024, flags: int = 0) -> bytes:
        try:
            return super().recv(buflen, flags)
        except (ssl.SSLWantReadError, ssl.SSLWantWriteError):
            raise
        except ssl.SSLError as error:
            self.fault = error
            raise

    def send(self, data: Buffer, flags: int = 0) -> int:
        """Do as any socket does; where the other side is gone, look for its reason first."""
        try:
            return super().send(data, flags)
        except (ssl.SSLWantReadError, ssl.SSLWantWriteError):
            raise
        except OSError:
            with suppress(OSError):
                self.recv(1)
            raise


def tls_context(plan: LinkPlan) -> ssl.SSLContext:
    """Return what the link shows and whom it trusts: the hall's authority alone. Raises ``Refused`` for an unusable file."""
    try:
        context = ssl.create_default_context(cafile=plan.ca)
        context.load_cert_chain(plan.certificate, plan.key)
    except (OSError, ValueError) as error:
        # The message of an SSLError says nothing to anybody, and an OSError does not name the file.
        missing = [path.name for path in (plan.ca, plan.certificate, plan.key) if not os.access(path, os.R_OK)]
        found = f"no readable {' and '.join(missing)}" if missing else "others"
        raise Refused(
            Phrase("This device has no usable certificate in {folder}: enrol it.", folder=plan.certificate.parent), found
        ) from error
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    # A broker has any address. That it is the hall's broker is shown by its certificate: the authority issues only one that serves.
    context.check_hostname = False
    context.sslsocket_class = TlsSocket
    return context


class Dialling:
    """One attempt, in a thread that ends with it: looking a name up, TCP and TLS block. Its descriptor is readable once it has ended."""

    def __init__(self, plan: LinkPlan) -> None:
        self._plan = plan
        self._ended, self._running = socket.socketpair()
        self._found: TlsSocket | Refused | None = None
        self._abandoned = False
        threading.Thread(target=self._dial, name="dialling", daemon=True).start()

    def fileno(self) -> int:
        return self._ended.fileno()

    def step(self) -> TlsSocket | None:
        """Return the connection once it is made. Raises ``Refused``."""
        if isinstance(self._found, Refused):
            raise self._found
        if self._found is not None:
            self._ended.close()
        return self._found

    def close(self) -> None:
        """Give the attempt up; a connection that has been made, or still is, is closed unless ``step`` has returned it."""
        self._ended.close()
        self._abandoned = True
        # Either we see what the thread has found, or it sees that it is abandoned.
        if isinstance(self._found, TlsSocket):
            self._found.close()

    def _dial(self) -> None:
        found: TlsSocket | Refused = Refused(Phrase("The attempt to connect has failed."))
        try:
            found = self._connected()
        except Refused as refused:
            found = refused
        finally:
            self._found = found
            self._running.close()
        if self._abandoned and isinstance(found, TlsSocket):
            found.close()

    def _connected(self) -> TlsSocket:
        where, context = f"{self._plan.host}:{self._plan.port}", tls_context(self._plan)
        try:
            plain = socket.create_connection((self._plan.host, self._plan.port), DIAL_S)
        except (socket.gaierror, UnicodeError) as error:
            raise Refused(
                Phrase("No machine is called {host}: check the broker's address and the network.", host=self._plan.host)
            ) from error
        except TimeoutError as error:
            raise Refused(Phrase("The broker at {where} does not answer.", where=where)) from error
        except OSError as error:
            raise Refused(Phrase("The broker at {where} cannot be reached: {why}.", where=where, why=_short(error))) from error
        # Small messages leave at once.
        plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        try:
            connection = context.wrap_socket(plain)
        except ssl.SSLCertVerificationError as error:
            raise Refused(self._not_the_hall(error)) from error
        except TimeoutError as error:
            raise Refused(Phrase("The broker at {where} does not answer.", where=where)) from error
        except OSError as error:
            raise Refused(Phrase("The broker at {where} ends the connection: {why}.", where=where, why=_short(error))) from error
        connection.setblocking(False)
        assert isinstance(connection, TlsSocket)  # noqa: S101 - the context says so
        return connection

    def _not_the_hall(self, error: ssl.SSLCertVerificationError) -> Phrase:
        # The codes are OpenSSL's: X509_V_ERR_CERT_HAS_EXPIRED, CERT_NOT_YET_VALID, INVALID_PURPOSE.
        known = {
            10: Phrase("The certificate of the broker of hall {hall} has ended, or this machine's date is wrong.", hall=self._plan.hall),
            9: Phrase(
                "The certificate of the broker of hall {hall} begins later than this machine's date: set the date.", hall=self._plan.hall
            ),
            26: Phrase("Expected the broker of hall {hall}, found the certificate of another device of it.", hall=self._plan.hall),
        }
        other = Phrase("Expected the broker of hall {hall}, found a certificate of another CA.", hall=self._plan.hall)
        return known.get(error.verify_code, other)


def has_expired(connection: TlsSocket) -> bool:
    """Return whether the broker has ended the connection because the certificate has ended."""
    return connection.fault is not None and "CERTIFICATE_EXPIRED" in (connection.fault.reason or "")


def why_ended(connection: TlsSocket, plan: LinkPlan) -> str:
    said = connection.fault.reason or "" if connection.fault is not None else ""
    if has_expired(connection):
        if not plan.ends:
            return Phrase("This device's certificate has ended; enrol it again.")
        return Phrase("This device's certificate ended on {day}; enrol it again.", day=plan.ends)
    if "CERTIFICATE_REVOKED" in said:
        return Phrase("This device's certificate is revoked; enrol it again.")
    # Another authority; one with the same name and another key.
    if "UNKNOWN_CA" in said or "DECRYPT_ERROR" in said:
        return Phrase("The broker takes this device's certificate for that of another hall than {hall}; enrol it again.", hall=plan.hall)
    return Phrase("The broker ends the connection: {why}.", why=said.replace("_", " ").lower()) if said else ""


def _short(error: OSError) -> str:
    reason = getattr(error, "reason", None)
    return str(reason or error.strerror or "the connection is lost").replace("_", " ").lower()


_S: Final = 1_000_000_000
_MS: Final = 1_000_000
KEEP_ALIVE_S: Final = 10
AGAIN_MIN_NS: Final = _S // 5
AGAIN_MAX_NS: Final = 5 * _S
"""An attempt to connect follows the one before after 0.2 s, doubled up to 5 s, times a random 0.5 to 1."""
_TWIN: Final = Phrase(
    "The broker ends each connection at once: another device may use this device's certificate. Revoke it, and enrol both."
)


class Up(NamedTuple):
    """The broker has taken the connection."""


class Down(NamedTuple):
    why: str


class Received(NamedTuple):
    topic: str
    payload: bytes
    retained: bool


class Acknowledged(NamedTuple):
    mid: int
    refused: bool


News: TypeAlias = Up | Down | Received | Acknowledged


def wait(interests: Mapping[int, bool], until: int) -> frozenset[int]:
    """Return the descriptors that are ready, at the instant ``until`` (ns of CLOCK_MONOTONIC) or after 10 s at the latest.

    ``interests``: for each descriptor (-1: none) whether to wait also until it takes bytes.
    """
    poll = select.poll()
    for descriptor, writes in interests.items():
        if descriptor >= 0:
            poll.register(descriptor, select.POLLIN | (select.POLLOUT if writes else 0))
    timeout_ms = -(-(until - time.monotonic_ns()) // _MS)
    return frozenset(descriptor for descriptor, _ in poll.poll(max(0, min(timeout_ms, 10_000))))


class _Paho(Client):
    """paho on a connection that exists: its own way to connect blocks during the handshake.

    paho has no public way to take a socket over. The version is pinned, and tests/hall/link would notice another one.
    """

    connected: TlsSocket

    def _create_socket(self) -> TlsSocket:
        return self.connected


class BrokerConnection:
    """Connects, keeps the connection, and collects what happens. Nothing in it blocks, sleeps or has a thread."""

    def __init__(self, plan: LinkPlan) -> None:
        self._plan = plan
        self._news: deque[News] = deque()
        self._will: tuple[str, bytes] | None = None
        self._dialling: Dialling | None = None
        self._paho: _Paho | None = None
        self._now = 0
        self._up_since: int | None = None
        self._why: str = ""
        self._short_lived = 0
        self._pause = AGAIN_MIN_NS
        self._due = 0
        self._pending = False
        self.expired = False
        """The broker has refused the certificate because it has ended."""

    @property
    def is_up(self) -> bool:
        return self._up_since is not None

    def fileno(self) -> int:
        if self._dialling is not None:
            return self._dialling.fileno()
        return self._paho.connected.fileno() if self._paho is not None else -1

    @property
    def wants_write(self) -> bool:
        return self._paho is not None and self._paho.want_write()

    def due(self, now: int) -> int:
        """Return when ``step`` has to be called without the descriptor being ready, in ns."""
        if self._dialling is not None:
            return now + 60 * _S
        if self._paho is not None:
            # What TLS has read already does not make the descriptor readable.
            return now if self._pending else now + _S
        return self._due if self._will is not None and self._plan.host else now + 60 * _S

    def wait(self, until: int, *wakeups: int) -> frozenset[int]:
        """Wait for the broker, for one of the descriptors ``wakeups``, or until ``until`` (ns); return what is ready, for ``step``."""
        return wait({**dict.fromkeys(wakeups, False), self.fileno(): self.wants_write}, min(until, self.due(time.monotonic_ns())))

    def use(self, plan: LinkPlan, now: int) -> None:
        """Take another address of the broker, or what is known of a new certificate: from the next attempt on, which is due now."""
        self._plan, self._due = plan, now
        self.expired = False

    def open(self, will_topic: str = "", will: bytes = b"") -> None:
        """Keep a connection from now on, with this (retained) will; without a topic there is none."""
        self._will = (will_topic, will)

    def close(self) -> None:
        """End the connection, and have the broker publish the will after its delay."""
        self._will = None
        if self._paho is not None:
            self._paho.disconnect(reasoncode=ReasonCode(PacketTypes.DISCONNECT, "Disconnect with will message"))
        self._drop()

    def step(self, now: int, ready: frozenset[int]) -> list[News]:
        """Go on as far as possible without waiting; return what has happened, in order. ``now``: ns of CLOCK_MONOTONIC; ``ready``: readable or writable descriptors."""
        self._now = now
        try:
            if self._paho is not None:
                self._serve(self._paho, now, readable=self._pending or self.fileno() in ready)
            elif self._dialling is not None:
                connected = self._dialling.step()
                if connected is not None and self._will is not None:
                    self._dialling, self._paho, self._up_since = None, self._greeted(connected, *self._will), None
            elif self._will is not None and self._plan.host and now >= self._due:
                self._dialling = Dialling(self._plan)
        except Refused as refused:
            self._lost(refused.args[0], now)
        return [self._news.popleft() for _ in range(len(self._news))]

    def publish(self, topic: str, payload: bytes, *, qos: int = 1, retain: bool = False, expiry_s: int | None = None) -> int | None:
        """Publish; return the message's number, which comes back in ``Acknowledged``, or None: there is no connection."""
        if self._paho is None or not self.is_up:
            return None
        properties = None
        if expiry_s is not None:
            properties = Properties(PacketTypes.PUBLISH)
            properties.MessageExpiryInterval = expiry_s
        sent = self._paho.publish(topic, payload, qos=qos, retain=retain, properties=properties)
        return sent.mid if sent.rc == MQTTErrorCode.MQTT_ERR_SUCCESS else None

    def subscribe(self, *topics: str) -> None:
        """Subscribe. The broker grants forbidden topics too, and delivers nothing."""
        if self._paho is not None and topics:
            self._paho.subscribe([(topic, SubscribeOptions(qos=1)) for topic in topics])

    def unsubscribe(self, *topics: str) -> None:
        if self._paho is not None and topics:
            self._paho.unsubscribe(list(topics))

    def _greeted(self, connected: TlsSocket, topic: str, will: bytes) -> _Paho:
        paho = _Paho(
            CallbackAPIVersion.VERSION2, client_id=self._plan.device, protocol=MQTTProtocolVersion.MQTTv5, reconnect_on_failure=False
        )
        paho.connected = connected
        delay = Properties(PacketTypes.WILLMESSAGE)
        delay.WillDelayInterval = 5
        if topic:
            paho.will_set(topic, will, qos=1, retain=True, properties=delay)
        session = Properties(PacketTypes.CONNECT)
        # The session outlives the connection, so that the broker waits with the will.
        session.SessionExpiryInterval = 10
        paho.on_connect = self._on_connect
        paho.on_message = lambda _paho, _data, message: self._news.append(Received(message.topic, bytes(message.payload), message.retain))
        paho.on_publish = lambda _paho, _data, mid, code, _more: self._news.append(Acknowledged(mid, code.is_failure))
        paho.on_disconnect = self._on_disconnect
        paho.connect_async(self._plan.host, self._plan.port, keepalive=KEEP_ALIVE_S, clean_start=True, properties=session)
        paho.reconnect()
        return paho

    def _serve(self, paho: _Paho, now: int, *, readable: bool) -> None:
        self._pending = False
        for _ in range(100 if readable else 0):
            paho.loop_read()
            if self._ended(paho, now):
                return
            if not paho.connected.pending():
                break
        else:
            self._pending = readable
        if paho.want_write():
            paho.loop_write()
        paho.loop_misc()
        # A connection that has held for so long is none of a quarrel between two devices with one certificate.
        if not self._ended(paho, now) and self._up_since is not None and now - self._up_since >= 5 * _S:
            self._pause, self._short_lived = AGAIN_MIN_NS, 0

    def _ended(self, paho: _Paho, now: int) -> bool:
        if paho.socket() is not None:
            return False
        # Either TLS or MQTT may know why.
        self._short_lived += self._up_since is not None
        # Three in a row are no accident. mosquitto 2.0.11 does not say over TLS that another one took over.
        likely = _TWIN if self._short_lived >= 3 else Phrase("The connection to the broker is lost.")
        self.expired = has_expired(paho.connected)
        self._lost(why_ended(paho.connected, self._plan) or self._why or likely, now)
        return True

    def _lost(self, why: str, now: int) -> None:
        self._drop()
        # For spreading only, not for secrets.
        self._due = now + round(self._pause * random.uniform(0.5, 1))  # noqa: S311
        self._pause = min(AGAIN_MAX_NS, self._pause * 2)
        self._news.append(Down(why))

    def _drop(self) -> None:
        if self._dialling is not None:
            self._dialling.close()
        if self._paho is not None:
            self._paho.connected.close()
        self._dialling, self._paho, self._up_since, self._pending, self._why = None, None, None, False, ""

    def _on_connect(self, _paho: Client, _data: Any, _flags: ConnectFlags, code: ReasonCode, _more: Properties | None) -> None:
        if code.is_failure:
            self._why = Phrase("The broker refuses this device: {why}.", why=str(code).lower())
            return
        self._up_since = self._now
        self._news.append(Up())

    def _on_disconnect(self, _paho: Client, _data: Any, flags: DisconnectFlags, code: ReasonCode, _more: Properties | None) -> None:
        if flags.is_disconnect_packet_from_server:
            self._why = Phrase("The broker ends the connection: {why}.", why=str(code).lower())
