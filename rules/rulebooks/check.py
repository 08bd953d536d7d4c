"""Check the rulebooks that a program's settings name, and the shipped ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from appliance.checks.finding import Finding, counted, error_finding, ok
from faults.errors import Phrase
from rules.rulebooks.load import RulebookError, load_rulebook, load_source, shipped_ids


def check_rulebooks(chosen: str, own: Sequence[str]) -> Iterator[Finding]:
    """Yield each unusable rulebook, or one line for all.

    Args:
        chosen: the rulebook of the settings: an id or a file.
        own: files of the user's own.
    """
    bad = False
    for name in dict.fromkeys((chosen, *shipped_ids(), *own)):
        try:
            load_rulebook(name)
        except RulebookError as error:
            bad = True
            remedy = (
                "Correct the file at that place, or name another rulebook in the settings; `tileclock rulebooks` lists the shipped ones"
            )
            yield error_finding(Phrase("rulebook {name}", name=name), error, remedy)
    if not bad:
        title, from_files = load_source(chosen).title, counted(len(own), "own", "own")
        found = Phrase("{count} shipped, {own}; the settings name {title}", count=len(shipped_ids()), own=from_files, title=title)
        yield ok("rulebooks", found)
