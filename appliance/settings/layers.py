"""Layers of settings: defaults, system file, file on the boot partition, options; the last one wins.

Every value remembers its layer, so that an error names the file, also when what the settings name cannot be loaded. Each program has its own model of settings.

A failing card, or one removed too early, leaves empty or missing files: neither is a request for the defaults. An editor may spoil a file, too.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from operator import attrgetter
from pathlib import Path
from typing import Any, Final, Generic, TypeAlias, TypeVar

from msgspec import Struct, field
from msgspec.structs import replace

from appliance.errors import Diagnosis, SettingsError
from faults.errors import Phrase, TileclockError, reason
from faults.small_file import no_toml, read_small, toml_in
from faults.validation import InvalidTable, Table, plain, read_table, shown

_REMEDY: Final = 'Put them back, or only the line "# defaults"'
"""Asks for the defaults with content that no card failure produces."""
_LOST: Final = b"\0\xff \t\r\n\v\f\xef\xbb\xbf\xfe"
"""The bytes of a lost or blank file: zeros, erased flash, white space, byte order marks."""

ANY_PATH: Final[Callable[[str], bool]] = bool
"""Any text is a path; an empty one is none."""
_UTF_16: Final = (b"\xff\xfe", b"\xfe\xff")
_HIDDEN: Final = ".txt"
"""The file name extension that Windows adds and hides."""


def is_there(path: Path) -> bool:
    """Return whether there is a file at ``path``; True if unknown: reading it then reports why."""
    try:
        return path.exists()
    except OSError:
        return True


def reject_hidden_ending(paths: Iterable[Path]) -> None:
    """Check that no file has the name of one of ``paths`` plus ``.txt``, and so would never be read; raises ``SettingsError``."""
    for path in paths:
        strange = path.with_name(f"{path.name}{_HIDDEN}")
        if os.path.isfile(strange):  # noqa: PTH113 - Path raises where there is no right to look
            raise SettingsError(
                where=strange,
                expected=Phrase("the name {name}", name=path.name),
                found="one that is never read",
                remedy="Rename the file, or delete it",
            )


def read(path: Path, *, own: bool = False) -> dict[str, Any]:
    """Return the content of the TOML file at ``path``, with or without byte order mark; raises ``SettingsError`` if it is unreadable or not TOML.

    ``own``: the machine's file, where an empty one is no request for the defaults.
    """
    try:
        content = read_small(path)
    except OSError as error:
        raise SettingsError(
            where=path, expected="settings", found=reason(error), remedy="Check the path and the file's permissions"
        ) from error
    if own and not content.strip(_LOST):
        raise SettingsError(where=path, expected="settings", found="an empty file", remedy=_REMEDY)
    if content.startswith(_UTF_16):
        raise SettingsError(where=path, expected="TOML in UTF-8", found="UTF-16", remedy="Save it as UTF-8")
    return toml_in(path, content, SettingsError)


BOOT_FOLDERS: Final = (Path("/boot/firmware"), Path("/boot"))
"""Where Raspberry Pi OS mounts the boot partition, now and formerly."""
OPTIONS: Final = "options"


M = TypeVar("M", bound=Table)


class RejectedSettings(Struct, frozen=True):
    why: Diagnosis
    last_good: bool
    """Whether the last good settings are used instead; otherwise there are no copies, and the defaults are used."""
    own_file: bool = False
    """The fault is in the layer that the program writes itself (``Beneath``): the next writing ends it."""


class Layered(Struct, Generic[M], frozen=True):
    """Checked settings, and the origin of each set value by dotted key."""

    settings: M
    origins: Mapping[str, str]
    refused: RejectedSettings | None = None
    """None: they are what the files say. Else see ``appliance.settings.last_good``."""


Layer: TypeAlias = tuple[str, Mapping[str, Any]]
"""The origin, and its values by dotted key."""


class Beneath(Struct, frozen=True):
    """A layer between the defaults and the files, which a program writes itself. It never hinders a start."""

    layer: Layer = ("", {})
    fault: Diagnosis | None = None


class Layers(Struct, Generic[M], frozen=True):
    model: type[M]
    places: Callable[[], Sequence[Sequence[Path]]]
    """For each of the machine's files, first to last, its possible paths: the first that exists is read. Called at each loading."""
    whole: frozenset[str] = frozenset()
    """Dotted keys whose table is one setting, not a group of settings."""
    paths: Mapping[str, Callable[[str], bool]] = field(default_factory=dict)
    """Dotted keys whose value may be a path or a list of paths, and a test whether a text is one: others are ids of shipped data."""
    adapted: Callable[[Mapping[str, Any]], Mapping[str, Any]] = dict
    """Converts the values that the model no longer has, or has in another form, by dotted key."""
    beneath: Callable[[], Beneath] = Beneath

    def load(self, options: Mapping[str, Any], file: Path | None = None) -> Layered[M]:
        """Return the settings of this machine. Relative paths start at the folder of their file, those of options at the working folder.

        ``options``: command-line values by dotted key; None: not given. ``file``: read this file instead of those of the system and the boot partition.
        Raises ``SettingsError`` with file, key, expected and found.
        """
        layers = map(self.own, self.files()) if file is None else [(str(file), self.read(file, file.parent))]
        return self.over_beneath([*layers, self.given(options)])

    def files(self, missed: Callable[[Path], bool] = lambda _: False) -> list[Path]:
        """Return the machine's files, first to last: for each the first path that exists, or else the first that is ``missed``."""
        found = (next((path for wanted in (is_there, missed) for path in places if wanted(path)), None) for places in self.places())
        return [path for path in found if path is not None]

    def own(self, path: Path) -> Layer:
        """Return the layer of one of the machine's files; raises ``SettingsError`` if it is missing, empty, unreadable or not TOML."""
        if not is_there(path):
            raise SettingsError(where=path, expected="settings", found="no file", remedy=_REMEDY)
        return str(path), self.read(path, path.parent, own=True)

    def read(self, path: Path, folder: Path, *, own: bool = False) -> dict[str, Any]:
        """Return the values of the file at ``path`` by dotted key; relative paths in it start at ``folder``. Raises as ``read``."""
        try:
            values = dict(self._dotted(read(path, own=own)))
        except RecursionError as error:
            raise no_toml(path, error, SettingsError) from error
        return self._in_full(values, folder)

    def given(self, options: Mapping[str, Any]) -> Layer:
        """Return the layer of the command line; None: not given. Raises ``SettingsError`` for a relative path without a working folder."""
        return OPTIONS, self._in_full({key: value for key, value in options.items() if value is not None}, Path())

    def over_beneath(self, layers: Sequence[Layer]) -> Layered[M]:
        """Merge ``layers`` over what lies beneath them; a fault of that is in ``refused``. Raises as ``merge``."""
        beneath = self.beneath()
        merged = self.merge([beneath.layer, *layers])
        return merged if beneath.fault is None else replace(merged, refused=RejectedSettings(beneath.fault, last_good=False, own_file=True))

    def merge(self, layers: Sequence[Layer]) -> Layered[M]:
        """Merge the layers (name, values by dotted key), first to last; the ``SettingsError`` of an invalid value names its layer."""
        values: dict[str, Any] = {}
        origins: dict[str, str] = {}
        for origin, layer in layers:
            values.update(layer)
            origins.update(dict.fromkeys(layer, origin))
        try:
            return Layered(read_table(_nested(self.adapted(values), origins), self.model), origins)
        except InvalidTable as error:
            raise _first_fault(error, origins) from error

    def dump(self, layered: Layered[M], *, changed: bool = False) -> Iterator[tuple[str, str, str | None]]:
        """Yield each setting as (dotted key, value as TOML, origin or None for a default); ``changed``: only those that differ from the defaults."""
        defaults = dict(self._dotted(plain(self.model())))
        for key, value in self._dotted(plain(layered.settings)):
            if value != defaults[key] or not changed:
                yield key, _toml(value), layered.origins.get(key)

    def _in_full(self, values: Mapping[str, Any], folder: Path) -> dict[str, Any]:
        """Make paths absolute: they are used later from other folders, and copies outlive this process."""
        return {key: self._absolute(key, value, folder) for key, value in values.items()}

    def _absolute(self, key: str, value: Any, folder: Path) -> Any:
        if key in self.paths:
            return _from_root(value, folder, self.paths[key])
        if not isinstance(value, list):
            return value
        # A list of tables names paths as LIST.KEY; the validation reports anything else in it.
        return [
            {inner: self._absolute(f"{key}.{inner}", each, folder) for inner, each in table.items()} if isinstance(table, dict) else table
            for table in value
        ]

    def _dotted(self, table: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
        for key, value in table.items():
            if isinstance(value, dict) and f"{prefix}{key}" not in self.whole:
                yield from self._dotted(value, f"{prefix}{key}.")
            else:
                yield prefix + key, value


def _from_root(value: Any, folder: Path, is_path: Callable[[str], bool]) -> Any:
    if isinstance(value, list | tuple):
        return type(value)(_from_root(each, folder, is_path) for each in value)
    # The validation reports other types.
    if not isinstance(value, str) or os.path.isabs(value) or not is_path(value):  # noqa: PTH117 - it may not be a path
        return value
    try:
        return str(folder.absolute() / value)
    except OSError as error:
        raise SettingsError(
            expected=Phrase("a working folder, where {path} begins", path=value), found=reason(error), remedy="Give the whole path"
        ) from error


def _toml(value: Any) -> str:
    """Return a value as TOML: the same as JSON, except for tables."""
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_toml, value))}]"
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


