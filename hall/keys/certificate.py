"""Reads the certificate that a device has been given: for whom, of which hall, until when."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from cryptography import x509
from cryptography.x509.oid import NameOID, ObjectIdentifier

from faults.errors import reason
from hall.errors import HallFolderError

RENEWAL: Final = timedelta(days=10)
"""A device asks for its next certificate so long before the end of its last one."""
GRACE: Final = timedelta(days=60)
"""So long after its end a certificate may still be renewed: a club that meets once a month needs no director for it."""
_REMEDY = "Enrol this device at its hall, or check the folder in the settings"


@dataclass(frozen=True, slots=True)
class Holder:
    """What a certificate says."""

    hall: str
    name: str
    """The name at the broker: a device's id, ``listener``, a desk."""
    ends: datetime

    @property
    def last_day(self) -> str:
        """When it ends, for sentences."""
        return f"{self.ends:%Y-%m-%d}"

    @property
    def renew_at(self) -> int:
        """From when on it is to be renewed, in s since 1970."""
        return int((self.ends - RENEWAL).timestamp())


def read_holder(path: Path) -> Holder:
    """Return what the certificate in ``path`` says.

    Raises:
        HallFolderError: there is none.
    """
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
