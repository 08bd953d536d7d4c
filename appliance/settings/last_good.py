"""The last good settings: a machine whose files were spoiled between two rounds runs on with what it ran with before, and says so.

Between the layers (``settings``) and a program that runs at a table. Each time all of the machine's files are good, what differs from the copies in the state
folder is copied there: the settings files, and the rulebooks and boards of one's own that they name. When they are not, the copies stand in for the originals,
as few of them as will do; a file of which none was ever kept is left out, and its settings are at their defaults. A file that is gone though its copy sets
something is at fault too. The options of the command line are never made good: whoever typed them is there to read.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import Any, Final, Generic, TypeVar, cast

from pydantic import BaseModel

from appliance.checks.finding import Finding, fail, ok
from appliance.errors import Diagnosis, Explained, SettingsError, TileclockError, full_stop
from appliance.log import get_logger
from appliance.phrase import Phrase, as_phrase, in_a_row
from appliance.records.files import write_whole
from appliance.records.io_errors import describe_io_error
from appliance.settings.file import require_named
from appliance.settings.layers import Layer, Layered, Layers, RejectedSettings, is_file

FOLDER: Final = "last-good"
"""In the state folder; below it each copy has the path of its original."""
COPY: Final = "last good copy of "
"""Before a file's name, where a setting comes from its copy."""

M = TypeVar("M", bound=BaseModel)


def state_folder(default: Path, environment: Mapping[str, str]) -> Path:
    """Return where a program keeps its state: what systemd names (systemd.exec(5), StateDirectory=; the first of several), or ``default``."""
    named = environment.get("STATE_DIRECTORY", "").split(":")[0]
    return Path(named) if named else default


def said(layered: Layered[M]) -> str:
    """Return what came of taking settings, for the machine's log: whose they are, or why not the files' own."""
    if layered.refused is None:
        return f"settings taken: {whose(layered)}"
    return f"settings not taken: {layered.refused.why.problem}; in force instead: {whose(layered)}"


def finding(layered: Layered[M]) -> Finding:
    """Return the same for a self-test."""
    if layered.refused is None:
        return ok("settings", whose(layered))
    why = layered.refused.why
    problem = Phrase("{problem}; in force instead: {origins}", problem=as_phrase(why.problem), origins=whose(layered))
    return fail("settings", problem, in_a_row(*filter(None, (full_stop(why.remedy), Phrase("Then start anew.")))))


def whose(layered: Layered[M]) -> str:
    """Return how many settings come from where."""
    by_origin = Counter(layered.origins.values())
    return ", ".join(f"{number} from {origin}" for origin, number in by_origin.items()) or "all at their defaults"


