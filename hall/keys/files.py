"""A hall's folder: its authority, the broker's certificate, and a folder with certificate and key for each client."""

from __future__ import annotations

import base64
import ipaddress
import json
import shutil
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.types import CertificatePublicKeyTypes
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID, ObjectIdentifier
from msgspec import Struct

from appliance.records.files import OWNER_ONLY, PUBLIC, folder_lock, write_whole
from hall.errors import HallError, explained
from wire.keys import SigningKey, key_text
from wire.topics import is_station, signed_bytes

DEVICE_DAYS: Final = 30
AUTHORITY_DAYS: Final = 3650
_SINCE: Final = datetime(2020, 1, 1, tzinfo=UTC)
"""Certificates begin here: a device without a battery for its date may be months behind, and still has to find the hall."""


class Authority(Struct, frozen=True):
    hall: str
    key: Ed25519PrivateKey
    certificate: x509.Certificate

    @classmethod
    def new(cls, hall: str, now: datetime) -> Authority:
        key = Ed25519PrivateKey.generate()
        name = name_of(hall, "tileclock hall")
        certificate = (
            builder(name, name, key.public_key(), _SINCE, now + timedelta(days=AUTHORITY_DAYS))
            .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
            .add_extension(usage(signs_certificates=True), critical=True)
            .sign(key, None)
        )
        return cls(hall, key, certificate)

    def device(self, name: str, key: Ed25519PublicKey, until: datetime) -> x509.Certificate:
        """Return the certificate of a client: a device, the listener or a desk. ``name`` becomes its name at the broker."""
        return (
            self._builder(name, key, until)
            .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.CLIENT_AUTH]), critical=True)
            .sign(self.key, None)
        )

    def broker(self, key: Ed25519PublicKey, hosts: Sequence[str], until: datetime) -> x509.Certificate:
        names = x509.SubjectAlternativeName([general_name(each) for each in hosts])
        # Only the broker's certificate has it, so no device can pass for the broker.
        made = self._builder("broker", key, until).add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=True)
        return made.add_extension(names, critical=False).sign(self.key, None)

    def revocations(self, revoked: Iterable[int], now: datetime) -> x509.CertificateRevocationList:
        """Return the list of revoked serial numbers. mosquitto refuses everybody once the list has ended, so it is good as long as the authority."""
        listed = (
            x509.CertificateRevocationListBuilder()
            .issuer_name(self.certificate.subject)
            .last_update(_SINCE)
            .next_update(self.certificate.not_valid_after_utc)
        )
        for serial in revoked:
            listed = listed.add_revoked_certificate(x509.RevokedCertificateBuilder().serial_number(serial).revocation_date(now).build())
        return listed.sign(self.key, None)

    def credential(self, device: str, public: str) -> str:
        """Return the credential, as JSON, with which a station's verdicts show their origin (docs/spec/wire.md, "A verdict"); ``public`` is its own key in base64.

        It is good as long as the authority: without a certificate for the same name, which ends and can be revoked, it opens no topic.
        """
        ends = self.certificate.not_valid_after_utc
        body = json.dumps({"device": device, "key": public, "not_after_day": int(ends.timestamp()) // 86_400})
        signature = base64.b64encode(self.key.sign(signed_bytes("tc/1 credential", self.hall, body))).decode()
        return json.dumps({"body": body, "signature": signature})

    def _builder(self, name: str, key: Ed25519PublicKey, until: datetime) -> x509.CertificateBuilder:
        begun = builder(name_of(self.hall, name), self.certificate.subject, key, _SINCE, until)
        return begun.add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)


def usage(*, signs_certificates: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not signs_certificates,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=signs_certificates,
        crl_sign=signs_certificates,
        encipher_only=False,
        decipher_only=False,
    )


def builder(
    subject: x509.Name, issuer: x509.Name, key: CertificatePublicKeyTypes, since: datetime, until: datetime
) -> x509.CertificateBuilder:
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key)
        .serial_number(x509.random_serial_number())
        .not_valid_before(since)
        .not_valid_after(until)
    )


def name_of(hall: str, name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.ORGANIZATION_NAME, hall), x509.NameAttribute(NameOID.COMMON_NAME, name)])


def general_name(host: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(host))
    except ValueError:
        return x509.DNSName(host)


RENEWAL: Final = timedelta(days=10)
"""A device asks for its next certificate so long before the end of its last one."""
GRACE: Final = timedelta(days=60)
"""So long after its end a certificate may still be renewed: a club that meets once a month needs no director for it."""
_REMEDY = "On the hall's own machine run `tilehall init` first; a device enrols at its hall. Or check the folder in the settings"


class Holder(Struct, frozen=True):
    hall: str
    name: str
    """The name at the broker: a device's id, ``listener``, a desk."""
    ends: datetime

    @property
    def last_day(self) -> str:
        return f"{self.ends:%Y-%m-%d}"

    @property
    def renew_at(self) -> int:
        """From when on it is to be renewed, in s since 1970."""
        return int((self.ends - RENEWAL).timestamp())


