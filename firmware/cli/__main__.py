"""``python -m firmware.cli`` runs ``tileclock`` if it is not on the PATH."""

from __future__ import annotations

from firmware.cli import main

main()
