"""What several verbs share: arguments and options, opening a verified lexicon, and output.

Words are always in UTF-8, figures in two columns, names with escapes for control characters.
"""

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any, Final

import click

from faults.endings import printable
from lexicon.errors import Unwritable
from lexicon.reader import Lexicon

FILE: Final = click.Path(path_type=Path, readable=False)
"""A path that click does not check: the lexicon's own errors say more."""

DEFAULT_ALPHABET: Final = "english"

Verb = Callable[..., Any]


def lexicon_argument(verb: Verb) -> Verb:
    return click.argument("path", metavar="X.dawg", type=FILE)(verb)


def reading_options(verb: Verb) -> Verb:
    skip = "Leave out and list words that the alphabet cannot spell or that are too long; otherwise they are an error."
    coded = "Read the letters that some lists write for tiles (Spanish K, W and Ç for LL, RR and CH): see `tilelexicon alphabets`."
    return click.option("--skip-invalid", is_flag=True, help=skip)(click.option("--coded", is_flag=True, help=coded)(verb))


def require_different(source: Path, to: Path) -> None:
    """Check that the output does not replace the input; raises ``Unwritable``."""
    if os.path.realpath(source) == os.path.realpath(to) or _is_same_file(source, to):
        raise Unwritable(where=to, expected="another file than the input", found="the same", remedy="Choose another name")


def _is_same_file(source: Path, to: Path) -> bool:
    try:
        return source.samefile(to)
    except (OSError, ValueError):  # one is missing or invalid: opening it reports that
        return False


_SOME = 2000


def in_one_line(text: str | Path) -> str:
    return printable(text).replace("\n", "\\n")


def print_lines(lines: Iterable[str]) -> None:
    rest = iter(lines)
    while some := list(islice(rest, _SOME)):
        click.echo("\n".join([*some, ""]).encode(), nl=False)


def print_figures(figures: Iterable[tuple[str, str]]) -> None:
    rows = list(figures)
    width = max(len(what) for what, _ in rows)
    for what, figure in rows:
        click.echo(f"{what:<{width}}  {in_one_line(figure)}")


def counted(count: int, one: str, many: str | None = None) -> str:
    return f"{count:,} {one if count == 1 else many or one + 's'}"


@contextmanager
def verified(path: Path) -> Iterator[Lexicon]:
    """Open and fully verify the lexicon at ``path``; raises as ``Lexicon.open`` and ``Lexicon.verify`` do."""
    with Lexicon.open(path) as lexicon:
        lexicon.verify()
        yield lexicon


def titled(lexicon: Lexicon) -> str:
    header = lexicon.header
    return ", ".join(filter(None, (header.name, header.edition, header.alphabet, counted(header.words, "word"), header.short_hash)))