def read_holder(path: Path) -> Holder:
    with explained(HallError, "a certificate of a hall", where=path, found="another kind of file", remedy=_REMEDY):
        certificate = x509.load_pem_x509_certificate(path.read_bytes())
    hall, name = hall_of(certificate), _part(certificate, NameOID.COMMON_NAME)
    if not hall or not name:
        raise HallError(where=path, expected="a certificate of a hall", found="one without a hall's name", remedy=_REMEDY)
    return Holder(hall, name, certificate.not_valid_after_utc)


def hall_of(certificate: x509.Certificate) -> str:
    return _part(certificate, NameOID.ORGANIZATION_NAME)


def _part(certificate: x509.Certificate, kind: ObjectIdentifier) -> str:
    return next((str(each.value) for each in certificate.subject.get_attributes_for_oid(kind)), "")


def trust_text(device: str, hall: str, hall_key: str, director_key: str, credential: str) -> str:
    """Return the file of a device: a clock's has the keys of hall and director, in base64, a station's its credential as JSON."""
    if not is_station(device):
        return _lines(hall=hall, hall_key=hall_key, director_key=director_key)
    signed = json.loads(credential)
    return f"{_lines(hall=hall)}\n[credential]\n{_lines(body=signed['body'], signature=signed['signature'])}"


def _lines(**values: str) -> str:
    # A JSON string in ASCII is a basic string of TOML.
    return "".join(f"{key} = {json.dumps(value)}\n" for key, value in values.items())


LISTENER: Final = "listener"
COMMAND_LINE: Final = "desk-order"
"""The name of ``tilehall order``: two clients of one name would end each other's connection."""
_CA: Final = "ca.pem"
_KEY: Final = "key.pem"
_AUTHORITY_KEY: Final = "ca.key"
_NAMES: Final = "names"
_BROKER: Final = "broker"


class Identity(Struct, frozen=True):
    ca: Path
    certificate: Path
    key: Path