@dataclass(frozen=True, slots=True)
class LastGood(Generic[M]):
    """How one program's settings are taken at its start.

    Args:
        layers: how they are read.
        usable: requires that what they name can be had, as the program does at its start; raises one of ``faults``.
        named: the dotted keys whose values name small files that the program needs: these are copied too.
        state: the program's state folder; it need not be there, nor be writable.
        faults: what ``usable`` and ``layers`` raise.
    """

    layers: Layers[M]
    usable: Callable[[Layered[M]], object]
    named: frozenset[str]
    state: Path
    faults: tuple[type[Exception], ...] = (TileclockError,)

    def take(self, options: Mapping[str, Any]) -> Layered[M]:
        """Return the settings to run with: the machine's files and ``options`` as they are, or with ``refused`` why not, and the last good ones.

        Raises:
            One of ``faults``: the options themselves cannot be used, not even over the defaults.
        """
        files = self._files()
        found = self._found(files, options)
        if found.refused is None:
            self._keep(files, found.settings)
        return found

    def look(self, options: Mapping[str, Any]) -> Layered[M]:
        """Return what ``take`` would, and keep no copies: for who only wants to know, and may not write here.

        Raises:
            One of ``faults``: the options themselves cannot be used, not even over the defaults.
        """
        return self._found(self._files(), options)

    def as_they_are(self, options: Mapping[str, Any]) -> Layered[M]:
        """Return the machine's files and ``options`` and nothing in their place; what they name is not looked for.

        Raises:
            SettingsError: a file is at fault, or a value.
        """
        return self.layers.merge([*map(self.layers.own, self._files()), self.layers.given(options)])

    def examined(self, options: Mapping[str, Any]) -> Layered[M]:
        """Return what ``look`` does; where ``options`` name what cannot be had, they are returned all the same: a check of its own tells of that.

        Raises:
            One of ``faults``: the options themselves cannot be used.
        """
        try:
            return self.look(options)
        except self.faults:
            with suppress(SettingsError):
                return self.as_they_are(options)
            raise

    def _files(self) -> list[Path]:
        return self.layers.files(self._is_missed)

    def _is_missed(self, file: Path) -> bool:
        try:
            return bool(self._copied(file)[1])
        except SettingsError:
            # None was kept, or whoever asks may not look.
            return False

    def _found(self, files: Sequence[Path], options: Mapping[str, Any]) -> Layered[M]:
        given = self.layers.given(options)
        try:
            require_named(path for places in self.layers.places() for path in places)
            return self._usable([*map(self.layers.own, files), given])
        except self.faults as error:
            return self._instead(files, given, Diagnosis.of(cast("Explained", error)))

    def _instead(self, files: Sequence[Path], given: Layer, why_not: Diagnosis) -> Layered[M]:
        for stand_in in self._stand_ins(files):
            with suppress(*self.faults):
                return replace(
                    self._usable([*stand_in.layers(), given]), refused=RejectedSettings(why_not, kept=stand_in.whole and bool(files))
                )
        return replace(self._usable([given]), refused=RejectedSettings(why_not, kept=False))

    def _stand_ins(self, files: Sequence[Path]) -> Iterator[_StandIn]:
        """Yield what may do instead, first what is nearest to the files as they are. Of two files the last one has the last word: its copy is tried first."""
        reads = (self.layers.own, self._copied)
        for readers in (reads, (*reads, _left_out)):
            for changed in (_as_it_is, self._with_copies):
                for pick in product(readers, repeat=len(files)):
                    if readers is reads or _left_out in pick:
                        yield _StandIn(tuple(zip(pick, files, strict=True)), changed, whole=readers is reads)

    def _usable(self, layers: Sequence[Layer]) -> Layered[M]:
        found = self.layers.merge(layers)
        self.usable(found)
        return found

    def _copied(self, file: Path) -> Layer:
        # A path in it begins where the original lies.
        return f"{COPY}{file}", self.layers.read(self._copy(file), file.parent)

    def _with_copies(self, layer: Layer) -> Layer:
        origin, values = layer
        return origin, {key: _each(value, self._copy_of) if key in self.named else value for key, value in values.items()}

    def _copy_of(self, named: str) -> str:
        copy = self._copy(Path(named)) if is_file(named) else None
        # Whoever may not look into the folder finds no copy there.
        return named if copy is None or not os.path.exists(copy) else str(copy)  # noqa: PTH110 - Path's raises there

    def _copy(self, file: Path) -> Path:
        return self.state / FOLDER / os.path.abspath(file).lstrip(os.sep)  # noqa: PTH100 - a ".." must not lead out of the folder

    def _keep(self, files: Sequence[Path], settings: M) -> None:
        """Copy what is good now; that it cannot be is no reason not to run."""
        if not files:
            return
        named = [Path(text) for key in self.named for text in _texts(_at(settings, key)) if is_file(text)]
        try:
            for file in (*files, *named):
                _copy(file, self._copy(file))
        except OSError as error:
            get_logger().warning("the last good settings are not kept", folder=str(self.state / FOLDER), why=str(describe_io_error(error)))


@dataclass(frozen=True, slots=True)
class _StandIn:
    """How each file is read, and what is then changed in it."""

    picked: Sequence[tuple[Callable[[Path], Layer], Path]]
    changed: Callable[[Layer], Layer]
    whole: bool
    """No file is left out."""

    def layers(self) -> list[Layer]:
        return [self.changed(read(file)) for read, file in self.picked]


def _left_out(file: Path) -> Layer:
    return str(file), {}


def _as_it_is(layer: Layer) -> Layer:
    return layer


def _copy(file: Path, to: Path) -> None:
    content = file.read_bytes()
    # Only what has changed is written: it is taken at each start, and a card wears.
    if to.is_file() and to.read_bytes() == content:
        return
    to.parent.mkdir(parents=True, exist_ok=True)
    write_whole(to, content)


def _at(settings: BaseModel, key: str) -> Any:
    value: Any = settings
    for name in key.split("."):
        value = getattr(value, name)
    return value


def _texts(value: Any) -> Iterator[str]:
    yield from (value,) if isinstance(value, str) else value


def _each(value: Any, change: Callable[[str], str]) -> Any:
    if isinstance(value, list | tuple):
        return type(value)(_each(each, change) for each in value)
    return change(value) if isinstance(value, str) else value
