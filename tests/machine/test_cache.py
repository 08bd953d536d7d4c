import os
import time
from pathlib import Path

import pytest

from tests.machine.cache import KEPT, UNUSED_S, made


@pytest.fixture(autouse=True)
def _own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TILECLOCK_CACHE", str(tmp_path))


def _make(at: Path) -> None:
    at.mkdir()
    (at / "made").touch()


def test_the_same_inputs_are_made_once() -> None:
    times: list[Path] = []

    def once(at: Path) -> None:
        times.append(at)
        _make(at)

    assert made("root", "", ["a"], once) == made("root", "", ["a"], once)
    assert len(times) == 1
    assert made("root", "", ["b"], once) != made("root", "", ["a"], once)


def test_of_a_kind_the_last_ones_stay_and_older_ones_go_once_nobody_asks_for_them(tmp_path: Path) -> None:
    every = [made("root", "", [str(number)], _make) for number in range(KEPT + 3)]
    assert all(one.exists() for one in every), "all were just asked for"
    other = made("root-arm64", "", ["0"], _make)
    for age, one in enumerate([*every, other]):
        os.utime(one, (0, time.time() - UNUSED_S - 100 + age))
    asked = made("root", "", ["0"], _make)
    newest = made("root", "", ["new"], _make)
    left = {one for one in (*every, newest) if one.exists()}
    assert left == {asked, newest, *every[-(KEPT - 2) :]}
    assert other.exists(), "of another kind"
