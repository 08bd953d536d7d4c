"""The end of the halls for trying out, by a signal."""

from __future__ import annotations

import os
import signal

import pytest

from tools.hall_demo.programs import exit_on_signals


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_the_first_signal_ends_the_program_in_order_and_further_ones_change_nothing(sent: signal.Signals) -> None:
    before = signal.getsignal(sent)
    with exit_on_signals():
        with pytest.raises(SystemExit) as ended:
            os.kill(os.getpid(), sent)
        assert ended.value.code == 0
        os.kill(os.getpid(), signal.SIGINT)
        os.kill(os.getpid(), signal.SIGTERM)
    assert signal.getsignal(sent) is before
