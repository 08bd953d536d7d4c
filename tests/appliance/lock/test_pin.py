import os
import pty
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from appliance.lock import BadPin, hashed, matches, parsed, pin_of_code
from kiosk.cli.main import main
from tests.cells import each_cell
from tests.errors import refused
from tests.programs import STATION

KEPT = hashed("4711")
_WHERE = (
    "Put this line below [door] into tilekiosk.toml on the boot partition, which has the last word, or into /etc/tileclock/station.toml:\n"
)


def test_a_clocks_code_is_four_to_twelve_letters_l_and_r() -> None:
    assert pin_of_code("lRrL ") == "1221"
    for text in ("", "LRL", "LRLX", "L" * 13, "1221"):
        with pytest.raises(BadPin):
            pin_of_code(text)


def test_the_right_pin_matches_and_what_is_no_pin_is_refused() -> None:
    assert matches("4711", KEPT)
    for wrong in ("4712", "471", "47110", "", "\u0664\u0667\u0661\u0661", "4711\n", "\udcff".encode(errors="replace").decode()):
        assert not matches(wrong, KEPT)
    assert hashed("4711") != KEPT
    assert matches("4711", hashed("4711"))
    costs, salt, key = parsed(KEPT)
    assert (costs, len(salt), len(key)) == ((2**14, 8, 1), 16, 32)
    # What is no PIN is refused, and not repeated.
    for cell in each_cell(["", "123", "1" * 13, "12 4", "12a4", "-123", "\u0664\u0667\u0661\u0661", "1234\n"]):
        with cell as pin:
            with pytest.raises(BadPin) as refused:
                hashed(pin)
            assert (refused.value.expected, refused.value.found) == ("a PIN of 4 to 12 digits", "something else")


@settings(deadline=None, max_examples=10)
@given(st.text("0123456789", min_size=4, max_size=12))
def test_every_pin_of_4_to_12_digits_can_be_kept(pin: str) -> None:
    assert matches(pin, hashed(pin))


def test_a_line_of_standard_input_is_taken_where_nobody_sits_at_a_terminal_with_spoiled_settings_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = CliRunner().invoke(main, ["config", "pin"], input="4711\r\nand more\n")
    assert (done.exit_code, done.stderr) == (0, _WHERE)
    assert matches("4711", tomllib.loads(done.stdout)["pin"])
    other = CliRunner().invoke(main, ["config", "pin"], input="abc\n")
    assert other.stdout == ""
    assert isinstance(refused(other, expected="a PIN of 4 to 12 digits"), BadPin)
    STATION.own_places(monkeypatch, tmp_path).write_text("x")
    done = STATION.run("config", "pin", stdin="2468\n")
    assert (done.exit_code, matches("2468", tomllib.loads(done.stdout)["pin"])) == (0, True)


def _at_a_terminal(tmp_path: Path, *typed: str) -> tuple[int, str, str]:
    """Type at a real terminal; return exit code, what stood on it, and standard output."""
    here, there = pty.openpty()
    with (tmp_path / "printed").open("wb") as printed:
        process = subprocess.Popen(
            [sys.executable, "-m", "kiosk.cli", "config", "pin"], stdin=there, stderr=there, stdout=printed, start_new_session=True
        )
    os.close(there)
    shown = b""
    for line, prompt in zip(typed, (b"PIN", b"Once more"), strict=True):
        while prompt not in shown:
            shown += os.read(here, 1000)
        os.write(here, f"{line}\n".encode())
    try:
        while more := os.read(here, 1000):
            shown += more
    except OSError:
        pass  # the other end is closed: the program has ended
    os.close(here)
    return process.wait(), shown.decode(), (tmp_path / "printed").read_text()


def test_at_a_terminal_it_is_asked_for_twice_and_not_shown(tmp_path: Path) -> None:
    code, shown, printed = _at_a_terminal(tmp_path, "4711", "4711")
    assert code == 0
    assert "4711" not in shown + printed
    assert matches("4711", tomllib.loads(printed)["pin"])
    code, shown, printed = _at_a_terminal(tmp_path, "4711", "4712")
    assert (code, printed) == (2, "")
    assert "expected the same PIN twice, found two different ones. Begin again." in shown
