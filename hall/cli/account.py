"""``tilehall account``: who may log in at the desk."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from hall.cli.init import FOLDER

if TYPE_CHECKING:
    from hall.keys.director import DirectorKey

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
    from appliance.cli.secret import read_secret
    from hall.desk.access.accounts import Accounts, new_account
    from hall.desk.access.passwords import require_password

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

    accounts = Accounts(path.absolute())
    for name in accounts.names():
        if (found := accounts.find(name)) is not None:
            click.echo(f"{name:<32}  {found.role}")


@account.command()
@click.argument("name")
@FILE
def remove(name: str, path: Path) -> None:
    """Remove the account NAME and end its sessions."""
    from hall.desk.access.accounts import Accounts

    Accounts(path.absolute()).remove(name)
    click.echo(f"{name} may no longer log in.")


def _director_key(folder: Path) -> DirectorKey:
    from appliance.cli.secret import read_secret
    from hall.keys.director import unlock_director

    file = folder.absolute() / "director.pem"
    passphrase = read_secret("passphrase of the director (tilehall init)", again=False)
    return unlock_director(file, passphrase.encode())
