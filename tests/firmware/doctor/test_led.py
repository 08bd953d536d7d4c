from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner

from appliance.finding import State
from firmware.cli.main import main
from firmware.doctor import devices as doctor_led
from firmware.doctor.devices import Parade, check_led
from hardware.led.emulator import FakeLed
from hardware.led.picture import ALL_LIT, DARK, cells, lit
from hardware.led.port import LedPort
from hardware.settings import LedLine
from rules.side import BySide


def test_where_no_display_is_set_up_nothing_is_said() -> None:
    assert list(check_led(BySide(None, None), None)) == []


def test_each_ports_state_is_told_and_what_to_do_about_one_that_is_not_there() -> None:
    with FakeLed() as fake:
        left, right = check_led(BySide(LedLine((fake.port,)), LedLine(("/dev/no-such",))), None)
    assert (left.name, left.state) == ("LED display left", State.OK)
    assert fake.port in left.found
    assert (right.name, right.state) == ("LED display right", State.FAIL)
    assert "/dev/no-such, found nothing there (plugged in now: " in right.found
    assert "led.right" in right.fix
    assert not fake.received_bytes


def test_a_port_that_the_running_clock_holds_is_told() -> None:
    with FakeLed() as fake, closing(LedPort("left", LedLine((fake.port,)))) as held:
        held.open()
        (left,) = check_led(BySide(LedLine((fake.port,)), None), None)
    assert left.state is State.FAIL
    assert "another program uses it" in left.found


def test_the_parade_lights_all_and_then_the_letter_of_each_side() -> None:
    with FakeLed() as left, FakeLed() as right:
        fakes = BySide(left, right)
        seen: list[tuple[bool, ...]] = []
        wanted = iter((BySide.both(ALL_LIT), BySide(lit(cells("L")), lit(cells("r")))))

        def wait(_: float) -> None:
            expected = next(wanted)
            seen.append(tuple(fakes.of(side).shows(lambda shown, lit=lit: shown == lit) for side, lit in expected.items()))  # type: ignore[misc] # a lambda's default

        told: list[str] = []
        *_, last = check_led(fakes.map(lambda fake: LedLine((fake.port,))), Parade(told.append, wait))
        assert seen == [(True, True)] * 2
        assert all(fake.shows(lambda shown: shown == DARK) for _, fake in fakes.items())
    assert last.state is State.NOTE
    assert "every segment" in told[0]
    assert "L stands" in told[1]


def test_one_display_that_is_not_there_does_not_keep_the_other_from_the_parade() -> None:
    with FakeLed() as fake:
        lines: BySide[LedLine | None] = BySide(LedLine(("/dev/no-such",)), LedLine((fake.port,)))
        findings = list(check_led(lines, Parade(lambda _: None, lambda _: None)))
        assert [finding.state for finding in findings] == [State.FAIL, State.OK, State.NOTE]
        assert fake.shows(lambda shown: shown == DARK)


def test_a_parade_without_displays_fails_with_how_to_set_them_up() -> None:
    (finding,) = check_led(BySide(None, None), Parade(lambda _: None, lambda _: None))
    assert finding.state is State.FAIL
    assert "--board two-display" in finding.fix


def test_the_command_shows_which_is_which(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor_led.Parade.__init__, "__defaults__", (lambda _: None, 0.0, 0.0))
    with FakeLed() as left, FakeLed() as right:
        ports = ("--led-left", left.port, "--led-right", right.port)
        options = ("--pins", "none", "--screen", "none", "--journal", str(tmp_path / "journal.db"), "--led")
        result = CliRunner().invoke(main, ["doctor", *options, *ports])
    assert result.exit_code == 0
    assert "LED display left" in result.output
    assert "L stands on the display that faces the left player" in result.output
