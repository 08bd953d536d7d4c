"""``tilekiosk``: the command and its verbs, all but ``log``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from appliance.cli.checkout import docs, from_checkout
from appliance.cli.config import config_group, print_hashed, report_findings
from appliance.cli.options import not_empty
from appliance.process import fast_startup
from faults.guard import Guarded
from hardware.boards.kinds import STATION
from hardware.pinout_command import board_commands
from kiosk.cli.log import log
from kiosk.cli.options import SETTINGS

if TYPE_CHECKING:
    from kiosk.settings.places import Layered


@click.command()
@SETTINGS.options(SETTINGS.examined)
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


pinout, boot_files = board_commands(STATION, _usual)


config: Final = config_group(
    SETTINGS,
    """Print the settings in force as dotted TOML.

Order: defaults, /etc/tileclock/station.toml, tilekiosk.toml on the boot partition, options; later ones win.
Rulebooks, alphabet, board and language are checked as by `tilekiosk run`, with the same error messages. The lexicon is checked by `tilekiosk doctor`.
""",
)


@config.command()
def pin() -> None:
    """Make the settings line for a PIN of 4 to 12 digits, which opens the director's door.

    Type the PIN twice; it is not shown. Without a terminal, it is read from a line of standard input. The PIN itself is not stored.
    """
    from appliance.cli.options import read_secret

    print_hashed(SETTINGS, "door", "pin", read_secret("PIN"))


@click.command()
@click.option("--headless", is_flag=True, help="Play the scripted challenges without a screen, even if there is one.")
@click.option(
    "--output", type=click.Path(path_type=Path), default=Path("demo-out"), show_default=True, help="The folder for the scripted challenges."
)
@click.option("--language", callback=not_empty, default=None, help="The language of the idle station.")
@click.option("--rulebook", callback=not_empty, default=None, help="The rulebook: an id (see `tileclock rulebooks`) or a file.")
@click.option("--lexicon", callback=not_empty, default=None, help="A lexicon file instead of the practice list.")
@click.option("--log", callback=not_empty, default=None, help="Store the log there; by default it is deleted at the end.")
@click.option("--beside", is_flag=True, help="Open the table clock's demo beside it; each window ends alone, Ctrl+C both.")
def demo(*, headless: bool, output: Path, beside: bool, **chosen: str | None) -> None:
    """Try the challenge station in a window, with mouse, touch or keyboard; it leaves nothing behind.

    It needs a checkout of Tileclock. The list is the practice list, so no verdict counts. Without a screen, play scripted challenges and write pictures and a transcript.
    """
    from_checkout("tools.station_demo.window:try_station", "demo")(output, chosen, beside=beside, headless=headless)


@click.command()
@fast_startup
@SETTINGS.options(SETTINGS.take)
def run(layered: Layered) -> None:
    """Run the challenge station on this machine's screen.

    Settings come from /etc/tileclock/station.toml, then tilekiosk.toml on the boot partition, then the options. If one of these files is unusable,
    the last good one replaces it, and the screen says why. The director's choices at the desk override the settings until these change. The
    lexicon is read completely before the first challenge. If the station cannot judge, its screen shows why and names a remedy.

    If the board's pins are unavailable, a station started by systemd judges by touch and keyboard, tells the director, and tries again every 5 s; a
    station started by hand exits with the reason.
    """
    from appliance.clocks import Clocks
    from appliance.log import get_logger
    from appliance.program import run_program
    from appliance.settings.last_good import settings_outcome
    from kiosk.shell.assemble import assembled
    from kiosk.shell.loop import Loop, StationMachine

    def report_ready(loop: Loop) -> None:
        context, log = loop.station.flow.context, get_logger()
        (log.info if layered.refused is None else log.error)("the settings are read", found=settings_outcome(layered))
        log.info(
            "the station is ready", lexicon=None if context.lexicon is None else context.lexicon.short_hash, rulebook=context.rulebook.id
        )
        if context.trouble is not None:
            log.warning("nothing is judged", why=str(context.trouble.what))

    run_program("tilekiosk", lambda watched: assembled(layered, StationMachine(Clocks(), watched)), report_ready, "TILEKIOSK_POWEROFF")


@click.group(
    cls=Guarded,
    program="tilekiosk",
    context_settings={"help_option_names": ["-h", "--help"]},
    commands=[boot_files, config, demo, docs, doctor, log, pinout, run],
)
@click.version_option(package_name="tileclock", prog_name="tilekiosk")
def main() -> None:
    """Tilekiosk: the challenge station, where two players look a challenged play up themselves.

    \b
    Try it, with mouse or keyboard:   tilekiosk demo
    Is this machine fit for it?       tilekiosk doctor
    How is it wired?                  tilekiosk pinout
    Put it into a hall:               tilekiosk run
    What happened at table 12?        tilekiosk log list --table 12
    The log for a spreadsheet:        tilekiosk log export --csv -o log.csv
    Is the log what was written?      tilekiosk log verify
    What is set, and by whom?         tilekiosk config --changed
    A PIN for the director's door:    tilekiosk config pin

    Every verb explains itself with --help.
    """  # noqa: D301 - the backslash makes click's sign for lines to be left as they are
