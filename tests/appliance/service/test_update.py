"""The wish to update: asked for where somebody looks for it, withdrawn, and what came of it."""

from pathlib import Path

import pytest

from appliance.supervisor import UpdateRequest, update_request

KEYS = ("WISH", "OUTCOME")


def test_the_wish_is_an_empty_file_at_the_named_place_until_it_is_withdrawn(tmp_path: Path) -> None:
    wish = update_request({"WISH": str(tmp_path / "update"), "OUTCOME": str(tmp_path / "outcome")}, *KEYS)
    assert wish == UpdateRequest(tmp_path / "update", tmp_path / "outcome")
    wish.ask()
    assert wish.path.read_bytes() == b""
    for _ in range(2):
        wish.withdraw()
        assert not wish.path.exists()


@pytest.mark.parametrize("named", [{}, {"WISH": "/nowhere/at/all/update", "OUTCOME": "/run/x"}, {"WISH": "{}/update"}])
def test_it_is_not_offered_where_no_unit_looks_for_it(tmp_path: Path, named: dict[str, str]) -> None:
    assert update_request({key: path.format(tmp_path) for key, path in named.items()}, *KEYS) is None


@pytest.mark.parametrize(("content", "told"), [(None, ""), (b"failed\n", "failed"), (b"\xff", "")])
def test_what_came_of_it_is_a_word_if_there_is_one(tmp_path: Path, content: bytes | None, told: str) -> None:
    if content is not None:
        (tmp_path / "outcome").write_bytes(content)
    assert UpdateRequest(tmp_path / "update", tmp_path / "outcome").last() == told
