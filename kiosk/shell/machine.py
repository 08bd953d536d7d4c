"""News of the machine for the director: unusable settings, low power, unavailable pins. As text for the desk, and for the log."""

from __future__ import annotations

from appliance.checks.voltage import REMEDY, Power
from appliance.errors import Diagnosis
from appliance.settings.layers import RejectedSettings
from faults.errors import Phrase, full_stop, in_a_row
from game.challenge_log.entry import Entry, Kind


def refused_settings(refused: RejectedSettings | None) -> Phrase | None:
    """Return why the machine's files are not in force, and what is instead; None: they are in force."""
    if refused is None:
        return None
    instead = "The last good settings are in force." if refused.last_good else "The defaults are in force."
    return in_a_row(refused.why.sentences, Phrase(instead), Phrase("Restart afterwards."))


def weak_power(times: int) -> Phrase:
    """Return the desk's text after ``times`` occurrences of low voltage."""
    counted = Phrase("1 time") if times == 1 else Phrase("{count} times", count=times)
    return in_a_row(Phrase("The voltage has been too low {times} since the start.", times=counted), full_stop(Phrase(REMEDY)))


def pins_missing(why: Diagnosis) -> Phrase:
    """Return the desk's text while the board's pins are unavailable."""
    meanwhile = "Screen and keyboard adjudicate meanwhile; no key switch opens this desk, the PIN does."
    cannot = Phrase("The board's pins cannot be opened: {why}", why=why.sentences)
    return in_a_row(cannot, Phrase("It is tried again every 5 s."), Phrase(meanwhile))


def of_pins(why: Diagnosis | None) -> Entry:
    """Return the row for unavailable pins, or for their return (None)."""
    return Entry(Kind.SELF_TEST, why="the board's pins are there" if why is None else f"the board's pins cannot be opened: {why}")


def of_power(power: Power) -> Entry:
    """Return the row for a change of the voltage."""
    return Entry(Kind.SELF_TEST, why="the voltage is too low" if power.low else "the voltage is right again")
