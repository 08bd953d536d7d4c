"""A challenge station as a card, and which word lists the stations have."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from hall.picture.hall import RemoteDevice
from wire.reports import NamedLexicon


@dataclass(frozen=True, slots=True)
class StationCard:
    """One station. Instants in ns of the listener."""

    id: str
    name: str
    up: bool
    stale: int | None
    busy: bool
    table: int | None
    """Whose challenge it judges."""
    lexicon: NamedLexicon | None
    differs: bool
    """Its list is not the one that most stations have."""
    trouble: str
    called: int | None
    power: str
    rows: int
    """Of its log, as held."""


def usual_list(devices: Iterable[RemoteDevice]) -> str | None:
    """Return the SHA-256 of the list that most stations have; None: none has one. With as many for two lists, neither is usual."""
    counts = Counter(each.station.lexicon.sha256 for each in devices if each.station is not None and each.station.lexicon is not None)
    ranked = counts.most_common(2)
    if not ranked or (len(ranked) > 1 and ranked[0][1] == ranked[1][1]):
        return None
    return ranked[0][0]


def station_cards(devices: Sequence[RemoteDevice], now: int) -> tuple[StationCard, ...]:
    """Return the cards of all stations at ``now`` (ns), by name."""
    stations = sorted((each for each in devices if each.is_station), key=lambda each: (each.name, each.id))
    usual = usual_list(stations)
    lists = {each.station.lexicon.sha256 for each in stations if each.station is not None and each.station.lexicon is not None}
    return tuple(_card(each, now, usual, agree=len(lists) < 2) for each in stations)


def _card(device: RemoteDevice, now: int, usual: str | None, *, agree: bool) -> StationCard:
    report = device.station
    lexicon = None if report is None else report.lexicon
    return StationCard(
        id=device.id,
        name=device.name,
        up=device.presence is not None and device.presence.up,
        stale=device.stale_since(now),
        busy=report is not None and report.busy,
        table=None if report is None else report.table,
        lexicon=lexicon,
        differs=not agree and lexicon is not None and lexicon.sha256 != usual,
        trouble="; ".join(filter(None, (report.trouble if report is not None else "", *device.troubles.values()))),
        called=device.called_at,
        power="ok" if device.beat is None else device.beat.power,
        rows=device.held,
    )
