"""Topics: by device, one hall each, and an id that follows from the device's key."""

import pytest

from wire.topics import CLOCK, STATION, Topics, device_id, is_device, is_hall, is_station

TOPICS = Topics("club")
CLOCK_ID = device_id(CLOCK, bytes(32))


def test_an_id_follows_from_kind_and_key() -> None:
    assert CLOCK_ID == "c-mzuhvlpymk6xo3ep"
    assert is_device(CLOCK_ID)
    assert not is_station(CLOCK_ID)
    assert is_station(device_id(STATION, bytes(32)))
    assert device_id(CLOCK, bytes(31) + b"\1") != CLOCK_ID


def test_a_topic_comes_apart_as_it_was_made() -> None:
    assert TOPICS.of_device(CLOCK_ID, "ack/1f") == f"tc/1/club/dev/{CLOCK_ID}/ack/1f"
    assert TOPICS.reported(TOPICS.of_device(CLOCK_ID, "ack/1f")) == (CLOCK_ID, "ack/1f")
    assert TOPICS.addressed(TOPICS.to_device(CLOCK_ID, "order")) == (CLOCK_ID, "order")


@pytest.mark.parametrize(
    "topic",
    [
        "",
        "tc/1/club/root",
        f"tc/1/club/dev/{CLOCK_ID}",
        f"tc/1/club/dev/{CLOCK_ID}/",
        f"tc/1/other/dev/{CLOCK_ID}/up",
        f"tc/2/club/dev/{CLOCK_ID}/up",
        f"tc/1/club/cmd/{CLOCK_ID}/up",
        "tc/1/club/dev/c-UPPER/up",
        "tc/1/club/dev/+/up",
    ],
)
def test_another_topic_is_no_report_of_this_hall(topic: str) -> None:
    assert TOPICS.reported(topic) is None


@pytest.mark.parametrize(
    ("name", "fits"), [("club", True), ("club-7", True), ("", False), ("a/b", False), ("A", False), ("x" * 33, False), ("+", False)]
)
def test_a_halls_name_can_stand_in_a_topic(name: str, *, fits: bool) -> None:
    assert is_hall(name) is fits
