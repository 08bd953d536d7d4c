import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest

from hall.cli.main import main
from tests.appliance.display.xserver import PATIENCE_S, click_cross, is_drawn, window_at, x_server
from tests.hall.desk.web.serving import log_in, request_in
from tests.in_process import ran
from tests.installed import require
from tests.processes import running, until
from tools.hall_demo.programs import exit_on_signals
from tools.windows import trio

TILEHALL = (sys.executable, "-m", "hall.cli")
SCREEN = (1920, 1080)
PLACES = tuple((box.x, box.y) for box in trio(SCREEN))


@pytest.fixture
def display(tmp_path: Path) -> Iterator[str]:
    require("mosquitto")
    with x_server(tmp_path, "{}x{}".format(*SCREEN)) as name:
        yield name


@pytest.fixture
def temporary() -> Iterator[Path]:
    """Yield the folder for temporary files; its path is short, as a local socket's has to be, and pytest's folders are not."""
    with tempfile.TemporaryDirectory(prefix="h-") as folder:
        yield Path(folder)


class Hall:
    def __init__(self, temporary: Path) -> None:
        self._temporary = temporary

    def answers(self, clock: int) -> list[str]:
        with closing(sqlite3.connect(self._file(f"clock-{clock}/journal.db"))) as journal:
            return [json.loads(body)["answer"] for (body,) in journal.execute("SELECT body FROM rows WHERE kind = 'proposal' ORDER BY seq")]

    def log(self, name: str) -> str:
        path = self._file(name)
        return path.read_text(encoding="utf-8") if path.exists() else ""

    def reached(self, name: str) -> int:
        return self.log(name).count("the hall is in reach")

    def _file(self, name: str) -> Path:
        return next(iter(self._temporary.glob("tilehall-demo-*/hall")), self._temporary) / name


@pytest.mark.waits(18)
def test_in_windows_a_director_sends_a_notice_the_broker_may_die_and_closed_windows_end_it(display: str, temporary: Path) -> None:
    hall = Hall(temporary)
    with running(TILEHALL, "demo", DISPLAY=display, TMPDIR=str(temporary)) as demo:
        _send_notice(*_login(demo))
        for clock in (1, 2):
            until(lambda clock=clock: hall.answers(clock) == ["accepted"], f"the answer of clock {clock}")  # type: ignore[misc] # its default
        until(lambda: all(hall.reached(name) == 1 for name in ("clock-1/clock.log", "clock-2/clock.log", "station-1/station.log")))
        until(lambda: is_drawn(display))
        broker = _broker(demo)
        # A stopped demo starts no broker: one that is back within a second is no loss that a busy clock has to notice.
        demo.send_signal(signal.SIGSTOP)
        os.kill(broker, signal.SIGKILL)
        until(lambda: "the hall is out of reach" in hall.log("clock-2/clock.log"))
        demo.send_signal(signal.SIGCONT)
        until(lambda: hall.reached("clock-2/clock.log") == 2)
        until(lambda: all(_closed(display, place) for place in PLACES), "the end of the windows")
        demo.wait(PATIENCE_S)
    assert demo.returncode == 0
    assert list(temporary.iterdir()) == []


def _broker(demo: subprocess.Popen[str]) -> int:
    assert demo.stdout is not None
    for line in demo.stdout:
        if (found := re.match(r"The broker is process ([0-9]+):", line)) is not None:
            return int(found[1])
    raise AssertionError("the demo has ended")


def _closed(display: str, place: tuple[int, int]) -> bool:
    window, root = window_at(display, place[0] + 400, place[1] + 240), window_at(display, 5, 5)
    if window != root:
        click_cross(display, window)
    return window == root


def _send_notice(address: str, password: str) -> None:
    with httpx.Client(timeout=PATIENCE_S, base_url=address) as browser:
        until(lambda: _answers(browser), "the desk")
        assert log_in(browser, "director", password).status_code == 303

        def sent() -> bool:
            page = browser.get("/notices").text
            if page.count('name="clock"') < 2 or "data-unheard" in page or 'role="alert"' in page:
                return False
            form = {"request": request_in(page), "do": "notice", "text": "Lunch", "seconds": "60", "to": "all"}
            return browser.post("/notices", data=form).status_code == 303

        until(sent, "two clocks that the desk hears")


def _answers(browser: httpx.Client) -> bool:
    try:
        return browser.get("/login").is_success
    except httpx.ConnectError:
        return False


def _login(demo: subprocess.Popen[str]) -> tuple[str, str]:
    assert demo.stdout is not None
    for line in demo.stdout:
        if (found := re.match(r"To send orders, log in at (\S+)/login as director, with the password (\w+)\.", line)) is not None:
            return found[1], found[2]
    raise AssertionError("the demo has ended")


