"""The log's files: the log and what belongs to it. Other users cannot read them, and nothing else overwrites them."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from appliance.records.files import FILE_SUFFIXES, belongs, beside, deny_others
from appliance.records.sqlite import describe_io_error
from faults.errors import reason
from game.challenge_log.row import LogError

CHOICES: Final = "-chosen.json"
"""The suffix to the log's name for the director's choices at the desk: two stations may have their logs in one folder, each with its own lexicon (NZ 1.3)."""
_FILES: Final = (*FILE_SUFFIXES, CHOICES)


def for_the_director(path: Path) -> None:
    """Remove other users' permissions from the log at ``path`` and its files, as far as permitted."""
    for suffix in _FILES:
        deny_others(beside(path, suffix))


def require_another(target: Path, path: Path) -> None:
    """Raise LogError if ``target`` is the log at ``path`` or one of its files, under any name, or cannot be examined; but not for lack of permission."""
    try:
        own = belongs(target, path, _FILES)
    except PermissionError:
        # Without the permission to look, reading or writing fails next, with its own message.
        return
    except OSError as error:
        raise LogError(where=target, expected="a file to write", found=reason(error), remedy=describe_io_error(error).remedy) from error
    if own:
        raise LogError(
            where=target, expected="a file to write an export to", found="the log itself, or one of its files", remedy="Give another name"
        )
