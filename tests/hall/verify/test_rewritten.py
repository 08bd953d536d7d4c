"""The owner of a card writes its history anew, and signs it with the card's own key: who finds it out (docs/spec/wire.md, "Signed heads")."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path

import click
import pytest

from firmware.cli.main import main as tileclock
from game.journal.reading import links, reading
from hall.cli.main import main as tilehall
from hall.store.reading import reading_store
from tests.firmware.shell.rig import rows_in
from tests.firmware.signed_journal import played
from tests.hall.reporting import TOPICS, Rig
from tests.hall.reporting import rig as listener
from tests.in_process import ran
from wire.keys import DeviceKey, load_key
from wire.record import DeviceRecord
from wire.topics import CLOCK


@dataclass(frozen=True)
class Hall:
    """Two clocks that a listener has heard, and what the owner of the first one's card has made of its journal."""

    folder: Path
    key: DeviceKey
    true: Path
    forged: Path
    witness: Path
    """The journal of the other clock."""
    neighbour: str
    """The other clock."""

    def tileclock(self, journal: Path, *words: str) -> tuple[int, str]:
        return _run(tileclock, "journal", "verify", "--journal", str(journal), *words)

    def tilehall(self, verb: str, *words: str) -> tuple[int, str]:
        return _run(tilehall, verb, "--store", str(self.folder / "hall.db"), *words)

    def exported(self, *words: str) -> str:
        """Write what `tilehall heads` prints, and return the file."""
        file = self.folder / "_".join(("heads", *words)).replace("-", "")
        code, said = self.tilehall("heads", *words)
        assert code == 0, said
        file.write_text(said, encoding="ascii")
        return str(file)


def _run(program: click.Command, *words: str) -> tuple[int, str]:
    done = ran(program, *words)
    return done.returncode, done.stdout + done.stderr


def _reported(rig: Rig, device: str, journal: Path) -> str:
    """Have the listener take a whole journal, as its link sends it; return the root that it publishes then."""
    batch = DeviceRecord(partial(reading, journal), links).rows(0, 100)
    assert batch is not None
    rig.listener.take(TOPICS.of_device(device, "rows"), batch.model_dump_json().encode(), rig.now)
    rig.sent.clear()
    rig.pass_time(61)
    (root,) = (message for topic, message in rig.sent if topic == TOPICS.root)
    return f"{root['n']}:{root['root']}"


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Hall:
    folder = tmp_path_factory.mktemp("hall")
    key, other = load_key(folder / "device.pem", CLOCK), load_key(folder / "other.pem", CLOCK)
    true, witness = played(folder / "journal.db", key, root=""), folder / "other.db"
    with listener(folder) as rig:
        seen = _reported(rig, key.device, true)
        _reported(rig, other.device, played(witness, other, root=seen, boot="other"))
    forged = played(folder / "forged.db", key, first_press=4, root="")
    # The same first row, so the same journal by name.
    assert rows_in(true)[0].hash == rows_in(forged)[0].hash
    return Hall(folder, key, true, forged, witness, other.device)


def test_whole_and_signed_are_true_of_a_history_that_its_owner_wrote_anew(hall: Hall) -> None:
    for journal in (hall.true, hall.forged):
        code, said = hall.tileclock(journal, "--key", hall.key.device)
        assert code == 0, said
        assert "Whole: 5 rows" in said
        assert "Signed up to row 3 by this device." in said


def test_the_heads_that_the_hall_has_kept_find_it_out(hall: Hall) -> None:
    heads = hall.exported()
    assert hall.tileclock(hall.true, "--known", heads)[0] == 0
    code, said = hall.tileclock(hall.forged, "--key", hall.key.device, "--known", heads)
    assert code == 1
    assert "Rewritten: others have kept row 3, which is another one here." in said


def test_another_device_finds_it_out_with_roots_that_need_no_trust(hall: Hall) -> None:
    words = ("--witness", str(hall.witness), "--roots", hall.exported("--roots"))
    code, said = hall.tileclock(hall.true, *words)
    assert code == 0, said
    assert f"Known to {hall.neighbour} since then, up to row 3." in said
    code, said = hall.tileclock(hall.forged, "--key", hall.key.device, *words)
    assert code == 1
    assert f"Rewritten: {hall.neighbour} vouched for row 3, which is another one here." in said


def test_roots_that_were_changed_to_fit_the_new_history_vouch_for_nothing(hall: Hall) -> None:
    roots = Path(hall.exported("--roots"))
    changed = hall.folder / "changed"
    changed.write_text(roots.read_text().replace(rows_in(hall.true)[2].hash, rows_in(hall.forged)[2].hash), encoding="ascii")
    assert changed.read_text() != roots.read_text()
    code, said = hall.tileclock(hall.forged, "--witness", str(hall.witness), "--roots", str(changed))
    assert code == 1
    assert "No other device vouches for a row of this file." in said


def test_a_device_is_no_witness_of_itself(hall: Hall) -> None:
    own = played(hall.folder / "own.db", hall.key, first_press=9, root=_last_root(hall))
    code, said = hall.tileclock(hall.true, "--witness", str(own), "--roots", hall.exported("--roots"))
    assert code == 1
    assert "No other device vouches for a row of this file." in said


def _last_root(hall: Hall) -> str:
    with reading_store(hall.folder / "hall.db") as store:
        return f"{store.last_root().n}:{store.last_root().root}"


def test_the_hall_s_own_rows_find_it_out(hall: Hall) -> None:
    asked = ("--key", hall.key.device, "--known", hall.exported(), "--witness", str(hall.witness))
    code, said = hall.tilehall("verify", str(hall.true), *asked)
    assert code == 0, said
    assert said.splitlines() == [
        f"The hall holds the same 5 rows of {hall.key.device}.",
        "Signed up to row 3 by this device.",
        "Known to others up to row 5.",
        f"Known to {hall.neighbour} since then, up to row 3.",
    ]
    code, said = hall.tilehall("verify", str(hall.forged), *asked)
    assert code == 1
    assert said.startswith("Rewritten: row 2 is not the one that the hall holds")
    assert f"Rewritten: {hall.neighbour} vouched for row 3" in said


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--witness", "journal.db"), "--witness and --roots go together"),
        (("--roots", "heads"), "--witness and --roots go together"),
        (("--witness", "missing.db", "--roots", "no_roots"), "expected the journal or log of another device"),
        (("--witness", "text", "--roots", "no_roots"), "expected the journal or log of another device"),
        (("--witness", "unsigned.db", "--roots", "no_roots"), "found no signature that fits"),
        (("--witness", "other.db", "--roots", "second_only"), "expected root 1, found 2"),
        (("--witness", "other.db", "--roots", "text"), "expected root 1, found words"),
    ],
)
def test_what_is_no_witness_or_no_list_of_roots_is_refused(hall: Hall, words: tuple[str, ...], says: str) -> None:
    (hall.folder / "text").write_text("words that are no heads\n")
    (hall.folder / "no_roots").write_text("")
    (hall.folder / "second_only").write_text(f"2 {hall.neighbour} {'0' * 16} 1 {'0' * 64}\n")
    if not (hall.folder / "unsigned.db").exists():
        played(hall.folder / "unsigned.db", None)
    paths = [word if word.startswith("--") else str(hall.folder / word) for word in words]
    code, said = hall.tileclock(hall.true, *paths)
    assert code == 2
    assert says in " ".join(said.split())
    assert hall.tilehall("verify", "--key", hall.key.device)[0] == 2
