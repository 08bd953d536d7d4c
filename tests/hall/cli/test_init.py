"""``tilehall init`` and ``revoke``: keys, a configuration that mosquitto takes, and what is refused."""

from __future__ import annotations

import os
import pwd
import socket
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import load_pem_private_key

from hall.broker import plan_of
from hall.cli.main import main
from hall.keys.authority import public_text
from hall.keys.files import HallFiles
from tests.errors import refused
from tests.hall.client import Place, connected
from tests.installed import require
from tests.processes import running, until
from tools.trial_broker import running_broker
from wire.topics import Topics

PASSPHRASE = "correct horse"  # noqa: S105 - of a hall that the test makes


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
    with pytest.raises(ValueError, match=r"(?i)password|decrypt"):
        load_pem_private_key(files.director.read_bytes(), b"another one")
    director = load_pem_private_key(files.director.read_bytes(), PASSPHRASE.encode())
    assert isinstance(director, Ed25519PrivateKey)
    assert public_text(director) == files.director_public()


def test_mosquitto_takes_its_configuration_beside_debians_own(tmp_path: Path) -> None:
    require("mosquitto")
    folder = tmp_path / "hall"
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    tilehall("init", "club", "--folder", str(folder), "--port", str(port))
    (tmp_path / "conf.d").mkdir()
    (tmp_path / "conf.d" / "tilehall.conf").symlink_to(folder / "mosquitto.conf")
    # As Debian's, but for the user: its own may not enter the folders of tests.
    user = pwd.getpwuid(os.geteuid()).pw_name
    (tmp_path / "mosquitto.conf").write_text(
        f"persistence true\npersistence_location {tmp_path}/\nlog_dest file {tmp_path}/log\nuser {user}\ninclude_dir {tmp_path}/conf.d\n",
        encoding="ascii",
    )
    files = HallFiles.load(folder)
    with running(("/usr/sbin/mosquitto",), "-c", str(tmp_path / "mosquitto.conf")):
        until(lambda: socket.socket().connect_ex(("127.0.0.1", port)) == 0, "the broker")
        with connected(Place("localhost", port), files.identity("listener")) as listener:
            assert listener.publish(Topics("club").root) < 0x80
            assert listener.publish("anything") == 0x87


def test_the_hall_has_its_broker_and_a_revoked_desk_is_out(tmp_path: Path) -> None:
    require("mosquitto")
    folder = tmp_path / "hall"
    tilehall("init", "club", "--folder", str(folder))
    files = HallFiles.load(folder)
    lost = files.identity("desk-1")
    copies = {each.name: each.read_bytes() for each in lost.key.parent.iterdir()}
    files.admit("desk-1")
    with running_broker(tmp_path / "broker", plan_of(files)) as broker:
        with connected(broker, lost) as desk:
            assert desk.publish(Topics("club").to_device("c-aaaaaaaaaaaaaaaa", "order")) < 0x80
        done = tilehall("revoke", "desk-1", "--folder", str(folder))
        assert done.exit_code == 0, done.output
        assert "sudo systemctl restart mosquitto" in done.stdout
        broker.reload()
        until(lambda: "Reloading config" in broker.log(), "the reload")
        # The certificate before the last one is revoked too.
        lost.key.parent.mkdir()
        for name, content in copies.items():
            (lost.key.parent / name).write_bytes(content)
        with pytest.raises((OSError, AssertionError)), connected(broker, lost, patience_s=3):
            pass
        with connected(broker, files.identity("listener")) as listener:
            assert listener.publish(Topics("club").root) < 0x80


def test_a_hall_is_never_overwritten(tmp_path: Path) -> None:
    tilehall("init", "club", "--folder", str(tmp_path / "hall"))
    before = (tmp_path / "hall" / "ca.key").read_bytes()
    refused(tilehall("init", "club", "--folder", str(tmp_path / "hall")), found="files")
    assert (tmp_path / "hall" / "ca.key").read_bytes() == before


@pytest.mark.parametrize("name", ["", "Club", "a/b", "x" * 33, "salle é"])
def test_a_name_that_no_topic_can_have_is_refused(tmp_path: Path, name: str) -> None:
    refused(tilehall("init", "--folder", str(tmp_path / "hall"), "--", name), found=f'"{name}"')
    assert not (tmp_path / "hall").exists()


def test_a_short_passphrase_is_refused_before_anything_is_made(tmp_path: Path) -> None:
    refused(tilehall("init", "club", "--folder", str(tmp_path / "hall"), typed="short\n"), found="5")
    assert not (tmp_path / "hall").exists()


def test_revoke_names_the_names_there_are(tmp_path: Path) -> None:
    refused(tilehall("revoke", "desk-1", "--folder", str(tmp_path)), found="no such file or directory")
    tilehall("init", "club", "--folder", str(tmp_path / "hall"))
    refused(tilehall("revoke", "c-x", "--folder", str(tmp_path / "hall")), remedy="Choose one of desk-1, desk-order, listener")


def test_the_program_explains_itself() -> None:
    done = subprocess.run([sys.executable, "-m", "hall.cli", "--help"], check=True, capture_output=True, text=True)
    assert all(verb in done.stdout for verb in ("init", "link", "revoke"))
