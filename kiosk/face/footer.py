"""What is always in sight: which list verdicts come from, by which rules, at which station. The players' pages and the director's have the same."""

from __future__ import annotations

from appliance.texts import Texts
from kiosk.challenge.context import LexiconName, StationContext
from kiosk.face.page import Footer


def footer(standing: StationContext, texts: Texts) -> Footer:
    """Return the footer of every page: of the rulebook its id, for the titles are too long to be read beside the list."""
    return Footer(lexicon_line(standing.lexicon, texts), standing.rulebook.id, standing.name)


def lexicon_line(lexicon: LexiconName | None, texts: Texts) -> str:
    """Return a list's name, edition, number of words and short hash in a line; an edition that nobody gave is left out."""
    if lexicon is None:
        return texts.say("footer.no_lexicon")
    words = texts.say("footer.words", count=thousands(lexicon.words, texts))
    return " · ".join(part for part in (lexicon.name, lexicon.edition, words, lexicon.short_hash) if part)


def practice(standing: StationContext, texts: Texts) -> str | None:
    """Return what stands across the screen where no verdict counts."""
    return texts.say("practice.across") if standing.lexicon is not None and standing.lexicon.practice else None


def thousands(number: int, texts: Texts) -> str:
    """Return ``number`` in digits, with what the language puts between thousands."""
    return f"{number:,}".replace(",", texts.say("number.thousands"))
