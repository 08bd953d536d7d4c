import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from msgspec.structs import replace

from appliance.lock import matches
from appliance.records.chain import ChainLink
from appliance.texts import languages
from faults.validation import InvalidTable, read_table
from firmware.cli.main import main
from firmware.journal.writer import JournalWriter, Store, open_journal
from firmware.settings import Settings
from game import events as ev
from game.exact_json import encode
from game.history import History, accept, begin
from game.script import read_lines
from kiosk.cli.main import main as tilekiosk
from lexicon.cli.main import main as tilelexicon
from records.journal import GameStamp, Kind, NoSuchGame, Row, rows_of
from records.words import _MESSAGES, row_words
from rules.contact import MS
from rules.rulebooks import load_rulebook
from rules.side import Side
from tests.appliance.records.damage import tamper
from tests.cells import each_cell
from tests.errors import refused
from tests.firmware.saying import new_game
from tests.firmware.shell.rig import rows_in
from tests.firmware.signed_journal import played, stamp
from tests.in_process import ran
from wire.keys import DeviceKey, load_key
from wire.proposals import ACTS
from wire.topics import CLOCK

TWICE = 'title = "twice"\nkind = "two-button"\n[buttons.left]\ngpio = 5\n[buttons.right]\ngpio = 5\n'
LAMP_ON_A_BARE_PIN = f'{TWICE.replace("5", "6", 1)}[lamps.left]\ngpio = 16\npart = "arcade-lamp-5v"\n'


def _refusal(*arguments: str) -> str:
    done = ran(main, *arguments)
    assert done.returncode == 2
    (sentence,) = (line for line in done.stderr.splitlines() if line.startswith("tileclock: "))
    return sentence


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (("--rulebook", "naspa-2071"), ("naspa-2071", "nzasp-2022")),
        (("--language", "tlh"), (f"({', '.join(languages())}), found 'tlh'",)),
        (("--board", "three-button"), ("full, two-button",)),
        (
            ("--board", "station"),
            ("the board of a table clock (full, two-button), found 'station'. Name a shipped board (full, two-button",),
        ),
        (("--board", "none.toml"), ("none.toml",)),
        (("--board", "twice.toml"), ("GPIO5", "buttons.left and buttons.right")),
        (("--pins", "rpigpio"), ("rpi-lgpio",)),
        (("--pins", "gpiod"), ("expected a Raspberry Pi", "tileclock demo")),
    ],
)
def test_what_cannot_be_started_is_refused_with_what_was_expected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], parts: tuple[str, ...]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "twice.toml").write_text(TWICE, encoding="utf-8")
    said = _refusal("run", "--journal", str(tmp_path / "journal.db"), "--pins", "none", "--screen", "none", *arguments)
    assert [part for part in parts if part not in said] == []
    assert not (tmp_path / "journal.db").exists()


def test_the_demonstration_refuses_an_unknown_rulebook_and_an_output_that_is_no_folder_it_can_use(tmp_path: Path) -> None:
    assert "naspa-2071" in _refusal("demo", "--headless", "--rulebook", "naspa-2071", "--output", str(tmp_path / "out"))
    (tmp_path / "file").write_text("mine", encoding="utf-8")
    assert "Choose another with --output" in _refusal("demo", "--headless", "--output", str(tmp_path / "file"))
    assert [(each.name, each.read_text(encoding="utf-8")) for each in tmp_path.iterdir()] == [("file", "mine")]


@pytest.mark.parametrize("time", ["0:00", "30", "1:60", "-0:30", "1000:00", ""])
def test_a_time_that_is_none_is_refused_in_a_sentence(time: str) -> None:
    done = ran(main, "demo", "--time", time)
    assert done.returncode == 2
    assert "expected minutes and seconds from 0:01 to 999:59, such as 0:30" in done.stderr


def test_every_verb_explains_itself() -> None:
    done = CliRunner().invoke(main, ["--help"])
    assert "tileclock demo" in done.stdout
    for cell in each_cell(sorted(main.commands)):
        with cell as verb:
            assert f"\n  {verb} " in done.stdout
            helped = CliRunner().invoke(main, [verb, "--help"])
            assert helped.exit_code == 0
            assert len(helped.stdout.splitlines()) > 4


PROGRAMS = ((main, "tileclock", "firmware"), (tilekiosk, "tilekiosk", "kiosk"), (tilelexicon, "tilelexicon", "lexicon"))


@pytest.mark.filterwarnings("error")
def test_the_displays_of_the_doctor_are_asked_for_without_a_word_of_clicks() -> None:
    done = CliRunner().invoke(main, ["doctor", "--led", "--led-off", "--help"])
    assert (done.exit_code, done.stderr) == (0, "")


