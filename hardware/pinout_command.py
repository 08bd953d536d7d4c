"""The verbs of both programs for a board on a Pi: ``pinout`` prints and checks the wiring, ``boot-files`` prepares the card. What they do is apart, so that --help stays quick."""

from collections.abc import Callable
from pathlib import Path

import click

from hardware.boards.board import Appliance


def board_commands(appliance: Appliance, usual: Callable[[], str]) -> tuple[click.Command, click.Command]:
    """Return ``pinout`` and ``boot-files``; ``usual`` returns the default board, that of this machine's settings."""
    board_argument = click.argument("board", required=False, metavar="[BOARD]")
    pi_option = click.option("--pi", "pi_id", metavar="PI", help="The Pi: 3, 4, 5 or zero-2-w. Default: this machine's.")

    @click.command("pinout", help=_PINOUT_HELP)
    @board_argument
    @pi_option
    def pinout(board: str | None, pi_id: str | None) -> None:
        from hardware.pinout import report  # noqa: PLC0415 - imported late: --help stays quick

        lines, sound = report(usual() if board is None else board, pi_id, appliance)
        for line in lines:
            click.echo(line)
        if not sound:
            raise SystemExit(1)

    @click.command("boot-files", help=_BOOT_FILES_HELP)
    @board_argument
    @pi_option
    @click.option("--folder", type=click.Path(path_type=Path), help="The boot partition. Default: /boot/firmware, or /boot.")
    def boot_files(board: str | None, pi_id: str | None, folder: Path | None) -> None:
        from appliance.settings import BOOT_FOLDERS  # noqa: PLC0415 - imported late: --help stays quick
        from hardware.boards.board import load_board  # noqa: PLC0415 - likewise
        from hardware.boards.pis import load_pi, this_pi  # noqa: PLC0415 - likewise
        from hardware.boot_files import write_boot_files  # noqa: PLC0415 - likewise

        pi = this_pi() if pi_id is None else load_pi(pi_id)
        if pi is None:
            raise click.UsageError("expected a Raspberry Pi, found another machine. Name the Pi that the card is for: --pi 4")
        there = folder or next((each for each in BOOT_FOLDERS if (each / "config.txt").exists()), BOOT_FOLDERS[0])
        for line in write_boot_files(there, load_board(usual() if board is None else board, appliance), pi):
            click.echo(line)

    return pinout, boot_files


_BOOT_FILES_HELP = """Write what BOARD needs into Raspberry Pi OS's config.txt and cmdline.txt: quiet start, watchdog, panel, power button, the LED displays' ports.

BOARD is a shipped board or a file; by default that of this machine's settings. Run it with sudo, again after a change of board, as often as you like: it takes effect at the
next start.
"""
_PINOUT_HELP = """Show the wiring of BOARD (a shipped board or a file; by default that of this machine's settings), and check it.

Exit code: 0 if the check finds nothing wrong, 1 if it does, 2 if the board or the Pi is unusable.
"""