def _first_fault(error: InvalidTable, origins: Mapping[str, str]) -> SettingsError:
    key = error.faults[0].key
    origin = next((origins[each] for each in origins if each == key or each.startswith(f"{key}.") or key.startswith(f"{each}.")), OPTIONS)
    return error.first(SettingsError, origin)


@contextmanager
def blame_setting(layered: Layered[M], key: str) -> Iterator[None]:
    """Within the block, look up what the setting ``key`` names; its ``TileclockError`` then says where it is set.

    The error of an option stays as it is: the user has just typed it.
    """
    try:
        yield
    except TileclockError as error:
        origin = layered.origins.get(key, OPTIONS)
        if origin == OPTIONS:
            raise
        error.locate(f"{origin}: {key}")
        raise


def load_named(layered: Layered[M], loaders: Mapping[str, Callable[[str], object]]) -> None:
    """Load everything that the settings name; raises the ``TileclockError`` of what is unusable.

    ``loaders``: for each key whose value is a name, or a sequence of names, what loads one.
    """
    for key, load in loaders.items():
        with blame_setting(layered, key):
            for name in names_in(layered.settings, key):
                load(name)


def names_in(settings: Table, key: str) -> tuple[str, ...]:
    """Return the names in the value of the dotted ``key``: a text or a sequence of texts."""
    value = attrgetter(key)(settings)
    return (value,) if isinstance(value, str) else tuple(value)
