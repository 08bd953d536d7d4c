"""``tilehall listen`` with a real broker: what devices publish is held and shown, and no restart of anything loses a row."""

import http.client
import shlex
import signal
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from hall.cli.main import main
from hall.keys.files import LISTENER
from hall.status import HallPicture
from hall.store.store import open_store, reading_store
from tests.hall.conftest import TrialHall
from tests.hall.listener.listening import TILEHALL, Listening, Publisher, listen, listening, publishing
from tests.hall.reporting import Device
from tests.in_process import ran
from tests.processes import PATIENCE_S, running, until
from tools.trial_broker import Broker


def _seqs(path: Path, device: Device) -> list[int]:
    with reading_store(path) as store:
        return [row.seq for row in store.rows(device.id, device.epoch)]


@pytest.fixture
def listener(broker: Broker, trial_hall: TrialHall, tmp_path: Path) -> Iterator[Listening]:
    with listening(broker, trial_hall, tmp_path / "hall.db") as found:
        found.until(lambda picture: picture.broker_up)
        yield found


@pytest.fixture
def clock(broker: Broker, trial_hall: TrialHall) -> Iterator[Publisher]:
    with publishing(broker, trial_hall, Device(rows=9)) as found:
        yield found


def _has_rows(count: int) -> Callable[[HallPicture], bool]:
    return lambda picture: bool(picture.devices) and picture.devices[0]["rows"] == count


def _get(listener: Listening, path: str) -> tuple[int, str]:
    connection = http.client.HTTPConnection("127.0.0.1", listener.port)
    connection.request("GET", path)
    answer = connection.getresponse()
    return answer.status, answer.read().decode()


def test_rows_beats_and_state_come_from_the_broker_to_the_picture_the_metrics_and_a_terminal(
    listener: Listening, clock: Publisher, tmp_path: Path
) -> None:
    device = clock.device
    clock.publish("up", device.up(table=12, name="Clock 7"), retain=True)
    clock.publish("state", device.state(table=12, running=None, phase="neutral"), retain=True)
    clock.publish("rows", device.batch(1, 9))
    clock.publish("beat", device.beat(sent=5))
    until(lambda: len(clock.asked("time")) == 1, "the answer to the beat")
    listener.until(_has_rows(9))
    shown = listener.device(device)
    assert (shown["table"], shown["name"], shown["stale_s"], shown["clock"]["left"]) == (12, "Clock 7", None, "25:00")
    text = _get(listener, "/metrics")[1]
    assert f'tilehall_rows_held{{device="{device.id}",kind="clock",table="12"}} 9.0' in text
    assert "tilehall_broker_up 1.0" in text
    assert _get(listener, "/else")[0] == 404
    with running(("script", "-qefc", shlex.join((*TILEHALL, "watch", "--http", str(listener.port))), "/dev/null"), TERM="xterm") as watch:
        assert watch.stdout is not None
        found = ""
        while "Hall trial: 1 device" not in found:
            character = watch.stdout.read(1)
            assert character, found
            found += character
    listener.process.send_signal(signal.SIGTERM)
    assert listener.process.wait(PATIENCE_S) == 0
    assert _seqs(tmp_path / "hall.db", device) == list(range(1, 10))


def test_a_broker_that_is_killed_is_said_and_found_again_also_at_the_start(broker: Broker, trial_hall: TrialHall, tmp_path: Path) -> None:
    device = Device(rows=2)
    broker.kill()
    with listening(broker, trial_hall, tmp_path / "hall.db") as listener:
        assert not listener.picture().broker_up
        broker.restart()
        listener.until(lambda picture: picture.broker_up)
        broker.kill()
        found = listener.until(lambda picture: not picture.broker_up)
        assert any("connect" in trouble.lower() for trouble in found.troubles), found.troubles
        broker.restart()
        listener.until(lambda picture: picture.broker_up)
        with publishing(broker, trial_hall, device) as clock:
            clock.publish("rows", device.batch(1, 2))
            listener.until(_has_rows(2))


def _refused(*arguments: str) -> str:
    done = ran(main, *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    return done.stderr


def test_a_folder_with_another_certificate_or_none_is_refused(trial_hall: TrialHall, tmp_path: Path) -> None:
    folder = trial_hall.files.identity(trial_hall.clock).key.parent
    assert f"expected the listener's certificate, found that of {trial_hall.clock}" in _refused("listen", "--folder", str(folder))
    assert "expected a certificate of a hall, found no such file" in _refused("listen", "--folder", str(tmp_path))


def test_a_second_listener_on_one_file_or_port_is_refused(
    broker: Broker, trial_hall: TrialHall, listener: Listening, tmp_path: Path
) -> None:
    identity = trial_hall.files.identity(LISTENER)
    assert f"in use by process {listener.process.pid}" in _refused(*listen(broker, identity, tmp_path / "hall.db"))
    # As a process of its own: this one would serve on the port in a thread.
    words = listen(broker, identity, tmp_path / "other.db", listener.port)
    done = subprocess.run([*TILEHALL, *words], capture_output=True, text=True, timeout=PATIENCE_S, check=False)
    assert (done.returncode, "expected a free port, found address already in use" in done.stderr) == (2, True), done.stderr


@pytest.mark.parametrize("content", [b"a word list\n", b"SQLite format 3\0" + b"\1" * 200], ids=["text", "another database"])
def test_another_program_s_file_is_refused_and_left_alone(broker: Broker, trial_hall: TrialHall, tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "hall.db"
    path.write_bytes(content)
    assert "expected a hall's rows" in _refused(*listen(broker, trial_hall.files.identity(LISTENER), path))
    assert path.read_bytes() == content


def test_status_says_what_is_wrong_and_its_exit_code_too(listener: Listening, clock: Publisher) -> None:
    def status() -> tuple[int, str]:
        done = ran(main, "status", "--http", str(listener.port))
        return done.returncode, done.stdout + done.stderr

    clock.publish("rows", clock.device.batch(1, 9))
    clock.publish("beat", clock.device.beat())
    listener.until(lambda picture: bool(picture.devices) and picture.devices[0]["beat_age_s"] is not None)
    code, said = status()
    # On a machine that is busy enough the beat may be old by now.
    assert (code, said) == (0, "Hall trial: 1 device, 0 calls, 0 stale.\n") or "stale since" in said
    clock.publish("beat", clock.device.beat(head="ab" * 32))
    listener.until(lambda picture: bool(picture.troubles))
    code, said = status()
    assert (code, "row 9 is not the one held" in said) == (1, True)
    listener.process.kill()
    listener.process.wait()
    code, said = status()
    assert (code, "expected a listener, found connection refused" in said) == (2, True)


def test_a_new_store_can_only_be_read_by_its_owner_and_group(tmp_path: Path) -> None:
    store, _ = open_store(tmp_path / "hall.db", "club")
    store.close()
    assert (tmp_path / "hall.db").stat().st_mode & 0o777 == 0o640