@pytest.mark.parametrize(("module", "program"), [(f"{package}.cli", name) for _, name, package in PROGRAMS])
def test_each_program_answers_by_its_name_where_python_is_given_its_module(module: str, program: str) -> None:
    done = subprocess.run([sys.executable, "-m", module, "--version"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{program}, version {version('tileclock')}\n", "")


def test_config_code_prints_the_hash_of_the_presses_which_the_settings_take() -> None:
    done = CliRunner().invoke(main, ["config", "code"], input="LRrl\n")
    assert done.exit_code == 0
    line = tomllib.loads(done.stdout)
    assert matches("1221", line["code"])
    assert read_table({"director": line}, Settings).director.code == line["code"]
    for text in ("LRL", "1221", ""):
        wrong = CliRunner().invoke(main, ["config", "code"], input=f"{text}\n")
        assert (wrong.exit_code, wrong.stdout) == (2, "")
        assert "expected a code of 4 to 12 letters, L for left and R for right" in wrong.stderr
    with pytest.raises(InvalidTable, match="never the code itself"):
        read_table({"director": {"code": "LRRL"}}, Settings)


@pytest.mark.parametrize("board", ["full", "two-button", "two-display", "two-display-i2c"])
def test_the_pinout_of_each_board_of_a_clock_is_shown_and_sound(board: str) -> None:
    done = ran(main, "pinout", board, "--pi", "5")
    assert (done.returncode, done.stderr) == (0, "")
    assert "GPIO5  29  30  GND" in done.stdout
    assert done.stdout.endswith("Nothing failed.\n")


def test_the_pinout_of_a_board_with_an_electrical_fault_ends_with_1_and_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text(LAMP_ON_A_BARE_PIN, encoding="utf-8")
    done = ran(main, "pinout", str(tmp_path / "own.toml"), "--pi", "4")
    assert done.returncode == 1
    assert 'Fix: Let a transistor switch it: driver = "bc337-40", resistor = 1000.' in done.stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("huge",), "(full, two-button, two-display, two-display-i2c) or the path of a board file, found 'huge'. Name one of these."),
        (("station",), "found 'station'. Name a shipped board (full, two-button, two-display, two-display-i2c), or a file of that kind."),
        (("full", "--pi", "2"), "the Pis 3, 4, 5, zero-2-w, found '2'. Name one of these, or the most similar one."),
    ],
)
def test_a_pinout_that_cannot_be_shown_is_one_sentence_and_2(arguments: tuple[str, ...], said: str) -> None:
    assert _refusal("pinout", *arguments).endswith(said)


S = 1000 * MS


def _written(path: Path, *puts: tuple[Row, ...]) -> Path:
    writer = JournalWriter(open_journal(path).path, lambda progress: None)
    for each in puts:
        writer.put(each)
    assert writer.close(30)
    return path


def _begun(rulebook: str, wall: str = "") -> tuple[Row, ...]:
    return rows_of(None, begin(new_game(rulebook), 0), 1, GameStamp(0, 0, "boot", wall))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    puts = []
    old: History | None = None
    new = begin(new_game("naspa-2017"), 5 * S)
    for step in range(6):
        at = 5 * S + 61_234 * MS * step
        puts.append(rows_of(old, new, 1, GameStamp(at, at, "boot", f"2026-07-03T10:0{step}:00Z")))
        old, new = new, _moved(new, step, at + 61_234 * MS)
    again = accept(old, new_game("club"), 400 * S) if old is not None else new
    return _written(tmp_path / "journal.db", *puts, rows_of(old, again, 2, GameStamp(400 * S, 400 * S, "boot", "2026-07-03T11:00:00Z")))


