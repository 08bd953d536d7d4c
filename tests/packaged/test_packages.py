"""The Debian packages in real roots of bookworm and trixie: installed, used, upgraded, removed and purged; trixie's younger systemd reads them; and the wheel."""

import json
import os
import pty
import re
import signal
import subprocess
import threading
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from decimal import Decimal
from fnmatch import fnmatch
from pathlib import Path, PurePosixPath
from typing import Final, get_args

import pytest

from tests.firmware.shell.processes import said_in
from tests.firmware.shell.rig import rows_in
from tests.firmware.test_replay import _agrees
from tests.machine.cache import scratch
from tests.machine.debian import root_tar, unpack
from tests.machine.figures import Figures
from tests.machine.python import PACKAGES, ROOT, project_wheel
from tests.packaged.container import CONSOLE, UNITS, Machine, lay_units
from tests.packaged.packages import HIGHER, Debian, Suite, copy_of, debian, higher, of_commit, packages
from tests.processes import until

VECTORS: Final = Path(__file__).resolve().parents[1] / "firmware/vectors"
PRACTICE: Final = "usr/lib/tileclock/lib/python3*/site-packages/lexicon/practice/practice.dawg"
PROGRAMS: Final = ("tileclock", "tilekiosk", "tilelexicon", "tilehall")
SERVICES: Final = ("tileclock.service", "tilekiosk.service")
OF_THE_HALL: Final = (
    "tilehall-admissions.service",
    "tilehall-broker.path",
    "tilehall-desk.service",
    "tilehall-enrol@tileclock.service",
    "tilehall-enrol@tilekiosk.service",
    "tilehall-link@tileclock.service",
    "tilehall-link@tilekiosk.service",
    "tilehall-listen.service",
)
"""Enabled by the administrator alone."""
OURS: Final = ("tileclock", "tilehall", "tilekiosk", "tileclock-common", "tileclock-appliance")
LIBRARIES: Final = """
import ctypes, json, gpiod, PIL, pydantic, pygame, serial, yaml
sdl = ctypes.CDLL("libSDL2-2.0.so.0")
sdl.SDL_GetVideoDriver.restype = ctypes.c_char_p
drivers = [sdl.SDL_GetVideoDriver(index).decode() for index in range(sdl.SDL_GetNumVideoDrivers())]
print(json.dumps({"drivers": drivers, **{each.__name__: each.__file__ for each in (gpiod, PIL, pydantic, pygame, serial, yaml)}}))
"""
WINDOWS: Final = """
from firmware.screens.layout import Arrangement
from firmware.screens.window import WindowScreen
from kiosk.face.page import Footer, Page
from kiosk.screens.window import KioskWindow
WindowScreen((800, 480), Arrangement.FACING, "clock", fullscreen=True).close()
station = KioskWindow((800, 480), "station", locked=True)
print(station.draw(Page("idle", "Challenge a play", Footer("list", "rulebook", "station"))))
station.close()
"""
CLOCK: Final = 'board.pins = "mock"\nscreen.kind = "terminal"\n'
STATION: Final = 'lexicon.name = "As the club\'s director set it"\n'
ADMINISTERED: Final = {
    "/etc/tileclock/clock.toml": CLOCK,
    "/etc/tileclock/station.toml": STATION,
    "/var/lib/tilekiosk/lexicons/club.dawg": "the club's own",
}
OLD_LAYOUT: Final = "ac12918"
"""The last commit whose shared modules lie in `hardware/`, flat."""
JOURNAL: Final = "/var/lib/tileclock/journal.db"
SCREEN: Final = "/etc/systemd/system/tileclock.service.d/screen.conf"
ASKED: Final = re.compile(
    r"Traceback|\[Y/n\]|\[default=|conffile|Configuring tile|^(?:dpkg|E|W): |warning|error|Failed to", re.IGNORECASE | re.MULTILINE
)
"""Phrases of questions and failures."""
pytestmark = pytest.mark.timeout(3600)


@pytest.fixture(scope="module", params=get_args(Suite))
def suite(request: pytest.FixtureRequest) -> Suite:
    named: Suite = request.param
    return named


@pytest.fixture(scope="module")
def installed(suite: Suite) -> Iterator[tuple[Debian, str]]:
    """A root with the packages in it, not to be changed; and the output of their installation."""
    with debian(suite) as root:
        yield root, root.install(packages(suite))


