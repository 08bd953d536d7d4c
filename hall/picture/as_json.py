"""The picture as JSON, for programs on the same machine: ``watch``, ``status``, and whoever wants it."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from hall.picture.address import address_of
from hall.picture.device import RemoteDevice
from hall.picture.hall import Hall
from rules.duration import NS

VERSION = 1


def picture(hall: Hall, now: int) -> bytes:
    """Return the whole picture at ``now`` (ns); ages and bounds in seconds, devices in the order of need."""
    devices = [_device(device, now) for device in hall.by_need(now)]
    whole = {
        "v": VERSION,
        "hall": hall.name,
        "broker": {"up": hall.broker_up, "why": hall.broker_why},
        "troubles": list(hall.troubles()),
        "devices": devices,
    }
    return json.dumps(whole, separators=(",", ":")).encode()


def _device(device: RemoteDevice, now: int) -> dict[str, Any]:
    beat, stale, address = device.beat, device.stale_since(now), address_of(device, now)
    return {
        "id": device.id,
        "kind": device.kind,
        "name": device.name,
        "table": device.table,
        "up": device.presence is not None and device.presence.up,
        "stale_s": None if stale is None else _age(stale, now),
        "beat_age_s": _age(device.beat_at, now),
        "called_s": _age(device.called_at, now),
        "clock": _clock(device, now),
        "address": None if address is None else asdict(address),
        "busy": None if device.station is None else device.station.busy,
        "epoch": device.epoch,
        "rows": device.held,
        "missing": device.seq - device.held,
        "power": None if beat is None else beat.power,
        "dropped": 0 if beat is None else beat.dropped,
        "refused": device.refused_messages,
        "troubles": list(device.troubles.values()),
    }


def _clock(device: RemoteDevice, now: int) -> dict[str, Any] | None:
    remote = device.remote_clock()
    if remote is None:
        return None
    report, shown = remote.report, remote.reading(now)
    return {
        "phase": report.phase,
        "reason": report.reason,
        "left": shown.shown.left,
        "right": shown.shown.right,
        "running": report.running,
        "turn": report.turn,
        "bound_s": None if shown.bound_ns is None else shown.bound_ns / NS,
        "names": report.names.model_dump(include={"left", "right"}),
        "rulebook": report.rulebook,
    }


def _age(since: int | None, now: int) -> float | None:
    return None if since is None else round((now - since) / NS, 1)
