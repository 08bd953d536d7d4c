"""A station that plays on and on until it is killed: ``python -m tests.kiosk.shell.killed FOLDER``. It says through its output what it has shown, when it is shown.

``key`` before the challenged player's key; ``shown ROW TABLE`` once the verdict of that row is drawn.
"""

import itertools
import os
import sys
from pathlib import Path
from typing import Any

from tests.kiosk.shell.rig import rig


def say(*words: object) -> None:
    # Straight to the pipe: what Python kept for later would die with it.
    os.write(1, (" ".join(map(str, words)) + "\n").encode())


def main(folder: Path) -> None:
    os.environ["SDL_VIDEODRIVER"] = "dummy"
    with rig(folder) as station:
        draw = station.window.draw

        def watched(page: Any) -> bool:
            drawn = bool(draw(page))
            outcome = station.loop.station.flow.outcome
            if page.name.startswith("verdict") and drawn and outcome is not None:
                say("shown", outcome.row, outcome.entry.table)
            return drawn

        station.window.draw = watched
        # Never a table of an earlier life: its challenge may still be repeated.
        for table in itertools.count(len(station.entries()) + 1):
            station.asked("QI", table=table)
            station.goes_by(0.6)
            say("key")
            station.tap("adjudicate", "done")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
