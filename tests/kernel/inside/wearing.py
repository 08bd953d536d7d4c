"""A contact that wears out, on a line of the simulated chip: pressed by the model's hands, heard by the real driver, judged as the clock judges it."""

import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from msgspec import structs

from firmware.gestures import contacts
from firmware.shell.wear import WearLog
from hardware.buttons.board_pins import Edge
from rules.contact import MS
from rules.contact import Contact as Debounced
from rules.duration import NS
from tests.kernel.inside.framed import Said
from tests.kernel.inside.simulated import Finger
from tests.rules.contacts_model import Contact, WornContact, games, sound_contact, worn_contacts

BUTTON: Final = "left"
ONSET: Final = 200
"""A contact here is worn sooner than the model's: from its twelfth game or so on."""
APART_NS: Final = 200 * MS
"""Between two presses: each is known by then."""
PATIENCE_NS: Final = 60 * NS


def contact_of(kind: str, seed: int) -> Contact:
    """Return a sound contact, or one that wears in this way."""
    if kind == "sound":
        return sound_contact(seed)
    found = [contact for name, contact in worn_contacts() if name == kind][seed]
    found.onset = ONSET
    return found


class Bench:
    def __init__(self, contact: Contact, line: int, edges: list[Edge], journal: Path) -> None:
        self._contact, self._line, self._edges = contact, line, edges
        self._games, self._finger, self._wear = games(contact), Finger(), WearLog(journal)
        self._before: Mapping[str, Debounced] = {}
        self.strange = 0
        """Edges that were not pulled, or did not come at the instant of their pull."""
        self.came = 0
        self.named: Said | None = None
        self.lost: int | None = None
        """The first press that did not come as one press."""

    def play(self) -> None:
        self._wear.count(time.monotonic_ns(), playing=True)
        first = self._contact.presses
        for number, (_, train) in enumerate(next(self._games), first + 1):
            if self._pressed(train) != 1 and self.lost is None:
                self.lost = number
        self._wear.count(time.monotonic_ns(), playing=False)
        if self.named is None and self._wear.worn:
            (worn,) = self._wear.worn
            self.named = {**structs.asdict(worn), "presses": self._contact.presses, "worn": self.worn}

    @property
    def worn(self) -> float:
        return self._contact.worn if isinstance(self._contact, WornContact) else 0.0

    def _pressed(self, train: Sequence[int]) -> int:
        """Pull a press; return how many whole presses are heard of it."""
        self._finger.pulls.clear()
        self._edges.clear()
        began = time.monotonic_ns()
        for number, at in enumerate(train):
            time.sleep(max(0, began + at - train[0] - time.monotonic_ns()) / NS)
            self._finger.pull(self._line, down=number % 2 == 0)
        time.sleep(APART_NS / NS)
        pulls, limit = self._finger.pulls, time.monotonic_ns() + PATIENCE_NS
        while len(self._edges) < len(pulls) and time.monotonic_ns() < limit:
            time.sleep(MS / NS)
        edges = self._edges[:]
        self.came += len(edges)
        self.strange += abs(len(pulls) - len(edges)) + sum(
            not (edge.stamped and edge.down is down and before <= edge.at <= after)
            for edge, (_, down, before, after) in zip(edges, pulls, strict=False)
        )
        self._wear.take(edges)
        heard = contacts.hear(self._before, (contacts.Edge(each.button, each.at, each.down) for each in edges), time.monotonic_ns())
        self._before = heard.contacts
        return len(heard.holds) if all(each.released is not None for each in heard.holds) else 0
