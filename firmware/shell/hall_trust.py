"""Whom this clock trusts: the file that its enrolment has written."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Final

from faults.errors import TileclockError, reason
from firmware.hall.opening import Trust
from wire.topics import is_hall

_KEY: Final = re.compile(r"[A-Za-z0-9+/]{43}=")
_KEYS: Final = ("hall", "hall_key", "director_key")


class UnusableTrust(TileclockError, ValueError):
    """The file cannot be read, or is none."""


def load_trust(path: Path) -> Trust | None:
    """Return whom to trust; None: the file is missing, so the clock is not enrolled.

    Raises:
        UnusableTrust: it cannot be read, or is not what the enrolment writes.
    """
    try:
        with path.open("rb") as file:
            found = tomllib.load(file)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise UnusableTrust(
            where=str(path), expected="a file that can be read", found=reason(error), remedy="Enrol this clock again"
        ) from error
    except ValueError as error:
        raise _refused(path, str(error)) from error
    hall, hall_key, director_key = (found.get(key) for key in _KEYS)
    if not isinstance(hall, str) or not is_hall(hall):
        raise _refused(path, "no hall")
    if not (isinstance(hall_key, str) and _KEY.fullmatch(hall_key)) or not (isinstance(director_key, str) and _KEY.fullmatch(director_key)):
        raise _refused(path, "a key that is none")
    return Trust(hall, hall_key, director_key)


def _refused(path: Path, found: str) -> UnusableTrust:
    return UnusableTrust(where=str(path), expected=f"the keys {', '.join(_KEYS)}", found=found, remedy="Enrol this clock again")
