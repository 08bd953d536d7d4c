"""The options that every verb with settings has: each one overrides a key of the files."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from firmware.cli.rulebook_paths import in_full
from firmware.settings import load_settings

_OPTIONS: tuple[tuple[str, str, Any, str], ...] = (
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


def settings_options(verb: Callable[..., Any]) -> Callable[..., Any]:
    """Give ``verb`` the options, and hand it the checked settings as ``layered``."""

    @functools.wraps(verb)
    def with_settings(settings_file: Path | None, **values: Any) -> Any:
        options = {key: values.pop(_variable(key)) for _, key, _, _ in _OPTIONS}
        return verb(layered=in_full(load_settings(options, settings_file)), **values)

    for name, key, kind, explanation in reversed(_OPTIONS):
        with_settings = click.option(name, _variable(key), type=kind, default=None, help=explanation, callback=not_empty)(with_settings)
    file = click.option(
        "--settings",
        "settings_file",
        type=click.Path(path_type=Path),
        help="Read this file in place of /etc/tileclock/clock.toml and the boot partition's.",
    )
    return file(with_settings)


def not_empty(context: click.Context, parameter: click.Parameter, given: Any) -> Any:
    """Refuse an option's empty text, which as a path would be the working directory."""
    if given == "":
        raise click.BadParameter("expected something, found an empty text.")
    return given


def _variable(key: str) -> str:
    return key.replace(".", "_")
