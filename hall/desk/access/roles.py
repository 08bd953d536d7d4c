"""The roles at the desk, each of which may do what the one before may, and the errors of accounts and access."""

from __future__ import annotations

from enum import IntEnum

from faults.errors import TileclockError


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


class BadPassword(TileclockError, ValueError):
    """The new password does not meet the requirements."""


class AccountError(TileclockError, ValueError):
    """The accounts' file is unusable, or the account is not what was expected."""


class LockedKey(TileclockError, ValueError):
    """The director's key does not open with this password or passphrase."""


class UnsafeBind(TileclockError, ValueError):
    """The desk would serve passwords to the network without a certificate."""
