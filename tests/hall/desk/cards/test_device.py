"""A device's card on the page of devices: its storage in words, and what to do about its software."""

from __future__ import annotations

from typing import Any

import pytest

from hall.desk.cards.device import StorageWords, amount, device_cards, storage_words
from hall.picture.hall import RemoteDevice
from tests.cells import each_cell
from tests.hall.reporting import NS, Device
from wire.reports import CardHealth, ClockReport, DeviceBeat, Presence

NOW = 1000 * NS
GB = 1_000_000_000
HEALTH = (
    ((2_100_000_000, 40_000_000, None), StorageWords("", "ok", "2.1 GB free")),
    ((840_000_000, 0, None), StorageWords("", "ok", "840 MB free")),
    ((None, 0, None), StorageWords("", "ok", "")),
    ((1_000_000, 0, None), StorageWords("bad", "full", "1 MB free")),
    ((GB, 1_400_000_000, None), StorageWords("soft", "slow", "1.4 s for a row, 1.0 GB free")),
    ((None, NS, None), StorageWords("soft", "slow", "1.0 s for a row")),
    ((0, 9 * NS, "The disk is full"), StorageWords("bad", "cannot be written", "The disk is full")),
)


@pytest.fixture
def desk_9_10(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the desk be of version 9.10.0."""
    monkeypatch.setattr("hall.desk.cards.device.VERSION", "9.10.0")


def known(name: str, version: str, *, free: bool = True, heard: bool = True, **beat: Any) -> RemoteDevice:
    device = Device(name)
    device.write()
    found = RemoteDevice(device.id, 0)
    found.presence = Presence.model_validate(device.up(name=name, versions={"tileclock": version}))
    found.clock = ClockReport.model_validate(device.state(between_games=free))
    found.beat, found.beat_at = DeviceBeat.model_validate(device.beat(**beat)), NOW if heard else NOW - 100 * NS
    return found


def test_a_card_is_told_in_words_the_gravest_first() -> None:
    for cell in each_cell(HEALTH):
        with cell as ((free, slowest, fault), words):
            assert storage_words(CardHealth(free=free, slowest_ns=slowest, fault=fault)) == words


def test_an_amount_is_told_in_gigabytes_from_one_on() -> None:
    assert [amount(size) for size in (999_999, 999_999_999, GB)] == ["0 MB", "999 MB", "1.0 GB"]


def test_a_device_of_an_earlier_release_says_nothing_of_its_card_and_one_that_cannot_write_comes_first() -> None:
    faulty = {"free": GB, "slowest_ns": 0, "fault": "gone", "later": 1}
    first, second = device_cards((known("a", "9.0"), known("b", "9.0", card=faulty)), NOW)
    assert (first.name, first.storage) == ("b", StorageWords("bad", "cannot be written", "gone"))
    assert second.storage is None


@pytest.mark.parametrize(
    ("versions", "older"),
    [(("9.10.0", "9.9.0"), {"two"}), (("9.11", "9.10.0"), set()), (("0.0.1", "0.0.1"), {"one", "two"}), (("", "999"), {"one"})],
)
@pytest.mark.usefixtures("desk_9_10")
def test_versions_compare_by_their_numbers_and_only_with_this_desk(versions: tuple[str, str], older: set[str]) -> None:
    cards = device_cards((known("one", versions[0]), known("two", versions[1])), NOW)
    assert {card.name for card in cards if card.older} == older


def test_what_came_of_the_last_update_is_as_the_clock_says() -> None:
    devices = (known("never", "9.1"), known("failed", "9.1", update="failed"))
    assert {card.name: card.updated for card in device_cards(devices, NOW)} == {"never": "", "failed": "failed"}


@pytest.mark.usefixtures("desk_9_10")
def test_what_to_do_about_older_software_depends_on_the_game() -> None:
    devices = (
        known("new", "9.10.0"),
        known("free", "9.0"),
        known("plays", "9.0", free=False),
        known("unheard", "9.0", heard=False),
    )
    assert {card.name: card.update for card in device_cards(devices, NOW)} == {
        "new": "",
        "free": "update now",
        "plays": "update after the game",
        "unheard": "",
    }
