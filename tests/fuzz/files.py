"""Every kind of file that people and programs give us: whole ones, and what reads them. A reader returns, or raises an error of ours."""

import io
import json
import shutil
import sqlite3
import zipfile
from collections.abc import Callable, Mapping
from contextlib import closing, suppress
from functools import partial
from itertools import islice
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from msgspec import Struct

from appliance.settings import Layers
from appliance.texts import parse_texts
from faults.errors import TileclockError
from firmware.journal.export import export
from firmware.journal.recovery import earlier_games, recover
from firmware.journal.writer import open_journal
from firmware.settings import LAYERS as CLOCK_LAYERS
from firmware.shell.hall import load_trust
from hall.desk.access.accounts import Accounts
from hall.desk.store import DeskStore, open_store, round_start, timer_of
from hall.event.reading import read_event
from hall.orders.sender import opened_book
from hall.settings import LAYERS as HALL_LAYERS
from hall.store.store import open_store as open_hall_store
from hall.store.store import reading_store
from hardware.boards.board import load_board
from kiosk.log import Log, csv_lines, json_lines
from kiosk.settings import LAYERS as STATION_LAYERS
from lexicon.alphabet import load_alphabet
from lexicon.build import Label, build_text
from lexicon.cli.build import reading
from lexicon.errors import LexiconError
from lexicon.wordtext import AS_IT_IS, Reading, no_progress
from records import journal, log
from rules.rulebooks import load_rulebook
from rules.rulebooks.load import check_file
from tests.firmware.journal.short_game import play
from tests.kiosk.log.making import written
from tests.lexicon.fuzz.mutating import asked
from tests.lexicon.making import ENGLISH, built, coded

_ROOT: Final = Path(__file__).parents[2]
_WORDS: Final = _ROOT / "tests/lexicon/formats/files"
_FEW: Final = 3000
"""Words that are walked through: a file that says it has millions may have them."""


class Kind(Struct, frozen=True):
    """A kind of file."""

    name: str
    """With the ending that says the format."""
    whole: tuple[bytes, ...]
    read: Callable[[Path], object]
    """Given the path of a file of that name in a folder of its own."""


def kinds(folder: Path) -> tuple[Kind, ...]:
    """Return all kinds; ``folder``: for the files that are made first."""
    return (*_of_events(), *_of_words(folder), *_of_settings(), *_of_records(folder))


_CONFIG: Final = b"# x\ndivision A a.t\nconfig tables{'A'} = [5, 6]\nconfig event_name = 'Open'\nperl 1\ndivision B b.t\n"
_DIVISION: Final = "Ångström, Bo     1800 2 0 3; 400 350; p12 1 1; board 1; id AA000001\nLee, Kim   1600 1 3 0; 350 400; p12 2 0\n# x\nRoe, Di  0 0 2 1; 50 1 2; team Red Sox\n"
_NEWT: Final = b"""newt={"config":{"tables":{"A":[5,"6"]},},divisions:[{name:'a',maxr:1,players:[undefined,
{"id":1,"name":"Lee, \\u004bim",rating:1600,"scores":[300],"pairings":[2,0],"etc":{"board":[2],"p12":[2]}},
{"id":2,"name":7,"rating":0,"scores":[400],"pairings":[1],"etc":{"p12":[1]}},]}]};\n"""
_TABLES: Final = {
    "players.csv": "division;number;name;rating\r\nA;1;Zoë;1500\r\nA;2;Max;\r\nB;1;Ann;900\r\n".encode(),
    "pairings.csv": b"Division,Round,Player1,Score1,Player2,Score2,Table\rA,1,1,400,2,390,7\rA,2,2,50,bye,,\r",
    "boards.csv": b"board\ttable\n1\t3\n2\t4\n",
    "floor.csv": b"table,x,y\n7,0,40\n8,20,40\n",
}


def _event(path: Path, beside: Mapping[str, bytes] = MappingProxyType({})) -> object:
    known = read_event({"players.csv": _TABLES["players.csv"]}) if path.name in _TABLES and path.name != "players.csv" else None
    return read_event({path.name: path.read_bytes(), **beside}, known)


def _zipped(files: Mapping[str, bytes]) -> bytes:
    with zipfile.ZipFile(content := io.BytesIO(), "w", zipfile.ZIP_DEFLATED) as archive:
        for name, each in files.items():
            archive.writestr(name, each)
    return content.getvalue()


def _of_events() -> tuple[Kind, ...]:
    division, beside = _DIVISION.encode(), {"a.t": _DIVISION.encode(), "b.t": b"Eve 1; 2; 3\nAl 2; 1; 4\n"}
    packed = _zipped({"config.tsh": _CONFIG, "a.t": division, "b.t": beside["b.t"]}), _zipped(_TABLES), _zipped({"event.js": _NEWT})
    return (
        Kind("config.tsh", (_CONFIG,), partial(_event, beside=beside)),
        Kind("a.t", (division, _DIVISION.encode("iso-8859-1")), _event),
        Kind("a.txt", (b"#division A\n" + division,), _event),
        Kind("event.js", (_NEWT,), _event),
        Kind("event.json", (_NEWT.removeprefix(b"newt=").removesuffix(b";\n"),), _event),
        Kind("event.zip", packed, _event),
        *(Kind(name, (content,), _event) for name, content in _TABLES.items()),
    )


def _word_file(path: Path) -> None:
    faults = []
    for alphabet in ("english", "polish", "spanish"):
        try:
            with reading(path, None, alphabet, no_progress, AS_IT_IS) as found:
                for _ in islice(found.checked.accepted(), _FEW):
                    pass
        except LexiconError as fault:
            faults.append(fault)
        else:
            return
    raise faults[0]


