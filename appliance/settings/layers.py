"""Layers of settings: the defaults, the file of the system, the file on the boot partition, the options; the last word wins.

Every value remembers which layer it comes from, so that a fault names its file, and it can be told who changed what. What there is to set is each program's own
model.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Generic, TypeAlias, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from appliance.errors import Diagnosis, SettingsError, reason
from appliance.phrase import Phrase
from appliance.settings.file import is_there, read, require_kept
from appliance.validation import first_fault, shown

BOOT_FOLDERS: Final = (Path("/boot/firmware"), Path("/boot"))
"""Where Raspberry Pi OS mounts the boot partition now, and where it used to."""
OPTIONS: Final = "options"


class Strict(BaseModel):
    """A table of settings: no key but its own, no value but of the kind asked for."""

    # Built when it is first asked: a table within another is part of the outer one's schema, and needs none of its own.
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, defer_build=True)


M = TypeVar("M", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class RejectedSettings:
    """Why the machine's files are not in force as they stand."""

    why: Diagnosis
    """Which file, which key, what was expected and found, what to do."""
    kept: bool
    """The last good ones are in force instead; else, for none were ever kept, the defaults."""


@dataclass(frozen=True, slots=True)
class Layered(Generic[M]):
    """Checked settings, and where each changed value comes from by its dotted key."""

    settings: M
    origins: Mapping[str, str]
    refused: RejectedSettings | None = None
    """None: they are what the files say. Else see ``appliance.settings.last_good``."""


Layer: TypeAlias = tuple[str, Mapping[str, Any]]
"""Where values come from, and the values by dotted key."""


def is_file(text: str) -> bool:
    """Tell a file of one's own from the id of something shipped, as rulebooks, boards and alphabets do."""
    return text.endswith(".toml") or os.sep in text


@dataclass(frozen=True, slots=True)
class Layers(Generic[M]):
    """How one program's settings are read."""

    model: type[M]
    """What there is to set; every setting has a default."""
    places: Callable[[], Sequence[Sequence[Path]]]
    """Of each of the machine's files, first to last, the places where it may lie: the first that exists is read. Asked for at each loading."""
    whole: frozenset[str] = frozenset()
    """Dotted keys whose value is a table and one setting, not settings by its keys."""
    paths: Mapping[str, Callable[[str], bool]] = field(default_factory=dict)
    """Dotted keys whose value is a path, or a list of them, and which texts are one: others are names of something shipped."""

    def load(self, options: Mapping[str, Any], file: Path | None = None) -> Layered[M]:
        """Return the settings of this machine. A path that does not begin at the root begins at the file that says it, an option's at the working folder.

        Args:
            options: dotted keys from the command line; None values are not given.
            file: read this file in place of those of the system and the boot partition.

        Raises:
            SettingsError: a file that cannot be read or a value that is not allowed: file, key, found, allowed.
        """
        layers = map(self.own, self.files()) if file is None else [(str(file), self.read(file, file.parent))]
        return self.merge([*layers, self.given(options)])

    def files(self, missed: Callable[[Path], bool] = lambda _: False) -> list[Path]:
        """Return the machine's files, first to last: of each the first that exists, or else the first that is ``missed``."""
        found = (next((path for wanted in (is_there, missed) for path in places if wanted(path)), None) for places in self.places())
        return [path for path in found if path is not None]

    def own(self, path: Path) -> Layer:
        """Return the layer of one of the machine's files.

        Raises:
            SettingsError: it is gone, empty, cannot be read, or is no TOML.
        """
        require_kept(path)
        return str(path), self.read(path, path.parent)

    def read(self, path: Path, folder: Path) -> dict[str, Any]:
        """Return what the file at ``path`` sets, by dotted key; its paths begin at ``folder``.

        Raises:
            SettingsError: it cannot be read, or is no TOML.
        """
        return self._in_full(dict(self._dotted(read(path))), folder)

    def given(self, options: Mapping[str, Any]) -> Layer:
        """Return the layer of the command line; None values are not given.

        Raises:
            SettingsError: a path begins at a working folder that there is none of.
        """
        return OPTIONS, self._in_full({key: value for key, value in options.items() if value is not None}, Path())

    def merge(self, layers: Sequence[Layer]) -> Layered[M]:
        """Return the layers (name, values by dotted key), first to last, as one.

        Raises:
            SettingsError: a value that is not allowed, with the layer it comes from.
        """
        values: dict[str, Any] = {}
        origins: dict[str, str] = {}
        for origin, layer in layers:
            values.update(layer)
            origins.update(dict.fromkeys(layer, origin))
        try:
            return Layered(self.model.model_validate(_nested(values, origins)), origins)
        except ValidationError as error:
            raise _fault(error, origins, self.model) from error

    def dump(self, layered: Layered[M], *, changed: bool = False) -> Iterator[tuple[str, str, str | None]]:
        """Yield each setting as (dotted key, value as TOML, origin or None for a default); ``changed``: only what differs from the defaults."""
        defaults = dict(self._dotted(self.model().model_dump(mode="json")))
        for key, value in self._dotted(layered.settings.model_dump(mode="json")):
            if value != defaults[key] or not changed:
                yield key, _toml(value), layered.origins.get(key)

    def _in_full(self, values: Mapping[str, Any], folder: Path) -> dict[str, Any]:
        """Whoever reads a path later may be in another folder, and what is kept of it outlives this one."""
        return {key: _from_root(value, folder, self.paths[key]) if key in self.paths else value for key, value in values.items()}

    def _dotted(self, table: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
        for key, value in table.items():
            if isinstance(value, dict) and f"{prefix}{key}" not in self.whole:
                yield from self._dotted(value, f"{prefix}{key}.")
            else:
                yield prefix + key, value


def _from_root(value: Any, folder: Path, is_path: Callable[[str], bool]) -> Any:
    if isinstance(value, list | tuple):
        return type(value)(_from_root(each, folder, is_path) for each in value)
    # What is no text is told of where all is checked.
    if not isinstance(value, str) or os.path.isabs(value) or not is_path(value):  # noqa: PTH117 - no path made of what may be none
        return value
    try:
        return str(folder.absolute() / value)
    except OSError as error:
        raise SettingsError(
            expected=Phrase("a working folder, where {path} begins", path=value), found=reason(error), remedy="Give the whole path"
        ) from error


def _toml(value: Any) -> str:
    """Return a value as TOML writes it: JSON does, but for a table."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {_toml(inner)}" for key, inner in value.items()) + " }" if value else "{}"
    return json.dumps(value, ensure_ascii=False)


def _nested(values: Mapping[str, Any], origins: Mapping[str, str]) -> dict[str, Any]:
    nested: dict[str, Any] = {}
    for dotted, value in values.items():
        *tables, key = dotted.split(".")
        table = nested
        for depth, name in enumerate(tables, 1):
            table = table.setdefault(name, {})
            if not isinstance(table, dict):
                whole = ".".join(tables[:depth])
                raise SettingsError(
                    where=f"{origins[whole]}: {whole}",
                    expected=Phrase("a table, as {key} in {file} has it", key=dotted, file=origins[dotted]),
                    found=shown(table),
                    remedy="Make it the same in all files",
                )
        table[key] = value
    return nested


def _fault(error: ValidationError, origins: Mapping[str, str], model: type[BaseModel]) -> SettingsError:
    fault = first_fault(error, model)
    key = fault.key
    origin = next((origins[each] for each in origins if each == key or each.startswith(f"{key}.") or key.startswith(f"{each}.")), OPTIONS)
    refused = SettingsError(**fault.fields)
    refused.locate(origin)
    return refused
