"""Layers of settings: defaults, system file, file on the boot partition, options; the last one wins.

Every value remembers its layer, so that an error names the file, also when what the settings name cannot be loaded. Each program has its own model of settings.

A failing card, or one removed too early, leaves empty or missing files: neither is a request for the defaults. An editor may spoil a file, too. If a settings file is
spoiled between two rounds, the machine runs with its previous settings and reports it.

Whenever all of the machine's files are good, those that changed are copied to the state folder: the settings files, and the user's own rulebooks and boards
that they name. Otherwise copies replace originals, as few as possible; a file without a copy is left out, and its settings have their defaults. A file that is
missing although its copy sets something is faulty too. Command-line options are never replaced: the user is there to read the error.
"""

import json
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import product
from operator import attrgetter
from pathlib import Path
from typing import Any, Final, Generic, TypeAlias, TypeVar

from msgspec import Struct, field
from msgspec.structs import replace

from appliance.errors import Diagnosis, Finding, SettingsError, fail, ok
from appliance.log import get_logger
from appliance.records.files import make_folder, write_whole
from appliance.records.sqlite import describe_io_error
from faults.errors import Phrase, TileclockError, as_phrase, full_stop, in_a_row, reason
from faults.small_file import is_path, no_toml, read_once, read_small, toml_in
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
    """None: they are what the files say. Else see ``appliance.settings``."""


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


FOLDER: Final = "last-good"
"""The folder of the copies, in the state folder; below it each copy has its original's path."""


def state_folder(default: Path, environment: Mapping[str, str]) -> Path:
    """Return a program's state folder: the (first) one that systemd names (systemd.exec(5), StateDirectory=), or ``default``."""
    folder = environment.get("STATE_DIRECTORY", "").split(":")[0]
    return Path(folder) if folder else default


def settings_outcome(layered: Layered[M]) -> str:
    if layered.refused is None:
        return f"settings taken: {count_by_origin(layered)}"
    return f"settings not taken: {layered.refused.why.problem}; in force instead: {count_by_origin(layered)}"


def check_settings(layered: Layered[M]) -> Finding:
    if layered.refused is None:
        return ok("settings", count_by_origin(layered))
    why = layered.refused.why
    problem = Phrase("{problem}; in force instead: {origins}", problem=as_phrase(why.problem), origins=count_by_origin(layered))
    return fail("settings", problem, in_a_row(*filter(None, (full_stop(why.remedy), Phrase("Then restart.")))))


def count_by_origin(layered: Layered[M]) -> Phrase:
    by_origin = Counter(layered.origins.values())
    counted = (Phrase("{number} from {origin}", number=number, origin=as_phrase(origin)) for origin, number in by_origin.items())
    return in_a_row(*counted, between=", ") if by_origin else Phrase("all at their defaults")


