"""The verbs for this machine: ``tilekiosk doctor``, is it fit for a tournament; ``tilekiosk pinout``, its wiring; ``tilekiosk config``, its settings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import click

from appliance.cli.config import add_machine_verbs, print_settings, report_findings
from hardware.boards.kinds import STATION
from hardware.pinout_command import boot_files_command, pinout_command
from kiosk.cli.options import SETTINGS, examining_options, settings_options

if TYPE_CHECKING:
    from kiosk.settings import Layered


@click.command()
@examining_options
@click.option(
    "--press", is_flag=True, help="Also ask for the adjudication button and the key switch; show how long each was down and how it bounced."
)
def doctor(layered: Layered, *, press: bool) -> None:
    """Check this machine: settings, rulebooks, lexicon, log, the director's door, screen, pins, printer.

    Every failure names a remedy. An unusable settings file of the machine is one failure; the other checks use the settings in force instead.

    Exit code: 0 if nothing failed, 1 if something failed, 2 if an option or the file of --settings is unusable.

    Stop the station first if it uses pins or a printer. It has its own self-test at the director's desk.
    """
    from hardware.buttons.self_test import Interview
    from kiosk.doctor.examine import examine

    board = layered.settings.board
    if press and (board.file == "none" or board.pins in ("none", "mock")):
        raise click.UsageError(
            f"--press needs a button on real pins, and board.file is {board.file}, board.pins {board.pins}: use --board station --pins gpiod or rpigpio."
        )
    interview = Interview(lambda sentence: click.echo(sentence, err=True)) if press else None
    report_findings(examine(layered, interview=interview))


_SHIPPED: Final = "station"


def _usual() -> str:
    """Return the settings' board, or the shipped one if they name none, for someone who has yet to wire it."""
    board = SETTINGS.in_force().settings.board.file
    if board != "none":
        return board
    click.echo(f'tilekiosk: the settings name no board, so this is the shipped one; to use it: board.file = "{_SHIPPED}".', err=True)
    return _SHIPPED


pinout: Final = pinout_command(STATION, _usual)
boot_files: Final = boot_files_command(STATION, _usual)


@click.group(invoke_without_command=True)
@settings_options
@click.option("--changed", is_flag=True, help="Print only what differs from the defaults, with its file or option.")
def config(layered: Layered, *, changed: bool) -> None:
    """Print the settings in force as dotted TOML.

    Order: defaults, /etc/tileclock/station.toml, tilekiosk.toml on the boot partition, options; later ones win.
    Rulebooks, alphabet, board and language are checked as by `tilekiosk run`, with the same error messages. The lexicon is checked by `tilekiosk doctor`.
    """
    from kiosk.settings.places import dump, require_usable

    require_usable(layered)
    print_settings(dump(layered, changed=changed))


add_machine_verbs(config, SETTINGS)


@config.command()
def pin() -> None:
    """Make the settings line for a PIN of 4 to 12 digits, which opens the director's door.

    Type the PIN twice; it is not shown. Without a terminal, it is read from a line of standard input. The PIN itself is not stored.
    """
    from appliance.cli.options import read_secret
    from appliance.lock import hashed

    line = hashed(read_secret("PIN"))
    click.echo(
        "Put this line below [door] into tilekiosk.toml on the boot partition, which has the last word, or into /etc/tileclock/station.toml:",
        err=True,
    )
    click.echo(f'pin = "{line}"')
