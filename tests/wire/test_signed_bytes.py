"""What signatures cover: no two purposes share their bytes."""

from wire.signed_bytes import Head, credential_bytes, order_bytes, verdict_bytes


def test_a_head_is_signed_with_its_device_epoch_and_root() -> None:
    head = Head("c-mzuhvlpymk6xo3ep", "0011223344556677", 42, "ab" * 32, "7:" + "cd" * 32)
    expected = "\n".join(["tc/1 head", "c-mzuhvlpymk6xo3ep", "0011223344556677", "42", "ab" * 32, "7:" + "cd" * 32])
    assert head.signed_bytes == expected.encode()


def test_a_body_signed_for_one_purpose_or_hall_is_not_signed_for_another() -> None:
    made = {make(hall, '{"id": "1"}') for make in (order_bytes, verdict_bytes, credential_bytes) for hall in ("club", "other")}
    assert len(made) == 6


def test_a_body_is_signed_as_it_was_sent() -> None:
    assert order_bytes("club", '{"a":1}') != order_bytes("club", '{"a": 1}')