def _text(path: Path) -> None:
    with suppress(FileNotFoundError):
        path.with_suffix(".dawg").unlink()
    build_text(path, path.with_suffix(".dawg"), Label(ENGLISH, "fuzzed", ""), how=Reading(skip_invalid=True))


def _of_words(folder: Path) -> tuple[Kind, ...]:
    built(folder / "own.dawg", coded(("AT", "CHAT", "CAT", "QI", "ZA")))
    by_ending: dict[str, list[bytes]] = {}
    for path in sorted(_WORDS.iterdir()):
        by_ending.setdefault(path.suffix, []).append(path.read_bytes())
    own = Kind("own.dawg", ((folder / "own.dawg").read_bytes(),), asked)
    others = (Kind(f"words{ending}", tuple(by_ending[ending]), _word_file) for ending in (".kwg", ".dwg", ".dawg"))
    return own, *others, Kind("words.txt", (by_ending[".txt"][0],), _text)


_CLOCK: Final = b"""rulebook = "nzasp-2022"
language = "fr"
[hall]
enabled = true
table = 12
[machine]
name = "clock"
ssh_keys = ["ssh-ed25519 AAAA x"]
[machine.wifi]
network = "Hall"
password = "12345678"
country = "GB"
"""
_HALL: Final = (
    b'[broker]\nhost = "10.0.0.1"\nport = 8883\n[desk]\naddress = "0.0.0.0"\nlogin = true\n[listen]\nstore = "/var/lib/tilehall/hall.db"\n'
)
_STATION: Final = b'name = "A"\nlanguage = "es"\n[hall]\nenabled = true\n'
_TRUST: Final = f'hall = "trial"\nhall_key = "{"A" * 43}="\ndirector_key = "{"B" * 43}="\n'.encode()


def _files(pattern: str) -> tuple[bytes, ...]:
    return tuple(path.read_bytes() for path in sorted(_ROOT.glob(pattern)))


def _settings(layers: Layers[Any], path: Path) -> object:
    return layers.load({}, path)


def _rulebook(path: Path) -> None:
    check_file(str(path))
    load_rulebook(str(path))


def _of_settings() -> tuple[Kind, ...]:
    return (
        Kind("clock.toml", (_CLOCK, *_files("systemd/card/boot/tileclock.toml")), partial(_settings, CLOCK_LAYERS)),
        Kind("station.toml", (_STATION, *_files("systemd/card/boot/tilekiosk.toml")), partial(_settings, STATION_LAYERS)),
        Kind("hall.toml", (_HALL,), partial(_settings, HALL_LAYERS)),
        Kind("trust.toml", (_TRUST,), load_trust),
        Kind("rulebook.toml", _files("rules/rulebooks/*.toml"), _rulebook),
        Kind("board.toml", _files("hardware/boards/shipped/*.toml"), load_board),
        Kind("alphabet.toml", _files("lexicon/alphabets/*.toml"), lambda path: load_alphabet(str(path))),
        Kind("texts.toml", _files("languages/*/station.toml"), lambda path: parse_texts(path.read_bytes(), "fr", "station.toml")),
        Kind("accounts.json", (json.dumps({"v": 1, "accounts": []}).encode(),), lambda path: Accounts(path).find("ruth")),
    )


_FOREIGN: Final = "was left as it was"
"""The end of the sentence about another program's file."""


def _journal(path: Path) -> None:
    copy = path.with_name("copy.db")
    shutil.copy(path, copy)
    with suppress(TileclockError), journal.reading(path) as connection:
        journal.verify(connection)
        for _ in export(journal.games(connection), load_rulebook):
            pass
    # What the clock does at its start: it opens the journal in any case, a damaged one anew.
    trouble = open_journal(copy).trouble
    assert trouble is None or _FOREIGN in str(trouble), trouble
    if trouble is None:
        recover(copy, load_rulebook)
        tuple(earlier_games(copy, 2, load_rulebook))


def _log(path: Path) -> None:
    with suppress(TileclockError), log.reading(path) as connection:
        for lines in (csv_lines, json_lines):
            for _ in lines(log.rows_from(connection, 1)):
                pass
    with Log(path) as opened:
        assert opened.trouble is None or _FOREIGN in str(opened.trouble), opened.trouble


def _desk(path: Path) -> None:
    engine = open_store(str(path))
    try:
        log = DeskStore(engine, "trial", "desk-1")
        for entry in log.latest(50):
            timer_of(entry)
        round_start(log)
    finally:
        engine.dispose()


def _book(path: Path) -> None:
    with opened_book(path) as book:
        book.waiting()


def _hall(path: Path) -> None:
    with suppress(OSError, sqlite3.Error):
        open_hall_store(path, "trial")[0].close()
        with reading_store(path) as store:
            store.epochs("c-abcdefghijklmnop")


def _database(path: Path) -> bytes:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.execute("PRAGMA journal_mode = DELETE")
    return path.read_bytes()


def _of_records(folder: Path) -> tuple[Kind, ...]:
    play(folder / "journal.db")
    written(folder / "log.db")
    engine = open_store(str(folder / "desk.db"))
    DeskStore(engine, "trial", "desk-1").add("ruth", "login", {"from": "10.0.0.1"})
    engine.dispose()
    open_hall_store(folder / "hall.db", "trial")[0].close()
    with opened_book(folder / "orders.db"):
        pass
    readers = {"journal.db": _journal, "log.db": _log, "desk.db": _desk, "hall.db": _hall, "orders.db": _book}
    return tuple(Kind(name, (_database(folder / name),), reader) for name, reader in readers.items())
