"""``pinout`` of both programs: prints the wiring of the header and checks it electrically. Apart from ``hardware.pinout``, so that --help stays quick."""

from __future__ import annotations

from collections.abc import Callable

import click

from hardware.boards.kinds import Appliance


def pinout_command(appliance: Appliance, usual: Callable[[], str]) -> click.Command:
    """Return the command; ``usual`` returns the default board, that of this machine's settings."""

    @click.command("pinout", help=_HELP)
    @click.argument("board", required=False, metavar="[BOARD]")
    @click.option("--pi", "pi_id", metavar="PI", help="The Pi: 3, 4, 5 or zero-2-w. Default: this machine's.")
    def pinout(board: str | None, pi_id: str | None) -> None:
        from hardware.pinout import report  # noqa: PLC0415 - imported late: --help stays quick

        lines, sound = report(usual() if board is None else board, pi_id, appliance)
        for line in lines:
            click.echo(line)
        if not sound:
            raise SystemExit(1)

    return pinout


_HELP = """Show the wiring of BOARD (a shipped board or a file; by default that of this machine's settings), and check it.

Exit code: 0 if the check finds nothing wrong, 1 if it does, 2 if the board or the Pi is unusable.
"""
