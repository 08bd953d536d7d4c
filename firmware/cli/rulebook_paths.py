"""Rulebooks that are files: where a path that does not begin at the root leads to."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

from firmware.core.wording import Rulebooks
from firmware.rulebooks import Rulebook, load_rulebook
from firmware.settings import Layered


def in_full(layered: Layered) -> Layered:
    """Return the settings with rulebooks' paths from the root: the journal keeps them, and is read in other working directories."""
    settings = layered.settings
    named = {"rulebook": _absolute(settings.rulebook), "own_rulebooks": tuple(map(_absolute, settings.own_rulebooks))}
    return replace(layered, settings=settings.model_copy(update=named))


def beside(folder: Path) -> Rulebooks:
    """Return how a script in ``folder`` finds rulebooks: a file there first, else as ``load_rulebook`` does."""

    def load(named: str) -> Rulebook:
        there = os.path.join(folder, named)  # noqa: PTH118 - Path raises for what no path can be; load_rulebook says it
        return load_rulebook(there if _is_path(named) and os.path.isfile(there) else named)  # noqa: PTH113 - likewise

    return load


def _absolute(named: str) -> str:
    return os.path.abspath(named) if _is_path(named) else named  # noqa: PTH100 - without ".." in what the journal keeps


def _is_path(named: str) -> bool:
    return named.endswith(".toml") or os.sep in named
