"""``pinout`` of either program: what hangs on which hole of the header, and whether that makes electrical sense."""

from __future__ import annotations

from collections.abc import Callable

import click

from hardware.boards.kinds import Appliance


def pinout_command(appliance: Appliance, usual: Callable[[], str]) -> click.Command:
    """Return the command; ``usual`` tells the board that is shown where none is named: the one of this machine's settings."""

    @click.command("pinout", help=_HELP)
    @click.argument("board", required=False, metavar="[BOARD]")
    @click.option("--pi", "pi_id", metavar="PI", help="On which Pi: 3, 4, 5 or zero-2-w. Without it: the one that this is.")
    def pinout(board: str | None, pi_id: str | None) -> None:
        from hardware.pinout.table import told  # noqa: PLC0415 - only where it is asked for: --help stays quick

        lines, sound = told(usual() if board is None else board, pi_id, appliance)
        for line in lines:
            click.echo(line)
        if not sound:
            raise SystemExit(1)

    return pinout


_HELP = """Show how BOARD (a shipped board or a file; the one of this machine's settings if none is named) is wired, and check it.

Exit code 0 if the check finds nothing wrong, 1 if it does, 2 if the board or the Pi cannot be used.
"""
