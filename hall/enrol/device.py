"""A device's own files of its enrolment: where they are, whether they fit, and how they are written."""

from __future__ import annotations

import secrets
import socket
import ssl
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from pkgutil import resolve_name
from typing import Any, BinaryIO, Final, Literal, TypeVar

from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509.oid import ExtendedKeyUsageOID
from msgspec import Struct
from pydantic import BaseModel

from appliance.qr import qr_rows
from appliance.records.files import OWNER_ONLY, PRIVATE, PUBLIC, write_whole
from appliance.version import VERSION as VERSION_OF_PROGRAM
from hall.enrol.protocol import (
    LONGEST,
    SENTENCES,
    EnrolRequest,
    Grant,
    HallAnswer,
    HallOpening,
    Opening,
    Renewal,
    Reveal,
    commitment,
    digits_of,
    fingerprint,
    transcript_of,
)
from hall.errors import EnrolmentRefused, HallError, explained
from hall.keys.files import GRACE, Holder, Identity, hall_of, identity_in, read_holder, trust_text
from hall.settings import Settings
from wire.keys import DeviceKey, key_text, load_key, signature_fits
from wire.local.client import DeviceClient, PeerGone
from wire.reports import as_line
from wire.topics import VERSION, signed_bytes

M = TypeVar("M", bound=BaseModel)
LINE_S: Final = 20.0
"""How long the hall may take for a line."""
WAIT_S: Final = 660.0
"""How long a device waits for the director: longer than the hall."""
_PORT: Final = "the hall's enrolment port"
_AGAIN: Final = "Check the address, and that tilehall-admissions runs there"


class HallPort(Struct, frozen=True):
    host: str
    port: int
    pin: str = ""
    """The SHA-256 of its CA certificate; empty: the director compares digits."""

    def __str__(self) -> str:
        return f"{self.host}:{self.port}"


class DeviceKeys(Struct, frozen=True):
    own: DeviceKey
    link: DeviceKey


class Granted(Struct, frozen=True):
    ca: x509.Certificate
    certificate: x509.Certificate
    grant: Grant


class ToCompare(Struct, frozen=True):
    hall: str
    digits: str
    transcript: str


def enrol(port: HallPort, keys: DeviceKeys, request: EnrolRequest, token: str | None, show: Callable[[ToCompare], None]) -> Granted:
    """Ask for a certificate, and wait for the answer.

    ``request``: with the public halves of ``keys``. ``token``: admits without the director; it goes to the hall with ``port.pin`` only. ``show``: called
    where the director has to compare digits.

    Raises:
        HallError: the hall cannot be reached, or another one answers.
        EnrolmentRefused: the hall refuses.
    """
    text, secret = request.model_dump_json(), secrets.token_hex(16)
    with _connected(port) as line:
        line.send(Opening(do="enrol", commitment=commitment(text, secret)))
        ca, nonce = line.hall(port.pin)
        transcript = transcript_of(ca.public_bytes(Encoding.DER), text, secret, nonce)
        signed = signed_bytes("tc/1 enrolment", transcript)
        line.send(Reveal(request=text, secret=secret, proof=keys.own.sign(signed), link_proof=keys.link.sign(signed), token=token))
        answer = line.receive(HallAnswer)
        if answer.answer == "waiting":
            show(ToCompare(hall_of(ca), digits_of(transcript), transcript))
            answer = line.receive(HallAnswer, WAIT_S)
        return line.granted(answer, ca, transcript, keys.own.device, keys.link)


def renew(port: HallPort, device: str, link: DeviceKey) -> Granted:
    """Ask for a new certificate for the link's key; ``port`` needs a pin. Raises as ``enrol`` does."""
    with _connected(port) as line:
        line.send(Opening(do="renew"))
        ca, nonce = line.hall(port.pin)
        line.send(Renewal(device=device, proof=link.sign(signed_bytes("tc/1 renewal", hall_of(ca), device, nonce))))
        return line.granted(line.receive(HallAnswer), ca, nonce, device, link)


@contextmanager
def _connected(port: HallPort) -> Iterator[_Line]:
    # Whose certificate it is, ``hall`` checks: before the pin or the digits there is no authority to trust.
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    with (
        explained(HallError, _PORT, where=port, remedy=_AGAIN),
        socket.create_connection((port.host, port.port), LINE_S) as plain,
        context.wrap_socket(plain) as connection,
        # Closed too: until then the connection stays open, and the hall counts it.
        connection.makefile("rb") as lines,
    ):
        yield _Line(port, connection, lines)


