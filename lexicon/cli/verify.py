"""``tilelexicon verify``: is every byte as it was built, and is it the list that was announced?"""

from __future__ import annotations

import re
from pathlib import Path

import click

from lexicon.cli.guard import BadOption
from lexicon.cli.options import lexicon_argument
from lexicon.cli.output import in_one_line

_HASH = re.compile(r"[0-9a-fA-F]{8,64}", re.ASCII)


def _hashes(context: click.Context, parameter: click.Parameter, given: tuple[str, ...]) -> tuple[str, ...]:
    hashes = tuple(map(_digits, given))
    for each, digits in zip(given, hashes, strict=True):
        if not _HASH.fullmatch(digits):
            raise BadOption(
                expected="8 to 64 hex digits of a SHA-256 after --expect",
                found=repr(each),
                remedy="Give it as it was published, or its first 8 digits",
            )
    return hashes


def _digits(given: str) -> str:
    """The digits of a hash as people write it: in groups, as it is read out, or before a file's name, as `sha256sum` prints it."""
    first, *more = given.split() or [""]
    return (first if len(first) == 64 else "".join((first, *more))).lower()


@click.command()
@lexicon_argument
@click.option(
    "--expect",
    multiple=True,
    metavar="HASH",
    callback=_hashes,
    help="A SHA-256 that the file or the list must have, or its first 8 or more hex digits. May be given more than once: each must agree.",
)
def verify(path: Path, *, expect: tuple[str, ...]) -> int:
    """Read all of X.dawg and prove it: hashes, structure, counts, order.

    Prints that it is whole, which list it is, and both hashes. Exit code 0; 1 if --expect asked for another one; 2 if it is damaged.

    That it is whole says that it is as somebody built it. That it is the list you mean, only a hash says that you have from elsewhere.
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
