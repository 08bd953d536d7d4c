"""``tilehall results``: what games came to, as files for the program that pairs, for ratings and for the web."""

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
    from hall.settings import Layered
    from hall.store.written import ResultsFolder

_SETTINGS: Final[tuple[Option, ...]] = (
    ("--store", "listen.store", str, "The file with the rows of all devices, or the URL of a PostgreSQL database."),
    ("--folder", "listen.folder", str, "The folder of the listener's certificate, which names the hall."),
    ("--spread-cap", "desk.spread_cap", str, "The most that a game adds to a spread, for standings; by round, as 350 or 200,350."),
    ("--standings-spread-cap", "desk.standings_spread_cap", str, "The same, but for the order alone."),
)
KINDS: Final = ("tsh", "tsh-queue", "csv", "coco", "standings", "naspa", "tourney", "tou", "tou-woogles")
"""Those of ``hall.results.folder``, which is not imported before it is needed."""
_OPTIONS: Final = (
    click.option("--to", "to", required=True, type=click.Path(path_type=Path, file_okay=False), help="The folder; for tsh and tsh-queue that of the event, with config.tsh."),
    click.option("--as", "kind", required=True, type=click.Choice(KINDS), help="The format."),
    click.option("--hall", default=None, help="The hall, instead of the certificate's."),
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
    from hall.broker import plan_of
    from hall.event.parsing import codec_of
    from hall.results.folder import About
    from hall.results.standings import caps_of
    from hall.store.written import ResultsFolder

    name = hall or plan_of(Path(layered.settings.listen.folder), layered.settings.broker).hall
    encoding = codec_of(about["encoding"]) if about["encoding"] else ""
    if encoding is None:
        raise click.BadParameter(f"expected an encoding such as utf8, found {about['encoding']!r}.", param_hint="--encoding")
    caps = caps_of(layered.settings.desk)
    day = (about["day"] or datetime.now().astimezone()).date()
    said = About(about["title"] or name, day, caps, encoding, about["replaces"])
    return ResultsFolder(layered.settings.listen.store, name, to, kind, said)
