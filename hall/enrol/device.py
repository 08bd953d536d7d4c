"""A device's own files of its enrolment: where they are, whether they fit, and how they are written."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from pkgutil import resolve_name
from typing import Any, Final, Literal

from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding
from msgspec import Struct

from appliance.records.files import PRIVATE, PUBLIC, write_whole
from faults.errors import reason
from hall.enrol.client import DeviceKeys, Granted
from hall.enrol.protocol import EnrolRequest, fingerprint
from hall.errors import HallFolderError
from hall.keys.authority import GRACE, key_text, read_holder, trust_text
from hall.keys.files import Identity, identity_in
from wire.keys import load_key
from wire.reports import as_line
from wire.topics import CLOCK, STATION

Program = Literal["tileclock", "tilekiosk"]
_OWNER_ONLY: Final = 0o600
_SETTINGS: Final[Mapping[Program, str]] = {"tileclock": "firmware.settings.places:LAYERS", "tilekiosk": "kiosk.settings:LAYERS"}
"""Where each program reads its settings."""


class DevicePlaces(Struct, frozen=True):
    """A device: who it is, and its files."""

    program: Program
    enabled: bool
    """Its program reports to the hall."""
    key: Path
    trust: Path
    socket: Path
    """Where its program meets the link."""
    link: Path
    """The folder of its link."""
    name: str
    table: int | None

    @property
    def kind(self) -> Literal["clock", "station"]:
        return "clock" if self.program == "tileclock" else "station"

    @property
    def identity(self) -> Identity:
        return identity_in(self.link)


def places_of(program: Program, link: Path, file: Path | None = None) -> DevicePlaces:
    """Return the places that the settings of clock or station name; raises as ``settings_of`` does."""
    settings = settings_of(program, file)
    hall = settings.hall
    name, table = (hall.name, hall.table or None) if program == "tileclock" else (settings.name, None)
    return DevicePlaces(program, hall.enabled, Path(hall.key), Path(hall.trust), Path(hall.socket), link, name, table)


def settings_of(program: Program, file: Path | None) -> Any:
    """Return the settings of clock or station: those of ``file`` alone, else those of this machine.

    Raises:
        SettingsError: they are faulty.
        HallFolderError: the program is not installed on this machine.
    """
    try:
        # The hall is installed without the two programs; on a device only one of them is.
        layers = resolve_name(_SETTINGS[program])
    except ModuleNotFoundError as error:
        raise HallFolderError(expected=f"the program {program} on this machine", found="none", remedy="Install its package") from error
    return layers.load({}, file).settings


def keys_of(places: DevicePlaces) -> DeviceKeys:
    """Return the device's keys; make those that are missing, for the owners of their folders. Raises ``DeviceKeyError``."""
    # At boot the link's key is made by the user of clock or station; the link reads it by the folder's group.
    return DeviceKeys(load_key(places.key, _kind(places)), load_key(places.identity.key, _kind(places), PRIVATE))


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
    """Write what the hall has granted: whole files, the certificate last. Raises ``HallFolderError``."""
    grant, key = granted.grant, granted.ca.public_key()
    assert isinstance(key, Ed25519PublicKey)  # noqa: S101 - the client has checked its signature
    credential = "" if grant.credential is None else grant.credential.model_dump_json()
    trust = trust_text(grant.device, grant.hall, key_text(key), grant.director_key, credential)
    try:
        write_whole(places.trust, trust.encode(), _OWNER_ONLY, for_owner=True)
        write_whole(places.identity.ca, granted.ca.public_bytes(Encoding.PEM), PUBLIC, for_owner=True)
        keep_certificate(places.identity, granted)
    except OSError as error:
        raise HallFolderError(
            where=error.filename or places.link,
            expected="to write what the hall has granted",
            found=reason(error),
            remedy="Run it with sudo",
        ) from error


def keep_certificate(identity: Identity, granted: Granted) -> None:
    write_whole(identity.certificate, granted.certificate.public_bytes(Encoding.PEM), PUBLIC, for_owner=True)


def pin_of(identity: Identity) -> str:
    """Return the fingerprint of the hall that a link belongs to; raises ``HallFolderError`` if it belongs to none."""
    try:
        ca = x509.load_pem_x509_certificate(identity.ca.read_bytes())
    except (OSError, ValueError) as error:
        raise HallFolderError(
            where=identity.ca, expected="the CA certificate of a hall", found=reason(error), remedy="Enrol this device at its hall"
        ) from error
    return fingerprint(ca.public_bytes(Encoding.DER))


def _kind(places: DevicePlaces) -> str:
    return CLOCK if places.program == "tileclock" else STATION
