"""What a link needs to know, and how it connects: to the broker's port, with TLS.

Standard library only: the running link has 25 MB of memory at most.
"""

from __future__ import annotations

import json
import os
import socket
import ssl
import threading
from contextlib import suppress
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
        raise Refused(f"This device has no usable certificate in {plan.certificate.parent}: enrol it.", found) from error
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
        found: TlsSocket | Refused = Refused("The attempt to connect has failed.")
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
            raise Refused(f"No machine is called {self._plan.host}: check the broker's address and the network.") from error
        except TimeoutError as error:
            raise Refused(f"The broker at {where} does not answer.") from error
        except OSError as error:
            raise Refused(f"The broker at {where} cannot be reached: {_short(error)}.") from error
        # Small messages leave at once.
        plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        try:
            connection = context.wrap_socket(plain)
        except ssl.SSLCertVerificationError as error:
            raise Refused(self._not_the_hall(error)) from error
        except TimeoutError as error:
            raise Refused(f"The broker at {where} does not answer.") from error
        except OSError as error:
            raise Refused(f"The broker at {where} ends the connection: {_short(error)}.") from error
        connection.setblocking(False)
        assert isinstance(connection, TlsSocket)  # noqa: S101 - the context says so
        return connection

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
