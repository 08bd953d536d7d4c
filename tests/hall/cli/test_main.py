"""The hall's commands: keys and a configuration that mosquitto takes, accounts, certificates of the pages, an event's files."""

import os
import pwd
import re
import socket
import stat
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import load_pem_private_key

from hall.cli.main import main
from hall.desk.access.accounts import Accounts, password_fits, unwrapped
from hall.desk.tiles.folded import seats_of
from hall.keys.files import HallFiles
from hall.keys.pages import PageFiles, hosts_of
from hall.store.events import read_stored
from tests.errors import recorded, refused
from tests.hall.client import Place, connected
from tests.installed import require
from tests.processes import running, until
from tests.some import some
from tools.trial_broker import free_port, running_broker
from wire.keys import key_text
from wire.topics import Topics

PASSPHRASE = "correct horse"  # noqa: S105 - of a hall that the test makes
PASSWORD = "nine racks of tiles"  # noqa: S105 - likewise


def tilehall(*words: str, typed: str = f"{PASSPHRASE}\n") -> Result:
    return CliRunner().invoke(main, words, input=typed)


def test_it_makes_a_hall_and_says_what_to_do(tmp_path: Path) -> None:
    folder = tmp_path / "hall"
    done = tilehall("init", "club-7", "--folder", str(folder), "--port", "18883", "--desks", "2")
    assert done.exit_code == 0, done.output
    assert f"sudo ln -sf {folder}/mosquitto.conf /etc/mosquitto/conf.d/tilehall.conf" in done.stdout
    files = HallFiles.load(folder)
    assert files.authority.hall == "club-7"
    assert files.names == ("desk-1", "desk-2", "desk-order", "listener", "listener-2")
    assert "listener 18883\n" in (folder / "mosquitto.conf").read_text(encoding="ascii")
    # Only their owner reads the keys; the director's is encrypted besides.
    keys = (folder / "ca.key", files.director, files.identity("listener").key)
    assert [stat.S_IMODE(each.stat().st_mode) for each in keys] == [0o600] * 3
    assert b"ENCRYPTED" in files.director.read_bytes()
    with pytest.raises(ValueError, match=r"(?i)password|decrypt|deserialize"):
        load_pem_private_key(files.director.read_bytes(), b"another one")
    director = load_pem_private_key(files.director.read_bytes(), PASSPHRASE.encode())
    assert isinstance(director, Ed25519PrivateKey)
    assert key_text(director.public_key()) == files.director_public()


def test_mosquitto_takes_its_configuration_beside_debians_own(tmp_path: Path) -> None:
    require("mosquitto")
    folder, port = tmp_path / "hall", free_port()
    tilehall("init", "club", "--folder", str(folder), "--port", str(port))
    (tmp_path / "conf.d").mkdir()
    (tmp_path / "conf.d" / "tilehall.conf").symlink_to(folder / "mosquitto.conf")
    # As Debian's, but for the user: its own may not enter the folders of tests.
    user = pwd.getpwuid(os.geteuid()).pw_name
    (tmp_path / "mosquitto.conf").write_text(
        f"persistence true\npersistence_location {tmp_path}/\nlog_dest file {tmp_path}/log\nuser {user}\ninclude_dir {tmp_path}/conf.d\n",
        encoding="ascii",
    )
    with running(("/usr/sbin/mosquitto",), "-c", str(tmp_path / "mosquitto.conf")):
        until(lambda: socket.socket().connect_ex(("127.0.0.1", port)) == 0, "the broker")
        with connected(Place("localhost", port), HallFiles.load(folder).identity("listener")) as listener:
            assert listener.publish(Topics("club").to_device("c-aaaaaaaaaaaaaaaa", "want")) < 0x80
            assert listener.publish("anything") == 0x87


def test_the_hall_has_its_broker_and_a_revoked_desk_is_out(tmp_path: Path) -> None:
    require("mosquitto")
    folder = tmp_path / "hall"
    tilehall("init", "club", "--folder", str(folder))
    refused(tilehall("revoke", "c-x", "--folder", str(folder)), remedy="Choose one of desk-1, desk-order, listener")
    files = HallFiles.load(folder)
    lost = files.identity("desk-1")
    copies = {each.name: each.read_bytes() for each in lost.key.parent.iterdir()}
    files.admit("desk-1")
    with running_broker(tmp_path / "broker", files) as broker:
        with connected(broker, lost) as desk:
            assert desk.publish(Topics("club").to_device("c-aaaaaaaaaaaaaaaa", "order")) < 0x80
        done = tilehall("revoke", "desk-1", "--folder", str(folder))
        assert (done.exit_code, "sudo systemctl restart mosquitto" in done.stdout) == (0, True), done.output
        broker.reload()
        until(lambda: "Reloading config" in broker.log(), "the reload")
        # The certificate before the last one is revoked too.
        lost.key.parent.mkdir()
        for name, content in copies.items():
            (lost.key.parent / name).write_bytes(content)
        with pytest.raises((OSError, AssertionError)), connected(broker, lost, patience_s=3):
            pass
        with connected(broker, files.identity("listener")) as listener:
            assert listener.publish(Topics("club").to_device("c-aaaaaaaaaaaaaaaa", "want")) < 0x80


