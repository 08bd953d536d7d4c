"""``tilelexicon diff``: compares two editions."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING

import click

from lexicon.cli.options import FILE
from lexicon.cli.output import counted, in_one_line, print_lines

if TYPE_CHECKING:
    from lexicon.reader import Lexicon


@click.command()
@click.argument("old", metavar="A.dawg", type=FILE)
@click.argument("new", metavar="B.dawg", type=FILE)
@click.option("--summary", is_flag=True, help="Only the counts, on standard output.")
def diff(old: Path, new: Path, *, summary: bool) -> int:
    """Show the words added in B (+) and removed from A (-), in order; the counts go to standard error.

    Both files are verified first. Exit code: 0 if both have the same words, 1 if not, 2 if one is unusable. Lists in different alphabets are compared by their
    words' texts.
    """
    from lexicon.cli.opening import titled, verified

    with verified(old) as before, verified(new) as after:
        tally = {"+": 0, "-": 0}
        lines = _lines(before, after, tally)
        if summary:
            for _ in lines:
                pass
        else:
            print_lines(lines)
        common = len(before) - tally["-"]
        for mark, lexicon in (("A", before), ("B", after)):
            click.echo(f"{mark}: {in_one_line(titled(lexicon))}", err=not summary)
        if before.spelling.tiles != after.spelling.tiles:
            click.echo("They have different alphabets: compared by the words' texts.", err=not summary)
    click.echo(f"{tally['+']:,} added, {tally['-']:,} removed, {counted(common, 'word')} in both", err=not summary)
    return 1 if any(tally.values()) else 0


def changes(old: Iterable[bytes], new: Iterable[bytes]) -> Iterator[tuple[str, bytes]]:
    """Yield words only in ``new`` with ``+`` and words only in ``old`` with ``-``; both inputs must ascend."""
    merged = heapq.merge(((word, "-") for word in old), ((word, "+") for word in new))
    for word, having in groupby(merged, itemgetter(0)):
        marks = [mark for _, mark in having]
        if len(marks) == 1:
            yield marks[0], word


def _lines(old: Lexicon, new: Lexicon, tally: dict[str, int]) -> Iterator[str]:
    """Yield the changes as printed lines, and count them."""
    from lexicon.walk import walk

    alike = old.spelling.tiles == new.spelling.tiles
    found = changes(walk(old, b""), walk(new, b"")) if alike else changes(_texts(old), _texts(new))
    for mark, word in found:
        tally[mark] += 1
        yield f"{mark} {old.spelling.text(word) if alike else word.decode()}"


def _texts(lexicon: Lexicon) -> Iterable[bytes]:
    """Return the words' texts, sorted as texts, since the alphabets' orders differ."""
    import tempfile

    from lexicon.sorting import SortedWords

    return SortedWords((word.encode() for word in lexicon), Path(tempfile.gettempdir()))
