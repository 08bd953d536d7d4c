import os
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from appliance.errors import MachineError
from firmware.cli.main import main
from hardware.boards.board import load_board, shipped_boards
from hardware.boards.pis import load_pi, pi_ids
from hardware.boot_files import BEGIN, END, cmdline_text, config_lines, config_text, write_boot_files
from tests.cells import each_cell
from tests.errors import with_fields

CONFIG = "# For more options\ndtparam=audio=on\ndtoverlay=vc4-kms-v3d\n\n[cm4]\notg_mode=1\navoid_warnings=1\n\n[all]\n"
CMDLINE = "console=serial0,115200 console=tty1 root=PARTUUID=1-02 rootfstype=ext4 fsck.repair=yes rootwait\n"
POWER = "dtoverlay=gpio-shutdown,gpio_pin=3,active_low=1,gpio_pull=up"


@pytest.fixture
def card(tmp_path: Path) -> Path:
    (tmp_path / "config.txt").write_text(CONFIG, encoding="utf-8")
    (tmp_path / "cmdline.txt").write_text(CMDLINE, encoding="utf-8")
    return tmp_path


def write(card: Path, board: str, pi: str) -> tuple[str, str]:
    list(write_boot_files(card, load_board(board), load_pi(pi)))
    return (card / "config.txt").read_text("utf-8"), (card / "cmdline.txt").read_text("utf-8")


@pytest.mark.parametrize("board", shipped_boards())
def test_written_again_nothing_changes_and_another_board_leaves_nothing_of_the_first(card: Path, board: str) -> None:
    for cell in each_cell(pi_ids()):
        with cell as pi:
            first = write(card, board, pi)
            assert write(card, board, pi) == first
            assert [line for line in write_boot_files(card, load_board(board), load_pi(pi)) if not line.endswith("nothing to change")] == []
            write(card, "two-display-i2c", "4")
            assert write(card, board, pi)[0] == first[0]
            assert first[0].startswith(CONFIG)
            assert (first[0].count(BEGIN), first[0].count(END), first[1].count("\n")) == (1, 1, 1)
    assert (card / "config.before").read_text("utf-8") == CONFIG
    assert (card / "cmdline.before").read_text("utf-8") == CMDLINE


def test_each_display_gets_the_lines_of_its_port_on_that_pi_and_the_power_button_its_pin_but_on_a_pi_5() -> None:
    for board, pi, there, missing in (
        ("full", "4", [POWER, "dtparam=watchdog=on", "disable_splash=1"], ["enable_uart=1"]),
        ("full", "5", [], [POWER]),
        ("two-display", "4", ["enable_uart=1", "dtoverlay=disable-bt", "dtoverlay=uart4"], []),
        ("two-display", "3", ["enable_uart=1", "dtoverlay=disable-bt"], ["dtoverlay=uart4"]),
        ("two-display", "5", ["dtoverlay=uart0-pi5", "dtoverlay=uart3-pi5"], ["enable_uart=1"]),
        ("two-display-i2c", "zero-2-w", ["dtoverlay=i2c-gpio,bus=7,i2c_gpio_sda=23,i2c_gpio_scl=24"], ["enable_uart=1"]),
    ):
        lines = config_lines(load_board(board), load_pi(pi))
        assert set(there) <= set(lines)
        assert not set(missing) & set(lines)
        assert len([line for line in lines if not line.startswith("#")]) == len({line for line in lines if not line.startswith("#")})


def test_what_stands_there_for_every_pi_is_not_repeated_and_what_stands_there_for_some_is() -> None:
    made = config_text(CONFIG, config_lines(load_board("full"), load_pi("4")))
    assert made.count("dtoverlay=vc4-kms-v3d") == 1
    assert "panel driver" not in made
    assert made.count("avoid_warnings=1") == 2
    assert made.index(BEGIN) < made.index("[all]\n", made.index(BEGIN)) < made.index(POWER)


def test_the_line_of_the_kernel_loses_its_consoles_and_gains_each_word_once() -> None:
    plain = cmdline_text(CMDLINE, load_board("full"), load_pi("4")).split()
    assert plain[:5] == ["console=serial0,115200", "root=PARTUUID=1-02", "rootfstype=ext4", "fsck.repair=yes", "rootwait"]
    assert {"quiet", "loglevel=3", "vt.global_cursor_default=0", "cryptomgr.notests"} <= set(plain)
    assert len(plain) == len(set(plain))
    assert "console=serial0,115200" not in cmdline_text(CMDLINE, load_board("two-display"), load_pi("4"))
    assert "console=serial0,115200" in cmdline_text(CMDLINE, load_board("two-display"), load_pi("5"))


def test_a_broken_file_is_refused_before_anything_is_written(card: Path) -> None:
    (card / "cmdline.txt").write_text("one\ntwo\n", encoding="utf-8")
    with pytest.raises(MachineError, check=with_fields(where="cmdline.txt", expected="one line", found="2 lines")):
        write(card, "full", "4")
    assert (card / "config.txt").read_text("utf-8") == CONFIG
    (card / "cmdline.txt").write_text(CMDLINE, encoding="utf-8")
    (card / "config.txt").write_text(f"{CONFIG}{BEGIN}\n", encoding="utf-8")
    with pytest.raises(MachineError, check=with_fields(where="config.txt", found="1 and 0")):
        write(card, "full", "4")
    (card / "config.txt").unlink()
    with pytest.raises(MachineError, check=with_fields(found="no such file or directory", remedy=re.compile("sudo"))):
        write(card, "full", "4")
    assert sorted(path.name for path in card.iterdir()) == ["cmdline.txt"]


def test_whatever_stands_in_their_place_is_refused_soon_and_our_lines_without_marks_are_taken_as_they_are(card: Path) -> None:
    path, lines = card / "config.txt", config_lines(load_board("full"), load_pi("4"))
    assert config_text("\n".join(lines), lines) == "\n".join([*lines, BEGIN, "[all]", END]) + "\n"
    for content, found in ((bytes(500), "zeros"), (b"#\n" * 40_000, "file too large"), (None, "no regular file")):
        path.unlink()
        os.mkfifo(path) if content is None else path.write_bytes(content)
        with pytest.raises(MachineError, check=with_fields(found=re.compile(found))):
            write(card, "full", "4")
    path.unlink()
    path.write_text(CONFIG)
    (card / "cmdline.txt").write_text("a " * 30_000)
    assert write(card, "full", "4")[1].count("a ") == 30_000


def test_the_verb_says_what_it_changes_and_off_a_pi_wants_its_name(card: Path) -> None:
    done = CliRunner().invoke(main, ["boot-files", "full", "--pi", "4", "--folder", str(card)])
    assert done.exit_code == 0
    assert f"+ {POWER}" in done.output.splitlines()
    again = CliRunner().invoke(main, ["boot-files", "full", "--pi", "4", "--folder", str(card)])
    assert again.output == f"{card}/config.txt: nothing to change\n{card}/cmdline.txt: nothing to change\n"
    lost = CliRunner().invoke(main, ["boot-files", "full", "--folder", str(card)])
    assert lost.exit_code == 2
    assert "Name the Pi that the card is for: --pi 4" in lost.output
