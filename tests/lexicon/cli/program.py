"""``tilelexicon`` as its users start it, and lists made up for it."""

import itertools
import os
import re
import subprocess
import sys
from pathlib import Path

from click.testing import CliRunner, Result

from lexicon.alphabet import load_alphabet
from lexicon.build import Label, build
from lexicon.cli.main import main
from lexicon.errors import LexiconError
from tests.errors import refused

TILELEXICON = (sys.executable, "-m", "lexicon.cli")
_ENDINGS = (b"\x05", b"\x05\x11", b"\x01\x0b\x02", b"\x08\x01\x05\x10", b"\x0f\x02", b"\x14\x09\x0c", b"\x12")
CLUB = ("BANE", "CLOCK", "CLOCKS", "QUOIN", "TILE", "TILED", "TILES", "ZA")
"""A list, in order."""

PAIR = """id = "pair"
name = "Pair"
source = "made up"
blanks = 0
tiles = [
    { tile = "A", score = 1, count = 1 },
    { tile = "B", score = 1, count = 1 },
    { tile = "AB", score = 1, count = 1 },
]
"""
"""An alphabet in which AB can be laid in two ways."""


def run(*arguments: str | bytes | Path, cwd: Path | None = None, **environment: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([*TILELEXICON, *arguments], cwd=cwd, env={**os.environ, **environment}, capture_output=True, check=False)


def invoke(*arguments: str | Path) -> Result:
    """Run the program within this process; an error that it does not turn into a sentence is raised."""
    done = CliRunner().invoke(main, list(map(str, arguments)))
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done


def refusal(*arguments: str | Path, **wanted: str | re.Pattern[str]) -> LexiconError:
    """Return the error with which the program refuses, with no answer on standard output; ``wanted`` as in ``with_fields``."""
    done = invoke(*arguments)
    assert done.stdout == ""
    error = refused(done, **wanted)
    assert isinstance(error, LexiconError)
    return error


def text_of(folder: Path, *words: str, name: str = "words.txt") -> Path:
    path = folder / name
    path.write_text("".join(f"{word}\n" for word in words), encoding="utf-8")
    return path


def lexicon_of(path: Path, *words: str, alphabet: str = "english", name: str = "Club list", edition: str = "2026-01") -> Path:
    chosen = load_alphabet(alphabet)
    build(map(chosen.spelling.codes, words), path, Label(chosen, name, edition))
    return path


def made_up(count: int, alphabet: str = "english") -> list[str]:
    """Return so many different words of 4 to 7 tiles, each written as it is canonically, in the order of ``alphabet``."""
    spelling = load_alphabet(alphabet).spelling
    tiles = range(1, len(spelling.tiles) + 1)
    every = (
        bytes((*begin, *end))
        for begin, end in zip(itertools.cycle(itertools.product(tiles, repeat=3)), itertools.cycle(_ENDINGS), strict=False)
    )
    layable = (codes for codes in every if max(codes) <= len(spelling.tiles) and spelling.can_spell(codes))
    return [spelling.text(codes) for codes in sorted(set(itertools.islice(layable, count)))]


def pair(folder: Path, id_: str = "pair") -> str:
    path = folder / "pair.toml"
    path.write_text(PAIR.replace('"pair"', f'"{id_}"'), encoding="utf-8")
    return str(path)
