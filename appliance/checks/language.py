"""Check the texts of the screen's language."""

from __future__ import annotations

from collections.abc import Callable

from appliance.checks.finding import Finding, counted, error_finding, ok
from appliance.texts import Texts
from faults.errors import Phrase, TileclockError


def check_texts(language: str, load: Callable[[str], Texts]) -> Finding:
    """Return whether the texts of ``language`` are usable; ``load`` is the program's."""
    try:
        texts = load(language)
    except TileclockError as error:
        remedy = "Choose a shipped language with --language, or install Tileclock anew if a shipped file was changed"
        return error_finding("texts", error, remedy)
    return ok("texts", Phrase("{language}: {texts}", language=language, texts=counted(len(texts.by_key), "text")))
