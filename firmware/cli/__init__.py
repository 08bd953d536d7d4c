"""The command line: ``tileclock`` and its verbs."""

from __future__ import annotations

from appliance.process import loaded


def main() -> None:
    loaded("firmware.cli.main").main(prog_name="tileclock")
