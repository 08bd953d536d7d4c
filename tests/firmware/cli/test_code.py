"""``tileclock config code`` makes the settings line for the code of the director's door."""

import tomllib

import pytest
from click.testing import CliRunner

from appliance.lock import matches
from firmware.cli.main import main
from firmware.settings.model import Settings


def test_it_prints_the_hash_of_the_presses_which_the_settings_take() -> None:
    done = CliRunner().invoke(main, ["config", "code"], input="LRrl\n")
    assert done.exit_code == 0
    line = tomllib.loads(done.stdout)
    assert matches("1221", line["code"])
    assert Settings.model_validate({"director": line}).director.code == line["code"]


@pytest.mark.parametrize("text", ["LRL", "1221", ""])
def test_what_is_no_code_ends_with_one_sentence_and_exit_code_2(text: str) -> None:
    refused = CliRunner().invoke(main, ["config", "code"], input=f"{text}\n")
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert "expected a code of 4 to 12 letters, L for left and R for right" in refused.stderr


def test_the_code_itself_in_the_settings_is_refused() -> None:
    with pytest.raises(ValueError, match="never the code itself"):
        Settings.model_validate({"director": {"code": "LRRL"}})
