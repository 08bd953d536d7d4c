"""``tileclock journal``: list and show games, export them as a script, verify the journal."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING

import click

from appliance.cli.options import expect_option, key_option, not_empty
from firmware.cli.options import SETTINGS

if TYPE_CHECKING:
    from appliance.records.chain import ChainLink
    from records.journal import Row


def _path(context: click.Context, parameter: click.Parameter, given: str | None) -> Path:
    """Return the given journal, by default the one in the clock's settings."""
    from appliance.errors import NoRecord
    from appliance.records.files import is_missing

    if not_empty(context, parameter, given) is not None:
        return Path(str(given))
    named = Path(SETTINGS.in_force().settings.journal.path)
    if is_missing(named):
        remedy = "Name another one with --journal, or start the clock, which creates it: tileclock run"
        raise NoRecord(where=named, expected="a journal", found="no such file", remedy=remedy)
    return named


_OPTION = click.option(
    "--journal", "path", callback=_path, metavar="PATH", help="The journal's file; by default the one in the clock's settings."
)


@click.group()
def journal() -> None:
    """Read the journal: games, their events, an export as a script, the hash chain.

    The journal is never changed; the clock may be running.
    """


@journal.command("list")
@_OPTION
def list_games(path: Path) -> None:
    """List the games: number, wall time, rulebook, state or reason of the end, both readings."""
    from records.commands import checked
    from records.journal import JOURNAL, games
    from records.words import title
    from rules.rulebooks import load_rulebook

    with checked(JOURNAL, path) as connection:
        for rows in games(connection):
            click.echo(title(rows, load_rulebook))


@journal.command()
@click.argument("game", type=int, required=False)
@_OPTION
def show(game: int | None, path: Path) -> None:
    """Show every row of GAME (by default the last): time since the start, wall time, event; for a director's change, before and after."""
    from records.commands import checked
    from records.journal import JOURNAL, game_numbers
    from records.words import lines, title
    from rules.rulebooks import load_rulebook

    with checked(JOURNAL, path) as connection:
        rows = _rows(connection, path, game_numbers(connection)[1] if game is None else game)
    click.echo(title(rows, load_rulebook))
    for line in lines(rows):
        click.echo(line)


@journal.command()
@click.argument("game", type=int, required=False)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write to FILE, whole or not at all; by default to standard output.",
)
@click.option("--shows", is_flag=True, help="Add a show after every event, not only at each game's end.")
@_OPTION
def export(game: int | None, output: Path | None, shows: bool, path: Path) -> None:
    """Write GAME (by default all games) as a script for `tileclock replay`.

    A custom rulebook is written beside FILE, as of the game's start: keep the two together. On standard output it becomes a remark.
    """
    from appliance.records.files import PUBLIC, require_another, write_export
    from firmware.journal.export import export as exported
    from records.commands import checked
    from records.journal import JOURNAL, game_numbers, games
    from rules.rulebooks import load_rulebook

    if output is not None:
        require_another(output, path, "the journal")
    texts: dict[str, str] = {}

    def save_rulebook(text: str) -> str:
        return texts.setdefault(text, f"{'' if output is None else output.name}.rulebook-{len(texts) + 1}.toml")

    with checked(JOURNAL, path) as connection:
        found = games(connection) if game is None and any(game_numbers(connection)) else [_rows(connection, path, game or 0)]
        lines = exported(found, load_rulebook, shows=shows, save_rulebook=None if output is None else save_rulebook)
        if output is None:
            for line in lines:
                click.echo(line)
            return
        script = [f"{line}\n" for line in lines]
    # The script last: its rulebooks exist before it does.
    for text, name in texts.items():
        write_export(output.with_name(name), [text], PUBLIC)
    write_export(output, script, PUBLIC)


@journal.command()
@expect_option
@key_option
@_OPTION
def verify(path: Path, expect: str | None, key: str | None) -> None:
    """Check the hash chain from the first row to the last. Exit code: 0 if intact, 1 if not, 2 if there is no readable journal.

    Write down the count and the hash: they later prove that the rows up to there are unchanged.

    A whole chain shows that no row was changed, not who wrote it: whoever has the card can compute it anew. --key shows more: the clock's own key has
    signed it. Only --expect, and the rows that the hall holds (`tilehall verify`), show that the owner of the card did not write and sign it anew since.
    """
    from records.commands import verify as verified
    from records.journal import JOURNAL
    from wire.topics import CLOCK

    raise SystemExit(verified(JOURNAL, CLOCK, path, expect, key))


def _rows(connection: sqlite3.Connection, path: Path, game: int) -> tuple[ChainLink[Row], ...]:
    """Return the rows of a game (0: there is none); raises NoSuchGame."""
    from records.journal import Kind, NoSuchGame, game_numbers, rows_of_game

    rows = rows_of_game(connection, game)
    if not any(link.row.kind == Kind.EVENT for link in rows):
        first, last = game_numbers(connection)
        found = f"the games {first} to {last}" if last else "none yet"
        expected = f"game {game}" if last else "a game"
        raise NoSuchGame(where=path, expected=expected, found=found, remedy="See `tileclock journal list`")
    return rows
