"""Groups Pis by wiring picture. The 40 holes are the same on every Pi, so a board without serial displays has one picture.

A display is on the header if the Pi has a UART on its pin, otherwise on a USB adaptor: then there are two pictures.
"""

from __future__ import annotations

from collections.abc import Mapping

from hardware.boards.board import Board
from hardware.boards.hookup import adaptors
from hardware.boards.pis import Pi, load_pi, pi_ids


def variants(board: Board) -> Mapping[str, tuple[Pi, ...]]:
    """Return the Pis of each picture by the suffix of its file name: ``""``, and ``-usb`` if some need more adaptors."""
    pis = [load_pi(pi_id) for pi_id in pi_ids()]
    fewest = min(len(adaptors(board, pi)) for pi in pis)
    served: dict[str, tuple[Pi, ...]] = {}
    for pi in pis:
        suffix = "" if len(adaptors(board, pi)) == fewest else "-usb"
        served[suffix] = (*served.get(suffix, ()), pi)
    return dict(sorted(served.items()))
