"""``tilelexicon judge``: one verdict on a whole play, never on a word."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from lexicon.cli.options import lexicon_argument
from lexicon.errors import BadOption

if TYPE_CHECKING:
    from lexicon.spelling import Spelling

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

    X.dawg is verified first, and every word is always looked up. Words may be in either case. A text that the alphabet's tiles cannot spell, or that is longer than a
    row of the board, is no word and gets no verdict. Nor does one that they spell in two ways: put tiles of more than one letter in brackets, [CH].

    Exit code: 0 acceptable, 1 unacceptable, 2 bad use or a bad file (no verdict).
    """
    from lexicon.cli.opening import verified

    with verified(path) as lexicon:
        for word in play:
            _require_word(word, lexicon.spelling)
        acceptable = lexicon.accepts(play)
    click.echo("ACCEPTABLE" if acceptable else "UNACCEPTABLE")
    return 0 if acceptable else 1


def _require_word(text: str, spelling: Spelling) -> None:
    """Require that ``text`` can be laid on the board, whether it is in the list or not.

    Raises:
        Unspellable: it has a blank, a control character or another that is on no tile, splits a tile, or is too long.
        Ambiguous: tiles spell it in several ways.
    """
    from lexicon.errors import Unspellable
    from lexicon.limits import TILES_ON_BOARD
    from lexicon.spelling import LONGEST_TEXT, shortened

    # In brackets, a tile has two characters more.
    long = len(text) > TILES_ON_BOARD * (LONGEST_TEXT + 2)
    tiles = 0 if long else len(spelling.codes(text))
    if long or tiles > TILES_ON_BOARD:
        found = f"{len(text):,} characters" if long else f"{tiles}: {shortened(text)!r}"
        raise Unspellable(
            expected=f"a word of at most {TILES_ON_BOARD} tiles, as the board has in a row", found=found, remedy="Check the spelling"
        )
