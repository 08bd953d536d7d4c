"""Which of the files and rulebooks that a director may choose from is the one in force; desk and face ask the same question."""

from __future__ import annotations

from kiosk.challenge.context import StationContext
from kiosk.director.facts import Facts, LexiconFile, RulebookChoice


def in_force(choice: LexiconFile | RulebookChoice, facts: Facts, standing: StationContext) -> bool:
    """Tell whether ``choice`` stands at the station: a lexicon by its file and its list, for two files may hold the same list."""
    if isinstance(choice, RulebookChoice):
        return choice.id == standing.rulebook.id
    found, stands = choice.name, standing.lexicon
    return choice.path == facts.in_use and found is not None and stands is not None and found.sha256 == stands.sha256
