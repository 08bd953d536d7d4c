"""The director's choices as the running station keeps them: one changed at a time, all written anew."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from appliance.log import get_logger
from kiosk.shell.choices_file import Choice, in_force, read, write


class Choices:
    """The choices kept at ``path``, over ``said``: what the settings say, by the same keys."""

    def __init__(self, path: Path, said: Mapping[str, str]) -> None:
        self._path = path
        self._said = said
        try:
            self._kept = read(path)
        except (OSError, ValueError) as error:
            # The settings are there: whoever chose otherwise sees it on the screen.
            get_logger().warning("choices passed over", why=str(error))
            self._kept = {}

    @property
    def in_force(self) -> dict[str, str]:
        """What stands, by the keys of the settings' own."""
        return in_force(self._kept, self._said)

    def forget(self, key: str) -> None:
        """Go by the settings again, until the next choice."""
        self._kept.pop(key, None)

    def keep(self, key: str, value: str) -> str | None:
        """Keep a choice over a restart; return why it cannot be, or None where it is."""
        self._kept[key] = Choice(value, self._said[key])
        try:
            write(self._path, self._kept)
        except OSError as error:
            get_logger().warning("choice not kept", key=key, why=str(error))
            return f"{self._path}: {error.strerror}"
        return None
