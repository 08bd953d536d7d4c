"""Switching the machine off: on offer only where somebody does it, asked once more, and never while anybody's time counts."""

from dataclasses import replace

import pytest

from tests.firmware.menu.director import Director, director

ROW = "Switch the machine off"
STOPPED = ("0 press right", "4 neutralise")


def at_table(*lines: str, two_button: bool = False, offered: bool = True) -> Director:
    begun = director("naspa-2017", *lines, two_button=two_button)
    return replace(begun, table=replace(begun.table, setup=replace(begun.table.setup, power_off=offered)))


@pytest.mark.parametrize("two_button", [False, True])
def test_it_is_the_last_row_where_the_machine_can_be_switched_off_and_no_row_where_not(*, two_button: bool) -> None:
    assert at_table(*STOPPED, two_button=two_button).rows[-1] == ROW
    assert ROW not in at_table(*STOPPED, two_button=two_button, offered=False).rows


@pytest.mark.parametrize("two_button", [False, True])
def test_it_is_asked_once_more_and_changes_nothing_of_the_game(*, two_button: bool) -> None:
    begun = at_table(*STOPPED, two_button=two_button)
    asked = begun.take(ROW)
    assert asked.page.title == f"{ROW}: Sure?"
    assert asked.page.lines == ("Nothing is lost: the game comes back stopped",)
    assert asked.rows == ["Back", "Switch off"]
    assert not asked.table.power_off
    sure = asked.take("Switch off")
    assert sure.table.power_off
    assert sure.table.record is begun.table.record


@pytest.mark.parametrize("two_button", [False, True])
def test_the_way_back_lands_on_its_row(*, two_button: bool) -> None:
    back = at_table(*STOPPED, two_button=two_button).take_all(ROW, "Back")
    assert back.table.menu is not None
    assert back.rows[back.table.menu.cursor] == ROW
    assert not back.table.power_off


@pytest.mark.parametrize("lines", [("0 press right",), ("0 press right", "4 hold"), ("0 late_start left",), ("0 late_start both",)])
def test_while_anybodys_time_counts_there_is_only_the_way_back(lines: tuple[str, ...]) -> None:
    asked = at_table(*lines).take(ROW)
    assert asked.page.lines == ("Not now: a clock runs",)
    assert asked.rows == ["Back"]
    assert not asked.press("ok").table.power_off


@pytest.mark.parametrize("lines", [(), ("0 press right", "4 end reason=x"), ("0 press right", "4 challenge"), STOPPED])
def test_it_can_be_done_whenever_no_time_counts(lines: tuple[str, ...]) -> None:
    assert at_table(*lines).take_all(ROW, "Switch off").table.power_off
