"""A device's key: made once, for its owner alone; signatures fit only what they were made for."""

import stat
from pathlib import Path

import pytest

from wire.keys import DeviceKeyError, load_key, signature_fits
from wire.topics import CLOCK, STATION, is_device, is_station


def test_a_missing_key_is_made_and_read_again(tmp_path: Path) -> None:
    path = tmp_path / "device.pem"
    made, read = load_key(path, CLOCK), load_key(path, CLOCK)
    assert (made.public, made.device) == (read.public, read.device)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert is_device(made.device)
    assert is_station(load_key(path, STATION).device)


def test_a_signature_fits_its_key_and_its_bytes_only(tmp_path: Path) -> None:
    key, other = load_key(tmp_path / "a", CLOCK), load_key(tmp_path / "b", CLOCK)
    signature = key.sign(b"head")
    assert signature_fits(key.public, signature, b"head")
    assert not signature_fits(key.public, signature, b"another head")
    assert not signature_fits(other.public, signature, b"head")


@pytest.mark.parametrize(("public", "signature"), [("", ""), ("é", "x"), ("AAAA", "AAAA"), ("A" * 43 + "=", "A" * 86 + "==")])
def test_what_is_no_key_or_signature_fits_nothing(public: str, signature: str) -> None:
    assert not signature_fits(public, signature, b"head")


def test_a_file_that_is_no_key_is_refused_and_kept(tmp_path: Path) -> None:
    path = tmp_path / "device.pem"
    path.write_text("not a key")
    with pytest.raises(DeviceKeyError, match="expected this device's Ed25519 key, found another kind of file"):
        load_key(path, CLOCK)
    assert path.read_text() == "not a key"


def test_a_key_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DeviceKeyError, match="no such file or directory"):
        load_key(tmp_path / "missing" / "device.pem", CLOCK)
