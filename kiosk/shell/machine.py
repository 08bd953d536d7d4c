"""What the machine itself has to tell the director: settings that cannot be used, power that is too weak, pins that cannot be had. In words for the desk, and for the log."""

from __future__ import annotations

from appliance.checks.finding import counted
from appliance.checks.voltage import REMEDY, Power
from appliance.errors import Diagnosis
from appliance.settings.layers import Refused
from kiosk.challenge.entry import Entry, Kind


def refused_settings(refused: Refused | None) -> str | None:
    """Return why the machine's files are not in force, and what is; None: they are."""
    if refused is None:
        return None
    instead = "The last good settings are in force" if refused.last_good else "The defaults are in force"
    return f"{refused.why} {instead}. Start anew afterwards."


def weak_power(times: int) -> str:
    """Return what the desk says where the voltage has been too low so many times."""
    return f"The voltage has been too low {counted(times, 'time')} since the start: {REMEDY}."


def pins_missing(why: Diagnosis) -> str:
    """Return what the desk says while the board's pins cannot be had."""
    said = str(why)
    return f"{said[:1].upper()}{said[1:]} It is tried again every 5 s. Screen and keyboard adjudicate meanwhile; no key switch opens this desk, the PIN does."


def of_pins(why: Diagnosis | None) -> Entry:
    """Return the row that keeps why the board's pins cannot be had, or that they can be again (None)."""
    return Entry(Kind.SELF_TEST, why="the board's pins are there" if why is None else f"the board's pins cannot be had: {why}")


def of_power(power: Power) -> Entry:
    """Return the row that keeps what has become of the voltage."""
    return Entry(Kind.SELF_TEST, why="the voltage is too low" if power.low else "the voltage is right again")