class _Line:
    def __init__(self, port: HallPort, connection: ssl.SSLSocket, lines: BinaryIO) -> None:
        self._port, self._connection, self._lines = port, connection, lines

    def send(self, message: BaseModel) -> None:
        self._connection.sendall(message.model_dump_json().encode() + b"\n")

    def receive(self, kind: type[M], patience_s: float = LINE_S) -> M:
        self._connection.settimeout(patience_s)
        said = self._lines.readline(LONGEST)
        if not said:
            raise _unreachable(self._port, "that it ends the connection")
        with explained(HallError, _PORT, where=self._port, found="another answer", remedy=_AGAIN):
            return kind.model_validate_json(said)

    def hall(self, pin: str) -> tuple[x509.Certificate, str]:
        """Return the hall's CA certificate and its random number.

        Raises:
            HallError: it is not the pinned one, or this connection is not with its machine.
        """
        said = self.receive(HallOpening)
        try:
            ca = x509.load_pem_x509_certificate(said.ca.encode())
            shown = x509.load_der_x509_certificate(self._connection.getpeercert(binary_form=True) or b"")
            shown.verify_directly_issued_by(ca)
            serves = shown.extensions.get_extension_for_class(x509.ExtendedKeyUsage).value
            genuine = ExtendedKeyUsageOID.SERVER_AUTH in serves and bool(hall_of(ca))
        except (ValueError, TypeError, InvalidSignature, x509.ExtensionNotFound) as error:
            raise _unreachable(self._port, "a machine without a hall's certificate") from error
        if not genuine:
            raise _unreachable(self._port, "a machine with a device's certificate")
        found = fingerprint(ca.public_bytes(Encoding.DER))
        if pin and found != pin:
            raise HallError(
                where=self._port,
                expected=f"the hall with the fingerprint {pin[:16]}...",
                found=f"hall {hall_of(ca)} with {found[:16]}...",
                remedy="Check the address; if the hall has new keys, make new files with `tilehall token`",
            )
        return ca, said.nonce

    def granted(self, answer: HallAnswer, ca: x509.Certificate, conversation: str, device: str, link: DeviceKey) -> Granted:
        """Return what the hall has granted.

        Raises:
            EnrolmentRefused: it refuses.
            HallError: the answer is not the hall's.
        """
        if answer.answer == "refused":
            why = SENTENCES.get(answer.reason, answer.reason)
            raise EnrolmentRefused(where=self._port, expected="to be admitted", found=answer.reason, remedy=why.removesuffix("."))
        hall, key = hall_of(ca), ca.public_key()
        try:
            signed = signed_bytes("tc/1 grant", hall, conversation, answer.body)
            genuine = isinstance(key, Ed25519PublicKey) and signature_fits(key_text(key), answer.signature, signed)
            grant = Grant.model_validate_json(answer.body)
            certificate = x509.load_pem_x509_certificate(grant.certificate.encode())
            certificate.verify_directly_issued_by(ca)
            ours = genuine and certificate.public_key() == link.private.public_key()
        except (ValueError, TypeError, InvalidSignature) as error:
            raise _unreachable(self._port, "an answer that the hall has not signed") from error
        if not ours or (grant.hall, grant.device) != (hall, device):
            raise _unreachable(self._port, "an answer that is not its own for this device")
        return Granted(ca, certificate, grant)


def _unreachable(port: HallPort, found: str) -> HallError:
    return HallError(where=port, expected=_PORT, found=found, remedy=_AGAIN)


@contextmanager
def on_panel(path: Path) -> Iterator[Callable[[ToCompare], None]]:
    """Yield what shows digits by the socket at ``path``, until the end of the block. Where no program serves it, or a link has it, nothing shows."""
    client = DeviceClient(path)

    def show(compare: ToCompare) -> None:
        # The words in the terminal are there in any case.
        with suppress(PeerGone):
            if client.connect():
                client.write({"t": "hello", "v": VERSION, "version": VERSION_OF_PROGRAM})
                client.write({"t": "join", "hall": compare.hall, "digits": compare.digits, "code": qr_rows(compare.transcript)})

    try:
        yield show
    finally:
        client.close()


Program = Literal["tileclock", "tilekiosk"]
_SETTINGS: Final[Mapping[Program, str]] = {"tileclock": "firmware.settings:LAYERS", "tilekiosk": "kiosk.settings:LAYERS"}


