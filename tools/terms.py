"""The concordance: each term of the programs in each language, where it stands and how often, its source, and the texts that are seen most.

``python -m tools.terms`` writes ``docs/terms.md`` from ``languages/*/terms.toml`` and the texts.
"""

import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Final

from msgspec import Struct, convert

from appliance.texts import MASTER, languages, load_part
from languages import FOLDER

PAGE: Final = Path(__file__).parent.parent / "docs/terms.md"
PARTS: Final = ("clock", "station", "sheets")
SEEN: Final = 200
"""How many texts the list of those seen most has."""
_SEEN_IN: Final = {
    "clock": ("phase", "status", "prompt", "note", "answer", "act", "mark", "banner", "fill", "bar", "strip"),
    "station": ("idle", "role", "challenger", "words", "checking", "verdict", "turn", "start", "concede", "withdraw", "last_play"),
}
"""The tables whose texts players read in every game, the ones seen most first."""


class Term(Struct, frozen=True, forbid_unknown_fields=True):
    """A term in one language: how its words begin (``forms``), and longer words that are another term's (``but``)."""

    forms: tuple[str, ...]
    source: str
    said: str = ""
    but: tuple[str, ...] = ()

    def stands_in(self, text: str) -> bool:
        folded = text.lower()
        for longer in self.but:
            folded = folded.replace(longer, "")
        return any(re.search(rf"(?<!\w){re.escape(form)}", folded) for form in self.forms)


class Terms(Struct, frozen=True):
    """A file ``terms.toml``."""

    terms: Mapping[str, Term]
    sources: Mapping[str, str] = {}


def terms_of(language: str) -> Terms:
    return convert(tomllib.loads((FOLDER / language / "terms.toml").read_text("utf-8")), Terms)


def texts_of(language: str) -> Iterator[tuple[str, str, str]]:
    """Yield each text's place, such as ``clock.phase.hold``, its English, and its own words."""
    for part in PARTS:
        own = load_part(part, language).by_key
        for key, english in load_part(part, MASTER).by_key.items():
            yield f"{part}.{key}", english, own[key]


def places_of(language: str) -> Mapping[str, Counter[str]]:
    """Return how often each term stands in each table of texts, by the term and the table."""
    return {
        name: Counter(place.rpartition(".")[0] for place, _, text in texts_of(language) if term.stands_in(text))
        for name, term in terms_of(language).terms.items()
    }


def seen_most() -> tuple[str, ...]:
    """Return the places of the texts that are seen most, in their order."""
    found = (
        f"{part}.{key}"
        for part, tables in _SEEN_IN.items()
        for table in tables
        for key, text in load_part(part, MASTER).by_key.items()
        if text and (key == table or key.startswith(f"{table}."))
    )
    return tuple(islice(found, SEEN))


def _row(*cells: object) -> str:
    return f"| {' | '.join(str(cell) for cell in cells)} |"


def written() -> str:
    """Return the page."""
    order = (MASTER, *(each for each in languages() if each != MASTER))
    known = {language: terms_of(language) for language in order}
    sources = known[MASTER].sources
    lines = [
        "# The terms in each language",
        "",
        "Made by `python -m tools.terms` from `languages/*/terms.toml` and the texts; a test makes it again and compares.",
        "**No native arbiter has read the texts yet.** Where the source is *own*, no published text that we could read has the thing.",
        "",
        "## Sources",
        "",
        *(f"- *{name}*: {said}" for name, said in sources.items()),
    ]
    for language in order[1:]:
        counts = places_of(language)
        lines += [
            "",
            f"## Concordance: {load_part('language', language).say('name')}",
            "",
            _row("term", "said", "source", "texts", "where"),
        ]
        lines.append(_row(*["---"] * 5))
        for name, term in known[language].terms.items():
            where = ", ".join(f"{table} {count}" for table, count in counts[name].most_common(4))
            lines.append(_row(name, term.said, term.source, counts[name].total(), where))
    lines += ["", f"## The {SEEN} texts seen most", "", "With the sources of the terms in each text of each language.", ""]
    lines += [_row("place", *order[1:], "sources"), _row(*["---"] * (len(order) + 1))]
    own = {language: {place: text for place, _, text in texts_of(language)} for language in order}
    for place in seen_most():
        cited = {term.source for language in order for term in known[language].terms.values() if term.stands_in(own[language][place])} - {
            "own"
        }
        shown = (own[language][place].replace("|", "/") for language in order[1:])
        lines.append(_row(f"`{place}`", *shown, ", ".join(each for each in sources if each in cited) or "own"))
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    PAGE.write_text(written(), "utf-8")
