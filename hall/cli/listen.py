"""``tilehall listen``, ``watch`` and ``status``: the listener, and the hall as it sees it."""

from __future__ import annotations

from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from appliance.cli.options import Option, read_secret
from hall.cli.init import FOLDER
from hall.cli.options import BROKER_OPTIONS, with_settings

if TYPE_CHECKING:
    from hall.settings import Layered
    from wire.keys import SigningKey


HTTP_OPTION: Final[Option] = ("--http", "listen.http", int, "The listener's port on the loopback.")
LISTEN_OPTIONS: Final[tuple[Option, ...]] = (
    *BROKER_OPTIONS,
    ("--folder", "listen.folder", str, "The folder with ca.pem, certificate.pem and key.pem of the listener."),
    ("--store", "listen.store", str, "The file with the rows of all devices, or the URL of a PostgreSQL database."),
    HTTP_OPTION,
)


@click.command()
@with_settings(LISTEN_OPTIONS)
def listen(layered: Layered) -> None:
    """Keep the rows of all devices and the picture of the hall, until SIGTERM or Ctrl+C.

    If the broker is away, it tries again. On a full disk, rows wait at the tables. `tilehall watch` and `tilehall status` read
    the picture; Prometheus reads http://127.0.0.1:9812/metrics.
    """
    from hall.listener.service import run_listener

    run_listener(layered.settings)


@click.command()
@with_settings((HTTP_OPTION,))
def watch(layered: Layered) -> None:
    """Show the hall live: tables, readings, who runs, calls, age. Ctrl+C ends it.

    Calls come first, then faulty and stale devices. A reading with ~ may be off by more than 250 ms; a stale device has not been heard for 15 s.
    """
    from rich.console import Console

    from hall.status import read_picture
    from hall.watch import watch as show

    show(partial(read_picture, layered.settings.listen.http), Console())


@click.command()
@with_settings((HTTP_OPTION,))
def status(layered: Layered) -> None:
    """Print the state of the hall once. Exit code: 0 if there is no problem, 1 if there is one, 2 if there is no listener."""
    from hall.status import read_picture, summary

    lines, well = summary(read_picture(layered.settings.listen.http), datetime.now().astimezone())
    for line in lines:
        click.echo(line)
    if not well:
        raise SystemExit(1)


_OPTIONS: Final[tuple[Option, ...]] = (
    *LISTEN_OPTIONS,
    ("--pages", "desk.port", int, "The port of the pages."),
    ("--address", "desk.address", str, "The address at which the pages are served."),
    ("--desk", "desk.folder", str, "The folder with the desk's certificates."),
    ("--accounts", "desk.accounts", str, "The file of accounts."),
    ("--desk-store", "desk.store", str, "The desk's own file, or a URL of PostgreSQL."),
    ("--book", "order.book", str, "The file in which orders are kept."),
    ("--login/--no-login", "desk.login", bool, "Without a login anyone at this machine sees all pages; the desk sends no orders."),
)


@click.command()
@with_settings(_OPTIONS)
@click.option("--read-only", is_flag=True, help="Serve only board, overlays and API, from the PostgreSQL that a desk writes to: a worker.")
@click.option("--hall", default=None, help="With --read-only: the hall, where the database has the boards of several.")
def desk(layered: Layered, hall: str | None, *, read_only: bool) -> None:
    """Show the hall to the director in a browser, until SIGTERM or Ctrl+C. It includes `tilehall listen` and replaces it.

    The pages are at http://127.0.0.1:8420/, from this machine only; with a certificate (`tilehall https`) and --address 0.0.0.0 at https://NAME:8420/ for
    the network. Who may log in: `tilehall account`. With --read-only it listens to no device and takes no login: any number of such workers serve the
    public board of a desk whose store is in PostgreSQL.
    """
    if read_only:
        from hall.desk.run import run_board

        run_board(layered.settings, hall)
        return
    if hall is not None:
        raise click.UsageError("--hall goes with --read-only: a desk takes its hall from its certificate.")
    from hall.desk.run import run_desk

    run_desk(layered.settings)


FILE: Final = click.option(
    "--accounts",
    "path",
    type=click.Path(path_type=Path),
    default=Path("/var/lib/tilehall/accounts.json"),
    show_default=True,
    help="The desk's file of accounts.",
)


@click.group()
def account() -> None:
    """Make, list and remove the accounts of the director's desk. A running desk sees the change at once."""


@account.command()
@click.argument("name")
@click.option(
    "--role",
    type=click.Choice(("deputy", "director")),
    required=True,
    help="A director sends orders; a deputy sees all pages and takes calls.",
)
@FOLDER
@FILE
def add(name: str, role: str, folder: Path, path: Path) -> None:
    """Make the account NAME, or give it a new password, which ends all its sessions.

    Asks for the password twice, without showing it; without a terminal it reads a line of standard input. For a director it first asks for the passphrase of
    `tilehall init`, which opens the key in --folder that signs orders; the new password encrypts a copy for this account.
    """
    from hall.desk.access.accounts import Accounts, new_account, require_password

    key = _director_key(folder) if role == "director" else None
    password = read_secret(f"password of {name}")
    require_password(password)
    accounts = Accounts(path.absolute())
    known = accounts.find(name) is not None
    accounts.put(new_account(name, password, key))
    click.echo(f"{name} is a {role} with a new password." if known else f"{name} is a {role} now.")


@account.command("list")
@FILE
def list_accounts(path: Path) -> None:
    """Show who may log in, and as what."""
    from hall.desk.access.accounts import Accounts

    for name, found in sorted(Accounts(path.absolute()).all().items()):
        click.echo(f"{name:<32}  {found.role}")


@account.command()
@click.argument("name")
@FILE
def remove(name: str, path: Path) -> None:
    """Remove the account NAME and end its sessions."""
    from hall.desk.access.accounts import Accounts

    Accounts(path.absolute()).remove(name)
    click.echo(f"{name} may no longer log in.")


def _director_key(folder: Path) -> SigningKey:
    from hall.keys.files import unlock_director

    passphrase = read_secret("passphrase of the director (tilehall init)", again=False)
    return unlock_director(folder.absolute() / "director.pem", passphrase.encode())
