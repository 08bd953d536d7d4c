"""Reads one settings file, and detects files that a failing card or an editor has spoiled.

A failing card, or one removed too early, leaves empty or missing files: neither is a request for the defaults.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from appliance.errors import SettingsError
from faults.errors import Phrase, reason

_REMEDY: Final = 'Put them back, or only the line "# defaults"'
"""Asks for the defaults with content that no card failure produces."""
_LOST: Final = b"\0\xff \t\r\n\v\f\xef\xbb\xbf\xfe"
"""The bytes of a lost or blank file: zeros, erased flash, white space, byte order marks."""

_UTF_16: Final = (b"\xff\xfe", b"\xfe\xff")
"""The start of a file saved by an editor as "Unicode"."""
_HIDDEN: Final = ".txt"
"""The file name extension that Windows adds and hides."""


def is_there(path: Path) -> bool:
    """Return whether there is a file at ``path``; True if unknown: reading it then reports why."""
    try:
        return path.exists()
    except OSError:
        return True


def is_seen(path: Path) -> bool:
    """Return whether there is a file at ``path`` that this user may know of."""
    try:
        return path.exists()
    except OSError:
        return False


def require_not_lost(path: Path) -> None:
    """Check that the machine's file at ``path`` is neither missing nor empty.

    Raises:
        SettingsError: it is missing or empty.
    """
    if not is_there(path):
        raise SettingsError(where=path, expected="settings", found="no file", remedy=_REMEDY)
    if _is_empty(path):
        raise SettingsError(where=path, expected="settings", found="an empty file", remedy=_REMEDY)


def reject_hidden_ending(paths: Iterable[Path]) -> None:
    """Check that no file has the name of one of ``paths`` plus ``.txt``, and so would never be read.

    Raises:
        SettingsError: such a file exists.
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
    """Return the content of the TOML file at ``path``, with or without byte order mark.

    Raises:
        SettingsError: it is unreadable or not TOML.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise SettingsError(
            where=path, expected="settings", found=reason(error), remedy="Check the path and the file's permissions"
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
    # The parser raises a plain ValueError for a number of thousands of digits, and recurses into tables.
    except (ValueError, RecursionError) as error:
        raise not_toml(path, error) from error


def not_toml(path: Path, error: Exception) -> SettingsError:
    """Return the error for a file that the parser, or who walks through its tables, does not take."""
    return SettingsError(
        where=path, expected="TOML in UTF-8", found=Phrase("a fault: {error}", error=str(error)), remedy="Correct the line"
    )


def _is_empty(path: Path) -> bool:
    try:
        return not path.read_bytes().strip(_LOST)
    except OSError:
        return False