@pytest.fixture(scope="module")
def administered(suite: Suite, installed: tuple[Debian, str]) -> Iterator[tuple[Debian, dict[str, bytes]]]:
    """A root whose admin has made settings and left the station off, with a game in progress that the power was cut in; and all these files as they were."""
    with copy_of(installed[0]) as root:
        for path, text in ADMINISTERED.items():
            root.at(path).write_text(text, encoding="utf-8")
        assert root.run("systemctl", "disable", "tilekiosk.service").returncode == 0
        interrupted_game(root, JOURNAL)
        yield root, kept(root)


def kept(root: Debian) -> dict[str, bytes]:
    folders = ("/etc/tileclock", "/var/lib/tileclock", "/var/lib/tilekiosk")
    return {
        str(file.relative_to(root.path)): file.read_bytes()
        for each in folders
        for file in sorted(root.at(each).rglob("*"))
        if file.is_file()
    }


def enabled(root: Debian, *units: str) -> list[str]:
    return [unit for unit in units if root.run("systemctl", "is-enabled", unit).stdout.strip() == "enabled"]


def test_installing_asks_nothing_and_says_nothing_went_wrong(installed: tuple[Debian, str]) -> None:
    root, said = installed
    assert not ASKED.search(said), said
    assert root.run("dpkg-query", "--show", "--showformat=${Status}\\n", *OURS).stdout.splitlines() == ["install ok installed"] * len(OURS)


def test_a_boot_starts_what_is_installed_and_installing_starts_nothing(installed: tuple[Debian, str]) -> None:
    root, said = installed
    assert enabled(root, *SERVICES, *OF_THE_HALL) == list(SERVICES)
    assert "tart" not in said


def test_the_programs_belong_to_users_that_nobody_logs_in_as(installed: tuple[Debian, str]) -> None:
    root, _ = installed
    users = {line.split(":")[0]: line.split(":") for line in root.at("/etc/passwd").read_text(encoding="utf-8").splitlines()}
    assert [users[name][6] for name in ("tileclock", "tilekiosk")] == ["/usr/sbin/nologin"] * 2
    assert root.run("stat", "--format=%U:%G %a", "/var/lib/tilekiosk/lexicons").stdout == "tilekiosk:tilekiosk 750\n"


@pytest.mark.parametrize("program", PROGRAMS)
def test_every_program_explains_itself(installed: tuple[Debian, str], program: str) -> None:
    done = installed[0].run(program, "--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"Usage: {program} ")


@pytest.mark.parametrize("program", PROGRAMS[:2])
def test_the_doctor_looks_the_machine_over_without_a_traceback(installed: tuple[Debian, str], program: str) -> None:
    done = installed[0].run(program, "doctor")
    assert done.returncode == 1, done.stdout + done.stderr  # a container has neither pins nor a screen
    assert "Traceback" not in done.stdout + done.stderr


@pytest.mark.parametrize("script", ["games", "late"])
def test_a_script_replays_to_the_letter(installed: tuple[Debian, str], script: str) -> None:
    root, _ = installed
    root.at(f"/{script}.jsonl").write_bytes((VECTORS / f"{script}.jsonl").read_bytes())
    done = root.run("tileclock", "replay", f"/{script}.jsonl")
    assert (done.returncode, "Traceback" in done.stderr) == (0, False)
    shown, expected = (
        [json.loads(line, parse_float=Decimal) for line in text.splitlines()]
        for text in (done.stdout, (VECTORS / f"{script}.expected.jsonl").read_text("utf-8"))
    )
    assert [(found, wanted) for found, wanted in zip(shown, expected, strict=True) if not _agrees(found, wanted)] == []


def test_the_practice_lexicon_judges(installed: tuple[Debian, str]) -> None:
    root, _ = installed
    (practice,) = root.path.glob(PRACTICE)
    lexicon = "/" + str(practice.relative_to(root.path))
    assert root.run("tilelexicon", "judge", lexicon, "TILE", "CLOCK").stdout == "ACCEPTABLE\n"
    assert root.run("tilelexicon", "judge", lexicon, "TILE", "CLOKC").stdout == "UNACCEPTABLE\n"


def test_what_touches_the_machine_is_debians_and_draws_on_a_bare_panel(installed: tuple[Debian, str]) -> None:
    done = installed[0].run("/usr/lib/tileclock/bin/python3", "-sP", "-c", LIBRARIES)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout.splitlines()[-1])
    assert "KMSDRM" in found.pop("drivers")
    private = {name for name, file in found.items() if file.startswith("/usr/lib/tileclock/")}
    assert private == {"gpiod", "pydantic"}


