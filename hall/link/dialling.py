"""What a link needs to know, and how it connects: to the broker's port, with TLS, without ever blocking but for the look-up of a name.

Standard library only: the running link has 25 MB of memory at most.
"""

from __future__ import annotations

import errno
import json
import os
import socket
import ssl
from contextlib import suppress
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

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
    """The device's id, which the certificate is issued for."""
    socket: Path
    ends: str = ""
    """The certificate's last day, for sentences; empty: unknown."""
    renew_at: int = 0
    """From when on the certificate is to be renewed, in s since 1970; 0: never by the link."""
    enrol_port: int = 0
    """The hall's port for that."""
    look_from: str = ""
    """Where ``host`` is empty: the address of this machine from which the broker is looked for; empty: all."""

    def to_json(self) -> str:
        return json.dumps(self._asdict(), default=str)

    @classmethod
    def from_json(cls, text: str) -> LinkPlan:
        fields = json.loads(text)
        return cls(**fields | {name: Path(fields[name]) for name in ("ca", "certificate", "key", "socket")})


DIAL_NS: Final = 10_000_000_000
"""How long an attempt may take."""


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


class _Stage(Enum):
    CONNECTING = "TCP"
    SHAKING_HANDS = "TLS"


def tls_context(plan: LinkPlan) -> ssl.SSLContext:
    """Return what the link shows and whom it trusts: the hall's authority alone. Raises ``Refused`` for an unusable file."""
    try:
        context = ssl.create_default_context(cafile=plan.ca)
        context.load_cert_chain(plan.certificate, plan.key)
    except (OSError, ValueError) as error:
        # The message of an SSLError says nothing to anybody, and an OSError does not name the file.
        missing = [path.name for path in (plan.ca, plan.certificate, plan.key) if not os.access(path, os.R_OK)]
        found = f"no readable {' and '.join(missing)}" if missing else "others"
        raise Refused(f"This device has no usable certificate in {plan.certificate.parent}: enrol it.", found) from error
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    # A broker has any address. That it is the hall's broker is shown by its certificate: the authority issues only one that serves.
    context.check_hostname = False
    context.sslsocket_class = TlsSocket
    return context


class Dialling:
    """One attempt; ``attempt`` counts up, so that each of the broker's addresses is tried. Raises ``Refused`` if there is no such address, or nothing listens there."""

    def __init__(self, plan: LinkPlan, context: ssl.SSLContext, attempt: int, now: int) -> None:
        self._plan = plan
        self._context = context
        self._until = now + DIAL_NS
        self._stage = _Stage.CONNECTING
        self.wants_write = True
        self._socket = self._dialled(attempt)

    def fileno(self) -> int:
        return self._socket.fileno()

    @property
    def due(self) -> int:
        return self._until

    def step(self, now: int) -> TlsSocket | None:
        """Go on as far as possible; return the connection once it is made. Raises ``Refused``."""
        try:
            return self._step(now)
        except BaseException:
            self._socket.close()
            raise

    def close(self) -> None:
        self._socket.close()

    def _step(self, now: int) -> TlsSocket | None:
        if self._stage is _Stage.CONNECTING and not self._has_connected():
            self._require_time(now)
            return None
        connection = self._socket
        assert isinstance(connection, TlsSocket)  # noqa: S101 - the stage says so
        try:
            connection.do_handshake()
        except ssl.SSLWantReadError:
            self.wants_write = False
        except ssl.SSLWantWriteError:
            self.wants_write = True
        except ssl.SSLCertVerificationError as error:
            raise Refused(self._not_the_hall(error)) from error
        except OSError as error:
            raise Refused(f"The broker at {self._where} ends the connection: {_short(error)}.") from error
        else:
            return connection
        self._require_time(now)
        return None

    def _has_connected(self) -> bool:
        code = self._socket.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
        if code:
            raise self._nobody(code)
        try:
            self._socket.getpeername()
        except OSError:
            return False
        self._stage = _Stage.SHAKING_HANDS
        self._socket = self._context.wrap_socket(self._socket, do_handshake_on_connect=False)
        return True

    def _dialled(self, attempt: int) -> socket.socket:
        try:
            found = socket.getaddrinfo(self._plan.host, self._plan.port, type=socket.SOCK_STREAM)
        except OSError as error:
            raise Refused(f"No machine is called {self._plan.host}: check the broker's address and the network.") from error
        family, kind, protocol, _, address = found[attempt % len(found)]
        attempted = socket.socket(family, kind, protocol)
        attempted.setblocking(False)
        # Small messages leave at once.
        attempted.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        code = attempted.connect_ex(address)
        if code not in (0, errno.EINPROGRESS):
            attempted.close()
            raise self._nobody(code)
        return attempted

    def _require_time(self, now: int) -> None:
        if now >= self._until:
            raise Refused(f"The broker at {self._where} does not answer.")

    def _nobody(self, code: int) -> Refused:
        return Refused(f"The broker at {self._where} cannot be reached: {os.strerror(code).lower()}.")

    def _not_the_hall(self, error: ssl.SSLCertVerificationError) -> str:
        hall = self._plan.hall
        match error.verify_code:
            case 10:  # X509_V_ERR_CERT_HAS_EXPIRED
                return f"The certificate of the broker of hall {hall} has ended, or this machine's date is wrong."
            case 9:  # X509_V_ERR_CERT_NOT_YET_VALID
                return f"The certificate of the broker of hall {hall} begins later than this machine's date: set the date."
            case 26:  # X509_V_ERR_INVALID_PURPOSE
                return f"Expected the broker of hall {hall}, found the certificate of another device of it."
            case _:
                return f"Expected the broker of hall {hall}, found a certificate of another CA."

    @property
    def _where(self) -> str:
        return f"{self._plan.host}:{self._plan.port}"


def has_expired(connection: TlsSocket) -> bool:
    """Return whether the broker has ended the connection because the certificate has ended."""
    return connection.fault is not None and "CERTIFICATE_EXPIRED" in (connection.fault.reason or "")


def why_ended(connection: TlsSocket, plan: LinkPlan) -> str:
    """Return the sentence for what TLS says about the end of the connection; empty: nothing."""
    said = connection.fault.reason or "" if connection.fault is not None else ""
    if has_expired(connection):
        ended = f"ended on {plan.ends}" if plan.ends else "has ended"
        return f"This device's certificate {ended}; enrol it again."
    if "CERTIFICATE_REVOKED" in said:
        return "This device's certificate is revoked; enrol it again."
    # Another authority; one with the same name and another key.
    if "UNKNOWN_CA" in said or "DECRYPT_ERROR" in said:
        return f"The broker takes this device's certificate for that of another hall than {plan.hall}; enrol it again."
    return f"The broker ends the connection: {said.replace('_', ' ').lower()}." if said else ""


def _short(error: OSError) -> str:
    reason = getattr(error, "reason", None)
    return str(reason or error.strerror or "the connection is lost").replace("_", " ").lower()
