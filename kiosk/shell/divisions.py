"""The divisions of the settings with their rulebooks and completely read lists, as the station starts."""

from __future__ import annotations

from collections.abc import Iterator

from appliance.errors import SettingsError
from faults.errors import Phrase
from kiosk.challenge.context import Division, JudgedBy, Trouble
from kiosk.lexicons.shelf import Loaded, load
from kiosk.settings import Layered
from rules.rulebooks import load_rulebook
from rules.tables import tables_of


def divisions_of(layered: Layered) -> Iterator[tuple[Division, Loaded]]:
    """Yield each division with its open list, which the caller closes.

    Raises:
        RulebookError: a rulebook cannot be used.
        SettingsError: a list cannot be used; the message names the settings' file, the tables and the list's file.
    """
    lists: dict[str, Loaded] = {}
    for division in layered.settings.divisions:
        if division.lexicon not in lists:
            found = load(division.lexicon)
            if isinstance(found, Trouble):
                origin = layered.origins.get("divisions", "")
                raise SettingsError(
                    where=f"{origin}: divisions" if origin else "divisions",
                    expected=Phrase("the list of {division}, tables {tables}", division=division.name, tables=division.tables),
                    found=found.what.problem,
                    remedy=found.what.remedy,
                )
            lists[division.lexicon] = found
        loaded = lists[division.lexicon]
        by = JudgedBy(load_rulebook(division.rulebook), loaded.name, loaded.spelling)
        yield Division(division.name, tables_of(division.tables), by), loaded
