"""What should stand on the panel: drawn by the installed program's own painter, with the root's own pygame and letters, into memory.

No tolerance is needed: at the panel's own size each pixel of the program's picture is one of the panel's, also where it is turned.
"""

import pickle
import subprocess
from collections.abc import Set as AbstractSet
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from firmware.face.value import Face
from firmware.screens.layout import Arrangement
from kiosk.face.page import Page
from kiosk.layout.arrange import arrange
from kiosk.layout.placed import Options
from rules.side import Side
from tests.glass.installed import OURS
from tests.glass.panels import Panel
from tests.glass.pictures import Picture
from tests.packaged.packages import Debian

_PAINTER: Final = ("/usr/lib/tileclock/bin/python3", "-sPB", f"/{OURS}/tests/glass/inside/painter.py")


class Painted:
    def __init__(self, root: Path, panel: Panel) -> None:
        self.root, self.panel = root, panel
        self._painter = subprocess.Popen(Debian(root).command(*_PAINTER), stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._known: dict[bytes, Picture] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._painter.communicate()

    def clock(self, face: Face, arrangement: Arrangement = Arrangement.FACING, side: Side = Side.RIGHT) -> Picture:
        return self._paint("clock", (face, arrangement, side))

    def station(
        self, page: Page, options: Options | None = None, pressed: AbstractSet[str] = frozenset(), *, keyed: bool = False
    ) -> Picture:
        """Return the station's picture of a page, with the targets that are ``pressed`` held down; ``keyed``: a keyboard has been used."""
        arranged = arrange(page, self.panel.seen, options or Options())
        return self._paint("station", (arranged if keyed else arranged.without_key_labels, pressed))

    def _paint(self, what: str, value: tuple[Any, ...]) -> Picture:
        asked = pickle.dumps((what, self.panel.seen, value))
        if asked not in self._known:
            assert self._painter.stdin is not None
            assert self._painter.stdout is not None
            self._painter.stdin.write(asked)
            self._painter.stdin.flush()
            width, height = self.panel.seen
            rgb = self._painter.stdout.read(3 * width * height)
            assert len(rgb) == 3 * width * height, "the painter has ended; its words are above"
            self._known[asked] = Picture(self.panel.seen, rgb).turned(self.panel.rotate)
        return self._known[asked]
