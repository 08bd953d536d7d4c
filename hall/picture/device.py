"""What the listener knows of one device: its last reports, how its clock stands to ours, and what is wrong with it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from hall.picture.offsets import Offsets
from hall.picture.remote_clock import RemoteClock
from rules.duration import NS
from wire.messages.reports import DeviceBeat, OpenCall, Presence
from wire.messages.states import ClockReport, StationReport

STALE_NS: Final = 15 * NS
"""Without a beat for so long a device is stale."""


@dataclass(slots=True)
class RemoteDevice:
    """One device. Instants in ns of the listener's CLOCK_MONOTONIC."""

    id: str
    first_heard: int
    presence: Presence | None = None
    clock: ClockReport | None = None
    station: StationReport | None = None
    call: OpenCall | None = None
    called_at: int | None = None
    """When the open call was first heard of."""
    beat: DeviceBeat | None = None
    beat_at: int | None = None
    offsets: Offsets = field(default_factory=Offsets)
    epoch: str | None = None
    """The journal whose rows are taken now."""
    held: int = 0
    """Rows held of it."""
    boots: list[str] = field(default_factory=list)
    """The boots that it has connected from, the latest last."""
    refused_messages: int = 0
    """Messages that were none of version 1."""
    troubles: dict[str, str] = field(default_factory=dict)
    """A sentence for each thing that is wrong, by its cause."""

    @property
    def is_station(self) -> bool:
        """Whether it is a station; else it is a clock."""
        return self.id.startswith("s")

    @property
    def kind(self) -> str:
        """What it is, in one word."""
        return "station" if self.is_station else "clock"

    @property
    def name(self) -> str:
        """Its name for people: the one it was given, else its id."""
        return self.presence.name if self.presence is not None and self.presence.name else self.id

    @property
    def table(self) -> int | None:
        """The table at which it stands."""
        report = self.station if self.is_station else self.clock
        if report is not None and report.table is not None:
            return report.table
        return None if self.presence is None else self.presence.table

    @property
    def seq(self) -> int:
        """The rows of its journal, as far as is known."""
        return self.held if self.beat is None or self.beat.epoch != self.epoch else max(self.held, self.beat.seq)

    def stale_since(self, now: int) -> int | None:
        """Return since when it is stale at ``now``: the last beat, else the first report; None: it is not."""
        last = self.first_heard if self.beat_at is None else self.beat_at
        return last if self.beat_at is None or now - self.beat_at > STALE_NS else None

    def remote_clock(self) -> RemoteClock | None:
        """Return the clock as seen from here; None: it has not reported its state."""
        return None if self.clock is None else RemoteClock(self.clock, self.offsets.of_boot(self.clock.boot).best)
