"""Which proposals a clock looks at: those for it, for its present game and journal, fresh, and not handled before."""

from dataclasses import replace
from typing import Any

import pytest

from firmware.hall.opening import Addressee, misdirected
from tests.firmware.hall.hall_table import CLOCK, ELSEWHERE, EPOCH, NONCE, call, order, verdict
from wire.proposals import Order, RefusalReason

ADDRESSEE = Addressee(CLOCK, EPOCH, 1, ("0e" * 16, "0d" * 16, NONCE), ("aa" * 16,))
NOTICE: Order = order("notice", text="x", seconds=5)


def test_a_fresh_order_for_this_clock_passes() -> None:
    assert misdirected(NOTICE, ADDRESSEE, retained=False) is None


@pytest.mark.parametrize(("changes", "reason"), [*ELSEWHERE, ({"id": "aa" * 16}, RefusalReason.REPEATED)])
def test_an_order_for_elsewhere_or_of_old_is_refused(changes: dict[str, Any], reason: RefusalReason) -> None:
    assert misdirected(NOTICE.model_copy(update=changes), ADDRESSEE, retained=False) is reason


def test_a_retained_order_is_refused() -> None:
    assert misdirected(NOTICE, ADDRESSEE, retained=True) is RefusalReason.RETAINED


def test_an_order_lives_for_three_beats() -> None:
    later = ADDRESSEE
    for beat in range(2):
        later = later.with_nonce(f"{beat:032x}")
        assert misdirected(NOTICE, later, retained=False) is None
    assert misdirected(NOTICE, later.with_nonce("2" * 32), retained=False) is RefusalReason.STALE


def test_a_verdict_needs_no_nonce_and_a_call_does() -> None:
    silent = replace(ADDRESSEE, nonces=())
    assert misdirected(verdict(), silent, retained=False) is None
    assert misdirected(call(), silent, retained=False) is RefusalReason.STALE