class DevicePlaces(Struct, frozen=True):
    program: Program
    enabled: bool
    key: Path
    trust: Path
    socket: Path
    link: Path
    name: str
    table: int | None

    @property
    def kind(self) -> Literal["clock", "station"]:
        return "clock" if self.program == "tileclock" else "station"

    @property
    def identity(self) -> Identity:
        return identity_in(self.link)


def places_of(program: Program, link: Path, file: Path | None = None) -> DevicePlaces:
    settings = settings_of(program, file)
    hall = settings.hall
    name, table = (hall.name, hall.table or None) if program == "tileclock" else (settings.name, None)
    return DevicePlaces(program, hall.enabled, Path(hall.key), Path(hall.trust), Path(hall.socket), link, name, table)


def settings_of(program: Program, file: Path | None) -> Any:
    """Return the settings of clock or station: those of ``file`` alone, else those of this machine.

    Raises:
        SettingsError: they are faulty.
        HallError: the program is not installed on this machine.
    """
    try:
        # The hall is installed without the two programs; on a device only one of them is.
        layers = resolve_name(_SETTINGS[program])
    except ModuleNotFoundError as error:
        raise HallError(expected=f"the program {program} on this machine", found="none", remedy="Install its package") from error
    return layers.load({}, file).settings


def keys_of(places: DevicePlaces) -> DeviceKeys:
    """Return the device's keys; make those that are missing, for the owners of their folders. Raises ``DeviceKeyError``."""
    # At boot the link's key is made by the user of clock or station; the link reads it by the folder's group.
    return DeviceKeys(load_key(places.key, places.kind[0]), load_key(places.identity.key, places.kind[0], PRIVATE))


def request_of(places: DevicePlaces, keys: DeviceKeys) -> EnrolRequest:
    return EnrolRequest(kind=places.kind, key=keys.own.public, link_key=keys.link.public, name=as_line(places.name), table=places.table)


def is_enrolled(places: DevicePlaces, pin: str) -> bool:
    """Return whether the device has all that the hall with this fingerprint grants, and can still renew it.

    The certificate is written last, so with a fitting one everything is there.
    """
    try:
        ca = x509.load_pem_x509_certificate(places.identity.ca.read_bytes())
        certificate = x509.load_pem_x509_certificate(places.identity.certificate.read_bytes())
        certificate.verify_directly_issued_by(ca)
        keys = keys_of(places)
        holder = read_holder(places.identity.certificate)
    except (OSError, ValueError, TypeError, InvalidSignature):
        return False
    if datetime.now(UTC) > holder.ends + GRACE:
        return False
    fits = certificate.public_key() == keys.link.private.public_key() and holder.name == keys.own.device
    return fits and places.trust.exists() and fingerprint(ca.public_bytes(Encoding.DER)) == pin


def keep(places: DevicePlaces, granted: Granted) -> None:
    """Write what the hall has granted: whole files, the certificate last. Raises ``HallError``."""
    grant, key = granted.grant, granted.ca.public_key()
    assert isinstance(key, Ed25519PublicKey)  # noqa: S101 - the client has checked its signature
    credential = "" if grant.credential is None else grant.credential.model_dump_json()
    trust = trust_text(grant.device, grant.hall, key_text(key), grant.director_key, credential)
    with explained(HallError, "to write what the hall has granted", remedy="Run it with sudo"):
        write_whole(places.trust, trust.encode(), OWNER_ONLY, for_owner=True)
        write_whole(places.identity.ca, granted.ca.public_bytes(Encoding.PEM), PUBLIC, for_owner=True)
        keep_certificate(places.identity, granted)


def keep_certificate(identity: Identity, granted: Granted) -> None:
    write_whole(identity.certificate, granted.certificate.public_bytes(Encoding.PEM), PUBLIC, for_owner=True)


def renewed(settings: Settings) -> Holder:
    """Get and keep the next certificate of this device's link; return what it says. Raises as ``enrol``, and ``HallError``."""
    identity = identity_in(Path(settings.link.folder))
    device = read_holder(identity.certificate).name
    with explained(
        HallError,
        "the CA certificate of a hall",
        where=identity.ca,
        found="another kind of file",
        remedy="Enrol this device at its hall",
    ):
        ca = x509.load_pem_x509_certificate(identity.ca.read_bytes())
    port = HallPort(settings.broker.host or "127.0.0.1", settings.enrol.port, fingerprint(ca.public_bytes(Encoding.DER)))
    with explained(HallError, "to write the new certificate", where=identity.certificate):
        keep_certificate(identity, renew(port, device, load_key(identity.key, device[0])))
    return read_holder(identity.certificate)
