"""``python -m firmware.cli`` is ``tileclock``, where that is not on the PATH."""

from __future__ import annotations

from firmware.cli.main import main

main(prog_name="tileclock")
