"""The display's finding for the self-tests of both programs."""

from __future__ import annotations

from appliance.checks.finding import Finding, fail
from appliance.display.probe import Display
from appliance.display.sdl import ACCELERATION, INVISIBLE
from appliance.errors import Diagnosis
from faults.errors import Phrase, as_phrase, full_stop


def display_failure(display: Display | Diagnosis, asked: str | None, remedy: str) -> Finding | None:
    """Return the failure of a display that shows nothing; None if it works.

    Args:
        display: the probe's result, or why there is no display.
        asked: the SDL driver named in the environment.
        remedy: what to do if the diagnosis does not say.
    """
    if isinstance(display, Diagnosis):
        return fail("screen", Phrase("no window can be opened: {why}", why=as_phrase(display.problem)), full_stop(display.remedy) or remedy)
    if display.driver in INVISIBLE and display.driver != asked:
        return fail("screen", f"no display: SDL would draw invisibly (driver {display.driver})", remedy)
    if display.arrived is False:
        return fail(
            "screen", str(display), f"Take {ACCELERATION} out of the environment, and look at the kernel's messages (dmesg) for the card."
        )
    return None
