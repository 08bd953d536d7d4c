"""``python -m kiosk.cli`` is ``tilekiosk``, where that is not on the PATH."""

from __future__ import annotations

from kiosk.cli.main import main

main(prog_name="tilekiosk")