@pytest.mark.waits(55)
def test_without_a_screen_a_scripted_round_goes_to_its_result_and_leaves_pictures_and_a_transcript(temporary: Path, tmp_path: Path) -> None:
    require("mosquitto")
    output = tmp_path / "out"
    # A folder is that of where the demo was called.
    shown = os.path.relpath(output)
    with running(TILEHALL, "demo", "--output", shown, TMPDIR=str(temporary)) as demo:
        said, errors = demo.communicate(timeout=280)
    assert demo.returncode == 0, errors
    assert said.startswith("There is no screen here (neither DISPLAY nor WAYLAND_DISPLAY is set)")
    lines = (output / "transcript.txt").read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if "ACCEPTABLE" in line and "has accepted it" in line]
    assert [line for line in lines if "without the broker" in line and line.endswith("hall not reached")]
    assert lines[-1].endswith("all of them")
    # The director has ordered the names; they stand beside what is signed, and on the receipt.
    for step, shows in (
        ("both read it and sign", "Ann / Bo"),
        ("the result is signed", "412 (+24), Ann / 388 (-24), Bo"),
        ("the receipt", "· receipt"),
    ):
        assert shows in next(line for line in lines if f"Table 1: {step}" in line)
    assert (output / "receipt.txt").read_text(encoding="ascii").splitlines()[2:4] == ["Ann 412", "Bo 388"]
    assert [line for line in lines if "what a phone reads. The hall says: Genuine" in line and "signed by c-" in line]
    assert [line.rpartition("; p12")[0] for line in (output / "a.t").read_text(encoding="ascii").splitlines()[:2]] == [
        "Ann                        0 2; 412",
        "Bo                         0 1; 388",
    ]
    assert len(list(output.glob("desk-*.png"))) == (0 if "no pictures of the desk's pages" in "".join(lines) else 3)
    assert len(list(output.glob("[0-9]*.png"))) == 14
    assert list(temporary.iterdir()) == []


def test_a_folder_that_cannot_be_written_to_is_refused_and_the_command_says_how_many_tables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "out").write_text("", encoding="ascii")
    done = ran(main, "demo", "--headless", "--output", str(tmp_path / "out"))
    assert done.returncode == 2
    assert "expected a folder that can be written to" in done.stderr
    monkeypatch.setattr("tools.hall_demo.simulated.play", lambda tables, say: say(f"{tables} tables"))
    assert ran(main, "demo", "--tables", "3").stdout == "3 tables\n"


TABLES = 2
QUICK = f"from functools import partial; from tools.hall_demo.simulated import play; play({TABLES}, partial(print, flush=True), turn_s=0.6, turns=8)"
"""A game lasts about ten seconds."""


@pytest.mark.waits(30)
def test_a_simulated_round_goes_from_the_import_to_the_results() -> None:
    require("mosquitto")
    with running((sys.executable, "-c", QUICK), TMPDIR="/tmp") as process:  # noqa: S108 - a short path for sockets
        assert process.stdout is not None
        said = "".join(process.stdout.readline() for _ in range(4))
        (address,), (password,) = re.findall(r"http://\S+(?=/login)", said), re.findall(r"password (\w+)\.", said)
        files = [Path(each) for each in re.findall(r"\S+\.csv", said)]
        with httpx.Client(base_url=address, timeout=60) as client:
            assert log_in(client, "director", password).status_code == 303
            answer = client.post("/event", files=[("files", (each.name, each.read_bytes())) for each in files])
            assert answer.status_code == 303
            until(lambda: 'value="Ann Abel"' in client.get("/assign").text, "the names")
            assert phases(client) == {"ready"}
            until(lambda: "data-unheard" not in client.get("/notices").text, "clocks that the desk hears")
            offer(client, "club")
            send_names(client)
            until(lambda: 'action="/calls"' in client.get("/calls").text, "a call")
            go(client)
            until(lambda: 'data-need="call"' not in client.get("/calls").text, "the director at the table")
            until(lambda: phases(client) == {"over"}, "the end of the games")
            until(lambda: all(game["over"] for game in games(client, 1)), "the results")
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 0
    assert not files[0].parent.exists()


def phases(client: httpx.Client) -> set[str]:
    found = client.get("/api/tables").json()["tables"]
    return {each["phase"] for each in found} if len(found) == TABLES else set()


def post(client: httpx.Client, page: str, address: str, **fields: str | list[str]) -> str:
    found = client.get(page).text
    answer = client.post(address, data={"request": request_in(found), **fields})
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"])


def until_accepted(client: httpx.Client, matrix: str) -> None:
    def done() -> bool:
        found = re.findall(r'class="cell (.+)', client.get(f"{matrix}/part").text)
        assert not any(each.startswith("refused") for each in found), found
        return [each.startswith("accepted") for each in found] == [True] * TABLES

    until(done, "that all have accepted it")


def offer(client: httpx.Client, rulebook: str) -> None:
    clocks = re.findall(r'name="clock" value="([^"]+)"', client.get("/assign").text)
    until_accepted(client, post(client, "/assign", "/setup", clock=clocks, rulebook=rulebook))


def send_names(client: httpx.Client) -> None:
    until_accepted(client, post(client, "/assign", "/assign", all="1"))


def go(client: httpx.Client) -> None:
    call = dict(re.findall(r'name="(device|boot|since)" value="([^"]+)"', client.get("/calls").text))
    client.post("/calls", data={**call})
    assert "is on the way" in client.get("/calls").text


def games(client: httpx.Client, number: int) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = client.get(f"/export/round-{number}.json").json()["games"]
    assert len(found) == TABLES
    return found


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_the_first_signal_ends_the_program_in_order_and_further_ones_change_nothing(sent: signal.Signals) -> None:
    before = signal.getsignal(sent)
    with exit_on_signals():
        with pytest.raises(SystemExit) as ended:
            os.kill(os.getpid(), sent)
        assert ended.value.code == 0
        os.kill(os.getpid(), signal.SIGINT)
        os.kill(os.getpid(), signal.SIGTERM)
    assert signal.getsignal(sent) is before
