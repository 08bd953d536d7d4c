import io
import sys
from pathlib import Path

import pytest

from appliance.log import get_logger


def test_a_full_standard_output_ends_no_game(monkeypatch: pytest.MonkeyPatch) -> None:
    # Unbuffered: nothing is left to be refused when it is closed.
    with Path("/dev/full").open("wb", buffering=0) as device:
        monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(device, write_through=True))
        get_logger().warning("journal", trouble="the disk is full")


def test_what_is_logged_stands_on_standard_output_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    get_logger().info("ready", pins="none")
    out = capsys.readouterr().out
    assert out.count("\n") == 1
    assert "ready" in out
    assert "pins" in out
