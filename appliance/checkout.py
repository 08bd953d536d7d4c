"""What only a checkout of Tileclock has: ``tools``, the developers' programs."""

from __future__ import annotations

from pkgutil import resolve_name
from typing import Any

from faults.errors import TileclockError


class NotInstalled(TileclockError, ImportError):
    """A command needs a part of the checkout that is not packaged."""


def from_checkout(name: str, target: str) -> Any:
    """Return an object of ``tools``; raises ``NotInstalled`` outside a checkout, where the make target ``target`` runs it."""
    try:
        return resolve_name(name)
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "tools":
            raise
        raise NotInstalled(
            expected="a checkout of Tileclock", found="an installed package", remedy=f"Run make {target} in a checkout, or this command"
        ) from error
