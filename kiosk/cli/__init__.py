"""The command line of the challenge station: ``tilekiosk`` and its verbs."""

import sys

from appliance.process import loaded


def main() -> None:
    """Run ``tilekiosk``. A ``run`` without options, as the service starts it, does without the command line's library."""
    if sys.argv[1:] == ["run"]:
        loaded("kiosk.cli.run").main()
    else:
        loaded("kiosk.cli.main").main(prog_name="tilekiosk")
