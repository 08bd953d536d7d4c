"""What an order has to name, so that its clock can tell whether it is for this game and of now."""

from __future__ import annotations

from dataclasses import dataclass

from hall.picture.device import RemoteDevice


@dataclass(frozen=True, slots=True)
class OrderAddress:
    """A clock as it was last heard."""

    epoch: str
    game: int
    number: int
    """The game's last event."""
    nonce: str
    """Of the last beat: about 30 s good."""


def address_of(device: RemoteDevice, now: int) -> OrderAddress | None:
    """Return where an order for ``device`` goes at ``now`` (ns of the listener); None: a station, or a clock that is not heard."""
    clock, beat = device.clock, device.beat
    if clock is None or clock.epoch is None or beat is None or device.stale_since(now) is not None:
        return None
    return OrderAddress(clock.epoch, clock.game, clock.number, beat.nonce)
