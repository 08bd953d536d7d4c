"""Check the lexicon: it exists, is intact, and is the required one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from appliance.checks.finding import Finding, counted, error_finding, note, ok
from faults.errors import Phrase
from game.challenge_log.entry import LexiconName
from kiosk.challenge.context import Trouble
from kiosk.lexicons.listing import listing
from kiosk.lexicons.shelf import expected, load
from kiosk.settings.model import LexiconSettings
from lexicon import LexiconError


def check_lexicon(path: Path, settings: LexiconSettings) -> Iterator[Finding]:
    """Yield a finding about the lexicon at ``path``, and the number of others in the folder."""
    try:
        wanted = expected(settings.alphabet or None, settings.sha256 or None)
    except LexiconError as error:
        yield error_finding("alphabet", error, "Name a shipped alphabet in lexicon.alphabet, or leave it empty")
        return
    found = load(path, wanted)
    if isinstance(found, Trouble):
        yield error_finding("lexicon", found.what, "Copy the file anew, or name another with --lexicon")
    else:
        found.close()
        yield note("lexicon", described(found.name)) if found.name.practice else ok("lexicon", described(found.name))
    usable = [each for each in listing(Path(settings.folder), (), wanted) if each.fault is None]
    yield note(
        "lexicon folder",
        Phrase("{folder}: {lexicons} to choose from at the desk", folder=settings.folder, lexicons=counted(len(usable), "lexicon")),
    )


def described(name: LexiconName) -> Phrase:
    """Return what a completely read list is, and whether it is the practice list."""
    what = " ".join(part for part in (name.name, name.edition) if part)
    text = Phrase(
        "{name}, {words:,} words, {hash}, alphabet {alphabet}: read whole",
        name=what,
        words=name.words,
        hash=name.short_hash,
        alphabet=name.alphabet,
    )
    return Phrase("{lexicon}. It is the practice list: no verdict counts", lexicon=text) if name.practice else text