def _moved(history: History, step: int, at: int) -> History:
    events: dict[int, ev.GameEvent | ev.Undo] = {
        0: ev.Press(Side.RIGHT),
        1: ev.Challenge(),
        2: ev.Undo("slip"),
        3: ev.Adjust(Side.LEFT, -S // 2, ev.When.NOW, "spoke"),
        4: ev.End("score agreed"),
    }
    return accept(history, events[step], at) if step in events else history


def _journal(path: Path, *words: str) -> Result:
    return CliRunner().invoke(main, ["journal", *words, "--journal", str(path)])


def test_list_shows_each_game_with_its_rulebook_end_and_readings_verify_the_head_and_no_unknown_game(path: Path) -> None:
    done = _journal(path, "list")
    assert done.exit_code == 0
    first, second = done.stdout.splitlines()
    assert first.split() == ["1", "2026-07-03T10:00:00Z", "naspa-2017", "over:", "score", "agreed", "left", "23:59,", "right", "25:00"]
    assert second.split() == ["2", "2026-07-03T11:00:00Z", "club", "ready", "left", "25:00,", "right", "25:00"]
    done = _journal(path, "verify")
    assert done.exit_code == 0
    assert done.stdout.startswith("Whole: 7 rows; the hash of the last begins ")
    assert isinstance(refused(_journal(path, "show", "9"), expected="game 9", found="the games 1 to 2"), NoSuchGame)
    done = CliRunner().invoke(main, ["journal", "list", "--journal", ""])
    assert (done.exit_code, "found an empty text" in done.stderr) == (2, True)


def test_show_tells_every_row_with_its_time_and_a_directors_change_with_before_and_after(path: Path) -> None:
    done = _journal(path, "show", "1")
    assert done.exit_code == 0
    for said in (
        "1:01.234  2026-07-03T10:01:00Z     2  press right",
        "2:02.468  2026-07-03T10:02:00Z     3  challenge  (struck by event 4)",
        "undo reason slip event 3",
        "adjust left seconds: -0.5 now reason spoke",
        "before: neutral; left 23:59, penalty 0, points 0, right 25:00",
    ):
        assert said in done.stdout
    # Without a number it is the last game.
    assert "new_game club" in _journal(path, "show").stdout


def test_export_writes_a_script_of_one_game_or_of_all_in_order(path: Path, tmp_path: Path) -> None:
    whole = _journal(path, "export")
    assert whole.exit_code == 0
    lines = [line.command for line in read_lines((row.encode() for row in whole.stdout.splitlines()), "export", load_rulebook)]
    assert sum(isinstance(said, ev.NewGame) for said in lines) == 2
    out = tmp_path / "one.jsonl"
    assert _journal(path, "export", "1", "-o", str(out)).exit_code == 0
    assert whole.stdout.startswith(out.read_text())
    assert [each.name for each in tmp_path.glob("*one*")] == ["one.jsonl"]


def test_an_export_that_cannot_be_written_leaves_nothing_behind(path: Path, tmp_path: Path) -> None:
    refused(_journal(path, "export", "-o", str(tmp_path / "nowhere" / "x.jsonl")), remedy=re.compile("Check the path and the disk"))
    (tmp_path / "folder").mkdir()
    assert _journal(path, "export", "-o", str(tmp_path / "folder")).exit_code == 2
    assert sorted(each.name for each in tmp_path.iterdir() if "journal.db" not in each.name) == ["folder"]


@pytest.mark.parametrize("suffix", ["", "-wal", "-shm", "-lock"])
def test_an_export_onto_the_journal_or_what_is_kept_with_it_is_refused_by_any_name(path: Path, tmp_path: Path, suffix: str) -> None:
    own = path.with_name(path.name + suffix)
    own.touch()
    before = path.read_bytes()
    (tmp_path / "link.jsonl").symlink_to(own)
    (tmp_path / "hard.jsonl").hardlink_to(own)
    for name in (own, tmp_path / "link.jsonl", tmp_path / "hard.jsonl"):
        done = _journal(path, "export", "-o", str(name))
        assert done.stdout == ""
        refused(done, where=str(name), found="the journal itself, or one of its files")
    assert path.read_bytes() == before


def test_an_export_carries_a_rulebook_of_the_directors_own_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own, script = tmp_path / "own.toml", tmp_path / "out" / "game.jsonl"
    then = 'extends = "club"\nid = "own"\ntitle = "Own"\nsummary = "For a test."\n'
    own.write_text(then, encoding="utf-8")
    path = _written(tmp_path / "own.db", _begun(str(own)))
    own.write_text("changed since", encoding="utf-8")
    script.parent.mkdir()
    assert _journal(path, "export", "-o", str(script)).exit_code == 0
    assert script.with_name("game.jsonl.rulebook-1.toml").read_text(encoding="utf-8") == then
    assert '"rulebook": "game.jsonl.rulebook-1.toml"' in script.read_text(encoding="utf-8")
    monkeypatch.chdir("/")
    replayed = CliRunner().invoke(main, ["replay", str(script), "--strict"])
    assert (replayed.exit_code, replayed.stdout.count("\n")) == (0, 1)
    assert "// title" in _journal(path, "export").stdout


@pytest.mark.parametrize(
    ("sql", "said"),
    [
        ("UPDATE rows SET at = at - 1 WHERE seq = 3", ("row 3 is not what was written", "Whole up to row 2")),
        ("DELETE FROM rows WHERE seq = 7", ("row 7 is missing: the durable mark knows",)),
        ("DELETE FROM rows WHERE seq = 4", ("row 4 is missing",)),
    ],
)
def test_verify_names_the_first_row_that_was_changed_or_is_missing_and_exits_with_1(path: Path, sql: str, said: tuple[str, ...]) -> None:
    tamper(path, sql)
    done = _journal(path, "verify")
    assert (done.exit_code, [each for each in said if each not in done.stdout]) == (1, [])


def test_verify_of_a_journal_of_which_nothing_is_left_exits_with_1_and_of_another_file_with_2(tmp_path: Path) -> None:
    path = tmp_path / "x.db"
    path.write_bytes(b"\0" * 5000)
    assert _journal(path, "verify").exit_code == 1
    path.write_bytes(b"Dear director, " * 100)
    done = _journal(path, "verify")
    assert done.stdout == ""
    refused(done, where=str(path), found="that it is another kind of file, or another program's", remedy="Check the path")


@pytest.mark.parametrize("verb", ["list", "show", "export"])
def test_a_damaged_journal_and_a_folder_are_sentences_and_exit_2_and_a_tampered_one_is_read_with_a_warning(path: Path, verb: str) -> None:
    damaged = path.with_name("x.db")
    damaged.write_bytes(b"hello" * 5000)
    for each in (damaged, path.parent):
        refused(_journal(each, verb), where=str(each))
    tamper(path, "UPDATE rows SET wall = 'never' WHERE seq = 3")
    done = _journal(path, verb)
    assert (done.exit_code, done.stderr.count("\n"), "row 3 is not what was written" in done.stderr) == (0, 1, True)


def test_rows_that_were_kept_without_a_date_say_so(tmp_path: Path) -> None:
    path = _written(tmp_path / "undated.db", _begun("club", "1970-01-01T00:00:12Z"))
    for verb in ("list", "show"):
        assert "1970-01-01T00:00:12Z (date not set)  " in _journal(path, verb).stdout


def _row_words(kind: Kind, fields: Mapping[str, Any]) -> str:
    row = Row(kind, 1, None, 0, 0, "boot", "2026-07-03T11:00:00Z", encode(fields))
    return next(row_words([ChainLink(1, row, "")])).what


LIST = "0123456789abcdef"
SETUP = {"rulebook": "naspa-2017", "left_seconds": 1200, "right_seconds": 1200}


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"what": "notice", "text": "Round 3 at 14:00"}, 'notice "Round 3 at 14:00", accepted'),
        ({"what": "verdict", "answer": "other_challenge", "number": 4}, "verdict, refused (other challenge)"),
        (
            {"what": "settings", "settings": {"language": "fr", "led.brightness": 40}},
            "settings language = fr, led.brightness = 40, accepted",
        ),
        ({"what": "update", "answer": "no_updates"}, "update of the software, refused (no updates)"),
        ({"answer": "malformed", "count": 12}, "message, refused (malformed), 12 times"),
        ({"what": "setup", "setup": SETUP}, "set-up of the next game naspa-2017, 20:00 each, accepted"),
        ({"what": "setup", "setup": SETUP | {"right_seconds": 90}}, "set-up of the next game naspa-2017, left 20:00, right 1:30, accepted"),
        ({"what": "setup", "setup": SETUP | {"left_seconds": None}}, "set-up of the next game naspa-2017, right 20:00, accepted"),
        ({"what": "round", "round": {"ago_s": 100}}, "start of the round, 100 s ago, accepted"),
        ({"what": "round", "round": {"ago_s": -300}}, "start of the round, in 300 s, accepted"),
        ({"what": "round", "round": {"ago_s": None}}, "start of the round, none set, accepted"),
        ({"what": "timer", "timer": {"seconds": 150, "ago_s": 1}, "text": "Move 7"}, 'hall timer "Move 7" of 2:30, 1 s ago, accepted'),
        ({"what": "timer", "timer": {"seconds": None, "ago_s": None}}, "hall timer, none set, accepted"),
    ],
)
def test_a_message_of_the_hall_names_what_it_wanted_its_sender_and_the_answer(fields: dict[str, Any], words: str) -> None:
    assert _row_words(Kind.PROPOSAL, {"id": "8c68", "issuer": "desk-1", "answer": "accepted", **fields}) == f"from desk-1: {words}"


