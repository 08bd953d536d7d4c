"""What the machine itself has to tell the director: settings that cannot be used, power that is too weak, pins that cannot be had. In words for the desk, and for the log."""

from __future__ import annotations

from appliance.checks.voltage import REMEDY, Power
from appliance.errors import Diagnosis
from appliance.phrase import Phrase, in_a_row
from appliance.settings.layers import RejectedSettings
from kiosk.challenge.entry import Entry, Kind


def refused_settings(refused: RejectedSettings | None) -> Phrase | None:
    """Return why the machine's files are not in force, and what is; None: they are."""
    if refused is None:
        return None
    instead = "The last good settings are in force." if refused.kept else "The defaults are in force."
    return in_a_row(refused.why.sentences, Phrase(instead), Phrase("Start anew afterwards."))


def weak_power(times: int) -> Phrase:
    """Return what the desk says where the voltage has been too low so many times."""
    counted = Phrase("1 time") if times == 1 else Phrase("{count} times", count=times)
    return Phrase("The voltage has been too low {times} since the start: {remedy}.", times=counted, remedy=Phrase(REMEDY))


def pins_missing(why: Diagnosis) -> Phrase:
    """Return what the desk says while the board's pins cannot be had."""
    meanwhile = "Screen and keyboard adjudicate meanwhile; no key switch opens this desk, the PIN does."
    cannot = Phrase("The board's pins cannot be opened: {why}", why=why.sentences)
    return in_a_row(cannot, Phrase("It is tried again every 5 s."), Phrase(meanwhile))


def of_pins(why: Diagnosis | None) -> Entry:
    """Return the row that keeps why the board's pins cannot be had, or that they can be again (None)."""
    return Entry(Kind.SELF_TEST, why="the board's pins are there" if why is None else f"the board's pins cannot be had: {why}")


def of_power(power: Power) -> Entry:
    """Return the row that keeps what has become of the voltage."""
    return Entry(Kind.SELF_TEST, why="the voltage is too low" if power.low else "the voltage is right again")