def test_the_demonstration_plays_out_of_the_packages(installed: tuple[Debian, str]) -> None:
    root, _ = installed
    done = root.run("tilekiosk", "demo", "--beside", "--headless", "--output", "/painted")
    assert done.returncode == 0, done.stdout + done.stderr
    assert played_in(root.at("/painted"))
    # Likewise where they are only unpacked.
    root.run("sh", "-c", "mkdir /elsewhere && cp -a --parents /usr/lib/tileclock /elsewhere && mv /usr/lib/tileclock /usr/lib/away")
    root.run("ln", "-sf", "/usr/bin/python3", "/elsewhere/usr/lib/tileclock/bin/python3")
    unpacked = "/elsewhere/usr/lib/tileclock/bin"
    done = root.run(f"{unpacked}/python3", "-sP", f"{unpacked}/tilekiosk", "demo", "--beside", "--headless", "--output", "/unpacked")
    root.run("mv", "/usr/lib/away", "/usr/lib/tileclock")
    assert done.returncode == 0, done.stdout + done.stderr
    assert played_in(root.at("/unpacked"))


def played_in(folder: Path) -> bool:
    return (folder / "journal.db").exists() and "UNACCEPTABLE" in (folder / "station/transcript.txt").read_text("utf-8")


def test_the_halls_demonstration_says_that_it_needs_a_checkout(installed: tuple[Debian, str]) -> None:
    done = installed[0].run("tilehall", "demo", "--headless", "--output", "/hall-painted")
    assert (done.returncode, "Traceback" in done.stderr) == (2, False), done.stderr
    assert done.stderr.startswith("tilehall: expected a checkout of Tileclock")


def test_clock_and_station_open_their_windows_and_paint_as_on_a_panel_with_debians_pygame(installed: tuple[Debian, str]) -> None:
    done = installed[0].run("env", "SDL_VIDEODRIVER=dummy", "/usr/lib/tileclock/bin/python3", "-sP", "-c", WINDOWS)
    assert (done.returncode, done.stdout.splitlines()[-1:]) == (0, ["True"]), done.stderr


def test_the_modules_are_compiled_once_at_installing_and_belong_to_no_package(installed: tuple[Debian, str]) -> None:
    root, _ = installed
    for package in PACKAGES:
        (folder,) = root.path.glob(f"usr/lib/tileclock/lib/python3*/site-packages/{package}")
        assert {file.stem for file in folder.glob("*.py")} <= {file.name.split(".")[0] for file in folder.glob("__pycache__/*.pyc")}


def test_an_upgrade_keeps_settings_journal_and_a_game_in_progress(suite: Suite, administered: tuple[Debian, dict[str, bytes]]) -> None:
    settled, before = administered
    with copy_of(settled) as root:
        said = root.install(higher(packages(suite)))
        assert not ASKED.search(said), said
        assert kept(root) == before
        assert root.run("dpkg-query", "--show", "--showformat=${Version}", "tileclock").stdout.startswith(HIGHER)
        assert enabled(root, *SERVICES) == [unit for unit in SERVICES if unit != "tilekiosk.service"]
        verified = root.run("tileclock", "journal", "verify")
        assert verified.returncode == 0, verified.stdout + verified.stderr
        assert root.run("tileclock", "journal", "show").returncode == 0


def test_an_upgrade_from_another_edition_of_the_events_keeps_the_journal_whole_and_begins_a_new_one() -> None:
    with debian("trixie") as root:
        root.install(of_commit(OLD_LAYOUT, "trixie"))
        root.at("/etc/tileclock/clock.toml").write_text(CLOCK, encoding="utf-8")
        interrupted_game(root, JOURNAL)
        # Reading changes SQLite's shared memory beside the journal.
        rows = rows_in(root.at(JOURNAL))
        before = kept(root)
        said = root.install(packages("trixie"))
        assert not ASKED.search(said), said
        assert kept(root) == before
        compiled = root.path.glob("usr/lib/tileclock/lib/python3*/site-packages/hardware/**/__pycache__/*.pyc")
        assert [each for each in compiled if not (each.parent.parent / each.name.split(".")[0]).with_suffix(".py").exists()] == []
        shown = interrupted_game(root, JOURNAL)
        (aside,) = root.at(JOURNAL).parent.glob("journal.db.*.damaged")
        assert rows_in(aside) == rows
        assert "another edition" in shown, shown
        verified = root.run("tileclock", "journal", "verify")
        assert verified.returncode == 0, verified.stdout + verified.stderr