def test_a_hall_is_never_overwritten(folder: Path) -> None:
    before = (folder / "ca.key").read_bytes()
    refused(tilehall("init", "club", "--folder", str(folder)), found="files")
    assert (folder / "ca.key").read_bytes() == before


@pytest.mark.parametrize(
    ("name", "typed", "found"),
    [*((name, PASSPHRASE, f'"{name}"') for name in ("", "Club", "a/b", "x" * 33, "salle é")), ("club", "short", "5")],
)
def test_a_name_that_no_topic_can_have_or_a_short_passphrase_makes_no_hall(tmp_path: Path, name: str, typed: str, found: str) -> None:
    refused(tilehall("init", "--folder", str(tmp_path / "hall"), "--", name, typed=f"{typed}\n"), found=found)
    assert not (tmp_path / "hall").exists()
    refused(tilehall("revoke", "desk-1", "--folder", str(tmp_path)), found="no such file or directory")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made") / "hall"
    assert tilehall("init", "club", "--folder", str(folder), "--host", "hall-pc.local").exit_code == 0
    return folder


def account(path: Path, verb: str, *words: str, typed: str = f"{PASSWORD}\n") -> Result:
    return tilehall("account", verb, *words, "--accounts", str(path), typed=typed)


def test_a_directors_account_opens_the_key_that_signs_orders_and_a_deputy_needs_none(folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "accounts.json"
    done = account(path, "add", "ruth", "--role", "director", "--folder", str(folder), typed=f"{PASSPHRASE}\n{PASSWORD}\n")
    assert (done.exit_code, done.stdout) == (0, "ruth is a director now.\n")
    found = some(Accounts(path).find("ruth"))
    assert found.key is not None
    assert password_fits(PASSWORD, found.password)
    assert unwrapped(found.key, PASSWORD, "ruth").public == HallFiles.load(folder).director_public()
    account(path, "add", "jo", "--role", "deputy")
    assert account(path, "list").stdout.split() == ["jo", "deputy", "ruth", "director"]
    assert (account(path, "remove", "jo").exit_code, "jo" in account(path, "list").stdout) == (0, False)
    # No password is an argument.
    assert account(path, "add", "ruth", PASSWORD, "--role", "deputy").exit_code == 2


@pytest.mark.parametrize(
    ("typed", "role", "found"), [(f"wrong\n{PASSWORD}\n", "director", "another one"), ("short\n", "deputy", "5"), ("", "deputy", "0")]
)
def test_a_wrong_passphrase_or_a_weak_password_makes_no_account(folder: Path, tmp_path: Path, typed: str, role: str, found: str) -> None:
    path = tmp_path / "accounts.json"
    refused(account(path, "add", "ruth", "--role", role, "--folder", str(folder), typed=typed), found=found)
    assert not path.exists()


def test_init_issues_the_certificate_of_the_desks_pages_and_https_a_later_one(folder: Path) -> None:
    files = PageFiles.beside(HallFiles.load(folder).identity("desk-1").key.parent)
    assert hosts_of(files.certificate) == ("hall-pc.local", "localhost", "127.0.0.1")
    done = tilehall("https", "--folder", str(folder), "--host", "10.1.2.3")
    assert (done.exit_code, str(folder / "pages" / "ca.pem") in done.stdout) == (0, True)
    for words in (("--desk", "desk-9"), ("--desk", "listener"), ("--host", "bank.example")):
        refused(tilehall("https", "--folder", str(folder), *words), found=re.compile(re.escape(words[1])))
    assert hosts_of(files.certificate) == ("10.1.2.3", "localhost", "127.0.0.1")


@pytest.mark.needs_root
def test_a_desk_that_runs_as_another_user_reads_accounts_that_root_makes(tmp_path: Path) -> None:
    os.chown(tmp_path, 12_345, 12_345)
    path = tmp_path / "accounts.json"
    account(path, "add", "jo", "--role", "deputy")
    assert (path.stat().st_uid, path.stat().st_mode & 0o777) == (12_345, 0o600)


PLAYERS = "division,number,name\nA,1,Ann\nA,2,Bo\nA,3,<b>Cy</b>\nA,4,Di\n"
PAIRINGS = "division,round,player1,player2,score1,score2,table\nA,1,1,2,400,390,7\nA,1,3,4,1,2,8\nA,2,4,1,,,8\nA,2,3,2,,,7\n"


def run(*words: object) -> Result:
    done = CliRunner().invoke(main, ["event", *map(str, words)])
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    made = {"players.csv": PLAYERS, "pairings.csv": PAIRINGS, "floor.csv": "table,x,y\n7,0,10\n8,20,5\n"}
    for name, text in made.items():
        (tmp_path / name).write_text(text)
    return [tmp_path / name for name in made]


def test_an_import_is_shown_again_and_seats_the_round_that_is_not_finished(files: list[Path], tmp_path: Path) -> None:
    options = ("--store", tmp_path / "hall.db", "--hall", "club")
    done = run("import", *files, *options)
    assert done.exit_code == 0, done.output
    assert done.stdout.endswith("Round 2 is the current round.\n")
    assert "round 2  A  table 8  Di - Ann" in run("show", *options).stdout
    assert "round 1  A  table 7  Ann - Bo" in run("show", "--round", 1, *options).stdout
    stored = read_stored(tmp_path / "hall.db", "club")
    seats = seats_of(stored.event, stored.round)
    assert (seats[8].names.left, seats[8].names.right, seats[8].division) == ("Di", "Ann", "A")
    assert seats[8].place is not None
    assert (seats[8].place.x, seats[8].place.y) == (1, 0)
    assert run("round", 1, *options).stdout == "Round 1 is the current round; before it was round 2.\n"
    assert read_stored(tmp_path / "hall.db", "club").round == 1
    # Another hall of the same store has an event of its own.
    assert read_stored(tmp_path / "hall.db", "other").event.players == ()
    rated = tmp_path / "rated.csv"
    rated.write_text("name,rating\nAnn,1500P\nBo,\nCy,1437+21\nDi,\n")
    run("import", rated, files[1], *options, "--new")
    assert "A  table 7  Ann (1500P) - Bo\n" in run("show", "--round", 1, *options).stdout


def test_a_file_with_problems_changes_nothing_and_each_problem_has_its_line(files: list[Path], tmp_path: Path) -> None:
    options = ("--store", tmp_path / "hall.db", "--hall", "club")
    run("import", *files, *options)
    before = read_stored(tmp_path / "hall.db", "club")
    bad = tmp_path / "next.csv"
    bad.write_text("division,round,player1,player2\nA,3,1,2\nA,3,1,Eve\nA,x,3,4\n")
    for verb in (("import", bad, *options), ("check", files[0], bad)):
        done = run(*verb)
        assert done.exit_code == 1
        assert f'{bad}, line 3: expected a player of division A, by name or number, found "Eve".' in done.stdout
        assert f'{bad}, line 4: expected a number from 1 to 200 as round, found "x".' in done.stdout
        assert done.stdout.endswith("2 problems; nothing was imported. Correct this, then give all the files again.\n")
    bad.write_text("division,round,player1,player2\nA,2,1,2\nA,7,1,3\n")
    assert "; 2 pairings in 2 rounds; " in run("check", files[0], bad).stdout
    assert read_stored(tmp_path / "hall.db", "club") == before


def test_an_import_shows_what_would_go_and_needs_to_be_told_to_let_it_go(files: list[Path], tmp_path: Path) -> None:
    options = ("--store", tmp_path / "hall.db", "--hall", "club")
    run("import", *files, *options)
    before = read_stored(tmp_path / "hall.db", "club")
    late = tmp_path / "late.csv"
    late.write_text("division,round,player1,player2,score1,score2\nA,1,1,2,410,390\nA,2,4,2,,\n")
    goes = [
        "Division A, round 1: these scores go: Ann - Bo 400:390 (now 410:390).",
        "Division A, round 2: these pairings go: <b>Cy</b> - Bo, Di - Ann.",
    ]
    done = run("import", late, *options)
    assert (done.exit_code, done.stdout.splitlines()[:2]) == (1, goes)
    assert done.stdout.endswith("Nothing was imported: these files would remove or change the above. With --replace they do.\n")
    assert read_stored(tmp_path / "hall.db", "club") == before
    done = run("import", "--replace", late, *options)
    assert (done.exit_code, done.stdout.splitlines()[:2]) == (0, goes)
    after = read_stored(tmp_path / "hall.db", "club")
    assert [(each.round, each.first, each.second, each.scores) for each in after.event.pairings] == [
        (1, 1, 2, (410, 390)),
        (1, 3, 4, (1, 2)),
        (2, 4, 2, (None, None)),
    ]
    # What loses nothing is not asked for, and the event begins anew without a question.
    assert (run("import", late, *options).exit_code, run("import", "--new", files[0], *options).exit_code) == (0, 0)
    assert read_stored(tmp_path / "hall.db", "club").event.pairings == ()


def test_an_event_is_kept_in_postgresql_too(files: list[Path], database: str) -> None:
    for _ in range(2):
        assert run("import", *files, "--store", database, "--hall", "club").exit_code == 0
    stored = read_stored(database, "club")
    assert (len(stored.event.players), stored.round, stored.changes) == (4, 2, 2)


@pytest.mark.parametrize("words", [("demo", "--headless"), ("simulate", "--tables", "2")])
def test_without_a_checkout_they_say_that_they_need_one(words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [each for each in sys.modules if each == "tools" or each.startswith("tools.")]:
        monkeypatch.delitem(sys.modules, name)
    # None blocks the import (The Python Language Reference, 5.3.1): the package has no tools.
    monkeypatch.setitem(sys.modules, "tools", None)
    with recorded():
        done = CliRunner().invoke(main, words)
    refused(done, expected="a checkout of Tileclock", found="an installed package")
