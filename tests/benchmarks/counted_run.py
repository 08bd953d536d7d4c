"""``tileclock run`` as it is, that says at the end when it drew: ``python -m tests.benchmarks.counted_run RUN'S OPTIONS``.

Prints as JSON the instants (ns of CLOCK_MONOTONIC) of its pictures.
"""

import json
import sys
import time
from collections.abc import Callable
from unittest.mock import patch

from firmware.cli.main import main
from firmware.face.value import Face
from firmware.screens.window import WindowScreen


def counting(draw: Callable[[WindowScreen, Face], bool], pictures: list[int]) -> Callable[[WindowScreen, Face], bool]:
    """Return ``draw``, with a note of each picture."""

    def drawn(screen: WindowScreen, face: Face) -> bool:
        changed = draw(screen, face)
        if changed:
            pictures.append(time.monotonic_ns())
        return changed

    return drawn


if __name__ == "__main__":
    pictures: list[int] = []
    with patch.object(WindowScreen, "draw", counting(WindowScreen.draw, pictures)):
        main(["run", *sys.argv[1:]], standalone_mode=False)
    json.dump(pictures, sys.stdout)
