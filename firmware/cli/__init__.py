"""The command line, one file for each verb."""

from __future__ import annotations

from appliance.process import loaded


def main() -> None:
    """Run ``tileclock``."""
    loaded("firmware.cli.main").main(prog_name="tileclock")
