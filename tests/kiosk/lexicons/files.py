"""Lexicon files as a station may find them: sound, cut, written over, of another game."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from kiosk.lexicons import proof
from lexicon.alphabet import load_alphabet
from tests.lexicon.making import built

WORDS = ("AT", "CAT", "CATS", "QI", "TILE", "TILES", "ZA")


def made(path: Path, words: Sequence[str] = WORDS, alphabet: str = "english", name: str = "EXAMPLE", edition: str = "2026") -> Path:
    of = load_alphabet(alphabet)
    built(path, sorted(of.spelling.codes(word) for word in words), of, name, edition)
    return path


def moved_in(path: Path, words: Sequence[str], alphabet: str = "english", name: str = "ANOTHER") -> None:
    """Put another sound lexicon in place of the one at ``path``, as an update does: built beside it, then renamed."""
    made(path.with_suffix(".new"), words, alphabet, name).rename(path)


def written_over(path: Path) -> None:
    with path.open("r+b") as file:
        file.seek(-8, 2)
        there = file.read()
        file.seek(-8, 2)
        file.write(bytes(byte ^ 0xFF for byte in there))


def cut(path: Path) -> None:
    with path.open("r+b") as file:
        file.truncate(path.stat().st_size // 2)


@contextmanager
def proven_here() -> Iterator[None]:
    """Let lists be proven in this process: one of its own takes a fifth of a second of the processor, for each list and each start of a station."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(proof, "_answer", lambda _path, content, _longest: proof.examined(content))
        yield
