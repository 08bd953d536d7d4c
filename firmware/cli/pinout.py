"""``tileclock pinout``: what hangs on which hole of the header, and whether that makes electrical sense."""

from __future__ import annotations

import click


@click.command()
@click.argument("board", default="full", metavar="[BOARD]")
@click.option("--pi", "pi_id", metavar="PI", help="On which Pi: 3, 4, 5 or zero-2-w. Without it: the one that this is.")
def pinout(board: str, pi_id: str | None) -> None:
    """Show how BOARD (a shipped board or a file; full if none is named) is wired, and check it.

    Exit code 0 if the check finds nothing wrong, 1 if it does, 2 if the board or the Pi cannot be used.
    """
    from hardware.kinds import CLOCK
    from hardware.pinout import told

    lines, sound = told(board, pi_id, CLOCK)
    for line in lines:
        click.echo(line)
    if not sound:
        raise SystemExit(1)
