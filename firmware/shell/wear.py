"""How the buttons wear: their raw edges are counted, and what a game adds to the counts is stored beside the journal once it is over. A lost file costs only the past."""

import threading
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

import msgspec

from appliance.log import get_logger
from appliance.records.files import beside, write_whole
from faults.small_file import read_small
from firmware.gestures.contacts import KEY
from hardware.boards.board import BUTTONS
from hardware.buttons.board_pins import Edge
from rules.contact import Contact
from rules.wear import Heard, Tally, Wear, Worn, worn

_PRESSED: Final = frozenset(BUTTONS) - {KEY}


def wear_path(journal: Path) -> Path:
    return beside(journal, ".buttons")


def load_wear(journal: Path) -> dict[str, Wear]:
    """Return what is known of each button of the clock with this journal; nothing where there is no such file, or it is damaged."""
    try:
        found = msgspec.json.decode(read_small(wear_path(journal)), type=dict[str, Wear])
    except FileNotFoundError:
        return {}
    except (OSError, msgspec.MsgspecError, RecursionError) as error:
        get_logger().warning("what was known of the buttons' wear is lost", why=str(error))
        return {}
    return {button: wear for button, wear in found.items() if button in _PRESSED}


def worn_buttons(known: Mapping[str, Wear]) -> tuple[Worn, ...]:
    return tuple(each for each in (worn(button, known[button]) for button in sorted(known)) if each is not None)


class WearLog:
    """What the pins' edges say of the buttons. No picture waits for it, and no game for the disk."""

    def __init__(self, journal: Path) -> None:
        self._journal = journal
        self._known = load_wear(journal)
        self._heard: dict[str, Heard] = {}
        self._edges: list[Edge] = []
        self._playing = False
        self.worn = worn_buttons(self._known)

    def take(self, edges: Iterable[Edge]) -> None:
        self._edges += edges

    def count(self, now: int, *, playing: bool) -> bool:
        """Count the edges that were taken, in the order of their instants; return whether a game was over at ``now`` (ns), and the buttons are judged anew."""
        edges, self._edges = self._edges, []
        for each in edges:
            self._heard[each.button] = self._after(each)
        over, self._playing = self._playing and not playing, playing
        if over:
            self._keep(now)
        return over

    def _after(self, edge: Edge) -> Heard:
        heard = self._heard.get(edge.button, Heard())
        if edge.stamped:
            return heard.edge(edge.at, down=edge.down)
        # Its instant is Python's, or an edge before it was lost: nothing can be measured.
        return Heard(Contact(down=edge.down), heard.tally)

    def _keep(self, now: int) -> None:
        for button, each in self._heard.items():
            heard = each.until(now)
            self._heard[button] = msgspec.structs.replace(heard, tally=Tally())
            if button in _PRESSED:
                self._known[button] = self._known.get(button, Wear()).and_game(heard.tally)
        self.worn = worn_buttons(self._known)
        content = msgspec.json.encode(self._known)
        threading.Thread(target=_save, args=(wear_path(self._journal), content), name="wear", daemon=True).start()


def _save(path: Path, content: bytes) -> None:
    try:
        # A clock that root has started by hand must leave a file that the service's user can read.
        write_whole(path, content, for_owner=True)
    except OSError as error:
        get_logger().warning("how the buttons wear is not stored", why=str(error))
