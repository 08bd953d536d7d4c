"""The wish to have the machine switched off: a file that the program may make, and whoever started it with more rights looks for.

Between a director's menu and systemd: the program itself needs no right to switch anything off. Where nobody named the file in the environment nothing is offered.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from appliance.errors import PowerOffError
from appliance.phrase import Phrase, as_phrase
from appliance.records.io_errors import describe_io_error


@dataclass(frozen=True, slots=True)
class PowerOff:
    """Where the wish is left."""

    path: Path
    """The file; its folder is the program's own."""

    def ask(self) -> None:
        """Leave the wish: whoever looks for it ends the program in good order, and then the machine.

        Raises:
            PowerOffError: it cannot be left.
        """
        try:
            self.path.touch()
        except OSError as error:
            found = describe_io_error(error).problem
            raise PowerOffError(
                where=self.path,
                expected="to leave the wish to switch off",
                found=Phrase("that it cannot be written: {why}", why=as_phrase(found)),
                remedy="Use the power button",
            ) from error


def power_off(environment: Mapping[str, str], key: str) -> PowerOff | None:
    """Return how the machine is switched off, or None where nobody does it: the environment names no file at ``key``, or its folder takes none."""
    named = environment.get(key, "")
    path = Path(named)
    return PowerOff(path) if named and path.is_absolute() and os.access(path.parent, os.W_OK | os.X_OK) else None