def test_the_journal_has_words_for_every_message_of_the_hall() -> None:
    assert set(_MESSAGES) == ACTS


@pytest.mark.parametrize(
    ("kind", "fields", "words"),
    [
        (
            Kind.ASSIGNED,
            {"table": 7, "left": "A", "right": "B", "lexicon": LIST * 4},
            f"assigned: table 7, left A, right B, word list {LIST}",
        ),
        (Kind.ASSIGNED, {"table": None, "left": "", "right": "", "lexicon": None}, "assigned: no table"),
        (Kind.EVENT, {"do": "window", "name": "missed_press", "ago": 10}, "window missed_press 10 s ago"),
        (Kind.EVENT, {"do": "window", "name": "between_rounds", "seconds": 300}, "window between_rounds seconds 300"),
    ],
)
def test_an_assignment_names_table_players_and_list_and_a_time_frame_its_length(kind: Kind, fields: dict[str, Any], words: str) -> None:
    assert _row_words(kind, fields) == words


@pytest.fixture
def key(tmp_path: Path) -> DeviceKey:
    return load_key(tmp_path / "device.pem", CLOCK)


@pytest.fixture
def signed(tmp_path: Path, key: DeviceKey) -> Path:
    return played(tmp_path / "journal.db", key)


def _verified(path: Path, *words: str) -> tuple[int, list[str]]:
    done = _journal(path, "verify", *words)
    return done.exit_code, done.stdout.splitlines()[1:]


