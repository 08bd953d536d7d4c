"""A station, played for tests: events at instants in seconds, and everything that it asked of the shell."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from kiosk import events as players
from kiosk.director.door import Lock
from kiosk.events import Event, KnockAtDoor
from kiosk.station import Station, apply, begin, tick
from records.entry import Way
from rules.duration import NS
from rules.side import Side
from tests.kiosk.challenge.making import context
from tests.kiosk.kept_pin import KEPT_PIN

BEGUN = 1_000 * NS
BOTH = Lock(KEPT_PIN, key=True)


@dataclass
class Playing:
    now: Station
    asked: list[Any] = field(default_factory=list)
    seconds: float = 0

    @property
    def at(self) -> int:
        return BEGUN + int(self.seconds * NS)

    def do(self, *events: Event) -> Playing:
        for event in events:
            self.now, effects = apply(self.now, event, self.at)
            self.asked += effects
        return self

    def after(self, seconds: float) -> Playing:
        self.seconds += seconds
        self.now, effects = tick(self.now, self.at)
        self.asked += effects
        return self

    def opened(self) -> Playing:
        return self.do(KnockAtDoor(), players.Type("2468"), players.Next())

    def checking(self, words: str = "HEM ZAX", table: str = "7") -> Playing:
        return self.typed(words, table).do(players.Finish()).after(1)

    def typed(self, words: str = "HEM ZAX", table: str = "7") -> Playing:
        self.do(players.Begin(), players.Type(table), players.Next(), players.ChooseChallenger(Side.LEFT))
        return self.do(players.Type(words))

    def judged(self, row: int = 40, *, acceptable: bool = True) -> Playing:
        return self.do(players.Adjudicate(Way.TAB), players.Judged(acceptable, row)).after(1)

    def kept(self) -> list[tuple[str, str | None]]:
        return [(str(each.entry.kind), each.entry.why) for each in self.asked if hasattr(each, "entry")]


def station(lock: Lock = BOTH, tries: int = 0, **limits: Any) -> Playing:
    """Return a station at its start, that asks for no number of words first."""
    return Playing(begin(context(**limits), lock, BEGUN, tries))
