"""``tilelexicon alphabets``: lists the alphabets and their tiles."""

from __future__ import annotations

import click

from lexicon.cli.output import counted, in_one_line


@click.command()
@click.argument("alphabet", metavar="[ID|FILE]", required=False)
def alphabets(alphabet: str | None) -> None:
    """List the shipped alphabets, or show the tiles of one: in sorting order, with scores, counts and typed forms.

    An alphabet of your own is a TOML file like those in lexicon/alphabets; give its path instead of an ID.
    """
    from lexicon.alphabet import alphabets as shipped
    from lexicon.alphabet import load_alphabet

    if alphabet is None:
        width = max(map(len, shipped()))
        for each in map(load_alphabet, shipped()):
            click.echo(f"{each.id:<{width}}  {counted(len(each.tiles), 'tile')}: {each.source}")
        return
    _show(alphabet)


def _show(alphabet_id: str) -> None:
    from lexicon.alphabet import load_alphabet

    alphabet = load_alphabet(alphabet_id)
    click.echo(f"{alphabet.name} ({alphabet.id}): {alphabet.source}")
    click.echo(
        f"{counted(sum(tile.count for tile in alphabet.tiles) + alphabet.blanks, 'tile')} in a set, {alphabet.blanks} of them blank\n"
    )
    click.echo("no.  tile  score  count")
    for number, tile in enumerate(alphabet.tiles, 1):
        only = "  always whole: other tiles must not spell it" if tile.always else ""
        click.echo(f"{number:>3}  {tile.text:<4}  {tile.score:>5}  {tile.count:>5}{only}")
    if alphabet.typed:
        click.echo("\ntyped  for")
    for text, tiles in alphabet.typed.items():
        click.echo(f"{in_one_line(text):<5}  {' '.join(tiles)}")
