import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec import Struct

from appliance.records.files import LOCK, beside
from firmware.journal.recovery import recover
from firmware.journal.writer import open_journal
from kiosk.log import Log
from records.log import entry_of
from rules.rulebooks import load_rulebook
from tests.appliance.records.damage import NO_DATABASES, flipped, tamper
from tests.cells import each_cell
from tests.examples import examples, sampled
from tests.firmware.journal.short_game import play, rows_whole
from tests.kiosk.log.making import LOOKUP, STATION, S, append, kept_in, written

TRIALS = examples(240)


def _whole_journal(path: Path) -> tuple[bool, str]:
    before = path.read_bytes()
    opened = open_journal(path)
    assert opened.trouble is None
    if opened.set_aside is not None:
        assert opened.reason
        assert opened.set_aside.read_bytes() == before
        assert rows_whole(path) == 0
        return False, opened.reason
    assert rows_whole(path) == 14
    recovered = recover(path, load_rulebook)
    assert recovered is not None
    assert (recovered.refused, recovered.last.at) == ((), 13 * S)
    return True, ""


def _whole_log(path: Path) -> tuple[bool, str]:
    """Write a row too: the first row of a new log says what was set aside."""
    before = path.read_bytes()
    with Log(path) as log:
        assert log.trouble is None
        row = append(log, LOOKUP, S, STATION)
    aside = [each for each in path.parent.glob(f"{path.name}.*.damaged*") if not each.name.endswith(("-wal", "-shm"))]
    kept = kept_in(path)
    if aside:
        assert [each.read_bytes() for each in aside] == [before]
        assert log.news is not None
        assert str(aside[0]) in log.news
        assert (row, [entry_of(each).why for each in kept]) == (2, [log.news, None])
        return False, log.news
    assert (row, log.news, len(kept)) == (15, None, 15)
    return True, ""


class Record(Struct, frozen=True, dict=True):
    make: Callable[[Path], object]
    """Make one of 14 rows."""
    is_whole: Callable[[Path], tuple[bool, str]]
    """Open one, and require that it is whole to the last bit, or set aside unchanged with a reason; return which, and the reason."""
    tampered: tuple[str, ...]
    """Changes by somebody else, beside those of ``TAMPERED``."""


TAMPERED = (
    "DELETE FROM rows WHERE seq = 7",
    "DELETE FROM rows WHERE seq > 12",
    "DELETE FROM rows",
    "DELETE FROM mark",
    "PRAGMA user_version = 0",
    "PRAGMA user_version = 9",
    "CREATE TABLE more (x)",
    "DROP TABLE mark",
    "DROP TRIGGER rows_stay",
)
JOURNAL = Record(
    play,
    _whole_journal,
    (
        "UPDATE rows SET at = at + 1 WHERE seq = 5",
        "UPDATE rows SET body = replace(body, 'left', 'right') WHERE seq = 5",
        "DELETE FROM rows WHERE seq = 14",
        "UPDATE rows SET game = 0 WHERE seq = 4",
        "UPDATE rows SET number = 99 WHERE seq = 2",
        "UPDATE mark SET at = at + 1",
    ),
)
LOG = Record(
    written,
    _whole_log,
    (
        "UPDATE rows SET table_number = 3 WHERE seq = 5",
        "UPDATE rows SET body = replace(body, 'false', 'true') WHERE seq = 5",
        "UPDATE rows SET station = 'Hall B' WHERE seq = 5",
        "UPDATE rows SET wall = 'yesterday' WHERE seq = 14",
        "UPDATE mark SET seq = 13",
        "UPDATE mark SET hash = upper(hash)",
    ),
)

pytestmark = pytest.mark.parametrize("record", [JOURNAL, LOG], ids=["journal", "log"])


@pytest.fixture
def whole(record: Record, tmp_path: Path) -> bytes:
    record.make(tmp_path / "record.db")
    return (tmp_path / "record.db").read_bytes()


def _put(content: bytes, folder: Path) -> Path:
    folder.mkdir()
    path = folder / "record.db"
    path.write_bytes(content)
    beside(path, LOCK).touch()
    return path


def test_a_file_that_is_no_database_is_set_aside_unchanged(record: Record, tmp_path: Path) -> None:
    for number, cell in enumerate(each_cell(NO_DATABASES)):
        with cell as content:
            assert not record.is_whole(_put(content, tmp_path / str(number)))[0]


def test_a_file_truncated_anywhere_is_set_aside(record: Record, whole: bytes, tmp_path: Path) -> None:
    for cell in each_cell([0, 1, 15, 16, 99, 100, *sampled(range(512, len(whole), 512), 4), len(whole) - 1]):
        with cell as size:
            assert not record.is_whole(_put(whole[:size], tmp_path / str(size)))[0]


def test_a_flipped_bit_anywhere_is_noticed_or_harmless(record: Record, whole: bytes, tmp_path: Path) -> None:
    chance = random.Random(7)  # noqa: S311 - the same bits each time
    aside = 0
    for trial in range(TRIALS):
        aside += not record.is_whole(_put(flipped(whole, chance), tmp_path / str(trial)))[0]
        shutil.rmtree(tmp_path / str(trial))
    assert 0 < aside < TRIALS


def test_zeroed_pages_are_noticed_or_harmless(record: Record, whole: bytes, tmp_path: Path) -> None:
    for cell in each_cell(range(0, len(whole), 4096)):
        with cell as begins:
            record.is_whole(_put(whole[:begins] + b"\0" * 4096 + whole[begins + 4096 :], tmp_path / str(begins)))


def test_a_tampered_file_and_one_of_another_version_are_set_aside(record: Record, whole: bytes, tmp_path: Path) -> None:
    for number, cell in enumerate(each_cell(TAMPERED + record.tampered)):
        with cell as sql:
            path = _put(whole, tmp_path / str(number))
            tamper(path, sql)
            is_whole, reason = record.is_whole(path)
            assert not is_whole
            assert ("version 9" in reason) == sql.endswith("version = 9")
