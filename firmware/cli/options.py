"""The options that every verb with settings has: each one overrides a key of the files."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from firmware.cli.rulebook_paths import in_full
from firmware.settings import Layered, load_settings
from hardware.options import Option, not_empty, options_of

__all__ = ["not_empty", "settings_options"]

_OPTIONS: Final[tuple[Option, ...]] = (
    ("--rulebook", "rulebook", str, "The rulebook of the first game: an id (see `tileclock rulebooks`) or a file."),
    ("--language", "language", str, "The language of the screen."),
    ("--board", "board.file", str, "A shipped board (full, two-button) or a board file."),
    ("--pins", "board.pins", str, "The pin library: lgpio, rpigpio, mock, or none for keyboard and mouse."),
    ("--screen", "screen.kind", str, "window, terminal or none."),
    ("--layout", "screen.layout", str, "facing, side_by_side or single."),
    ("--side", "screen.side", str, "Whose half a single screen shows: left or right."),
    ("--fullscreen/--windowed", "screen.fullscreen", bool, "Cover the whole screen, or not."),
    ("--width", "screen.width", int, "Width of the window in pixels."),
    ("--height", "screen.height", int, "Height of the window in pixels."),
    ("--journal", "journal.path", str, "The journal's file."),
    ("--buzzer/--no-buzzer", "buzzer.enabled", bool, "Sound the buzzer, or not."),
)


def _load(options: Mapping[str, Any], file: Path | None) -> Layered:
    return in_full(load_settings(options, file))


settings_options: Final = options_of(_OPTIONS, _load, "/etc/tileclock/clock.toml")
"""Gives a verb the options, and hands it the checked settings as ``layered``."""
