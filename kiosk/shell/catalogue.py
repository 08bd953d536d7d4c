"""The rulebooks that the director may choose from: the shipped ones, and those the settings name."""

from __future__ import annotations

from collections.abc import Sequence

from kiosk.director.facts import RulebookChoice
from rules.rulebooks import Rulebook, RulebookError, load_rulebook, shipped_ids


class Catalogue:
    """Rulebooks by their ids.

    Args:
        named: those beside the shipped ones, ids or paths.
    """

    def __init__(self, named: Sequence[str]) -> None:
        self._named = tuple(dict.fromkeys((*named, *shipped_ids())))

    def choices(self) -> tuple[RulebookChoice, ...]:
        """Return those that can be used; a file of one's own that cannot is told of by the self-test."""
        return tuple(RulebookChoice(rulebook.id, rulebook.title) for _, rulebook in self._usable())

    def find(self, rulebook_id: str) -> tuple[str, Rulebook] | None:
        """Return the rulebook of that id with the name it is loaded by, or None where there is none that can be used."""
        return next(((name, rulebook) for name, rulebook in self._usable() if rulebook.id == rulebook_id), None)

    def _usable(self) -> list[tuple[str, Rulebook]]:
        usable = []
        for name in self._named:
            try:
                usable.append((name, load_rulebook(name)))
            except RulebookError:
                continue
        return usable