def test_a_signed_journal_says_up_to_which_row_and_by_whom(signed: Path, key: DeviceKey) -> None:
    assert _verified(signed) == (0, [f"Signed up to row 3 by {key.device}: compare this with the device's id."])
    for known in (key.device, key.public):
        assert _verified(signed, "--key", known) == (0, ["Signed up to row 3 by this device."])


def test_a_chain_computed_anew_is_whole_but_its_signature_does_not_fit(tmp_path: Path, signed: Path) -> None:
    """Another instant of the first press, and the whole chain computed anew: the owner of the card can do that."""
    path = open_journal(tmp_path / "rewritten.db").path
    store = Store(path)
    rows = [stored.row for stored in rows_in(signed)]
    store.append([replace(row, at=row.at - S) if row.number == 2 else row for row in rows], stamp(61 * S))
    store.close()
    done = _journal(path, "verify")
    assert done.exit_code == 1
    assert "Whole: 5 rows" in done.stdout
    assert "The signature in row 4 does not fit" in done.stdout


def test_a_chain_signed_with_another_key_is_another_devices_and_one_without_signatures_nobodys(tmp_path: Path, key: DeviceKey) -> None:
    other = load_key(tmp_path / "other.pem", CLOCK)
    path = played(tmp_path / "journal.db", other)
    assert _verified(path, "--key", key.device) == (1, [f"Signed by another device, {other.device}."])
    path = played(tmp_path / "unsigned.db", None)
    assert _verified(path) == (0, ["Nothing is signed."])
    assert _verified(path, "--key", key.device)[0] == 1


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"v": 1}, "Row 4 holds no signature that can be read."),
        ({"signature": "A" * 86 + "=="}, "The signature in row 4 does not fit"),
        ({"seq": 2}, "The signature in row 4 does not fit"),
        ({"seq": 7}, "The signature in row 4 does not fit"),
    ],
)
def test_a_signature_of_an_earlier_version_or_of_something_else_shows_nothing(
    tmp_path: Path, signed: Path, changes: dict[str, Any], said: str
) -> None:
    path = open_journal(tmp_path / "changed.db").path
    store = Store(path)
    rows = [stored.row for stored in rows_in(signed)]
    rows[3] = replace(rows[3], body=json.dumps(json.loads(rows[3].body) | changes))
    store.append(rows, stamp(61 * S))
    store.close()
    code, (shown,) = _verified(path)
    assert (code, shown.startswith(said)) == (1, True)


def test_a_head_that_was_noted_down_is_found_with_16_digits_and_refused_with_fewer(signed: Path) -> None:
    head = rows_in(signed)[2].hash[:16].upper()
    code, (_, said) = _verified(signed, "--expect", head)
    assert (code, said) == (0, f"The hash {head} is of row 3.")
    assert _verified(signed, "--expect", "0" * 16)[0] == 1
    done = _journal(signed, "verify", "--expect", head[:8])
    assert (done.exit_code, "Fewer prove nothing" in done.stderr) == (2, True)


def test_what_is_no_key_is_refused(signed: Path) -> None:
    done = _journal(signed, "verify", "--key", "c-short")
    assert (done.exit_code, "found c-short" in done.stderr) == (2, True)
