"""``tilelexicon``: the command and its verbs; here ``judge``, one verdict on a whole play, never on a word, and ``verify``."""

import re
from pathlib import Path

import click

from faults.guard import Guarded
from lexicon.cli.build import build, convert
from lexicon.cli.lists import alphabets, bench, diff, info, words
from lexicon.cli.options import in_one_line, lexicon_argument, titled, verified
from lexicon.errors import TILES_ON_BOARD, LexiconError, Unspellable
from lexicon.spelling import LONGEST_TEXT, Spelling, shortened

_MAX = 8
"""Seven tiles make at most one word along the row and seven across it."""


def _play(context: click.Context, parameter: click.Parameter, given: tuple[str, ...]) -> tuple[str, ...]:
    if len(given) > _MAX:
        raise LexiconError(
            expected=f"at most {_MAX} words, as many as one play can make", found=str(len(given)), remedy="Judge one play at a time"
        )
    if not all(given):
        raise LexiconError(expected="words", found="an empty one", remedy="Leave it out")
    return given


@click.command()
@lexicon_argument
@click.argument("play", metavar="WORD...", nargs=-1, required=True, callback=_play)
def judge(path: Path, play: tuple[str, ...]) -> int:
    """Judge a play of up to 8 words: prints ACCEPTABLE if all are in X.dawg, else UNACCEPTABLE, and never which word failed.

    X.dawg is verified first, and every word is always looked up. Words may be in either case. A text that the alphabet's tiles cannot spell, or that is longer than a
    row of the board, is no word and gets no verdict. Nor does one that they spell in two ways: put tiles of more than one letter in brackets, [CH].

    Exit code: 0 acceptable, 1 unacceptable, 2 bad use or a bad file (no verdict).
    """
    with verified(path) as lexicon:
        for word in play:
            _require_word(word, lexicon.spelling)
        acceptable = lexicon.accepts(play)
    click.echo("ACCEPTABLE" if acceptable else "UNACCEPTABLE")
    return 0 if acceptable else 1


def _require_word(text: str, spelling: Spelling) -> None:
    """Require that ``text`` can be laid on the board, in one way, whether it is in the list or not."""
    # In brackets, a tile has two characters more.
    long = len(text) > TILES_ON_BOARD * (LONGEST_TEXT + 2)
    tiles = 0 if long else len(spelling.codes(text))
    if long or tiles > TILES_ON_BOARD:
        found = f"{len(text):,} characters" if long else f"{tiles}: {shortened(text)!r}"
        raise Unspellable(
            expected=f"a word of at most {TILES_ON_BOARD} tiles, as the board has in a row", found=found, remedy="Check the spelling"
        )


_HASH = re.compile(r"[0-9a-fA-F]{8,64}", re.ASCII)


def _hashes(context: click.Context, parameter: click.Parameter, given: tuple[str, ...]) -> tuple[str, ...]:
    hashes = tuple(map(_digits, given))
    for each, digits in zip(given, hashes, strict=True):
        if not _HASH.fullmatch(digits):
            raise LexiconError(
                expected="8 to 64 hex digits of a SHA-256 after --expect",
                found=repr(each),
                remedy="Give it as published, or its first 8 digits",
            )
    return hashes


def _digits(given: str) -> str:
    """Return the digits of a hash written in groups, or before a file name as `sha256sum` prints it."""
    first, *more = given.split() or [""]
    return (first if len(first) == 64 else "".join((first, *more))).lower()


@click.command()
@lexicon_argument
@click.option(
    "--expect",
    multiple=True,
    metavar="HASH",
    callback=_hashes,
    help="A SHA-256 that the file or the list must have, or its first 8 or more hex digits. Repeatable; all must match.",
)
def verify(path: Path, *, expect: tuple[str, ...]) -> int:
    """Read and verify all of X.dawg: hashes, structure, counts, order.

    Prints which list it is and both hashes. Exit code: 0 if whole, 1 if --expect does not match, 2 if damaged.

    "Whole" means that the file is as someone built it. Whether it is the list you mean, only a hash from another source shows.
    """
    with verified(path) as lexicon:
        file, words, title = lexicon.sha256(), lexicon.header.words_sha256.hex(), titled(lexicon)
    others = [each for each in expect if not file.startswith(each) and not words.startswith(each)]
    click.echo(f"{'whole, but NOT as expected' if others else 'whole'}: {in_one_line(title)}")
    click.echo(f"SHA-256 of the list  {words}{_expected(words, expect)}")
    click.echo(f"SHA-256 of the file  {file}{_expected(file, expect)}")
    for each in others:
        click.echo(
            f"tilelexicon: {in_one_line(path)}: expected {each}, found the hashes above: another list, or another build of it.", err=True
        )
    return 1 if others else 0


def _expected(found: str, expect: tuple[str, ...]) -> str:
    return "  as expected" if any(map(found.startswith, expect)) else ""


@click.group(
    cls=Guarded,
    program="tilelexicon",
    context_settings={"help_option_names": ["-h", "--help"]},
    commands=[alphabets, bench, build, convert, diff, info, judge, verify, words],
)
@click.version_option(package_name="tileclock", prog_name="tilelexicon")
def main() -> None:
    """Tilelexicon: verifiable word lists for Scrabble.

    \b
    Build one from a text, one word a line: tilelexicon build words.txt -o club.dawg --name "Club list"
    Which list is this?                     tilelexicon info club.dawg
    Is every byte as built?                 tilelexicon verify club.dawg
    Is a play acceptable?                   tilelexicon judge club.dawg TILE CLOCK
    What did the new edition change?        tilelexicon diff old.dawg new.dawg

    Exit codes: 0 done or yes; 1 no (unacceptable, different, not as expected); 2 bad use or a bad file, with a sentence that says what to do.
    Every verb explains itself with --help.
    """  # noqa: D301 - click's marker for lines not to rewrap
