"""Settings as the clock takes them at its start: the machine's files, or where these cannot be used the last good ones.

A file that is named with ``--settings`` is taken or refused, never replaced: whoever named it is there to read why.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import click

from firmware.errors import TileclockError
from firmware.settings import Layered, Settings, load_settings
from firmware.settings.layers import LAYERS
from hardware.errors import HardwareError
from hardware.last_good import LastGood, said, state_folder

STATE: Final = Path("/var/lib/tileclock")
_NAMED: Final = frozenset({"rulebook", "own_rulebooks", "board.file"})


def take(options: Mapping[str, Any], file: Path | None = None) -> Layered:
    """Return the settings to run with.

    Args:
        options: dotted keys from the command line; None values are not given.
        file: read this file in place of the machine's.

    Raises:
        TileclockError, HardwareError: ``file`` or an option cannot be used.
    """
    if file is None:
        return _last_good().take(options)
    from firmware.settings.named import require_usable

    layered = load_settings(options, file)
    require_usable(layered)
    return layered


def as_they_are(options: Mapping[str, Any], file: Path | None = None) -> Layered:
    """Return the same, with nothing in a faulty file's place; what is named is not looked for.

    Raises:
        SettingsError: a file is at fault, or an option.
    """
    return load_settings(options, file) if file is not None else _last_good().as_they_are(options)


def examined(options: Mapping[str, Any], file: Path | None = None) -> Layered:
    """Return the settings to look a machine over with: those that a clock on it would run with, and why not its files'. No copy is kept.

    Raises:
        TileclockError, HardwareError: ``file`` or an option cannot be used.
    """
    return load_settings(options, file) if file is not None else _last_good().examined(options)


def in_force() -> Layered:
    """Return the settings that a clock on this machine runs with, for a verb that only reads; where they are not its files', a line of standard error says so."""
    layered = _last_good().look({})
    if layered.refused is not None:
        click.echo(f"tileclock: {said(layered)}", err=True)
    return layered


def _last_good() -> LastGood[Settings]:
    from firmware.settings.named import require_usable

    return LastGood(LAYERS, require_usable, _NAMED, state_folder(STATE, os.environ), (HardwareError, TileclockError))
