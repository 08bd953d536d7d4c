"""What a line of TSH says of a player behind the scores: ``; key word word``. Much of it is TSH's own, and is kept as it is, to be written back."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from hall.event.problems import visible

_LEFT_OUT: Final = {"board", "p12", "team", "password"}
"""What pairings and players say themselves, and a secret."""
_PART: Final = re.compile(r"(?:^|;)([^;\\]*(?:\\.[^;\\]*)*)")
_ESCAPED: Final = re.compile(r"\\(.)")
_TO_ESCAPE: Final = re.compile(r"[\\;]")


def extras_of(text: str) -> dict[str, list[str]]:
    """Return the words by key; a backslash takes the next character as it is."""
    parts = (_ESCAPED.sub(r"\1", each).split() for each in _PART.findall(text))
    return {words[0]: words[1:] for words in parts if words}


def extras_text(extras: Mapping[str, Sequence[str]]) -> str:
    """Return the text of extras as TSH writes it: by key, and keys without words left out."""
    return "; ".join(" ".join([_escaped(key), *map(_escaped, words)]) for key, words in sorted(extras.items()) if words)


def kept_extras(extras: Mapping[str, Sequence[str]]) -> str:
    """Return the text of what an event keeps without knowing what it means."""
    return visible(extras_text({key: _words(words) for key, words in extras.items() if key not in _LEFT_OUT and len(key.split()) == 1}))


def _words(words: Iterable[str]) -> list[str]:
    return [word for each in words for word in each.split()]


def _escaped(word: str) -> str:
    return _TO_ESCAPE.sub(r"\\\g<0>", word)
