"""The last good settings: if a settings file is spoiled between two rounds, the machine runs with its previous settings and reports it.

Whenever all of the machine's files are good, those that changed are copied to the state folder: the settings files, and the user's own rulebooks and boards
that they name. Otherwise copies replace originals, as few as possible; a file without a copy is left out, and its settings have their defaults. A file that is
missing although its copy sets something is faulty too. Command-line options are never replaced: the user is there to read the error.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import product
from pathlib import Path
from typing import Any, Final, Generic, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from appliance.errors import Diagnosis, SettingsError
from appliance.finding import Finding, fail, ok
from appliance.log import get_logger
from appliance.records.files import make_folder, write_whole
from appliance.records.sqlite import describe_io_error
from appliance.settings.layers import Layer, Layered, Layers, RejectedSettings, names_in, reject_hidden_ending
from faults.errors import Phrase, TileclockError, as_phrase, full_stop, in_a_row
from faults.small_file import is_path, read_once
from faults.validation import Table

FOLDER: Final = "last-good"
"""The folder of the copies, in the state folder; below it each copy has its original's path."""

M = TypeVar("M", bound=Table)


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
            for changed in (_as_it_is, self._with_copies):
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


def _as_it_is(layer: Layer) -> Layer:
    return layer


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
