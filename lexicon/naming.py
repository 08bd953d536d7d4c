"""Checks a list's name and edition, which screens show and people read aloud."""

from __future__ import annotations

import re
import unicodedata
from datetime import date

from faults.errors import Phrase
from lexicon.errors import BadName

_BYTES = 100
_EDITION = re.compile(r"(\d{4})(?:-(\d{2}))?(?:-(\d{2}))?", re.ASCII)


def check_names(name: str, edition: str) -> None:
    """Check a list's name and edition.

    Args:
        name: 1 to 100 bytes of UTF-8, composed (NFC), printable, without surrounding blanks.
        edition: a date as YYYY-MM-DD, YYYY-MM or YYYY, or empty.

    Raises:
        BadName: one of them is invalid.
    """
    composed = name.isprintable() and name == unicodedata.normalize("NFC", name)
    if not composed or not name or name != name.strip() or len(name.encode()) > _BYTES:
        raise BadName(
            expected=Phrase("a printable name of 1 to {most} bytes, without blanks around it", most=_BYTES),
            found=repr(name),
            remedy="Choose another",
        )
    if edition and not _is_date(edition):
        raise BadName(
            expected="an edition's date as YYYY-MM-DD, YYYY-MM or YYYY", found=repr(edition), remedy="Write it so, or leave it out"
        )


def _is_date(edition: str) -> bool:
    found = _EDITION.fullmatch(edition)
    if found is None:
        return False
    year, month, day = (int(part or 1) for part in found.groups())
    try:
        date(year, month, day)
    except ValueError:
        return False
    return True
