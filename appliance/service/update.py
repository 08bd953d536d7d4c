"""The update request: as the power-off request, a file that the program creates and a privileged unit watches for. It has no content."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from appliance.service.poweroff import request_path


@dataclass(frozen=True, slots=True)
class UpdateRequest:
    """Where to put the request, and where the unit tells what came of it."""

    path: Path
    """The request; its folder is the program's own."""
    outcome: Path
    """One word, which outlives a restart of the program, but not of the machine."""

    def ask(self) -> None:
        """Create the request: the unit then stops the program cleanly, installs, and starts it again.

        Raises:
            OSError: the file cannot be written.
        """
        self.path.touch()

    def withdraw(self) -> None:
        """Remove the request, if it is still there: whoever removes it first, the program or the unit, acts.

        Raises:
            OSError: the file cannot be removed.
        """
        self.path.unlink(missing_ok=True)

    def last(self) -> str:
        """Return what came of the last update; empty: no update is known."""
        try:
            return self.outcome.read_text(encoding="ascii").strip()
        except (OSError, ValueError):
            return ""


def update_request(environment: Mapping[str, str], key: str, outcome_key: str) -> UpdateRequest | None:
    """Return how to ask for an update; None if the environment does not name a file at ``key`` that can be created, and one at ``outcome_key``."""
    path, outcome = request_path(environment, key), Path(environment.get(outcome_key, ""))
    return UpdateRequest(path, outcome) if path is not None and outcome.is_absolute() else None
