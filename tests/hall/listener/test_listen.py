"""``tilehall listen`` with a real broker: what devices publish is held and shown, and no restart of anything loses a row."""

import http.client
import shlex
import signal
import subprocess
from pathlib import Path

import pytest

from hall.cli.main import main
from hall.store.reading import reading_store
from hall.store.store import open_store
from tests.hall.conftest import TrialHall
from tests.hall.listener.listening import TILEHALL, listening, publishing, words
from tests.hall.reporting import Device
from tests.in_process import ran
from tests.processes import PATIENCE_S, running, until
from tools.trial_broker import Broker


def _seqs(path: Path, device: Device) -> list[int]:
    with reading_store(path) as store:
        return [row.seq for row in store.rows(device.id, device.epoch)]


def test_rows_beats_and_state_come_from_the_broker_to_the_picture(broker: Broker, trial_hall: TrialHall, tmp_path: Path) -> None:
    device = Device()
    device.write(3)
    with listening(broker, trial_hall, tmp_path / "hall.db") as listener, publishing(broker, trial_hall, device) as clock:
        listener.until(lambda picture: picture.broker_up)
        clock.publish("up", device.up(table=12, name="Clock 7"), retain=True)
        clock.publish("state", device.state(table=12, running=None, phase="neutral"), retain=True)
        clock.publish("rows", device.batch(1, 3))
        clock.publish("beat", device.beat(sent=5))
        until(lambda: len(clock.asked("time")) == 1, "the answer to the beat")
        listener.until(lambda picture: bool(picture.devices) and picture.devices[0]["rows"] == 3)
        shown = listener.device(device)
        assert (shown["table"], shown["name"], shown["stale_s"], shown["clock"]["left"]) == (12, "Clock 7", None, "25:00")
        listener.process.send_signal(signal.SIGTERM)
        assert listener.process.wait(PATIENCE_S) == 0
    assert _seqs(tmp_path / "hall.db", device) == [1, 2, 3]


def test_a_listener_that_is_killed_asks_for_what_it_missed(broker: Broker, trial_hall: TrialHall, tmp_path: Path) -> None:
    device, store = Device(), tmp_path / "hall.db"
    device.write(9)
    with publishing(broker, trial_hall, device) as clock:
        with listening(broker, trial_hall, store) as first:
            first.until(lambda picture: picture.broker_up)
            clock.publish("rows", device.batch(1, 4))
            first.until(lambda picture: bool(picture.devices) and picture.devices[0]["rows"] == 4)
            first.process.kill()
        clock.publish("rows", device.batch(5, 6))
        with listening(broker, trial_hall, store) as second:
            second.until(lambda picture: picture.broker_up)
            clock.publish("beat", device.beat())
            until(lambda: bool(clock.asked("want")), "a want")
            assert clock.asked("want")[0] == {"v": 1, "epoch": device.epoch, "after": 4}
            clock.publish("rows", device.batch(5, 9))
            second.until(lambda picture: picture.devices[0]["rows"] == 9)
    assert _seqs(store, device) == list(range(1, 10))


def test_a_broker_that_is_killed_is_said_and_found_again(broker: Broker, trial_hall: TrialHall, tmp_path: Path) -> None:
    device = Device()
    device.write(2)
    with listening(broker, trial_hall, tmp_path / "hall.db") as listener:
        listener.until(lambda picture: picture.broker_up)
        broker.kill()
        found = listener.until(lambda picture: not picture.broker_up)
        assert any("connect" in trouble.lower() for trouble in found.troubles), found.troubles
        broker.restart()
        listener.until(lambda picture: picture.broker_up)
        with publishing(broker, trial_hall, device) as clock:
            clock.publish("rows", device.batch(1, 2))
            listener.until(lambda picture: bool(picture.devices) and picture.devices[0]["rows"] == 2)


def test_metrics_are_served_on_the_loopback(broker: Broker, trial_hall: TrialHall, tmp_path: Path) -> None:
    device = Device()
    device.write(2)
    with listening(broker, trial_hall, tmp_path / "hall.db") as listener, publishing(broker, trial_hall, device) as clock:
        listener.until(lambda picture: picture.broker_up)
        clock.publish("rows", device.batch(1, 2))
        clock.publish("beat", device.beat())
        listener.until(lambda picture: bool(picture.devices) and picture.devices[0]["beat_age_s"] is not None)
        connection = http.client.HTTPConnection("127.0.0.1", listener.port)
        connection.request("GET", "/metrics")
        text = connection.getresponse().read().decode()
        connection.request("GET", "/else")
        assert connection.getresponse().status == 404
    assert f'tilehall_rows_held{{device="{device.id}",kind="clock",table=""}} 2.0' in text
    assert "tilehall_broker_up 1.0" in text


