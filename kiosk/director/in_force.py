"""Which lexicon file or rulebook of the director's choice is in force; desk and page use the same answer."""

from __future__ import annotations

from kiosk.challenge.context import StationContext
from kiosk.director.facts import Facts, LexiconFile, RulebookChoice


def in_force(choice: LexiconFile | RulebookChoice, facts: Facts, context: StationContext) -> bool:
    """Return whether ``choice`` is in force: a lexicon by its file and its list, because two files may hold the same list."""
    if isinstance(choice, RulebookChoice):
        return choice.id == context.rulebook.id
    found, current = choice.name, context.lexicon
    return choice.path == facts.in_use and found is not None and current is not None and found.sha256 == current.sha256
