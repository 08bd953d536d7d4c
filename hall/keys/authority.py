"""The hall's certificate authority: an Ed25519 key that signs certificates, revocations and credentials.

Also what a device is given and reads: its certificate, and ``hall.toml`` (docs/spec/wire.md, "Certificates and enrolment").
"""

from __future__ import annotations

import base64
import ipaddress
import json
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.types import CertificatePublicKeyTypes
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID, ObjectIdentifier
from msgspec import Struct

from faults.errors import reason
from hall.errors import HallFolderError
from wire.keys import key_text
from wire.topics import is_station, signed_bytes

DEVICE_DAYS: Final = 30
AUTHORITY_DAYS: Final = 3650
_SINCE: Final = datetime(2020, 1, 1, tzinfo=UTC)
"""Certificates begin here: a device without a battery for its date may be months behind, and still has to find the hall."""
_CLIENT: Final = x509.ExtendedKeyUsage([ExtendedKeyUsageOID.CLIENT_AUTH])
_BROKER: Final = x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH])
"""Only the broker's certificate has it, so no device can pass for the broker."""


class Authority(Struct, frozen=True):
    """Issues what the hall vouches for."""

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

    @classmethod
    def of(cls, key: Ed25519PrivateKey, certificate: x509.Certificate) -> Authority:
        return cls(str(certificate.subject.get_attributes_for_oid(NameOID.ORGANIZATION_NAME)[0].value), key, certificate)

    def device(self, name: str, key: Ed25519PublicKey, until: datetime) -> x509.Certificate:
        """Return the certificate of a client: a device, the listener or a desk. ``name`` becomes its name at the broker."""
        return self._builder(name, key, until).add_extension(_CLIENT, critical=True).sign(self.key, None)

    def broker(self, key: Ed25519PublicKey, hosts: Sequence[str], until: datetime) -> x509.Certificate:
        """Return the broker's certificate, for host names and addresses."""
        names = x509.SubjectAlternativeName([general_name(each) for each in hosts])
        made = self._builder("broker", key, until).add_extension(_BROKER, critical=True)
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

    @property
    def public(self) -> str:
        """The hall's public key in base64."""
        return key_text(self.key.public_key())

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
_REMEDY = "Enrol this device at its hall, or check the folder in the settings"


class Holder(Struct, frozen=True):
    """What a certificate says."""

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
    """Return what the certificate in ``path`` says; raises ``HallFolderError`` if there is none."""
    try:
        certificate = x509.load_pem_x509_certificate(path.read_bytes())
    except OSError as error:
        raise HallFolderError(where=path, expected="a certificate of a hall", found=reason(error), remedy=_REMEDY) from error
    except ValueError as error:
        raise HallFolderError(where=path, expected="a certificate of a hall", found="another kind of file", remedy=_REMEDY) from error
    hall, name = _part(certificate, NameOID.ORGANIZATION_NAME), _part(certificate, NameOID.COMMON_NAME)
    if not hall or not name:
        raise HallFolderError(where=path, expected="a certificate of a hall", found="one without a hall's name", remedy=_REMEDY)
    return Holder(hall, name, certificate.not_valid_after_utc)


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
