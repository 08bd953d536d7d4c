"""``tileclock journal``: list and show games, export them as a script, verify the journal."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from appliance.cli.heads import expect_option, expected_in_words, proof_options
from firmware.cli.options import SETTINGS, not_empty

if TYPE_CHECKING:
    from appliance.cli.heads import AskedProofs
    from appliance.records.chain import ChainLink
    from game.journal.row import Row


def _path(context: click.Context, parameter: click.Parameter, given: str | None) -> Path:
    """Return the given journal, by default the one in the clock's settings."""
    from appliance.records.files import is_missing
    from game.journal.row import NoJournal

    if not_empty(context, parameter, given) is not None:
        return Path(str(given))
    named = Path(SETTINGS.in_force().settings.journal.path)
    if is_missing(named):
        remedy = "Name another one with --journal, or start the clock, which creates it: tileclock run"
        raise NoJournal(where=named, expected="a journal", found="no such file", remedy=remedy)
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
    from game.journal.reading import games, rows_of_game
    from game.journal.words import title
    from rules.rulebooks import load_rulebook

    with _checked(path) as connection:
        for number in games(connection):
            click.echo(title(rows_of_game(connection, number), load_rulebook))


@journal.command()
@click.argument("game", type=int, required=False)
@_OPTION
def show(game: int | None, path: Path) -> None:
    """Show every row of GAME (by default the last): time since the start, wall time, event; for a director's change, before and after."""
    from game.journal.words import lines, title
    from rules.rulebooks import load_rulebook

    rows = _games(path, game, last=True)[0]
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
    from firmware.journal.export import export as exported
    from rules.rulebooks import load_rulebook

    if output is not None:
        _require_another(output, path)
    games = _games(path, game, last=False)
    if output is None:
        for line in exported(games, load_rulebook, shows=shows):
            click.echo(line)
        return
    texts: dict[str, str] = {}

    def save_rulebook(text: str) -> str:
        return texts.setdefault(text, f"{output.name}.rulebook-{len(texts) + 1}.toml")

    lines = list(exported(games, load_rulebook, shows=shows, save_rulebook=save_rulebook))
    # The script last: its rulebooks exist before it does.
    for text, name in texts.items():
        _write(output.with_name(name), text)
    _write(output, "".join(f"{line}\n" for line in lines))


@journal.command()
@expect_option
@proof_options
@_OPTION
def verify(path: Path, expect: str | None, asked: AskedProofs) -> None:
    """Check the hash chain from the first row to the last. Exit code: 0 if intact, 1 if not, 2 if there is no readable journal.

    Write down the count and the hash: they later prove that the rows up to there are unchanged.

    A whole chain shows that no row was changed, not who wrote it: whoever has the card can compute it anew. --key shows more: the clock's own key has
    signed it. Only --expect, --known and --witness show that the owner of the card did not write and sign it anew since.
    """
    from appliance.records.rows import in_words, row_with
    from game.journal.reading import reading
    from game.journal.reading import verify as verified
    from game.journal.row import DamagedJournal
    from wire.proof import proofs, read_evidence
    from wire.topics import CLOCK

    evidence = read_evidence(asked)
    try:
        with reading(path) as connection:
            found = verified(connection)
            for line in in_words(found):
                click.echo(line)
            if found.fault is not None:
                raise SystemExit(1)
            shown = proofs(connection, CLOCK, evidence)
            row = None if expect is None else row_with(connection, expect)
    except DamagedJournal as error:
        click.echo(f"Broken: {error}")
        raise SystemExit(1) from error
    for proof in shown:
        click.echo(proof.sentence)
    if expect is not None:
        click.echo(expected_in_words(expect, row))
    if not all(proof.holds for proof in shown) or (expect is not None and row is None):
        raise SystemExit(1)


@contextmanager
def _checked(path: Path) -> Iterator[sqlite3.Connection]:
    """Open the journal; if it is damaged, warn on standard error that the output is no evidence."""
    from game.journal.reading import reading
    from game.journal.reading import verify as verified

    with reading(path) as connection:
        fault = verified(connection).fault
        if fault is not None:
            click.echo(f"tileclock: {path}: damaged: {fault.meaning}. See `tileclock journal verify`.", err=True)
        yield connection


def _games(path: Path, game: int | None, *, last: bool) -> list[Sequence[ChainLink[Row]]]:
    from game.journal.reading import games, rows_of_game
    from game.journal.row import NoSuchGame

    with _checked(path) as connection:
        known = games(connection)
        wanted = known[-1:] if game is None and last else known if game is None else (game,)
        if not wanted or not set(wanted) <= set(known):
            found = f"the games {known[0]} to {known[-1]}" if known else "none yet"
            raise NoSuchGame(
                where=path, expected="a game" if game is None else f"game {game}", found=found, remedy="See `tileclock journal list`"
            )
        return [rows_of_game(connection, each) for each in wanted]


def _require_another(output: Path, path: Path) -> None:
    """Require that the output file is neither the journal nor a file that belongs to it, under any name."""
    from appliance.records.files import belongs
    from game.journal.row import JournalError

    try:
        own = belongs(output, path)
    except PermissionError:
        # Without the permission to look, reading or writing fails next, with its own message.
        return
    if own:
        raise JournalError(
            where=output,
            expected="a file to write an export to",
            found="the journal itself, or one of its files",
            remedy="Give another name",
        )


def _write(path: Path, content: str) -> None:
    """Write a file that the user asked for, whole or not at all."""
    from appliance.records.files import PUBLIC, write_whole
    from faults.errors import reason
    from game.journal.row import JournalError

    try:
        write_whole(path, content.encode(), PUBLIC)
    except OSError as error:
        raise JournalError(where=path, expected="a file that can be written", found=reason(error), remedy="Choose another place") from error
