"""``python -m kiosk.cli`` runs ``tilekiosk`` if it is not on the PATH."""

from __future__ import annotations

from kiosk.cli import main

main()
