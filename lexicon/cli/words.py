"""``tilelexicon words``: prints the list."""

from __future__ import annotations

from pathlib import Path

import click

from lexicon.cli.options import lexicon_argument
from lexicon.cli.output import print_lines


@click.command()
@lexicon_argument
@click.option(
    "--prefix", default="", metavar="TILES", help="Only words that begin with these tiles. Tiles are not split: C does not begin CH."
)
def words(path: Path, *, prefix: str) -> None:
    """Verify X.dawg, then print its words, one per line, in the alphabet's order, in UTF-8.

    A tile of more than one letter has brackets, [CH], only where the word would be read differently without.
    """
    from lexicon.cli.opening import verified

    with verified(path) as lexicon:
        print_lines(lexicon.starting(prefix))
