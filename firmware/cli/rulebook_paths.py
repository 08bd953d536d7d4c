"""Resolve the paths of rulebook files in a script."""

from __future__ import annotations

import os
from pathlib import Path

from appliance.settings.layers import is_file
from game.event_table import Rulebooks
from rules.rulebooks import Rulebook, load_rulebook


def beside(folder: Path) -> Rulebooks:
    """Return a loader for the rulebooks of a script in ``folder``: a file there first, else as ``load_rulebook`` does."""

    def load(named: str) -> Rulebook:
        there = os.path.join(folder, named)  # noqa: PTH118 - Path raises for an impossible path; load_rulebook reports it
        return load_rulebook(there if is_file(named) and os.path.isfile(there) else named)  # noqa: PTH113 - likewise

    return load