def _refused(*arguments: str) -> str:
    done = subprocess.run([*TILEHALL, *arguments], capture_output=True, text=True, timeout=PATIENCE_S, check=False)
    assert "Traceback" not in done.stderr
    return _said_of_refusal(done)


def _said_of_refusal(done: subprocess.CompletedProcess[str]) -> str:
    assert (done.returncode, done.stdout) == (2, "")
    return done.stderr


def test_a_folder_without_a_certificate_is_refused(tmp_path: Path) -> None:
    assert "expected a certificate of a hall, found no such file" in _said_of_refusal(ran(main, "listen", "--folder", str(tmp_path)))


def test_a_device_s_certificate_is_refused(trial_hall: TrialHall) -> None:
    folder = trial_hall.files.identity(trial_hall.clock).key.parent
    assert f"expected the listener's certificate, found that of {trial_hall.clock}" in _said_of_refusal(
        ran(main, "listen", "--folder", str(folder))
    )


def test_a_second_listener_on_one_file_is_refused(broker: Broker, trial_hall: TrialHall, tmp_path: Path) -> None:
    with listening(broker, trial_hall, tmp_path / "hall.db") as listener:
        said = _refused(*words(broker, trial_hall, tmp_path / "hall.db"))
        assert f"in use by process {listener.process.pid}" in said


def test_a_port_in_use_is_refused(broker: Broker, trial_hall: TrialHall, tmp_path: Path) -> None:
    with listening(broker, trial_hall, tmp_path / "hall.db") as listener:
        said = _refused(*words(broker, trial_hall, tmp_path / "other.db", listener.port))
        assert "expected a free port, found address already in use" in said


@pytest.mark.parametrize("content", [b"a word list\n", b"SQLite format 3\0" + b"\1" * 200], ids=["text", "another database"])
def test_another_program_s_file_is_refused_and_left_alone(broker: Broker, trial_hall: TrialHall, tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "hall.db"
    path.write_bytes(content)
    assert "expected a hall's rows" in _said_of_refusal(ran(main, *words(broker, trial_hall, path)))
    assert path.read_bytes() == content


def test_a_broker_that_is_away_at_the_start_is_waited_for(broker: Broker, trial_hall: TrialHall, tmp_path: Path) -> None:
    broker.kill()
    with listening(broker, trial_hall, tmp_path / "hall.db") as listener:
        assert not listener.picture().broker_up
        broker.restart()
        listener.until(lambda picture: picture.broker_up)


def test_status_says_what_is_wrong_and_its_exit_code_too(broker: Broker, trial_hall: TrialHall, tmp_path: Path) -> None:
    device = Device()
    device.write(2)

    def status(port: int) -> tuple[int, str]:
        done = ran(main, "status", "--http", str(port))
        return done.returncode, done.stdout + done.stderr

    with listening(broker, trial_hall, tmp_path / "hall.db") as listener, publishing(broker, trial_hall, device) as clock:
        listener.until(lambda picture: picture.broker_up)
        clock.publish("rows", device.batch(1, 2))
        clock.publish("beat", device.beat())
        listener.until(lambda picture: bool(picture.devices) and picture.devices[0]["beat_age_s"] is not None)
        code, said = status(listener.port)
        # On a machine that is busy enough the beat may be old by now.
        assert (code, said) == (0, "Hall trial: 1 device, 0 calls, 0 stale.\n") or "stale since" in said
        clock.publish("beat", device.beat(head="ab" * 32))
        listener.until(lambda picture: bool(picture.troubles))
        code, said = status(listener.port)
        assert code == 1
        assert "row 2 is not the one held" in said
    code, said = status(listener.port)
    assert code == 2
    assert "expected a listener, found connection refused" in said


def test_watch_shows_the_hall_in_a_terminal(broker: Broker, trial_hall: TrialHall, tmp_path: Path) -> None:
    with (
        listening(broker, trial_hall, tmp_path / "hall.db") as listener,
        running(("script", "-qefc", shlex.join((*TILEHALL, "watch", "--http", str(listener.port))), "/dev/null"), TERM="xterm") as watch,
    ):
        assert watch.stdout is not None
        found = ""
        while "Hall trial: 0 devices" not in found:
            character = watch.stdout.read(1)
            assert character, found
            found += character


def test_a_new_store_can_only_be_read_by_its_owner_and_group(tmp_path: Path) -> None:
    store, _ = open_store(tmp_path / "hall.db", "club")
    store.close()
    assert (tmp_path / "hall.db").stat().st_mode & 0o777 == 0o640
