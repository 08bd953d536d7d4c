"""The wish to switch off: offered where somebody looks for it, left as a file, and said where it cannot be left."""

from pathlib import Path

import pytest

from appliance.errors import PowerOffError
from appliance.supervisor import PowerOff, power_off
from tests.errors import with_fields

KEY = "WISH"


def test_the_wish_is_a_file_at_the_named_place(tmp_path: Path) -> None:
    wish = power_off({KEY: str(tmp_path / "poweroff")}, KEY)
    assert wish is not None
    assert not wish.path.exists()
    wish.ask()
    assert wish.path == tmp_path / "poweroff"
    assert wish.path.is_file()


@pytest.mark.parametrize("named", [None, "", "poweroff", "/nowhere/at/all/poweroff"])
def test_it_is_not_offered_where_no_file_of_a_folder_that_is_there_is_named(named: str | None) -> None:
    assert power_off({} if named is None else {KEY: named}, KEY) is None


def test_a_wish_that_cannot_be_left_is_one_sentence_that_says_what_to_do(tmp_path: Path) -> None:
    folder = tmp_path / "gone"
    with pytest.raises(PowerOffError, check=with_fields(where=str(folder / "poweroff"), remedy="Use the power button")):
        PowerOff(folder / "poweroff").ask()
