"""Settings as the station takes them at its start: the machine's files, or where these cannot be used the last good ones.

A file that is named with ``--settings`` is taken or refused, never replaced: whoever named it is there to read why.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from kiosk.cli.errors import Guarded

if TYPE_CHECKING:
    from hardware.last_good import LastGood
    from kiosk.settings import Layered, Settings

STATE: Final = Path("/var/lib/tilekiosk")
_NAMED: Final = frozenset({"rulebook", "own_rulebooks", "board.file", "lexicon.alphabet"})


def take(options: Mapping[str, Any], file: Path | None = None) -> Layered:
    """Return the settings to run with.

    Args:
        options: dotted keys from the command line; None values are not given.
        file: read this file in place of the machine's.

    Raises:
        HardwareError, RulebookError, LexiconError: ``file`` or an option cannot be used.
    """
    if file is None:
        return _last_good().take(options)
    from kiosk.settings import load_settings
    from kiosk.settings.named import require_usable

    layered = load_settings(options, file)
    require_usable(layered)
    return layered


def as_they_are(options: Mapping[str, Any], file: Path | None = None) -> Layered:
    """Return the same, with nothing in a faulty file's place; what is named is not looked for.

    Raises:
        SettingsError: a file is at fault, or an option.
    """
    from kiosk.settings import load_settings

    return load_settings(options, file) if file is not None else _last_good().as_they_are(options)


def examined(options: Mapping[str, Any], file: Path | None = None) -> Layered:
    """Return the settings to look a machine over with: those that a station on it would run with, and why not its files'. No copy is kept.

    Raises:
        HardwareError, RulebookError, LexiconError: ``file`` or an option cannot be used.
    """
    from kiosk.settings import load_settings

    return load_settings(options, file) if file is not None else _last_good().examined(options)


def in_force() -> Layered:
    """Return the settings that a station on this machine runs with, for a verb that only reads; where they are not its files', a line of standard error says so."""
    from hardware.last_good import said

    layered = _last_good().look({})
    if layered.refused is not None:
        click.echo(f"tilekiosk: {said(layered)}", err=True)
    return layered


def _last_good() -> LastGood[Settings]:
    from hardware.last_good import LastGood, state_folder
    from kiosk.settings.layers import LAYERS
    from kiosk.settings.named import require_usable

    return LastGood(LAYERS, require_usable, _NAMED, state_folder(STATE, os.environ), Guarded.refused)
