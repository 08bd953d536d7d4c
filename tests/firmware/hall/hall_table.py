"""Proposals for a table, as its hall would make them."""

from typing import Any

from firmware.gestures.clock_state import ClockState
from firmware.hall.orders import Decision, decide
from firmware.hall.state import HallState
from game.events import Event
from rules.duration import NS
from wire.proposals import ORDER, Order, VerdictBody

CLOCK = "c-" + "a" * 16
STATION = "s-" + "b" * 16
OTHER_STATION = "s-" + "c" * 16
EPOCH = "0011223344556677"
NONCE = "0f" * 16


def order(do: str, *, number: int = 1, name: str = "0a" * 16, **keys: Any) -> Order:
    to = {"device": CLOCK, "epoch": EPOCH, "game": 1, "number": number, "nonce": NONCE}
    return ORDER.validate_python({"id": name, "issuer": "desk-main", **to, "do": do, **keys})


def verdict(do: str = "verdict", *, challenge: int | None = 3, name: str = "0b" * 16, **keys: Any) -> VerdictBody:
    keys = {"acceptable": True, **keys} if do == "verdict" else keys
    to = {"station": STATION, "device": CLOCK, "epoch": EPOCH, "game": 1}
    return VerdictBody.model_validate({"id": name, **to, "do": do, "challenge": challenge, **keys})


def call(name: str = "0c" * 16) -> VerdictBody:
    return verdict("call", challenge=None, name=name, nonce=NONCE)


def decided(table: ClockState, proposal: Order | VerdictBody, at_s: float, hall: HallState | None = None) -> Decision:
    return decide(table, HallState() if hall is None else hall, proposal, int(at_s * NS))


def made(decision: Decision) -> list[Event]:
    return [event for event, _ in decision.events]
