"""Probes the display in a separate process, for the self-tests: SDL may hang or crash on a broken driver and must not end them.

Run as ``python -m appliance.display.probe``: opens a hidden window or a bare panel and prints as JSON what SDL opened, or why it failed. It fills a bare panel
with two colours in turn and checks that each arrives.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Final

from msgspec import Struct
from msgspec.structs import asdict

from appliance.display.sdl import ACCELERATION, INVISIBLE, SETTINGS, acceleration, is_bare
from appliance.errors import Diagnosis, Finding, fail
from faults.errors import Phrase, as_phrase, full_stop

if TYPE_CHECKING:
    import pygame


TIMEOUT_S: Final = 15
COLOURS: Final = ((40, 80, 120), (120, 80, 40))


class Display(Struct, frozen=True):
    driver: str
    width: int
    height: int
    renderer: str | None = None
    """None: plain framebuffer."""
    arrived: bool | None = None
    """Whether frames reach the panel; None if unknown."""

    def __str__(self) -> str:
        drawn = f"{self.driver}, {'' if self.renderer is None else f'drawn by {self.renderer}, '}{self.width}x{self.height}"
        return drawn if self.arrived is None else f"{drawn}, {'frames arrive' if self.arrived else 'black: no frame arrives'}"


def probe_display() -> Display | Diagnosis:
    command = [sys.executable, "-m", __name__]
    environment = {**os.environ, "PYGAME_HIDE_SUPPORT_PROMPT": "1"}
    try:
        answer = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT_S, check=False, env=environment)  # noqa: S603 - ourselves
    except subprocess.TimeoutExpired:
        return Diagnosis(f"SDL hung for {TIMEOUT_S} s")
    return read_answer(answer.returncode, answer.stdout, answer.stderr)


def read_answer(code: int, output: str, errors: str) -> Display | Diagnosis:
    if code != 0:
        last = errors.strip().rpartition("\n")[2]
        return Diagnosis(f"SDL ended with {f'signal {-code}' if code < 0 else f'exit code {code}'}" + (f" ({last})" if last else ""))
    answer = json.loads(output)
    return Diagnosis(**answer) if "problem" in answer else Display(**answer)


def main() -> None:
    import pygame  # noqa: PLC0415 - only in the separate process

    from appliance.display import sdl  # noqa: PLC0415 - likewise
    from appliance.display.window import drivers, renderer  # noqa: PLC0415 - likewise

    os.environ.update(SETTINGS)
    asked = os.environ.get("SDL_VIDEODRIVER")
    answer: Display | Diagnosis
    try:
        pygame.display.init()
        driver, info = pygame.display.get_driver(), pygame.display.Info()
        os.environ[ACCELERATION] = acceleration(driver)
        surface = pygame.display.set_mode(*(((0, 0), pygame.FULLSCREEN) if is_bare(driver) else ((320, 240), pygame.HIDDEN)))
        answer = Display(driver, info.current_w, info.current_h, renderer(), _arrives(surface) if is_bare(driver) else None)
        if driver in INVISIBLE and asked is None and any(sdl.DEVICES.glob("card*")):
            answer = sdl.why_not(drivers(), f"SDL would draw invisibly: {driver}")
    except pygame.error as error:
        answer = sdl.why_not(drivers(), str(error)) if asked is not None and is_bare(asked) else Diagnosis(str(error))
    sys.stdout.write(json.dumps(asdict(answer)))


def _arrives(surface: pygame.Surface) -> bool | None:
    import pygame  # noqa: PLC0415 - only in the separate process

    from appliance.display.frame_check import frame_arrived  # noqa: PLC0415 - likewise

    for colour in COLOURS:
        surface.fill(colour)
        pygame.display.flip()
        if not (arrived := frame_arrived(surface)):
            return arrived
    return True


if __name__ == "__main__":
    main()


def display_failure(display: Display | Diagnosis, asked: str | None, remedy: str) -> Finding | None:
    """Return the failure of a display that shows nothing; None if it works.

    ``asked``: the SDL driver named in the environment. ``remedy``: what to do if the diagnosis does not say.
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
