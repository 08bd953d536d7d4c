"""The roles at the desk. Each may do what the one before may."""

from __future__ import annotations

from enum import IntEnum


class DeskRole(IntEnum):
    """What somebody may do at the desk."""

    SPECTATOR = 0
    """Anybody, without an account: the public board and the overlay."""
    DEPUTY = 1
    """Sees every page and takes calls; has no signing key, so no order comes from a deputy."""
    DIRECTOR = 2
    """Sends orders to tables and stations, and takes the desk over."""

    @property
    def word(self) -> str:
        """Its name in files, pages and commands."""
        return self.name.lower()


def role_of(word: str) -> DeskRole:
    """Return the role called ``word``.

    Raises:
        KeyError: there is none.
    """
    return DeskRole[word.upper()]
