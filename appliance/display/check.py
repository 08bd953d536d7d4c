"""What a look at the display is worth, for the self-test of either program."""

from __future__ import annotations

from appliance.checks.finding import Finding, fail
from appliance.display.probe import Display
from appliance.display.sdl import ACCELERATION, UNSEEN
from appliance.errors import Diagnosis, full_stop
from appliance.phrase import Phrase, as_phrase


def unseen(display: Display | Diagnosis, asked: str | None, remedy: str) -> Finding | None:
    """Return the failure of a display on which nobody would see anything; None where there is none.

    Args:
        display: what the look has found, or why there is none.
        asked: the SDL driver that the environment names.
        remedy: what to do else.
    """
    if isinstance(display, Diagnosis):
        return fail("screen", Phrase("no window can be opened: {why}", why=as_phrase(display.problem)), full_stop(display.remedy) or remedy)
    if display.driver in UNSEEN and display.driver != asked:
        return fail("screen", f"no display: SDL would draw where nobody sees it (driver {display.driver})", remedy)
    if display.arrived is False:
        return fail(
            "screen", str(display), f"Take {ACCELERATION} out of the environment, and look at the kernel's messages (dmesg) for the card."
        )
    return None
