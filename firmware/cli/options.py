"""The sources of the clock's settings, and the options of every verb with settings: each overrides a key of the files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from appliance.cli.config import SettingsSource

if TYPE_CHECKING:
    from firmware.settings.model import Settings

SETTINGS: Final[SettingsSource[Settings]] = SettingsSource(
    "tileclock",
    "firmware.settings.places",
    "/etc/tileclock/clock.toml",
    (
        ("--rulebook", "rulebook", str, "The rulebook of the first game: an id (see `tileclock rulebooks`) or a file."),
        ("--language", "language", str, "The language of the screen."),
        ("--board", "board.file", str, "A shipped board (full, two-button, two-display, two-display-i2c) or a board file."),
        ("--pins", "board.pins", str, "The pin library: gpiod, rpigpio, mock, or none for keyboard and mouse."),
        ("--screen", "screen.kind", str, "window, terminal or none."),
        ("--layout", "screen.layout", str, "facing, side_by_side or single."),
        ("--side", "screen.side", str, "Whose half a single screen shows: left or right."),
        ("--fullscreen/--windowed", "screen.fullscreen", bool, "Cover the whole screen, or use a window."),
        ("--rotate", "screen.rotate", int, "Rotate picture and touches clockwise: 0, 90, 180 or 270 degrees."),
        ("--width", "screen.width", int, "Width of the window in pixels."),
        ("--height", "screen.height", int, "Height of the window in pixels."),
        ("--led-on/--led-off", "led.enabled", bool, "Use the LED displays, or not."),
        ("--led-left", "led.left", str, "The port of the left player's LED display, or a pattern."),
        ("--led-right", "led.right", str, "The port of the right player's LED display, or a pattern."),
        ("--led-brightness", "led.brightness", int, "Brightness of the LED displays, 0 to 100."),
        ("--journal", "journal.path", str, "The journal's file."),
        ("--buzzer/--no-buzzer", "buzzer.enabled", bool, "Sound the buzzer, or not."),
    ),
)
