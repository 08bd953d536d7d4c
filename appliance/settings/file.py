"""One file of settings, between the card that it lies on and its layer: is it there, has the card kept what was in it, what does it say.

A card that fails, or that was taken out too early, hands out empty files, or none: neither is anybody's wish for the defaults.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from appliance.errors import SettingsError, reason
from appliance.phrase import Phrase

_REMEDY: Final = 'Put them back, or only the line "# defaults"'
"""That the defaults are meant is said by what no fault of a card writes."""
_LOST: Final = b"\0\xff \t\r\n\v\f\xef\xbb\xbf\xfe"
"""What a file is full of that a card has lost, and what editors put around nothing: blanks, byte order marks."""

_UTF_16: Final = (b"\xff\xfe", b"\xfe\xff")
"""How a file begins that an editor has saved as "Unicode"."""
_HIDDEN: Final = ".txt"
"""The ending that Windows adds, and does not show."""


def is_there(path: Path) -> bool:
    """Tell whether there is a file at ``path``; True where that is unknown: the reader then reports why."""
    try:
        return path.exists()
    except OSError:
        return True


def require_kept(path: Path) -> None:
    """Require that the card has not lost what was at ``path``, one of the machine's files.

    Raises:
        SettingsError: it is gone, or empty.
    """
    if not is_there(path):
        raise SettingsError(where=path, expected="settings", found="no file", remedy=_REMEDY)
    if _is_empty(path):
        raise SettingsError(where=path, expected="settings", found="an empty file", remedy=_REMEDY)


def require_named(paths: Iterable[Path]) -> None:
    """Require that beside none of ``paths``, where the machine's files may lie, is one that only an ending too many keeps from being read.

    Raises:
        SettingsError: there is one.
    """
    for path in paths:
        strange = path.with_name(f"{path.name}{_HIDDEN}")
        if os.path.isfile(strange):  # noqa: PTH113 - Path raises where there is no right to look
            raise SettingsError(
                where=strange,
                expected=Phrase("the name {name}", name=path.name),
                found="one that is never read",
                remedy="Rename the file, or delete it",
            )


def read(path: Path) -> dict[str, Any]:
    """Return what the file at ``path`` says, with a byte order mark before it or none.

    Raises:
        SettingsError: it cannot be read, or is no TOML.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise SettingsError(
            where=path, expected="settings", found=reason(error), remedy="Check the path, and who may read the file"
        ) from error
    if content.startswith(_UTF_16):
        raise SettingsError(where=path, expected="TOML in UTF-8", found="UTF-16", remedy="Save it as UTF-8")
    try:
        return tomllib.loads(content.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise SettingsError(
            where=path,
            expected="TOML in UTF-8",
            found=Phrase("letters of another kind in line {line}", line=line),
            remedy="Save it as UTF-8",
        ) from error
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(
            where=path, expected="TOML in UTF-8", found=Phrase("a fault: {error}", error=str(error)), remedy="Correct the line"
        ) from error


def _is_empty(path: Path) -> bool:
    try:
        return not path.read_bytes().strip(_LOST)
    except OSError:
        return False
