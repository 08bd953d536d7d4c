"""``python -m lexicon.cli`` runs ``tilelexicon`` if that is not on the PATH."""

from __future__ import annotations

from lexicon.cli.main import main

main(prog_name="tilelexicon")
