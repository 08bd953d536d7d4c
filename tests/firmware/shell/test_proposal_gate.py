"""What the link hands in waits in small numbers, and garbage hardly reaches the loop."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from firmware.hall.opening import Trust
from firmware.shell.proposal_gate import WAITING, HallInput, ProposalGate, Proposed, RefusedPackets
from rules.duration import NS
from tests.firmware.hall.hall_table import order
from wire.proposals import RefusalReason, SignedOrder

TRUST = Trust("club", "hall's", "director's")
SIGNATURE = "A" * 86 + "=="


@dataclass
class Loop:
    """What reached the loop, and what was answered without it."""

    now: int = 0
    items: list[HallInput] = field(default_factory=list)
    answers: list[tuple[str, RefusalReason]] = field(default_factory=list)

    def gate(self, trust: Trust | None = TRUST) -> ProposalGate:
        return ProposalGate(
            trust,
            lambda *_: True,
            pass_on=self.items.append,
            refuse=lambda name, reason: self.answers.append((name, reason)),
            now=lambda: self.now,
            today=lambda: None,
        )


def packet(number: int) -> str:
    body = order("clear", name=f"{number:032x}").model_dump_json()
    return SignedOrder(body=body, signature=SIGNATURE).model_dump_json()


def test_eight_proposals_wait_and_the_ninth_is_told_so() -> None:
    loop = Loop()
    gate = loop.gate()
    for number in range(WAITING + 1):
        gate.take("order", packet(number), retained=False)
    assert sum(isinstance(item, Proposed) for item in loop.items) == WAITING
    assert loop.answers == [(f"{WAITING:032x}", RefusalReason.BUSY)]
    gate.handled()
    gate.take("order", packet(99), retained=False)
    assert isinstance(loop.items[-1], Proposed)


def test_of_a_flood_of_garbage_ten_a_minute_reach_the_loop_and_then_their_number() -> None:
    loop = Loop()
    gate = loop.gate()
    for _ in range(3_000):
        gate.take("order", "garbage", retained=False)
    assert len(loop.items) == 10
    loop.now = 60 * NS
    gate.take("order", "garbage", retained=False)
    assert isinstance(loop.items[-1], RefusedPackets)
    assert loop.items[-1].count == 2_991


@pytest.mark.parametrize(("at", "stops"), [(60 * NS, False), (59 * NS, True)])
def test_what_was_refused_above_ten_is_there_at_the_end_of_the_minute_or_at_the_stop(at: int, stops: bool) -> None:
    loop = Loop()
    gate = loop.gate()
    for _ in range(10):
        gate.take("order", "garbage", retained=False)
    assert [gate.due] == [60 * NS]
    for _ in range(500):
        gate.take("order", "garbage", retained=False)
    assert gate.rest(59 * NS, stops=False) is None
    found = gate.rest(at, stops=stops)
    assert found is not None
    assert found.count == 500
    assert gate.rest(at, stops=stops) is None
    assert [gate.due] == [None]


def test_a_clock_that_is_not_enrolled_takes_nothing() -> None:
    loop = Loop()
    loop.gate(None).take("order", packet(1), retained=False)
    assert [item.last.reason for item in loop.items if isinstance(item, RefusedPackets)] == [RefusalReason.NOT_ENROLLED]
