"""The sources of the station's settings, and the options of every verb with settings: each overrides a key of the files."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from appliance.cli.config import SettingsSource
from appliance.cli.options import options_of

if TYPE_CHECKING:
    from kiosk.settings.model import Settings
    from kiosk.settings.places import Layered

SETTINGS: Final[SettingsSource[Settings]] = SettingsSource(
    "tilekiosk",
    "kiosk.settings.places",
    "/etc/tileclock/station.toml",
    (
        ("--name", "name", str, "The station's name."),
        ("--language", "language", str, "The language of the idle station."),
        ("--rulebook", "rulebook", str, "The rulebook: an id (see `tileclock rulebooks`) or a file."),
        ("--lexicon", "lexicon.path", str, "The lexicon at startup."),
        ("--keyboard", "keyboard", str, "auto, abc, qwerty, azerty or qwertz."),
        ("--screen", "screen.kind", str, "window or none."),
        ("--fullscreen/--windowed", "screen.fullscreen", bool, "Cover the whole screen, or use a window."),
        ("--rotate", "screen.rotate", int, "Rotate picture and touches clockwise: 0, 90, 180 or 270 degrees."),
        ("--width", "screen.width", int, "Width of the window in pixels."),
        ("--height", "screen.height", int, "Height of the window in pixels."),
        ("--large-text/--normal-text", "screen.large_text", bool, "Use larger letters, or not."),
        ("--left-handed/--right-handed", "screen.left_handed", bool, "Put the keys for typing on the left, or on the right."),
        ("--log", "log.path", str, "The log's file."),
        ("--board", "board.file", str, "The shipped board (station), a board file, or none."),
        ("--pins", "board.pins", str, "The pin library: gpiod, rpigpio, mock, or none."),
        ("--printer", "printer.port", str, "The slip printer's serial device, or a pattern."),
    ),
)


def _load_log(options: Mapping[str, Any], file: Path | None) -> Layered:
    from appliance.settings.layers import OPTIONS
    from kiosk.settings.places import merge

    if file is None and options["log.path"] is not None:
        # A log copied to another machine, or a reader without access to this machine's settings: the path alone is enough.
        return merge([(OPTIONS, options)])
    return SETTINGS.in_force() if file is None else SETTINGS.as_they_are(options, file)


log_options: Final = options_of(
    (("--log", "log.path", str, "The log's file; by default the one in the station's settings."),), _load_log, SETTINGS.system_file
)
"""For a verb that only reads the log: of the options, only --log."""