class LastGood(Struct, Generic[M], frozen=True):
    """Loads one program's settings at its start.

    ``usable`` loads what the settings name, as the program does at its start; it raises ``TileclockError``. ``named``: dotted keys whose values name small files that the
    program needs; these are copied too. ``state``: the program's state folder; it may be missing or read-only.
    """

    layers: Layers[M]
    usable: Callable[[Layered[M]], object]
    named: frozenset[str]
    state: Path

    def take(self, options: Mapping[str, Any]) -> Layered[M]:
        """Return the settings to run with: the machine's files and ``options``, or the last good ones, with the reason in ``refused``.

        Raises ``TileclockError`` if the options are unusable even over the defaults.
        """
        return self._found(self._files(), options, keep=True)

    def look(self, options: Mapping[str, Any]) -> Layered[M]:
        """Return the same as ``take`` without saving copies: for commands that only read."""
        return self._found(self._files(), options)

    def as_they_are(self, options: Mapping[str, Any]) -> Layered[M]:
        """Return the machine's files and ``options`` without replacements, and without loading what they name; raises ``SettingsError``."""
        return self.layers.over_beneath([*map(self.layers.own, self._files()), self.layers.given(options)])

    def examined(self, options: Mapping[str, Any]) -> Layered[M]:
        """Return the same as ``look``, but accept ``options`` that name something unavailable: a separate check reports that."""
        try:
            return self.look(options)
        except TileclockError:
            with suppress(SettingsError):
                return self.as_they_are(options)
            raise

    def _files(self) -> list[Path]:
        return self.layers.files(self._is_missed)

    def _is_missed(self, file: Path) -> bool:
        try:
            return bool(self._copied(file)[1])
        except SettingsError:
            # No copy, or no permission to read it.
            return False

    def _found(self, files: Sequence[Path], options: Mapping[str, Any], *, keep: bool = False) -> Layered[M]:
        given = self.layers.given(options)
        with read_once() as read:
            try:
                reject_hidden_ending(path for places in self.layers.places() for path in places)
                found = self._usable([*map(self.layers.own, files), given])
            except TileclockError as error:
                return self._instead(files, given, Diagnosis.of(error))
        # Whatever lies beneath the files, they are good.
        if keep:
            self._keep(files, found.settings, read)
        return found

    def _instead(self, files: Sequence[Path], given: Layer, why_not: Diagnosis) -> Layered[M]:
        for layers, whole in self._stand_ins(files):
            with suppress(TileclockError):
                return replace(self._usable([*layers, given]), refused=RejectedSettings(why_not, last_good=whole and bool(files)))
        return replace(self._usable([given]), refused=RejectedSettings(why_not, last_good=False))

    def _stand_ins(self, files: Sequence[Path]) -> Iterator[tuple[Iterable[Layer], bool]]:
        """Yield the possible replacements, closest to the original files first. The copy of the last file, which overrides the others, is tried first.

        Each as layers, read when they are iterated, and whether no file is left out.
        """
        reads = (self.layers.own, self._copied)
        for readers in (reads, (*reads, _left_out)):
            for changed in (lambda layer: layer, self._with_copies):
                for pick in product(readers, repeat=len(files)):
                    if readers is reads or _left_out in pick:
                        yield (changed(read(file)) for read, file in zip(pick, files, strict=True)), readers is reads

    def _usable(self, layers: Sequence[Layer]) -> Layered[M]:
        found = self.layers.over_beneath(layers)
        self.usable(found)
        return found

    def _copied(self, file: Path) -> Layer:
        # Its relative paths start at the original's folder.
        return Phrase("last good copy of {file}", file=file), self.layers.read(self._copy(file), file.parent)

    def _with_copies(self, layer: Layer) -> Layer:
        origin, values = layer
        return origin, {key: _each(value, self._copy_of) if key in self.named else value for key, value in values.items()}

    def _copy_of(self, named: str) -> str:
        copy = self._copy(Path(named)) if is_path(named) else None
        # Without permission for the folder there is no copy.
        return named if copy is None or not os.path.exists(copy) else str(copy)  # noqa: PTH110 - Path.exists raises without permission

    def _copy(self, file: Path) -> Path:
        return self.state / FOLDER / os.path.abspath(file).lstrip(os.sep)  # noqa: PTH100 - a ".." must not leave the folder

    def _keep(self, files: Sequence[Path], settings: M, read: Mapping[str, bytes]) -> None:
        """Copy the good files as they were ``read``: they may have changed since. A failure is only logged: the program can run without copies."""
        if not files:
            return
        named = [Path(name) for key in self.named for name in names_in(settings, key) if is_path(name)]
        try:
            for file in (*files, *named):
                _write(read[os.path.abspath(file)], self._copy(file))  # noqa: PTH100 - as it is kept
        except OSError as error:
            get_logger().warning("the last good settings are not saved", folder=str(self.state / FOLDER), why=str(describe_io_error(error)))


def _left_out(file: Path) -> Layer:
    return str(file), {}


def _write(content: bytes, to: Path) -> None:
    # Write changes only: this runs at each start, and cards wear.
    if to.is_file() and to.read_bytes() == content:
        return
    # A program that root has started by hand must leave copies that the service's user can read and replace.
    make_folder(to.parent)
    write_whole(to, content, for_owner=True)


def _each(value: Any, change: Callable[[str], str]) -> Any:
    if isinstance(value, list | tuple):
        return type(value)(_each(each, change) for each in value)
    return change(value) if isinstance(value, str) else value
