"""``tileclock journal verify`` against somebody who has the card: what each of the three levels finds."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from firmware.cli.main import main
from firmware.journal.store import Store, open_journal
from tests.errors import refused
from tests.firmware.shell.rig import rows_in
from tests.firmware.signed_journal import played, stamp
from wire.keys import DeviceKey, load_key
from wire.topics import CLOCK

S = 1_000_000_000


@pytest.fixture
def key(tmp_path: Path) -> DeviceKey:
    return load_key(tmp_path / "device.pem", CLOCK)


def _rewritten(path: Path, target: Path) -> Path:
    """Copy a journal with another instant of the first press, and compute the whole chain anew: the owner of the card can do that."""
    open_journal(target)
    store = Store(target)
    rows = [stored.row for stored in rows_in(path)]
    store.append([replace(row, at=row.at - S) if row.number == 2 else row for row in rows], stamp(61 * S))
    store.close()
    return target


def _verify(path: Path, *words: str) -> Result:
    return CliRunner().invoke(main, ["journal", "verify", *words, "--journal", str(path)])


def _heads(path: Path, file: Path, device: str) -> str:
    """Write the heads of a journal as a hall keeps them of a device."""
    rows = rows_in(path)
    file.write_text("".join(f"{device} {rows[0].hash[:16]} {stored.seq} {stored.hash}\n" for stored in rows))
    return str(file)


def test_a_signed_journal_says_up_to_which_row_and_by_whom(tmp_path: Path, key: DeviceKey) -> None:
    path = played(tmp_path / "journal.db", key)
    done = _verify(path)
    assert (done.exit_code, done.stdout.splitlines()[1]) == (0, f"Signed up to row 3 by {key.device}: compare this with the device's id.")
    for known in (key.device, key.public):
        done = _verify(path, "--key", known)
        assert (done.exit_code, done.stdout.splitlines()[1]) == (0, "Signed up to row 3 by this device.")


def test_a_chain_computed_anew_is_whole_but_its_signature_does_not_fit(tmp_path: Path, key: DeviceKey) -> None:
    path = _rewritten(played(tmp_path / "journal.db", key), tmp_path / "rewritten.db")
    done = _verify(path)
    assert done.exit_code == 1
    assert "Whole: 5 rows" in done.stdout
    assert "The signature in row 4 does not fit" in done.stdout


def test_a_chain_signed_anew_with_another_key_is_another_devices(tmp_path: Path, key: DeviceKey) -> None:
    other = load_key(tmp_path / "other.pem", CLOCK)
    path = played(tmp_path / "journal.db", other)
    done = _verify(path, "--key", key.device)
    assert (done.exit_code, done.stdout.splitlines()[1]) == (1, f"Signed by another device, {other.device}.")


def test_only_others_heads_show_what_the_owner_of_card_and_key_wrote_anew(tmp_path: Path, key: DeviceKey) -> None:
    true, forged = played(tmp_path / "journal.db", key), played(tmp_path / "forged.db", key, first_press=4)
    known = _heads(true, tmp_path / "heads", key.device)
    # The first row is the same, and so the epoch.
    assert rows_in(true)[0].hash == rows_in(forged)[0].hash
    assert _verify(forged, "--key", key.device).exit_code == 0
    done = _verify(forged, "--key", key.device, "--known", known)
    assert (done.exit_code, done.stdout.splitlines()[2]) == (1, "Rewritten: others have kept row 2, which is another one here.")
    done = _verify(true, "--key", key.device, "--known", known)
    assert (done.exit_code, done.stdout.splitlines()[2]) == (0, "Known to others up to row 5.")


def test_the_heads_of_another_device_that_copied_the_first_row_say_nothing_of_this_one(tmp_path: Path, key: DeviceKey) -> None:
    true, copied = played(tmp_path / "journal.db", key), played(tmp_path / "copied.db", None, first_press=4)
    others = _heads(copied, tmp_path / "heads", f"c-{'a' * 16}")
    for words in ((), ("--key", key.device), ("--key", key.public)):
        done = _verify(true, "--known", others, *words)
        assert (done.exit_code, done.stdout.splitlines()[2]) == (1, "Others have kept no row of this file.")


def test_a_journal_that_others_have_no_row_of_is_not_known(tmp_path: Path, key: DeviceKey) -> None:
    (tmp_path / "heads").write_text(f"c-{'a' * 16} {'0' * 16} 1 {'0' * 64}\n")
    done = _verify(played(tmp_path / "journal.db", key), "--known", str(tmp_path / "heads"))
    assert (done.exit_code, done.stdout.splitlines()[2]) == (1, "Others have kept no row of this file.")


def test_a_journal_without_signatures_says_so(tmp_path: Path, key: DeviceKey) -> None:
    path = played(tmp_path / "journal.db", None)
    assert (_verify(path).exit_code, _verify(path).stdout.splitlines()[1]) == (0, "Nothing is signed.")
    assert _verify(path, "--key", key.device).exit_code == 1


def test_a_head_that_was_noted_down_is_found_with_16_digits_and_refused_with_fewer(tmp_path: Path, key: DeviceKey) -> None:
    path = played(tmp_path / "journal.db", key)
    head = rows_in(path)[2].hash[:16]
    done = _verify(path, "--expect", head.upper())
    assert (done.exit_code, done.stdout.splitlines()[2]) == (0, f"The hash {head.upper()} is of row 3.")
    assert _verify(path, "--expect", "0" * 16).exit_code == 1
    done = _verify(path, "--expect", head[:8])
    assert done.exit_code == 2
    assert "Fewer prove nothing" in done.stderr


@pytest.mark.parametrize(
    ("words", "found"), [(("--key", "c-short"), "found c-short"), (("--known", "missing"), "no such file or directory")]
)
def test_what_is_no_key_or_no_file_of_heads_is_refused(tmp_path: Path, key: DeviceKey, words: tuple[str, str], found: str) -> None:
    done = _verify(played(tmp_path / "journal.db", key), *words)
    assert done.exit_code == 2
    assert found in done.stderr + str(done.exception)


def test_a_line_that_is_no_head_is_named(tmp_path: Path, key: DeviceKey) -> None:
    (tmp_path / "heads").write_text("what is this\n")
    done = _verify(played(tmp_path / "journal.db", key), "--known", str(tmp_path / "heads"))
    refused(done, where=f"{tmp_path / 'heads'}, line 1", found="what is this")
