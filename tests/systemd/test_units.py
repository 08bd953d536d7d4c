import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import pytest

from appliance.settings import BOOT_FOLDERS
from firmware.settings import Settings as ClockSettings
from hall.cli.init import init
from hall.keys.files import LISTENER as LISTENER_NAME
from hall.keys.files import identity_in
from hall.keys.pages import PageFiles
from hall.settings import Settings as HallSettings
from kiosk.settings import Settings as StationSettings
from tests.installed import require
from tests.systemd.laid import PROGRAMS, SYSTEM, UNITS, asked, laid, shipped

SERVICES = [f"{program}.service" for program in PROGRAMS]
LINKS = [f"tilehall-link@{program}.service" for program in PROGRAMS]
LISTENER = "tilehall-listen.service"
DESK = "tilehall-desk.service"
ADMISSIONS = "tilehall-admissions.service"
ENROLMENTS = [f"tilehall-enrol@{program}.service" for program in PROGRAMS]
MAX_EXPOSED = 2.0


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return laid(tmp_path_factory.mktemp("machine"))


def source(name: str) -> Path:
    """Return the file of a unit; of an instance, its template."""
    return UNITS / re.sub(r"@\w+\.", "@.", name)


def unit(name: str) -> dict[str, dict[str, str]]:
    """Return the sections of a unit and its drop-ins; of a key that comes twice the lines stand one below the other."""
    sections: dict[str, dict[str, str]] = {}
    for file in (source(name), *sorted((UNITS / f"{name}.d").glob("*.conf"))):
        for line in file.read_text(encoding="utf-8").splitlines():
            if found := re.fullmatch(r"\[(\w+)\]", line):
                section = sections.setdefault(found[1], {})
            elif line and not line.startswith("#"):
                key, _, value = line.partition("=")
                section[key] = f"{section[key]}\n{value}" if key in section else value
    return sections


def verified(root: Path, *names: str) -> str:
    return asked("systemd-analyze", "verify", "--man=no", "--recursive-errors=no", f"--root={root}", *names)[1]


@pytest.mark.parametrize("name", [*(path.name for path in (*shipped(), *sorted((UNITS / "data").glob("*.mount")))), *LINKS, *ENROLMENTS])
def test_systemd_has_nothing_to_say_against_a_unit(root: Path, name: str) -> None:
    # An unknown key is a warning and no failure: any word is one too many.
    assert [line for line in verified(root, name).splitlines() if re.search(r"tile|Unknown", line)] == []


def test_systemd_has_nothing_to_say_against_what_the_hall_adds_to_the_broker(tmp_path: Path) -> None:
    root = laid(tmp_path)
    (root / SYSTEM / "mosquitto.service").write_text("[Service]\nExecStart=/usr/sbin/mosquitto\n")
    for program in ("mosquitto", "nft"):
        command = root / "usr/sbin" / program
        command.parent.mkdir(exist_ok=True)
        command.write_text("#!/bin/sh\n")
        command.chmod(0o755)
    assert [line for line in verified(root, "mosquitto.service").splitlines() if re.search(r"tile|mosquitto|Unknown", line)] == []


_CROWD: Final = """
import fcntl, socket, struct
with socket.socket() as any:
    fcntl.ioctl(any, 0x8914, struct.pack("16sh14x", b"lo", 0x41))  # lo is up
listening, kept = socket.create_server(("127.0.0.1", 8883), backlog=500), []
def opened(address, tries):
    count = 0
    for _ in range(tries):
        try:
            kept.append(socket.create_connection(("127.0.0.1", 8883), 10, (address, 0)))
            count += 1
        except ConnectionRefusedError:
            pass
    return count
print(opened("127.0.0.5", 140), opened("127.0.0.6", 3))
for each in kept[:5]:
    each.close()
    listening.accept()[0].close()
print(opened("127.0.0.5", 10))
"""


@pytest.mark.needs_root
def test_the_firewall_takes_128_connections_to_the_broker_from_each_address(tmp_path: Path) -> None:
    require("nft", "unshare")
    (line,) = re.findall("^ExecStartPre=-[+](.+)$", (UNITS / "mosquitto.service.d/tilehall.conf").read_text(encoding="utf-8"), re.MULTILINE)
    load = line.replace("/usr/sbin/", "").replace("/usr/lib/tileclock", str(UNITS / "nftables"))
    script = tmp_path / "crowd.py"
    script.write_text(_CROWD)
    # Loaded twice, as when the broker starts again; nothing of this machine's own network is touched.
    done = subprocess.run(
        ("unshare", "--net", "sh", "-ec", f"PATH=$PATH:/usr/sbin; {load}; {load}; exec {sys.executable} {script}"),
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.stdout.split(), done.stderr) == (["128", "3", "5"], "")


