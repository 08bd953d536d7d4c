"""The director's choices in the running station: each change rewrites the whole file."""

import json
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


class Choices:
    """The choices in the file beside the log, over the settings' values with the same keys. If it cannot be read, the settings count, and ``unreadable`` says why."""

    def __init__(self, settings: Settings) -> None:
        self.path = files.beside(Path(settings.log.path), CHOICES)
        self.settings = {"lexicon": settings.lexicon.path, "rulebook": settings.rulebook, "name": settings.name}
        self.stored: dict[str, Choice] = {}
        self.unreadable: str | None = None
        try:
            self.stored = convert(json.loads(self.path.read_text(encoding="utf-8")), dict[str, Choice])
        except FileNotFoundError:
            return
        except (OSError, ValueError) as error:
            get_logger().warning("the stored choices are ignored", why=str(error))
            self.unreadable = reason(error)

    @property
    def in_force(self) -> dict[str, str]:
        return {
            key: chosen.value if (chosen := self.stored.get(key)) and chosen.over == value else value
            for key, value in self.settings.items()
        }

    def forget(self, key: str) -> None:
        self.stored.pop(key, None)

    def store(self, key: str, value: str) -> Phrase | None:
        """Store a choice for the next start, by a file that takes the old one's place; return why that fails, or None."""
        self.stored[key] = Choice(value, self.settings[key])
        try:
            # In ASCII: a lexicon's file name may not be valid text, and must survive unchanged.
            files.write_whole(
                self.path, json.dumps({name: asdict(choice) for name, choice in self.stored.items()}, indent=1).encode("ascii")
            )
        except OSError as error:
            get_logger().warning("a choice was not stored", key=key, why=str(error))
            return Phrase("{where}: {said}", where=self.path, said=as_phrase(reason(error)))
        return None
