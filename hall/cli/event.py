"""``tilehall event`` and ``results``: who plays whom at which table, from organisers' files; and what games came to, as files for other programs."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from hall.cli.options import with_settings

if TYPE_CHECKING:
    from appliance.cli.options import Option
    from hall.event.model import Event, Player
    from hall.event.parsing import UnreadableEvent
    from hall.settings import Layered
    from hall.store.events import ResultsFolder

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
    from appliance.errors import counted
    from hall.event.model import remarks

    players, divisions = counted(len(found.players), "player"), counted(len(found.divisions), "division")
    pairings, rounds = counted(len(found.pairings), "pairing"), counted(found.rounds, "round")
    boards, places = counted(len(found.tables), "board"), counted(len(found.floor), "place")
    click.echo(f"{players} in {divisions}; {pairings} in {rounds}; {boards} with a table; {places} in the floor plan.")
    for each in remarks(found):
        click.echo(each)


_SETTINGS: Final[tuple[Option, ...]] = (
    *_STORE,
    ("--spread-cap", "desk.spread_cap", str, "The most that a game adds to a spread, for standings; by round, as 350 or 200,350."),
    ("--standings-spread-cap", "desk.standings_spread_cap", str, "The same, but for the order alone."),
)
KINDS: Final = ("tsh", "tsh-queue", "csv", "coco", "standings", "naspa", "tourney", "tou", "tou-woogles")
"""Those of ``hall.results.folder``, which is not imported before it is needed."""
_OPTIONS: Final = (
    click.option("--to", "to", required=True, type=click.Path(path_type=Path, file_okay=False), help="The folder; for tsh and tsh-queue that of the event, with config.tsh."),
    click.option("--as", "kind", required=True, type=click.Choice(KINDS), help="The format."),
    _HALL,
    click.option("--title", default="", help="The event's name, for tou; otherwise the hall's."),
    click.option("--date", "day", type=click.DateTime(["%Y-%m-%d"]), default=None, help="The event's date, for tou; otherwise today."),
    click.option("--encoding", default="", help="Of .t files, such as utf8; otherwise what config.tsh says."),
    click.option("--replace", "replaces", is_flag=True, help="Replace a .t file also where it has something else than the hall."),
)  # fmt: skip


def _options(verb: Callable[..., Any]) -> Callable[..., Any]:
    for each in reversed(_OPTIONS):
        verb = each(verb)
    return with_settings(_SETTINGS)(verb)


@click.group()
def results() -> None:
    """Results and standings for other programs."""


@results.command()
@_options
def write(**given: Any) -> None:
    """Write the results into a folder. Only what differs is written, and each file is there whole or not at all.

    tsh: the .t files of a TSH that does not run. tsh-queue: commands for a TSH that runs, with 'config accept_remote_commands = 1'. tourney: tourney.js.
    tou, tou-woogles: AUPAIR's report, with forfeits as TSH or as Woogles writes them. naspa: NASPA's text. coco, csv: tables. standings: the standings as a table.
    """
    for each in _folder(**given).look():
        click.echo(each)


@results.command()
@_options
def watch(**given: Any) -> None:
    """Write the results into a folder whenever they change, until it is interrupted. What cannot be written now is tried again."""
    _folder(**given).run(click.echo, partial(click.echo, err=True))


def _folder(layered: Layered, to: Path, kind: str, hall: str | None, **about: Any) -> ResultsFolder:
    from hall.event.parsing import codec_of
    from hall.results.folder import About
    from hall.results.standings import caps_of
    from hall.store.events import ResultsFolder

    name = _hall(layered, hall)
    encoding = codec_of(about["encoding"]) if about["encoding"] else ""
    if encoding is None:
        raise click.BadParameter(f"expected an encoding such as utf8, found {about['encoding']!r}.", param_hint="--encoding")
    caps = caps_of(layered.settings.desk)
    day = (about["day"] or datetime.now().astimezone()).date()
    said = About(about["title"] or name, day, caps, encoding, about["replaces"])
    return ResultsFolder(layered.settings.listen.store, name, to, kind, said)