def test_a_word_that_systemd_does_not_know_would_be_found(root: Path) -> None:
    wrong = root / SYSTEM / "tileclock-wrong.service"
    wrong.write_text("[Service]\nExecStart=/usr/bin/tileclock\nRestartSeconds=1\n")
    assert "RestartSeconds" in verified(root, wrong.name)


@pytest.mark.parametrize(
    ("name", "most"),
    [
        *((service, MAX_EXPOSED) for service in (*SERVICES, *LINKS, LISTENER, DESK, ADMISSIONS, *ENROLMENTS)),
        *((f"{program}-splash.service", 1.5) for program in PROGRAMS),
    ],
)
def test_little_is_left_to_an_intruder(root: Path, name: str, most: float) -> None:
    _, said = asked("systemd-analyze", "security", "--offline=true", f"--root={root}", "--no-pager", name)
    (exposure,) = re.findall(r"Overall exposure level for \S+: (\d+\.\d+)", said)
    assert float(exposure) < most


def test_no_program_of_ours_can_take_all_memory() -> None:
    units = [each.read_text(encoding="utf-8") for each in UNITS.rglob("*.service")]
    ours = [each for each in units if re.search(r"^ExecStart=(?!/usr/lib/tileclock).*(?:tile|%i)", each, re.MULTILINE)]
    limits = [int(found[1]) for each in ours if (found := re.search(r"^MemoryMax=(\d+)M$", each, re.MULTILINE))]
    assert len(limits) == len(ours) == 10
    assert [each for each in limits if not 64 < each < 2000] == []


@pytest.mark.parametrize("service", [*SERVICES, *LINKS, LISTENER, DESK, ADMISSIONS, *ENROLMENTS])
def test_each_point_that_is_left_open_has_its_reason_in_the_unit(root: Path, service: str) -> None:
    _, said = asked("systemd-analyze", "security", "--offline=true", f"--root={root}", "--no-pager", "--json=short", service)
    checks: list[dict[str, Any]] = json.loads(said[: said.rindex("]") + 1])
    left = {re.sub(r".*~|/.*", "", check["name"]) for check in checks if float(check["exposure"] or 0) > 0 and check["set"] is False}
    text = source(service).read_text(encoding="utf-8")
    assert left
    assert [name for name in sorted(left) if name.removesuffix("=") not in re.sub(r"(?m)^[^#].*$", "", text)] == []


@pytest.mark.parametrize("service", SERVICES)
def test_a_service_is_watched_and_started_again_for_ever(service: str) -> None:
    about = unit(service)
    program = service.removesuffix(".service")
    assert about["Service"]["ExecStart"] == f"/usr/bin/{program} run"
    assert (about["Service"]["Type"], about["Service"]["NotifyAccess"], about["Service"]["Restart"]) == ("notify", "main", "always")
    assert 0 < int(about["Service"]["WatchdogSec"]) <= 30
    # The default gives up for good after five starts in ten seconds.
    assert about["Unit"]["StartLimitIntervalSec"] == "0"
    assert about["Service"]["User"] == program


@pytest.mark.parametrize("program", PROGRAMS)
def test_only_the_link_is_in_the_group_that_reaches_the_socket(program: str) -> None:
    device, link = unit(f"{program}.service")["Service"], unit(f"tilehall-link@{program}.service")["Service"]
    model = {"tileclock": ClockSettings, "tilekiosk": StationSettings}[program]
    socket = Path(model().hall.socket)
    assert (device["RuntimeDirectory"], device["RuntimeDirectoryMode"], device["Group"]) == (program, "0750", program)
    assert str(socket.parent) == f"/run/{program}"
    assert link["ExecStart"].replace("%t", "/run").replace("%i", program) == f"/usr/bin/tilehall link --socket {socket}"
    assert link["SupplementaryGroups"].replace("%i", program) == program
    assert link["User"] == model().hall.link_user
    # The group could list the state folder otherwise.
    assert f"-/var/lib/{program}" in link["InaccessiblePaths"].split()


