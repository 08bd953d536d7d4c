"""The log out of the station: as CSV onto a USB stick where one is plugged in, else into the folder that the settings name."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from appliance.errors import reason
from appliance.records.io_errors import describe_io_error
from kiosk.log.errors import LogError
from kiosk.log.export import export_csv

MEDIA: Final = Path("/media")
"""Where Raspberry Pi OS mounts what is plugged in: a folder a user, and in it one a stick."""


def exported(log: Path, folder: Path, media: Path = MEDIA) -> tuple[int, Path]:
    """Write all of the log at ``log`` as a CSV file of its own, whole or not at all.

    Args:
        log: the log's file.
        folder: where it goes if there is no stick; made if it is not there.
        media: where sticks are mounted.

    Returns:
        How many rows, and the file.

    Raises:
        LogError: it cannot be written, or there is no log to read.
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
    """Return the first stick that is mounted and may be written to."""
    try:
        mounted = sorted(each for pattern in ("*", "*/*") for each in media.glob(pattern) if each.is_mount())
    except OSError:
        return None
    return next((each for each in mounted if os.access(each, os.W_OK)), None)
