from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st

from appliance.errors import SettingsError
from hall.desk.web.pages import chosen as chosen_at_the_desk
from hall.enrol.registrar import clock_cards
from hall.errors import HallError
from hall.orders.sender import tables_of as tables_of_options
from rules.tables import MAX_TABLE, tables_of

NO_TABLES = ("20-1", "0", "1000", "0-5", "one", "1-", "-1", "1-2-3", "١٢", "1\u00b2", "1;2")


@given(st.lists(st.tuples(st.integers(1, MAX_TABLE), st.integers(0, 30)), min_size=1, max_size=5))
def test_numbers_and_ranges_come_back_in_the_order_written(spans: list[tuple[int, int]]) -> None:
    wanted = [range(first, min(first + more, MAX_TABLE) + 1) for first, more in spans]
    text = " , ".join(str(each[0]) if len(each) == 1 else f"{each[0]} - {each[-1]}" for each in wanted)
    assert list(tables_of(text)) == wanted


@pytest.mark.parametrize("text", NO_TABLES)
def test_nothing_else_is_a_table_in_a_setting_an_option_or_a_form(text: str) -> None:
    with pytest.raises(ValueError, match="expected"):
        tables_of(text)
    with pytest.raises(HallError):
        tables_of_options([text])
    with pytest.raises(ValueError, match="Expected tables"):
        chosen_at_the_desk((), (), text)
    with pytest.raises(SettingsError):
        clock_cards(text, None)


def test_an_option_takes_lists_and_keeps_each_table_once() -> None:
    assert tables_of_options(["3", "1-2, 3"]) == (3, 1, 2)
    assert [card.table for card in clock_cards("1-2,9", None)] == [1, 2, 9]
    assert list(chain.from_iterable(tables_of("1-2,9"))) == [1, 2, 9]
