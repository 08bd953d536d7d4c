"""``tilelexicon words``: the list itself."""

from __future__ import annotations

from pathlib import Path

import click

from lexicon.cli.options import lexicon_argument
from lexicon.cli.output import print_lines


@click.command()
@lexicon_argument
@click.option(
    "--prefix", default="", metavar="TILES", help="Only words that begin with these tiles. A tile is not divided: C does not begin CH."
)
def words(path: Path, *, prefix: str) -> None:
    """Print the words of X.dawg, one a line, in the alphabet's order, in UTF-8; after all of it was verified.

    A tile of more than one letter is in brackets, [CH], only where the word would be read otherwise without.
    """
    from lexicon.cli.opening import verified

    with verified(path) as lexicon:
        print_lines(lexicon.starting(prefix))
