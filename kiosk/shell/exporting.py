"""Export the log as CSV: to a USB stick if there is one, otherwise to the folder in the settings."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from appliance.records.io_errors import describe_io_error
from faults.errors import reason
from game.challenge_log.row import LogError
from kiosk.log.export import export_csv

MEDIA: Final = Path("/media")
"""The mount point of removable media on Raspberry Pi OS: a folder for each user, and in it one for each stick."""


def exported(log: Path, folder: Path, media: Path = MEDIA) -> tuple[int, Path]:
    """Write the whole log at ``log`` to a new CSV file, whole or not at all.

    Args:
        log: the log's file.
        folder: the folder to use without a stick; created if missing.
        media: the folder of mounted sticks.

    Returns:
        The number of rows and the file.

    Raises:
        LogError: the file cannot be written, or there is no log to read.
    """
    into = stick(media) or folder
    target = into / f"challenges-{datetime.now(UTC):%Y-%m-%dT%H-%M-%SZ}.csv"
    try:
        into.mkdir(parents=True, exist_ok=True)
        return export_csv(log, target), target
    except LogError:
        raise
    except OSError as error:
        remedy = describe_io_error(error).remedy
        raise LogError(where=into, expected="a folder that can be written to", found=reason(error), remedy=remedy) from error


def stick(media: Path) -> Path | None:
    """Return the first mounted and writable stick."""
    try:
        mounted = sorted(each for pattern in ("*", "*/*") for each in media.glob(pattern) if each.is_mount())
    except OSError:
        return None
    return next((each for each in mounted if os.access(each, os.W_OK)), None)
