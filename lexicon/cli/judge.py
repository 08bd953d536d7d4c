"""``tilelexicon judge``: one verdict on a whole play, never on a word."""

from __future__ import annotations

from pathlib import Path

import click

from lexicon.cli.guard import BadOption
from lexicon.cli.options import lexicon_argument

_MOST = 8
"""Seven tiles make at most one word along the row and seven across it."""


def _play(context: click.Context, parameter: click.Parameter, given: tuple[str, ...]) -> tuple[str, ...]:
    if len(given) > _MOST:
        raise BadOption(
            expected=f"at most {_MOST} words, as many as one play can make", found=str(len(given)), remedy="Judge one play at a time"
        )
    if not all(given):
        raise BadOption(expected="words", found="an empty one", remedy="Leave it out")
    return given


@click.command()
@lexicon_argument
@click.argument("play", metavar="WORD...", nargs=-1, required=True, callback=_play)
def judge(path: Path, play: tuple[str, ...]) -> int:
    """Judge a play of up to 8 words: prints ACCEPTABLE if all are in X.dawg, else UNACCEPTABLE, and never which word failed.

    X.dawg is verified first, and every word is always looked up. Words may be in either case. A text that the alphabet's tiles cannot spell is not a word; one that
    they spell in two ways is an error: put tiles of more than one letter in brackets, [CH].

    Exit code: 0 acceptable, 1 unacceptable, 2 bad use or a bad file (no verdict).
    """
    from lexicon.cli.opening import verified

    with verified(path) as lexicon:
        acceptable = lexicon.accepts(play)
    click.echo("ACCEPTABLE" if acceptable else "UNACCEPTABLE")
    return 0 if acceptable else 1
