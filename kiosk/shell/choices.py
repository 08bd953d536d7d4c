"""The director's choices in the running station: each change rewrites the whole file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from appliance.log import get_logger
from faults.errors import Phrase, as_phrase, reason
from kiosk.shell.choices_file import Choice, ChoicesError, in_force, read, write


class Choices:
    """The choices in the file ``path``, over the settings' values ``settings`` with the same keys."""

    def __init__(self, path: Path, settings: Mapping[str, str]) -> None:
        self._path = path
        self._settings = settings
        try:
            self._stored = read(path)
        except (OSError, ChoicesError) as error:
            # Use the settings; the screen shows the director what is in force.
            get_logger().warning("choices ignored", why=str(error))
            self._stored = {}

    @property
    def in_force(self) -> dict[str, str]:
        """The values in force, by the keys of the settings."""
        return in_force(self._stored, self._settings)

    def forget(self, key: str) -> None:
        """Return to the settings' value, until the next choice."""
        self._stored.pop(key, None)

    def store(self, key: str, value: str) -> Phrase | None:
        """Store a choice for the next start; return why that fails, or None."""
        self._stored[key] = Choice(value, self._settings[key])
        try:
            write(self._path, self._stored)
        except OSError as error:
            get_logger().warning("choice not stored", key=key, why=str(error))
            return Phrase("{where}: {said}", where=self._path, said=as_phrase(reason(error)))
        return None
