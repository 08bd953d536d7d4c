"""Layers of settings: the defaults, the file of the system, the file on the boot partition, the options; the last word wins.

Every value remembers which layer it comes from, so that a fault names its file and ``tileclock config --changed`` says who changed what.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from pydantic import BaseModel, ValidationError

from firmware.settings.model import Settings, SettingsError

SYSTEM_FILE: Final = Path("/etc/tileclock/clock.toml")
BOOT_FILES: Final = (Path("/boot/firmware/tileclock.toml"), Path("/boot/tileclock.toml"))
"""The first that exists: where Raspberry Pi OS mounts the boot partition now, and where it used to."""
OPTIONS: Final = "options"


@dataclass(frozen=True, slots=True)
class Layered:
    """Checked settings, and where each changed value comes from by its dotted key."""

    settings: Settings
    origins: Mapping[str, str]


def load_settings(options: Mapping[str, Any], file: Path | None = None) -> Layered:
    """Return the settings of this machine.

    Args:
        options: dotted keys from the command line; None values are not given.
        file: read this file in place of those of the system and the boot partition.

    Raises:
        SettingsError: a file that cannot be read or a value that is not allowed: file, key, found, allowed.
    """
    files = [file] if file is not None else [path for path in (SYSTEM_FILE, _boot_file()) if path is not None and path.exists()]
    layers = [(str(path), dict(_dotted(_read(path)))) for path in files]
    return merge([*layers, (OPTIONS, {key: value for key, value in options.items() if value is not None})])


def merge(layers: Sequence[tuple[str, Mapping[str, Any]]]) -> Layered:
    """Return the layers, first to last, as one.

    Raises:
        SettingsError: a value that is not allowed, with the layer it comes from.
    """
    values: dict[str, Any] = {}
    origins: dict[str, str] = {}
    for origin, layer in layers:
        values.update(layer)
        origins.update(dict.fromkeys(layer, origin))
    try:
        return Layered(Settings.model_validate(_nested(values, origins)), origins)
    except ValidationError as error:
        raise _fault(error, origins) from error


def dump(layered: Layered, *, changed: bool = False) -> Iterator[tuple[str, str, str | None]]:
    """Yield each setting as (dotted key, value as TOML, origin or None for a default)."""
    defaults = dict(_dotted(Settings().model_dump(mode="json")))
    for key, value in _dotted(layered.settings.model_dump(mode="json")):
        if value != defaults[key] or not changed:
            yield key, _toml(value), layered.origins.get(key)


def _toml(value: Any) -> str:
    """Return a value as TOML writes it: JSON does, but for a table."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {_toml(inner)}" for key, inner in value.items()) + " }" if value else "{}"
    return json.dumps(value, ensure_ascii=False)


def _boot_file() -> Path | None:
    return next((path for path in BOOT_FILES if path.exists()), None)


def _read(path: Path) -> dict[str, Any]:
    try:
        with path.open("rb") as file:
            return tomllib.load(file)
    except OSError as error:
        raise SettingsError(f"expected settings in {path}, found that it cannot be read: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(f"{path}: expected TOML in UTF-8: {error}") from error


def _dotted(table: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for key, value in table.items():
        if isinstance(value, dict) and f"{prefix}{key}" != "board.remap":
            yield from _dotted(value, f"{prefix}{key}.")
        else:
            yield prefix + key, value


def _nested(values: Mapping[str, Any], origins: Mapping[str, str]) -> dict[str, Any]:
    nested: dict[str, Any] = {}
    for dotted, value in values.items():
        *tables, key = dotted.split(".")
        table = nested
        for depth, name in enumerate(tables, 1):
            table = table.setdefault(name, {})
            if not isinstance(table, dict):
                whole = ".".join(tables[:depth])
                found = f"{whole} is {json.dumps(table, default=str)}, but {dotted} is set in {origins[dotted]}"
                raise SettingsError(f"{origins[whole]}: {found}; expected {whole} to be one value or one table, the same everywhere")
        table[key] = value
    return nested


def _fault(error: ValidationError, origins: Mapping[str, str]) -> SettingsError:
    faults = error.errors(include_url=False)
    fault = next((each for each in faults if each["type"] == "extra_forbidden"), faults[0])
    key = ".".join(str(step) for step in fault["loc"] if step != "[key]")
    origin = next((origins[each] for each in origins if each == key or each.startswith(f"{key}.") or key.startswith(f"{each}.")), OPTIONS)
    if fault["type"] == "extra_forbidden":
        return SettingsError(f"{origin}: {key} is no setting; allowed: {', '.join(_keys(fault['loc'][:-1]))}")
    allowed = fault["msg"].removeprefix("Input should be ")
    return SettingsError(f"{origin}: {key} is {json.dumps(fault['input'], default=str)}, expected {allowed}")


def _keys(tables: tuple[int | str, ...]) -> list[str]:
    model: type[BaseModel] = Settings
    for name in tables:
        inner = model.model_fields[str(name)].annotation
        if not (isinstance(inner, type) and issubclass(inner, BaseModel)):
            return []
        model = inner
    return list(model.model_fields)
