"""The authority of the desk's pages, apart from that of the devices: browsers take no Ed25519 certificate, so its keys are of P-256.

Phones are to trust it, so it can vouch for little: the names of the hall's machines, names in ``.local``, and private addresses.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, EllipticCurvePrivateKey, generate_private_key
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, load_pem_private_key
from cryptography.x509.oid import ExtendedKeyUsageOID
from msgspec import Struct

from appliance.records.files import OWNER_ONLY, PUBLIC, write_whole
from hall.errors import HallError, explained
from hall.keys.files import AUTHORITY_DAYS, builder, general_name, key_pem, name_of, usage

PAGE_DAYS: Final = 800
"""Apple's devices refuse a certificate for more than 825 days, counted from its beginning."""
_EARLIER: Final = timedelta(days=1)
"""A phone's clock may be behind."""
_PRIVATE: Final = tuple(
    ipaddress.ip_network(each)
    for each in ("10.0.0.0/8", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.168.0.0/16", "::1/128", "fc00::/7", "fe80::/10")
)
_FOLDER: Final = "pages"
_EXPECTED: Final = "a certificate of the desk's pages"
_ISSUE: Final = "Issue a new one: tilehall https"


class PageFiles(Struct, frozen=True):
    certificate: Path
    key: Path

    @classmethod
    def beside(cls, identity: Path) -> PageFiles:
        return cls(identity / "https.pem", identity / "https.key")


class PageAuthority(Struct, frozen=True):
    key: EllipticCurvePrivateKey
    certificate: x509.Certificate

    @classmethod
    def new(cls, hall: str, hosts: Sequence[str], now: datetime) -> PageAuthority:
        """Return a new authority, which can vouch for ``hosts``, names in ``.local`` and private addresses only."""
        key = generate_private_key(SECP256R1())
        name = name_of(hall, f"tileclock pages of {hall}"[:64])
        constraints = x509.NameConstraints(_permitted(hosts), None)
        certificate = (
            builder(name, name, key.public_key(), now - _EARLIER, now + timedelta(days=AUTHORITY_DAYS))
            .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
            .add_extension(usage(signs_certificates=True), critical=True)
            .add_extension(constraints, critical=True)
            .sign(key, SHA256())
        )
        return cls(key, certificate)

    def issue(self, hall: str, hosts: Sequence[str], now: datetime) -> tuple[EllipticCurvePrivateKey, x509.Certificate]:
        """Return key and certificate of a server that browsers reach by ``hosts``: names and addresses."""
        key = generate_private_key(SECP256R1())
        certificate = (
            builder(
                name_of(hall, hosts[0][:64]), self.certificate.subject, key.public_key(), now - _EARLIER, now + timedelta(days=PAGE_DAYS)
            )
            .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
            .add_extension(usage(signs_certificates=False), critical=True)
            .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
            .add_extension(x509.SubjectAlternativeName([general_name(each) for each in hosts]), critical=False)
            .sign(self.key, SHA256())
        )
        return key, certificate


def page_authority(folder: Path) -> Path:
    """Return where the authority's certificate is, which a phone has to trust. ``folder`` is the hall's."""
    return folder / _FOLDER / "ca.pem"


def write_page_certificate(folder: Path, hall: str, identity: Path, hosts: Sequence[str], now: datetime) -> PageFiles:
    """Issue the certificate of a desk's pages; make the authority if the hall (in ``folder``) has none.

    ``identity``: the folder with the desk's own certificate. ``hosts``: the names and addresses by which browsers reach the desk; ``HallError``
    if the authority cannot vouch for one.
    """
    with explained(HallError, "the hall's folder", where=folder, remedy="Check the path and the folder's permissions"):
        authority = _load_or_make(folder, hall, hosts, now)
        for host in hosts:
            _require_permitted(authority, host, folder)
        key, certificate = authority.issue(hall, hosts, now)
        files = PageFiles.beside(identity)
        write_whole(files.key, key_pem(key, None), OWNER_ONLY)
        write_whole(files.certificate, certificate.public_bytes(Encoding.PEM), PUBLIC)
    return files


def hosts_of(certificate: Path) -> tuple[str, ...]:
    """Return the names and addresses that a certificate is for; raises ``HallError`` if it cannot be read."""
    with explained(HallError, _EXPECTED, where=certificate, found="another kind of file", remedy=_ISSUE):
        found = x509.load_pem_x509_certificate(certificate.read_bytes())
        names = next((each.value for each in found.extensions if isinstance(each.value, x509.SubjectAlternativeName)), None)
        if names is None:
            raise ValueError(certificate)
    return tuple(str(each.value) for each in names)


def _load_or_make(folder: Path, hall: str, hosts: Sequence[str], now: datetime) -> PageAuthority:
    certificate = page_authority(folder)
    path = certificate.with_name("ca.key")
    if not certificate.exists():
        made = PageAuthority.new(hall, hosts, now)
        certificate.parent.mkdir(exist_ok=True)
        write_whole(path, key_pem(made.key, None), OWNER_ONLY)
        write_whole(certificate, made.certificate.public_bytes(Encoding.PEM), PUBLIC)
    own, vouching = path.read_bytes(), certificate.read_bytes()
    with explained(HallError, _EXPECTED, where=certificate, found="another kind of file", remedy=_ISSUE):
        key, found = load_pem_private_key(own, None), x509.load_pem_x509_certificate(vouching)
        if isinstance(key, EllipticCurvePrivateKey):
            return PageAuthority(key, found)
        raise ValueError(type(key))


def _permitted(hosts: Sequence[str]) -> list[x509.GeneralName]:
    addresses = [ipaddress.ip_network(each) for each in hosts if _is_address(each)]
    networks = dict.fromkeys((*_PRIVATE, *addresses))
    names = dict.fromkeys(("local", "localhost", *(each for each in hosts if not _is_address(each))))
    return [*(x509.DNSName(each) for each in names), *(x509.IPAddress(each) for each in networks)]


def _require_permitted(authority: PageAuthority, host: str, folder: Path) -> None:
    permitted = authority.certificate.extensions.get_extension_for_class(x509.NameConstraints).value.permitted_subtrees or ()
    allowed = [each.value for each in permitted]
    if _is_address(host):
        fits = any(ipaddress.ip_address(host) in each for each in allowed if not isinstance(each, str))
    else:
        fits = any(host == each or host.endswith(f".{each}") for each in allowed if isinstance(each, str))
    if not fits:
        raise HallError(
            where=page_authority(folder),
            expected="a name that the authority of the pages may vouch for",
            found=host,
            remedy=f"Rename {folder / _FOLDER}: a new authority is created, and each phone has to trust that one",
        )


def _is_address(host: str) -> bool:
    return isinstance(general_name(host), x509.IPAddress)