@pytest.mark.parametrize("service", [*LINKS, LISTENER, DESK])
def test_a_program_of_the_hall_is_started_again_for_ever_and_keeps_its_files_where_its_settings_say(service: str) -> None:
    about = unit(service)
    settings = HallSettings()
    assert (about["Service"]["Type"], about["Service"]["Restart"], about["Unit"]["StartLimitIntervalSec"]) == ("notify", "always", "0")
    assert {about["Service"]["User"], about["Service"]["StateDirectory"]} == {"tilehall"}
    for folder in (settings.link.folder, settings.listen.store, settings.desk.store, settings.desk.accounts, settings.order.book):
        assert Path(folder).is_relative_to("/var/lib/tilehall")


def test_the_admissions_write_the_halls_folder_alone_without_a_capability_and_see_no_key_of_the_director() -> None:
    about, settings = unit(ADMISSIONS)["Service"], HallSettings().admissions
    assert about["ExecStart"].replace("%t", "/run") == f"/usr/bin/tilehall admissions --socket {settings.socket}"
    assert (about["RuntimeDirectory"], about["RuntimeDirectoryMode"]) == (Path(settings.socket).parent.name, "0700")
    assert (about["CapabilityBoundingSet"], about["ReadWritePaths"], about["UMask"]) == ("", settings.folder, "0022")
    assert f"-{settings.folder}/director.pem" in about["InaccessiblePaths"].split()


def test_the_broker_reads_the_access_list_again_when_a_station_has_come_in() -> None:
    assert unit(ADMISSIONS)["Unit"]["Wants"] == "tilehall-broker.path"
    assert unit("tilehall-broker.path")["Path"]["PathChanged"] == f"{HallSettings().admissions.folder}/acl"
    assert unit("tilehall-broker.service")["Service"]["ExecStart"].endswith("try-reload-or-restart mosquitto.service")


@pytest.mark.parametrize("service", ENROLMENTS)
def test_an_enrolment_is_tried_until_the_hall_answers_and_writes_for_the_device_and_its_link_alone(service: str) -> None:
    about = unit(service)["Service"]
    assert (about["Type"], about["Restart"], about["RestartPreventExitStatus"]) == ("oneshot", "on-failure", "1")
    assert about["ExecStart"] == "/usr/bin/tilehall enrol %i --at-boot"
    assert about["ReadWritePaths"].split() == ["-/var/lib/%i", "-/var/lib/tilehall"]
    assert (about["User"], about["Group"], about["SupplementaryGroups"], about["UMask"]) == ("%i", "%i", "tilehall", "0027")
    assert Path(HallSettings().link.folder).is_relative_to("/var/lib/tilehall")


def test_the_listener_gets_its_own_certificate_and_sees_nothing_else_of_the_halls_folder() -> None:
    about = unit(LISTENER)["Service"]
    folder = Path(HallSettings().listen.folder)
    (made,) = (Path(str(option.default)) for option in init.params if option.name == "folder")
    own = identity_in(folder)
    given = dict(line.split(":") for line in about["LoadCredential"].splitlines())
    assert folder == Path(str(made)) / "names" / LISTENER_NAME
    assert given == {path.name: str(path) for path in (own.ca, own.certificate, own.key)}
    assert about["ExecStart"] == "/usr/bin/tilehall listen --folder %d"
    assert about["InaccessiblePaths"] == f"-{made}"


def test_the_desk_takes_the_listeners_place_with_its_certificate_and_its_own_and_sees_nothing_else_of_the_halls_folder() -> None:
    about, listener = unit(DESK), unit(LISTENER)["Service"]
    # Both write the hall's rows.
    assert about["Unit"]["Conflicts"] == LISTENER
    assert LISTENER in about["Unit"]["After"].split()
    service, folder = about["Service"], Path(HallSettings().desk.folder)
    assert service["LoadCredential"].splitlines() == [*listener["LoadCredential"].splitlines(), f"desk:{folder}"]
    assert service["InaccessiblePaths"] == listener["InaccessiblePaths"]
    own, pages = identity_in(folder), PageFiles.beside(folder)
    made = [command.split()[-2:] for command in service["ExecStartPre"].splitlines()]
    runtime = f"%t/{service['RuntimeDirectory']}"
    names = [path.name for path in (own.ca, own.certificate, own.key, pages.certificate, pages.key)]
    assert made == [[f"%d/desk_{name}", f"{runtime}/{name}"] for name in names]
    assert service["ExecStart"] == f"/usr/bin/tilehall desk --folder %d --desk {runtime}"


@pytest.mark.parametrize("link", LINKS)
def test_a_link_waits_for_the_first_picture_and_for_no_network_and_never_takes_the_device_with_it(link: str) -> None:
    about = unit(link)["Unit"]
    assert about["After"] == "%i.service"
    assert {key for key in about if key not in ("Description", "Documentation", "After", "StartLimitIntervalSec")} == set()