def test_removing_leaves_data_and_purging_takes_it(administered: tuple[Debian, dict[str, bytes]]) -> None:
    settled, before = administered
    with copy_of(settled) as root:
        said = root.apt("remove", *OURS)
        # dpkg's own way of saying that an admin's settings stay.
        stays = "dpkg: warning: while removing tileclock-common, directory '/etc/tileclock' not empty so not removed"
        assert not ASKED.search(said.replace(stays, "")), said
        assert kept(root) == before
        assert list(root.path.glob("usr/lib/tileclock/**/*")) == []
        assert not root.at("/usr/lib/tileclock").exists()
        assert not list(root.path.glob("usr/bin/tile*"))

        said = root.apt("purge", *OURS)
        assert not ASKED.search(said), said
        assert kept(root) == {}
        assert not [
            path for path in ("/etc/tileclock", "/var/lib/tileclock", "/var/lib/tilehall", "/var/lib/tilekiosk") if root.at(path).exists()
        ]
        assert root.run("id", "--user", "tileclock").returncode == 0, "Debian's users stay: no other user must get their number"
        left = root.run(
            "find", "/etc", "/usr", "/var", "-xdev", "-name", "*tile[chk]*", "-not", "-path", "/var/cache/*", "-not", "-path", "/var/log/*"
        ).stdout
        assert left == "", left


def test_an_upgrade_leaves_a_running_clock_alone_and_the_next_start_is_the_new_one(suite: Suite, installed: tuple[Debian, str]) -> None:
    with copy_of(installed[0]) as root:
        root.at("/etc/tileclock/clock.toml").write_text(CLOCK, encoding="utf-8")
        root.at(SCREEN).parent.mkdir(parents=True)
        root.at(SCREEN).write_text(CONSOLE, encoding="utf-8")
        root.run("systemctl", "disable", "tilekiosk.service")
        root.run("systemctl", "mask", "console-getty.service")
        debs = root.at("/packages")
        debs.mkdir()
        for deb in higher(packages(suite)).glob("*.deb"):
            (debs / deb.name).write_bytes(deb.read_bytes())
        with Machine(root.path) as machine:
            process = machine.ready("tileclock.service")
            machine.type("a")
            until(lambda: "press left" in said_in(root.at(JOURNAL)))
            machine.inside("sh", "-c", "DEBIAN_FRONTEND=noninteractive apt-get --yes install /packages/*.deb </dev/null")
            assert machine.pid("tileclock.service") == process
            machine.type("l")
            until(lambda: "press right" in said_in(root.at(JOURNAL)))
            machine.inside("sh", "-c", f"kill -KILL {process}")
            assert machine.ready("tileclock.service", but=process) != process
            assert machine.inside("tileclock", "journal", "verify")


def interrupted_game(root: Debian, journal: str) -> str:
    """Run the installed clock, press a player's button, and kill it: the journal ends while the other's clock runs. Return what the terminal showed."""
    root.at(journal).parent.mkdir(parents=True, exist_ok=True)
    root.run("chown", "tileclock:tileclock", str(Path(journal).parent))
    with _clock(root) as (clock, hand, seen):
        until(lambda: ("new_game" in said_in(root.at(journal)) and b"a left" in seen) or _ended(clock, seen))
        os.write(hand, b"a")
        until(lambda: "press left" in said_in(root.at(journal)) or _ended(clock, seen))
        return seen.decode(errors="replace")


@contextmanager
def _clock(root: Debian) -> Iterator[tuple[subprocess.Popen[bytes], int, bytearray]]:
    """Run the installed clock on a terminal as its own user, and kill it afterwards. Give the process, the terminal's other end, and what it showed."""
    hand, terminal = pty.openpty()
    run = ["setpriv", "--reuid=tileclock", "--regid=tileclock", "--init-groups", "env", "TERM=xterm-256color", "tileclock", "run"]
    clock = subprocess.Popen(root.command(*run), stdin=terminal, stdout=terminal, stderr=terminal, start_new_session=True)
    os.close(terminal)
    seen = bytearray()
    threading.Thread(target=_read, args=(hand, seen), daemon=True).start()
    try:
        yield clock, hand, seen
    finally:
        _cut(clock)


