"""Check the divisions of the settings: each one's rulebook and list."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from appliance.checks.finding import Finding, error_finding, note, ok
from faults.errors import Phrase
from kiosk.challenge.context import Trouble
from kiosk.doctor.lexicon import described
from kiosk.lexicons.shelf import load
from kiosk.settings.model import DivisionSettings
from rules.rulebooks import RulebookError, load_rulebook


def check_divisions(divisions: Sequence[DivisionSettings]) -> Iterator[Finding]:
    """Yield a finding about each division; its list is read completely."""
    for division in divisions:
        name = Phrase("division {name}", name=division.name)
        try:
            title = load_rulebook(division.rulebook).title
        except RulebookError as error:
            yield error_finding(name, error, "Name another rulebook in the settings")
            continue
        found = load(division.lexicon)
        if isinstance(found, Trouble):
            yield error_finding(name, found.what, "Copy the file anew, or name another in the settings")
            continue
        found.close()
        text = Phrase("tables {tables}, {rulebook}, {lexicon}", tables=division.tables, rulebook=title, lexicon=described(found.name))
        yield note(name, text) if found.name.practice else ok(name, text)
