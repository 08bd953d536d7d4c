"""Reads words as tiles from any supported file: a lexicon, a text, or another program's word file. The input of ``convert``; and a progress bar, on a terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from msgspec import Struct

from lexicon.alphabet import Alphabet, Tile, load_alphabet
from lexicon.cli.options import DEFAULT_ALPHABET, verified
from lexicon.errors import BadAlphabet
from lexicon.formats.files import WordFile, open_word_file, read
from lexicon.formats.siblings import Format
from lexicon.reader import Lexicon
from lexicon.wordtext import Checked, Laid, OnProgress, Reading, Spelled, no_progress


@contextmanager
def progress() -> Iterator[OnProgress]:
    """Show progress on standard error until the block ends, if that is a terminal."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield no_progress
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn

    columns = TextColumn("{task.description:<9}"), BarColumn(), TextColumn("{task.fields[figure]}")
    with Progress(*columns, console=Console(stderr=True), transient=True, redirect_stdout=False, redirect_stderr=False) as bar:
        task = bar.add_task("", total=None, figure="")

        def watch(what: str, done: int, of: int) -> None:
            # Reading counts bytes, with a known total; the other steps count words.
            figure = f"{100 * done // of} %" if of else f"{done:,} words"
            bar.update(task, description=what, completed=done, total=of or None, figure=figure)

        yield watch


NAMES: Final = {
    Format.TILECLOCK: "a Tileclock lexicon",
    Format.TEXT: "a text",
    Format.KWG: "a KWG file",
    Format.ZYZZYVA: "a Zyzzyva .dwg file",
    Format.QUACKLE: "a Quackle .dawg file (version 1)",
    Format.QUACKLE0: "a Quackle .dawg file (version 0)",
}


class WordSource(Struct, frozen=True):
    """An open list, whose words have one byte per tile of ``alphabet``, in any order.

    ``name`` and ``edition`` are empty if the file has none. ``checked`` has the words that were left out.
    """

    path: Path
    format: Format
    alphabet: Alphabet
    checked: Checked
    name: str = ""
    edition: str = ""
    notes: tuple[str, ...] = ()


@contextmanager
def reading(path: Path, claimed: Format | None, alphabet: str | None, watch: OnProgress, how: Reading) -> Iterator[WordSource]:
    """Open the list at ``path``; a lexicon is verified first. Raises ``LexiconError``, here or while the words are read.

    ``claimed``: the format named by the user; None: recognise it. ``alphabet``: id or path; default English; a lexicon has its own.
    """
    file = open_word_file(path, claimed)
    if file.format is not Format.TILECLOCK:
        chosen = load_alphabet(DEFAULT_ALPHABET if alphabet is None else alphabet)
        yield _text(path, chosen, watch, how) if file.format is Format.TEXT else _others(file, chosen, how)
        return
    for option, given in (("--alphabet", alphabet), ("--coded", how.coded)):
        if given:
            raise BadAlphabet(
                where=path, expected=f"no {option} for a lexicon, which has its own tiles", found=option, remedy="Leave it out"
            )
    with verified(path) as lexicon:
        header = lexicon.header
        own = _own_alphabet(lexicon)
        yield WordSource(path, file.format, own, Laid(path, own, lexicon.walk(), how=how), header.name, header.edition)


def _text(path: Path, alphabet: Alphabet, watch: OnProgress, how: Reading) -> WordSource:
    return WordSource(path, Format.TEXT, alphabet, Spelled(path, alphabet, watch, how))


def _others(file: WordFile, alphabet: Alphabet, how: Reading) -> WordSource:
    found = read(file, alphabet, coded=how.coded)
    return WordSource(file.path, found.format, alphabet, Laid(file.path, alphabet, found.words, found.strange, how), notes=found.notes)


def _own_alphabet(lexicon: Lexicon) -> Alphabet:
    """Return the alphabet in the file, which may differ from the shipped one of that name. It has no scores and counts."""
    header, spelling = lexicon.header, lexicon.spelling
    tiles = tuple(Tile(text, 0, 0, number in spelling.always, number in spelling.joined) for number, text in enumerate(spelling.tiles, 1))
    typed = {text: tuple(spelling.tiles[code - 1] for code in codes) for text, codes in spelling.typed.items()}
    return Alphabet(header.alphabet, header.alphabet, header.alphabet, tiles, 0, typed)
