"""``tilelexicon verify``: checks every byte of a file, and that it is the announced list."""

from __future__ import annotations

import re
from pathlib import Path

import click

from lexicon.cli.options import lexicon_argument
from lexicon.cli.output import in_one_line
from lexicon.errors import BadOption

_HASH = re.compile(r"[0-9a-fA-F]{8,64}", re.ASCII)


def _hashes(context: click.Context, parameter: click.Parameter, given: tuple[str, ...]) -> tuple[str, ...]:
    hashes = tuple(map(_digits, given))
    for each, digits in zip(given, hashes, strict=True):
        if not _HASH.fullmatch(digits):
            raise BadOption(
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
    from lexicon.cli.opening import file_sha256, titled, verified

    with verified(path) as lexicon:
        file, words, title = file_sha256(lexicon), lexicon.header.words_sha256.hex(), titled(lexicon)
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
