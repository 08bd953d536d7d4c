"""The footer of every page, players' and director's: list, rulebook and station."""

from __future__ import annotations

from appliance.texts import Texts
from game.challenge_log.entry import LexiconName
from kiosk.challenge.context import StationContext
from kiosk.face.page import Footer


def footer(context: StationContext, texts: Texts) -> Footer:
    """Return the footer; it shows the rulebook's id, because titles are too long beside the list."""
    return Footer(lexicon_line(context.lexicon, texts), context.rulebook.id, context.name)


def lexicon_line(lexicon: LexiconName | None, texts: Texts) -> str:
    """Return a list's name, edition, number of words and short hash in a line; a missing edition is left out."""
    if lexicon is None:
        return texts.say("footer.no_lexicon")
    words = texts.say("footer.words", count=thousands(lexicon.words, texts))
    return " · ".join(part for part in (lexicon.name, lexicon.edition, words, lexicon.short_hash) if part)


def practice(context: StationContext, texts: Texts) -> str | None:
    """Return the text across the screen if no verdict counts."""
    return texts.say("practice.across") if context.lexicon is not None and context.lexicon.practice else None


def thousands(number: int, texts: Texts) -> str:
    """Return ``number`` with the language's thousands separator."""
    return f"{number:,}".replace(",", texts.say("number.thousands"))
