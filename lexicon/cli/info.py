"""``tilelexicon info``: identifies a list."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from lexicon.cli.options import lexicon_argument
from lexicon.cli.output import print_figures

if TYPE_CHECKING:
    from lexicon.reader import Lexicon

_WORDING = {
    "name": "name",
    "edition": "edition",
    "alphabet": "alphabet",
    "words": "words",
    "states": "states",
    "edges": "edges",
    "longest": "longest word",
    "size": "size",
    "short_hash": "short hash",
    "words_sha256": "SHA-256 of the list",
    "units_sha256": "SHA-256 of the units",
    "file_sha256": "SHA-256 of the file",
}
_UNITS = {"longest": " tiles", "size": " bytes"}


@click.command()
@lexicon_argument
@click.option("--json", "as_json", is_flag=True, help="One JSON object: figures as numbers, hashes in hex, sizes in bytes.")
def info(path: Path, *, as_json: bool) -> None:
    """Show the header of X.dawg, and the file's SHA-256 as `sha256sum` prints it.

    This proves nothing: the header is not checked against the words. `tilelexicon verify` reads everything.

    The list's SHA-256 covers the words alone, one per line as `tilelexicon words` prints them; the short hash is its beginning. Files with the same list hash and
    the same alphabet have the same words, whoever built them.
    """
    from lexicon.reader import Lexicon

    with Lexicon.open(path) as lexicon:
        figures = _figures(lexicon)
    if as_json:
        click.echo(json.dumps(figures, indent=2))
        return
    print_figures((_WORDING[key], _shown(key, figure)) for key, figure in figures.items() if key in _WORDING)
    click.echo("Only the header was read; this proves nothing. To verify everything: tilelexicon verify")


def _figures(lexicon: Lexicon) -> dict[str, str | int | bool]:
    from lexicon.cli.opening import file_sha256

    header = lexicon.header
    return {
        "name": header.name,
        "edition": header.edition,
        "alphabet": header.alphabet,
        "words": header.words,
        "states": header.states,
        "edges": header.edges,
        "longest": header.longest,
        "size": header.size + 4 * header.units,
        "short_hash": header.short_hash,
        "words_sha256": header.words_sha256.hex(),
        "units_sha256": header.payload_sha256.hex(),
        "file_sha256": file_sha256(lexicon),
        "verified": False,
    }


def _shown(key: str, figure: str | int) -> str:
    return f"{figure:,}{_UNITS.get(key, '')}" if isinstance(figure, int) else figure or "none"
