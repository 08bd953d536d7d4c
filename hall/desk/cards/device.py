"""A device as the page of devices shows it: versions, link, power, record."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hall.picture.device import RemoteDevice


@dataclass(frozen=True, slots=True)
class DeviceCard:
    """One device. Instants in ns of the listener."""

    id: str
    kind: str
    name: str
    table: int | None
    versions: tuple[tuple[str, str], ...]
    up: bool
    stale: int | None
    beat: int | None
    """The last beat."""
    power: str
    epoch: str
    rows: int
    missing: int
    dropped: int
    refused: int
    troubles: tuple[str, ...]
    idle: bool | None
    """No game or challenge is in progress: updates and settings may come. None: it has not reported."""


def device_cards(devices: Sequence[RemoteDevice], now: int) -> tuple[DeviceCard, ...]:
    """Return the cards of all devices at ``now`` (ns): what is wrong first, then by table and name."""
    cards = [_card(each, now) for each in devices]
    return tuple(sorted(cards, key=lambda card: (not _wrong(card), card.table or 1000, card.kind, card.name, card.id)))


def _wrong(card: DeviceCard) -> bool:
    return bool(card.troubles) or card.stale is not None or card.power == "low"


def _card(device: RemoteDevice, now: int) -> DeviceCard:
    presence, beat = device.presence, device.beat
    return DeviceCard(
        id=device.id,
        kind=device.kind,
        name=device.name,
        table=device.table,
        versions=() if presence is None else tuple(sorted(presence.versions.items())),
        up=presence is not None and presence.up,
        stale=device.stale_since(now),
        beat=device.beat_at,
        power="" if beat is None else beat.power,
        epoch=device.epoch or "",
        rows=device.held,
        missing=device.seq - device.held,
        dropped=0 if beat is None else beat.dropped,
        refused=device.refused_messages,
        troubles=tuple(device.troubles.values()),
        idle=_idle(device),
    )


def _idle(device: RemoteDevice) -> bool | None:
    if device.is_station:
        return None if device.station is None else not device.station.busy
    return None if device.clock is None else device.clock.between_games
