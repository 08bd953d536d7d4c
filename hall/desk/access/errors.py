"""The errors of accounts and access."""

from __future__ import annotations

from faults.errors import TileclockError


class BadPassword(TileclockError, ValueError):
    """The new password does not meet the requirements."""


class AccountError(TileclockError, ValueError):
    """The accounts' file is unusable, or the account is not what was expected."""


class LockedKey(TileclockError, ValueError):
    """The director's key does not open with this password or passphrase."""


class UnsafeBind(TileclockError, ValueError):
    """The desk would serve passwords to the network without a certificate."""
