"""The body of a row, and its decoding: the entry without kind and table, as canonical JSON (sorted keys, no blanks, ASCII).

It never says which word of a play failed, because no entry does. Every text has a maximum length, and therefore every row.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any, Final

from pydantic import TypeAdapter

from game.challenge_log.entry import Entry, Kind, LexiconName
from game.challenge_log.errors import BadEntry
from rules.limits import WORDS_IN_CHALLENGE

LONGEST_WORD: Final = 120
"""The most characters of a word: 15 of an alphabet's longest tiles, each in brackets."""
LONGEST_NAME: Final = 100
"""The most characters of a name: of a rulebook, a lexicon, an edition, an alphabet."""
LONGEST_WHY: Final = 1000
"""The most characters of a reason."""
MOST_BYTES: Final = 32_000
"""The most bytes of a body: all texts at their longest, each character escaped as two of six bytes."""
_HEX: Final = 8
"""The hex digits of a list's short hash."""
_ENTRY: Final = TypeAdapter(Entry)


def encode(entry: Entry) -> str:
    """Return the body of the row for ``entry``.

    Longer texts are cut and end in an ellipsis: a row without the end of a word is worth more than no row.
    """
    if entry.signed is not None:
        return entry.signed
    lexicon = entry.lexicon
    fields: dict[str, Any] = {
        "acceptable": entry.acceptable,
        "challenger": None if entry.challenger is None else cut(entry.challenger, LONGEST_NAME),
        "first": entry.first,
        "last_play": entry.last_play,
        "lexicon": None if lexicon is None else _lexicon_fields(lexicon),
        "rulebook": None if entry.rulebook is None else cut(entry.rulebook, LONGEST_NAME),
        "way": None if entry.way is None else entry.way.value,
        "why": None if entry.why is None else cut(entry.why, LONGEST_WHY),
        "words": [cut(word, LONGEST_WORD) for word in entry.words[:WORDS_IN_CHALLENGE]] or None,
    }
    return json.dumps({key: value for key, value in fields.items() if value is not None}, sort_keys=True, separators=(",", ":"))


def decode(kind: str, table: int | None, body: str) -> Entry:
    """Return the entry of a row with that kind, table and body.

    Raises:
        BadEntry: this program does not write such a row.
    """
    try:
        fields = json.loads(body)
        if kind == Kind.SIGNED:
            return Entry(Kind.SIGNED, signed=json.dumps(dict(fields), sort_keys=True, separators=(",", ":")))
        if "lexicon" in fields:
            fields["lexicon"]["short_hash"] = fields["lexicon"]["sha256"][:_HEX]
        entry = _ENTRY.validate_json(json.dumps({**fields, "kind": kind, "table": table}), strict=True)
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise BadEntry(expected="an entry", found=f"{kind} {body[:80]}") from error
    if encode(entry) != body:
        raise BadEntry(expected="an entry in its one form", found=f"{kind} {body[:80]}")
    return entry


def cut(text: str, most: int) -> str:
    """Return ``text``, cut to ``most`` characters; characters that no file can hold (half a surrogate pair) are escaped."""
    storable = text.encode("utf-8", "backslashreplace").decode()
    return storable if len(storable) <= most else f"{storable[: most - 1]}…"


def _lexicon_fields(lexicon: LexiconName) -> dict[str, Any]:
    fields = asdict(lexicon)
    del fields["short_hash"]  # the beginning of the other
    return {key: cut(value, LONGEST_NAME) if isinstance(value, str) else value for key, value in fields.items()}
