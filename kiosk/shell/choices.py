"""The director's choices in the running station: each change rewrites the whole file."""

import json
from collections.abc import Mapping
from pathlib import Path

from msgspec import convert
from msgspec.structs import asdict

from appliance.log import get_logger
from appliance.records import files
from faults.errors import Phrase, as_phrase, reason
from kiosk.context import Value
from kiosk.settings import Settings
from records.log import CHOICES


class Choice(Value, frozen=True):
    value: str
    over: str
    """The settings' value at the time of the choice."""


def beside(log: Path) -> Path:
    return files.beside(log, CHOICES)


def read(path: Path) -> dict[str, Choice]:
    """Return the choices in the file ``path`` by key; none if it does not exist. Raises OSError: it cannot be read; ValueError: it has another format."""
    try:
        return convert(json.loads(path.read_text(encoding="utf-8")), dict[str, Choice])
    except FileNotFoundError:
        return {}


def in_force(choices: Mapping[str, Choice], settings: Mapping[str, str]) -> dict[str, str]:
    return {key: chosen.value if (chosen := choices.get(key)) and chosen.over == value else value for key, value in settings.items()}


def write(path: Path, choices: Mapping[str, Choice]) -> None:
    """Write the choices to ``path`` atomically. Raises OSError: it cannot be written; the old file is unchanged."""
    # In ASCII: a lexicon's file name may not be valid text, and must survive unchanged.
    files.write_whole(path, json.dumps({key: asdict(choice) for key, choice in choices.items()}, indent=1).encode("ascii"))


class Choices:
    """The choices in the file ``path``, over the settings' values ``settings`` with the same keys."""

    def __init__(self, path: Path, settings: Mapping[str, str]) -> None:
        self._path = path
        self._settings = settings
        try:
            self._stored = read(path)
        except (OSError, ValueError) as error:
            # Use the settings; the screen shows the director what is in force.
            get_logger().warning("the stored choices are ignored", why=str(error))
            self._stored = {}

    @property
    def in_force(self) -> dict[str, str]:
        return in_force(self._stored, self._settings)

    def forget(self, key: str) -> None:
        self._stored.pop(key, None)

    def store(self, key: str, value: str) -> Phrase | None:
        """Store a choice for the next start; return why that fails, or None."""
        self._stored[key] = Choice(value, self._settings[key])
        try:
            write(self._path, self._stored)
        except OSError as error:
            get_logger().warning("a choice was not stored", key=key, why=str(error))
            return Phrase("{where}: {said}", where=self._path, said=as_phrase(reason(error)))
        return None


def choices_of(settings: Settings) -> Choices:
    values = {"lexicon": settings.lexicon.path, "rulebook": settings.rulebook, "name": settings.name}
    return Choices(beside(Path(settings.log.path)), values)
