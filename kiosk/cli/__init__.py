"""The command line of the challenge station: ``tilekiosk`` and its verbs."""

from __future__ import annotations

from appliance.process import loaded


def main() -> None:
    loaded("kiosk.cli.main").main(prog_name="tilekiosk")
