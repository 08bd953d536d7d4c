"""The command line: ``tileclock`` and its verbs."""

import sys

from appliance.process import loaded


def main() -> None:
    """Run ``tileclock``. A ``run`` without options, as the service starts it, does without the command line's library."""
    if sys.argv[1:] == ["run"]:
        loaded("firmware.cli.run").main()
    else:
        loaded("firmware.cli.main").main(prog_name="tileclock")
