"""The power-off request: a file that the program creates and a privileged unit watches for.

The program itself needs no right to switch the machine off. If the environment names no file, the director's menu does not offer it.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from appliance.errors import PowerOffError
from appliance.records.io_errors import describe_io_error
from faults.errors import Phrase, as_phrase


@dataclass(frozen=True, slots=True)
class PowerOff:
    """Where to put the request."""

    path: Path
    """The file; its folder is the program's own."""

    def ask(self) -> None:
        """Create the request: systemd then stops the program cleanly and switches the machine off.

        Raises:
            PowerOffError: the file cannot be written.
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
    """Return how to switch the machine off; None if the environment has no absolute path at ``key`` or its folder is not writable."""
    path = request_path(environment, key)
    return None if path is None else PowerOff(path)


def request_path(environment: Mapping[str, str], key: str) -> Path | None:
    """Return where a request can be created; None if the environment has no absolute path at ``key`` or its folder is not writable."""
    path = Path(environment.get(key, ""))
    return path if path.is_absolute() and os.access(path.parent, os.W_OK | os.X_OK) else None
