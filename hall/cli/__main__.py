"""``python -m hall.cli``: the same as ``tilehall``."""

from hall.cli.main import main

main(prog_name="tilehall")