@pytest.mark.parametrize("service", SERVICES)
def test_a_clock_or_a_station_can_open_no_socket_of_a_network_and_its_devices_are_named_and_given_by_groups(service: str) -> None:
    about = unit(service)["Service"]
    assert about["DevicePolicy"] == "closed"
    assert {"char-gpiochip rw", "char-drm rw", "char-input r", "/dev/tty1 rw"} <= set(about["DeviceAllow"].splitlines())
    groups = set(about["SupplementaryGroups"].split())
    clocks = {"i2c"} if service == "tileclock.service" else set()
    assert groups == {"gpio", "dialout", "audio", "video", "render", "input"} | clocks
    rules = (UNITS / "udev/rules.d/60-tileclock-appliance.rules").read_text(encoding="utf-8")
    assert groups | {"i2c"} == set(re.findall(r'GROUP="(\w+)"', rules))
    assert about["PrivateNetwork"] == "yes"
    assert about["RestrictAddressFamilies"].split() == ["AF_UNIX", "AF_NETLINK"]
    assert about["IPAddressDeny"] == "any"


@pytest.mark.parametrize("program", PROGRAMS)
def test_the_wish_to_switch_off_is_left_where_it_is_looked_for(program: str) -> None:
    wish = f"%t/{program}/poweroff"
    said = unit(f"{program}.service")["Service"]["Environment"].split()
    assert f"{program.upper()}_POWEROFF={wish}" in said
    assert unit(f"{program}-poweroff.path")["Path"]["PathExists"] == wish
    assert unit(f"{program}-poweroff.service")["Unit"]["SuccessAction"] == "poweroff"


def test_the_wish_to_update_is_left_where_it_is_looked_for_and_the_clock_comes_back_whatever_comes_of_it() -> None:
    said = unit("tileclock.service")["Service"]["Environment"].split()
    about = unit("tileclock-update.service")
    wish, folder = "%t/tileclock/update", about["Service"]["RuntimeDirectory"]
    assert {f"TILECLOCK_UPDATE={wish}", f"TILECLOCK_UPDATED=%t/{folder}/outcome"} <= set(said)
    assert unit("tileclock-update.path")["Path"]["PathExists"] == wish
    assert about["Service"]["ExecStart"] == f"/usr/lib/tileclock/update {wish}"
    # After the boot too, only where the request or a try that was interrupted is there: the request is gone after a power cut, the other is not.
    assert about["Unit"]["ConditionPathExists"].splitlines() == [f"|{wish}", f"|/var/lib/{about['Service']['StateDirectory']}/begun"]
    assert (about["Unit"]["OnSuccess"], about["Unit"]["OnFailure"], about["Unit"]["Before"]) == ("tileclock.service",) * 3
    # What came of it outlives the unit; starting the clock must not end it.
    assert about["Service"]["RuntimeDirectoryPreserve"] == "yes"
    assert {"Conflicts", "BindsTo", "PartOf"} & set(about["Unit"]) == set()


@pytest.mark.parametrize("program", PROGRAMS)
def test_it_starts_when_what_its_settings_lie_on_has_been_mounted_or_cannot_be(program: str) -> None:
    mounts = {str(folder).lstrip("/").replace("/", "-") + ".mount" for folder in BOOT_FOLDERS}
    about = unit(f"{program}.service")["Unit"]
    assert set(about["Wants"].split()) == mounts
    assert mounts <= set(about["After"].split())
    assert {key for key in about if key.startswith(("Condition", "Assert", "Require", "Requisite", "BindsTo"))} == set()


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_data_partition_is_checked_before_it_is_mounted_and_mounted_whatever_the_check_says(program: str) -> None:
    about = unit(f"data/var-lib-{program}.mount")
    _, check = asked("systemd-escape", "--path", "--template=systemd-fsck@.service", about["Mount"]["What"])
    assert (about["Unit"]["Wants"], about["Unit"]["After"]) == (check.strip(), check.strip())
    assert "Requires" not in about["Unit"]


def test_only_one_of_both_takes_the_panel_and_no_mount_lies_where_a_service_would_wait_for_it() -> None:
    for one, other in (PROGRAMS, PROGRAMS[::-1]):
        assert unit(f"{one}.service")["Unit"]["Conflicts"].split() == ["getty@tty1.service", f"{other}.service"]
    # StateDirectory= needs whatever unit mounts it, enabled or not (systemd.exec(5)).
    assert [path.name for path in shipped() if path.suffix == ".mount"] == []
