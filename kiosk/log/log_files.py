"""The log's files: it, and what is kept beside it. No other user of the machine reads them, and nothing else is written onto them."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from appliance.errors import reason
from appliance.records.files import FILE_SUFFIXES, UNFINISHED, belongs, beside, deny_others
from appliance.records.io_errors import describe_io_error
from kiosk.log.errors import LogError

CHOICES: Final = "-chosen.json"
"""After the log's own name, what the director chose at the desk: two stations may have their logs in one folder, and each its own lexicon (NZ 1.3)."""
_FILES: Final = (*FILE_SUFFIXES, CHOICES, f"{CHOICES}{UNFINISHED}")


def for_the_director(path: Path) -> None:
    """Take all rights from others to the log at ``path`` and to what is kept beside it, as far as they are ours to give."""
    for suffix in _FILES:
        deny_others(beside(path, suffix))


def require_another(target: Path, path: Path) -> None:
    """Require that ``target``, which is to be written, is neither the log at ``path`` nor kept beside it, whatever it is named; of what we may not look at, nothing.

    Raises:
        LogError: it is, or cannot be looked at for another reason.
    """
    try:
        own = belongs(target, path, _FILES)
    except PermissionError:
        # Whoever may not look can neither read the one nor write the other, and is told so then.
        return
    except OSError as error:
        raise LogError(where=target, expected="a file to write", found=reason(error), remedy=describe_io_error(error).remedy) from error
    if own:
        raise LogError(
            where=target,
            expected="a file to write an export to",
            found="the log itself, or what is kept with it",
            remedy="Give another name",
        )
