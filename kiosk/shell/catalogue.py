"""The director's choice of rulebooks: the shipped ones, and those in the settings."""

from __future__ import annotations

from collections.abc import Sequence

from kiosk.director.facts import RulebookChoice
from rules.rulebooks import Rulebook, RulebookError, load_rulebook, shipped_ids


class Catalogue:
    """Rulebooks by their ids.

    Args:
        named: ids or paths besides the shipped ones.
    """

    def __init__(self, named: Sequence[str]) -> None:
        self._named = tuple(dict.fromkeys((*named, *shipped_ids())))

    def choices(self) -> tuple[RulebookChoice, ...]:
        """Return the usable rulebooks; the self-test reports unusable custom files."""
        return tuple(RulebookChoice(rulebook.id, rulebook.title) for _, rulebook in self._usable())

    def find(self, rulebook_id: str) -> tuple[str, Rulebook] | None:
        """Return the usable rulebook of that id with the name to load it by, or None."""
        return next(((name, rulebook) for name, rulebook in self._usable() if rulebook.id == rulebook_id), None)

    def by_id(self, rulebook_id: str) -> Rulebook | None:
        """Return the usable rulebook of that id, or None."""
        found = self.find(rulebook_id)
        return None if found is None else found[1]

    def _usable(self) -> list[tuple[str, Rulebook]]:
        usable = []
        for name in self._named:
            try:
                usable.append((name, load_rulebook(name)))
            except RulebookError:
                continue
        return usable
