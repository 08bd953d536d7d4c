"""``tilehall event``: who plays whom at which table, from organisers' files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from hall.cli.options import with_settings

if TYPE_CHECKING:
    from appliance.cli.options import Option
    from hall.event.model import Event, Player
    from hall.event.parsing import UnreadableEvent
    from hall.settings import Layered

_STORE: Final[tuple[Option, ...]] = (
    ("--store", "listen.store", str, "The file with the rows of all devices, or the URL of a PostgreSQL database."),
    ("--folder", "listen.folder", str, "The folder of the listener's certificate, which names the hall."),
)
_LONGEST_SLOT: Final = 40
_FILES: Final = click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
_HALL: Final = click.option("--hall", default=None, help="The hall, instead of the certificate's.")


@click.group()
def event() -> None:
    """Players, pairings, tables and floor plan of the event."""


@event.command()
@_FILES
def check(files: tuple[Path, ...]) -> int:
    """Read FILES and say what is in them, or everything that is wrong, line by line. Nothing is stored. Exit code: 1 if something is wrong."""
    from hall.event.parsing import UnreadableEvent
    from hall.event.reading import contents_of, read_event

    try:
        _say(read_event(contents_of(files)))
    except UnreadableEvent as error:
        return _refuse(error)
    return 0


@event.command("import")
@_FILES
@_HALL
@click.option("--new", is_flag=True, help="Delete the current event first; otherwise the files add to it.")
@click.option("--replace", "decides", is_flag=True, help="Remove or change what the files contradict.")
@with_settings(_STORE)
def import_event(layered: Layered, files: tuple[Path, ...], hall: str | None, new: bool, decides: bool) -> int:
    """Import FILES into the hall: config.tsh with its .t files, tourney.js, NASPA's text, CSV of players, pairings, boards and floor plan, or a zip.

    If there is any problem, it imports nothing and prints each problem with its line. If the files would remove or change something, it imports nothing and prints that,
    unless --replace is given. The listener or the desk may be running. Exit code: 1 if nothing was imported.
    """
    from hall.event.model import Event
    from hall.event.parsing import UnreadableEvent
    from hall.event.reading import contents_of, read_import
    from hall.store.events import make_store, read_stored, write_event

    name, place = _hall(layered, hall), layered.settings.listen.store
    make_store(place)
    known = Event() if new else read_stored(place, name).event
    try:
        found, gone = read_import(contents_of(files), known, decides=decides)
    except UnreadableEvent as error:
        return _refuse(error)
    for each in gone:
        click.echo(each)
    if gone and not decides:
        click.echo("Nothing was imported: these files would remove or change the above. With --replace they do.")
        return 1
    number = write_event(place, name, found, anew=new)
    _say(found)
    click.echo(f"Round {number} is the current round." if number else "No round has pairings.")
    return 0


@event.command()
@_HALL
@click.option("--round", "number", type=click.IntRange(1, 200), help="Another round than the current one.")
@with_settings(_STORE)
def show(layered: Layered, hall: str | None, number: int | None) -> None:
    """Print the event, and the pairings of the current round."""
    from hall.event.model import BYE
    from hall.store.events import read_stored

    stored = read_stored(layered.settings.listen.store, _hall(layered, hall))
    _say(stored.event)
    for each in stored.event.round(number or stored.round):
        names = [_rated(stored.event.by_number[each.division, player]) if player != BYE else "bye" for player in (each.first, each.second)]
        table = stored.event.table_of(each)
        click.echo(f"round {each.round}  {each.division}  {f'table {table}' if table else 'no table'}  {names[0]} - {names[1]}")


@event.command("round")
@click.argument("number", type=click.IntRange(1, 200))
@_HALL
@with_settings(_STORE)
def round_(layered: Layered, number: int, hall: str | None) -> None:
    """Make round NUMBER the current one: the desk shows its names at their tables."""
    from hall.store.events import set_round

    before = set_round(layered.settings.listen.store, _hall(layered, hall), number)
    click.echo(f"Round {number} is the current round; before it was {f'round {before}' if before else 'none'}.")


@event.command()
@click.argument("slot")
@click.argument("table", type=click.IntRange(1, 999), required=False)
@_HALL
@with_settings(_STORE)
def overlay(layered: Layered, slot: str, table: int | None, hall: str | None) -> None:
    """Let the overlay at /overlay/SLOT show TABLE; without TABLE, a SLOT that is a number shows that table, any other is empty."""
    from hall.store.events import make_store, set_overlay

    if not (slot.isascii() and slot.replace("-", "").isalnum() and len(slot) <= _LONGEST_SLOT):
        raise click.BadParameter(f"expected up to {_LONGEST_SLOT} letters, digits and hyphens, found {slot!r}.", param_hint="SLOT")
    make_store(layered.settings.listen.store)
    set_overlay(layered.settings.listen.store, _hall(layered, hall), slot, table)


def _rated(player: Player) -> str:
    return f"{player.name} ({player.rating})" if player.rating else player.name


def _hall(layered: Layered, given: str | None) -> str:
    from hall.broker import plan_of

    return given or plan_of(Path(layered.settings.listen.folder), layered.settings.broker).hall


def _refuse(error: UnreadableEvent) -> int:
    for problem in error.problems:
        click.echo(problem.sentence)
    count = len(error.problems)
    click.echo(f"{count} problem{'' if count == 1 else 's'}; nothing was imported. Correct this, then give all the files again.")
    return 1


def _say(found: Event) -> None:
    from appliance.finding import counted
    from hall.event.model import remarks

    players, divisions = counted(len(found.players), "player"), counted(len(found.divisions), "division")
    pairings, rounds = counted(len(found.pairings), "pairing"), counted(found.rounds, "round")
    boards, places = counted(len(found.tables), "board"), counted(len(found.floor), "place")
    click.echo(f"{players} in {divisions}; {pairings} in {rounds}; {boards} with a table; {places} in the floor plan.")
    for each in remarks(found):
        click.echo(each)
