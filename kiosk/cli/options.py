"""The options that every verb with settings has: each one overrides a key of the files."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from appliance.cli.options import Option, not_empty, options_of
from kiosk.cli.settings_source import SETTINGS

if TYPE_CHECKING:
    from kiosk.settings import Layered

__all__ = ["examining_options", "log_options", "not_empty", "running_options", "settings_options"]

_SYSTEM_FILE: Final = "/etc/tileclock/station.toml"
_OPTIONS: Final[tuple[Option, ...]] = (
    ("--name", "name", str, "What the station is called."),
    ("--language", "language", str, "The language that the station goes back to."),
    ("--rulebook", "rulebook", str, "The rulebook: an id (see `tileclock rulebooks`) or a file."),
    ("--lexicon", "lexicon.path", str, "The lexicon of the start."),
    ("--keyboard", "keyboard", str, "auto, abc, qwerty, azerty or qwertz."),
    ("--screen", "screen.kind", str, "window or none."),
    ("--fullscreen/--windowed", "screen.fullscreen", bool, "Cover the whole screen, or not."),
    ("--rotate", "screen.rotate", int, "Turn picture and touches clockwise: by 0, 90, 180 or 270 degrees."),
    ("--width", "screen.width", int, "Width of the window in pixels."),
    ("--height", "screen.height", int, "Height of the window in pixels."),
    ("--large-text/--normal-text", "screen.large_text", bool, "Larger letters, or not."),
    ("--left-handed/--right-handed", "screen.left_handed", bool, "What the typing hand needs stands on the left, or on the right."),
    ("--log", "log.path", str, "The log's file."),
    ("--board", "board.file", str, "The shipped board (station), a board file, or none."),
    ("--pins", "board.pins", str, "The pin library: gpiod, rpigpio, mock, or none."),
    ("--printer", "printer.port", str, "The slip printer's serial device, or a pattern."),
)


def _load_log(options: Mapping[str, Any], file: Path | None) -> Layered:
    from appliance.settings.layers import OPTIONS
    from kiosk.settings.layers import merge

    if file is None and options["log.path"] is not None:
        # A log that was copied to another machine, or by somebody who may not read this one's settings: it is named, and nothing else is asked.
        return merge([(OPTIONS, options)])
    return SETTINGS.in_force() if file is None else SETTINGS.as_they_are(options, file)


settings_options: Final = options_of(_OPTIONS, SETTINGS.as_they_are, _SYSTEM_FILE)
"""Gives a verb the options, and hands it the checked settings as ``layered``."""
examining_options: Final = options_of(_OPTIONS, SETTINGS.examined, _SYSTEM_FILE)
"""Likewise, for who looks a machine over: files of it that cannot be used are one finding, and the rest is looked at with the last good settings."""
running_options: Final = options_of(_OPTIONS, SETTINGS.take, _SYSTEM_FILE)
"""Likewise, for a station in a hall: files of the machine that cannot be used are told of, and the last good settings taken."""
log_options: Final = options_of(
    (("--log", "log.path", str, "The log's file; by default the one that the station's settings name."),), _load_log, _SYSTEM_FILE
)
"""Likewise, for a verb that only reads the log: of the settings' options that of the log alone."""