class HallFiles(Struct, frozen=True):
    folder: Path
    authority: Authority

    @classmethod
    def make(cls, folder: Path, hall: str, hosts: Sequence[str], passphrase: bytes | None) -> HallFiles:
        """Make the authority, the broker's and the listener's certificates, and the director's key, in an empty or missing folder; raises ``HallError``.

        ``hosts``: names and addresses of the broker's machine. Without a passphrase it is a hall for trials, whose key is in plain text.
        """
        now = datetime.now(UTC)
        files = cls(folder, Authority.new(hall, now))
        with explained(HallError, "a folder for the hall", where=folder, remedy="Check the path and the folder's permissions"):
            folder.mkdir(parents=True, exist_ok=True)
            if any(folder.iterdir()):
                raise HallError(
                    where=folder,
                    expected="an empty folder for the new hall",
                    found="files",
                    remedy="Name another folder: a hall's keys are never overwritten",
                )
            write_whole(files.ca, files.authority.certificate.public_bytes(Encoding.PEM), PUBLIC)
            write_whole(folder / _AUTHORITY_KEY, key_pem(files.authority.key, None), OWNER_ONLY)
            director = Ed25519PrivateKey.generate()
            write_whole(files.director, key_pem(director, passphrase), OWNER_ONLY)
            write_whole(files._director_public, f"{key_text(director.public_key())}\n".encode(), PUBLIC)
            files.write_revocations(())
            files.admit_broker(hosts)
            files.admit(LISTENER, days=DEVICE_DAYS * 12)
        return files

    @classmethod
    def load(cls, folder: Path) -> HallFiles:
        with _hall_in(folder):
            key = load_pem_private_key((folder / _AUTHORITY_KEY).read_bytes(), None)
            certificate = x509.load_pem_x509_certificate((folder / _CA).read_bytes())
            if isinstance(key, Ed25519PrivateKey):
                return cls(folder, Authority(hall_of(certificate), key, certificate))
            raise ValueError(type(key))

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(sorted(each.name for each in (self.folder / _NAMES).iterdir() if each.name != _BROKER))

    def changing(self) -> AbstractContextManager[None]:
        return folder_lock(self.folder)

    @property
    def ca(self) -> Path:
        return self.folder / _CA

    @property
    def revocations(self) -> Path:
        return self.folder / "revoked.pem"

    @property
    def director(self) -> Path:
        return self.folder / "director.pem"

    @property
    def broker(self) -> Identity:
        return self.identity(_BROKER)

    def identity(self, name: str) -> Identity:
        """Return where the certificate of ``name`` is, whether it has been issued or not. Its folder is whole: it can be copied to a device."""
        return identity_in(self._of(name))

    def admit(self, name: str, *, days: int = DEVICE_DAYS) -> Identity:
        """Make a key and a certificate for a client on this machine: the listener, a desk, or a device of a trial."""
        key = Ed25519PrivateKey.generate()
        return self._store(name, key, self.authority.device(name, key.public_key(), _until(days)))

    def admit_key(self, name: str, key: Ed25519PublicKey) -> x509.Certificate:
        """Issue a certificate for a client on another machine, which keeps its key."""
        certificate = self.authority.device(name, key, _until(DEVICE_DAYS))
        self._issue(name, certificate)
        return certificate

    def admit_broker(self, hosts: Sequence[str]) -> Identity:
        key = Ed25519PrivateKey.generate()
        return self._store(_BROKER, key, self.authority.broker(key.public_key(), hosts, self.authority.certificate.not_valid_after_utc))

    def certificate(self, name: str) -> x509.Certificate | None:
        """Return the last certificate of a client; None: it has none, or it has been revoked."""
        try:
            return x509.load_pem_x509_certificate(self.identity(name).certificate.read_bytes())
        except FileNotFoundError:
            return None

    def revoke(self, name: str) -> None:
        """Write the list of revoked certificates with all that ``name`` has had, and forget the name; raises ``HallError`` for an unknown one."""
        if name not in self.names:
            raise HallError(
                where=self.folder, expected="the name of a certificate", found=name, remedy=f"Choose one of {', '.join(self.names)}"
            )
        listed = x509.load_pem_x509_crl(self.revocations.read_bytes())
        before = {each.serial_number for each in listed}
        serials = self._serials(name)
        own = serials.read_text(encoding="ascii").split() if serials.exists() else []
        self.write_revocations(before | {int(line, 16) for line in own})
        shutil.rmtree(self._of(name))

    def write_revocations(self, serials: Sequence[int] | set[int]) -> None:
        write_whole(self.revocations, self.authority.revocations(serials, datetime.now(UTC)).public_bytes(Encoding.PEM), PUBLIC)

    def director_public(self) -> str:
        """Return the director's public key in base64, which every clock gets; raises ``HallError``."""
        with _hall_in(self._director_public):
            return self._director_public.read_text(encoding="ascii").strip()

    @property
    def _director_public(self) -> Path:
        # The key itself is encrypted, and admitting a device must not ask for its passphrase.
        return self.folder / "director.pub"

    def _store(self, name: str, key: Ed25519PrivateKey, certificate: x509.Certificate) -> Identity:
        identity = self.identity(name)
        identity.key.parent.mkdir(parents=True, exist_ok=True)
        write_whole(identity.key, key_pem(key, None), OWNER_ONLY)
        self._issue(name, certificate)
        return identity

    def _issue(self, name: str, certificate: x509.Certificate) -> None:
        identity, serials = self.identity(name), self._serials(name)
        serials.parent.mkdir(parents=True, exist_ok=True)
        before = serials.read_text(encoding="ascii") if serials.exists() else ""
        # First: a certificate whose serial number is unknown could never be revoked.
        write_whole(serials, f"{before}{certificate.serial_number:x}\n".encode(), PUBLIC)
        write_whole(identity.ca, self.authority.certificate.public_bytes(Encoding.PEM), PUBLIC)
        write_whole(identity.certificate, certificate.public_bytes(Encoding.PEM), PUBLIC)

    def _serials(self, name: str) -> Path:
        # A certificate that has been renewed is good until its end, so a revocation needs the earlier ones too.
        return self._of(name) / "serials"

    def _of(self, name: str) -> Path:
        return self.folder / _NAMES / name


def identity_in(folder: Path) -> Identity:
    return Identity(folder / _CA, folder / "certificate.pem", folder / _KEY)


def _hall_in(place: Path) -> AbstractContextManager[None]:
    return explained(
        HallError,
        "the keys of a hall",
        where=place,
        found="damaged keys, or others",
        remedy="Name the folder that `tilehall init` has made, as its owner",
    )


def _until(days: int) -> datetime:
    return datetime.now(UTC) + timedelta(days=days)


def key_pem(key: Ed25519PrivateKey | EllipticCurvePrivateKey, passphrase: bytes | None) -> bytes:
    encryption = NoEncryption() if passphrase is None else BestAvailableEncryption(passphrase)
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, encryption)


def unlock_director(path: Path, passphrase: bytes) -> SigningKey:
    """Return the director's key in ``path``. That of a hall for trials lies in plain text: any passphrase opens it. Raises ``HallError``."""
    with explained(
        HallError,
        "the director's key",
        where=path,
        found="another kind of key",
        remedy="Name the file director.pem that `tilehall init` has made, as its owner",
    ):
        private = _opened(path.read_bytes(), passphrase)
        if isinstance(private, Ed25519PrivateKey):
            return SigningKey(private)
        raise ValueError(type(private))


def _opened(pem: bytes, passphrase: bytes) -> object:
    if b"ENCRYPTED" not in pem:
        return load_pem_private_key(pem, None)
    with explained(HallError, "the director's passphrase", found="another one", remedy="Type it again"):
        return load_pem_private_key(pem, passphrase or b"\0")