def _cut(clock: subprocess.Popen[bytes]) -> None:
    """Kill the clock itself, which is the only child: it has another user, and with that it outlives who entered the root for it."""
    for child in Path(f"/proc/{clock.pid}/task/{clock.pid}/children").read_text(encoding="ascii").split():
        os.kill(int(child), signal.SIGKILL)
    clock.kill()
    clock.wait()


def _ended(clock: subprocess.Popen[bytes], seen: bytearray) -> bool:
    """Return no; of a clock that has ended, what it said is the error."""
    assert clock.poll() is None, seen.decode(errors="replace")
    return False


def _read(hand: int, seen: bytearray) -> None:
    with suppress(OSError):
        while some := os.read(hand, 4096):
            seen += some


NOT_SHIPPED: Final = ("tools/*", "tests/*", "*/test_*", "*.scad", "*.png")


@pytest.fixture(scope="module")
def names() -> set[str]:
    with zipfile.ZipFile(project_wheel()) as wheel:
        return {name for name in wheel.namelist() if not name.partition("/")[0].endswith(".dist-info")}


def test_the_wheel_has_every_module_of_the_programs_and_their_data(names: set[str]) -> None:
    sources = [file.relative_to(ROOT) for package in PACKAGES for file in (ROOT / package).rglob("*.py")]
    wanted = {str(PurePosixPath(source)) for source in sources}
    assert {name for name in wanted if not not_shipped(name)} == {name for name in names if name.endswith(".py")}
    data = {"rules/rulebooks/club.toml", "hardware/boards/shipped/full.toml", "languages/fr/station.toml", "lexicon/practice/practice.dawg"}
    assert data <= names
    assert {name for name in names if fnmatch(name, "appliance/splash/*.pgm")} == pictures()


def test_the_wheel_has_no_generators_of_pictures_cases_or_tests(names: set[str]) -> None:
    assert {name for name in names if not_shipped(name)} == set()


def not_shipped(name: str) -> bool:
    return any(fnmatch(name, pattern) for pattern in NOT_SHIPPED)


def pictures() -> set[str]:
    return {str(PurePosixPath(path.relative_to(ROOT))) for path in Path(ROOT / "appliance/splash").glob("*.pgm")}


@pytest.fixture(scope="module")
def trixie() -> Iterator[Path]:
    with scratch() as work:
        root = work / "root"
        unpack(root_tar("trixie", ("systemd-sysv", "udev", "dbus")), root)
        lay_units(root)
        inside(root, "systemd-sysusers")
        for program in ("bin/tileclock", "bin/tilekiosk", "bin/tilehall", "lib/tileclock/update"):
            command = root / "usr" / program
            command.parent.mkdir(exist_ok=True)
            command.write_text("#!/bin/sh\n")
            command.chmod(0o755)
        yield root


def inside(root: Path, *command: str) -> tuple[int, str]:
    done = subprocess.run(["chroot", str(root), *command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    return done.returncode, done.stdout


def test_it_has_nothing_to_say_against_the_units(trixie: Path) -> None:
    names = [path.name for path in UNITS.iterdir() if path.suffix in (".service", ".path")]
    # Here the root is the root: what a unit names has to be there.
    _, said = inside(trixie, "systemd-analyze", "verify", "--man=no", "--recursive-errors=no", *names)
    assert [line for line in said.splitlines() if re.search(r"tile|Unknown", line)] == []


def test_little_is_left_to_an_intruder_by_its_reckoning_too(trixie: Path, figures: Figures) -> None:
    for service in ("tileclock.service", "tilekiosk.service"):
        _, said = inside(trixie, "systemd-analyze", "security", "--offline=true", "--no-pager", service)
        (exposure,) = re.findall(r"Overall exposure level for \S+: (\d+\.\d+)", said)
        figures.add(f"{service}, exposure by trixie's systemd: {exposure}")
        assert float(exposure) < 2


def test_udev_has_nothing_to_say_against_the_device_rules(trixie: Path) -> None:
    code, said = inside(trixie, "udevadm", "verify", "/usr/lib/udev/rules.d/60-tileclock-appliance.rules")
    assert code == 0, said
    assert re.search(r"Success: 1\b", said), said
