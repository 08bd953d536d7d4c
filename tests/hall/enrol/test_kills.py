"""Killed at any step, hall and device leave whole files, and the next try completes the work."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner
from cryptography import x509

import hall.enrol.device
import hall.enrol.registrar
import hall.keys.files
from appliance.records.files import write_whole
from hall.cli.main import main
from hall.enrol.client import Granted, enrol
from hall.enrol.device import DevicePlaces, is_enrolled, keep, keys_of, request_of
from hall.enrol.registrar import Registrar, TokenUse, id_of, new_tokens
from hall.keys.files import HallFiles
from tests.hall.enrol.admitting import ADDRESS, TILEHALL, Admitting, admitting, device, make_hall, tilehall
from tests.processes import running


class Killed(BaseException):
    """In place of a kill."""


def dying(write: int) -> Callable[..., None]:
    """Return ``write_whole`` that kills the program before its write number ``write``."""
    left = [write]

    def written(path: Path, *rest: object, **more: object) -> None:
        if not left[0]:
            raise Killed
        left[0] -= 1
        write_whole(path, *rest, **more)  # type: ignore[arg-type]

    return written


def token_for(files: HallFiles, kind: str) -> str:
    with files.changing():
        return new_tokens(files, [TokenUse(kind="clock" if kind == "clock" else "station", name="A", table=None)])[0]


@pytest.mark.parametrize("write", range(6))
def test_a_hall_killed_before_any_of_its_writes_admits_the_same_device_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, write: int
) -> None:
    files, places = make_hall(tmp_path / "hall"), device(tmp_path, "tilekiosk")
    request = request_of(places, keys_of(places))
    token, name = token_for(files, "station"), id_of(request)
    with monkeypatch.context() as patched:
        one = dying(write)
        for module in (hall.keys.files, hall.enrol.registrar):
            patched.setattr(module, "write_whole", one)
        died = False
        try:
            Registrar(files).admit_by_token(request, "ab" * 32, token)
        except Killed:
            died = True
    assert died is (write < 5), "tokens, about, serials, ca, certificate; then the access list"
    # Whatever is there is whole: the list of devices and a revocation work on it.
    assert CliRunner().invoke(main, ("devices", "--folder", str(files.folder))).exit_code == 0
    certificate = files.certificate(name)
    if certificate is not None:
        assert f"{certificate.serial_number:x}" in (files.folder / "names" / name / "serials").read_text(encoding="ascii").split()
    answer = Registrar(HallFiles.load(files.folder)).admit_by_token(request, "ab" * 32, token)
    assert answer.answer == "granted"
    assert f"user {name}\n" in (files.folder / "acl").read_text(encoding="ascii")
    assert CliRunner().invoke(main, ("revoke", name, "--folder", str(files.folder))).exit_code == 0
    revoked = x509.load_pem_x509_crl(files.revocations.read_bytes())
    if certificate is not None:
        assert revoked.get_revoked_certificate_by_serial_number(certificate.serial_number) is not None


@pytest.fixture(scope="module")
def granting(tmp_path_factory: pytest.TempPathFactory) -> tuple[Admitting, DevicePlaces, Granted]:
    folder = tmp_path_factory.mktemp("granting")
    places = device(folder)
    with admitting(make_hall(folder / "hall"), folder) as found:
        keys = keys_of(places)
        granted = enrol(found.hall_port, keys, request_of(places, keys), token_for(found.files, "clock"), lambda _: None)
    return found, places, granted


@pytest.mark.parametrize("write", range(4))
def test_a_device_killed_before_any_of_its_writes_is_not_enrolled_until_all_is_there(
    granting: tuple[Admitting, DevicePlaces, Granted], monkeypatch: pytest.MonkeyPatch, write: int
) -> None:
    found, places, granted = granting
    for path in (places.trust, places.identity.ca, places.identity.certificate):
        path.unlink(missing_ok=True)
    with monkeypatch.context() as patched:
        patched.setattr(hall.enrol.device, "write_whole", dying(write))
        try:
            keep(places, granted)
        except Killed:
            assert not is_enrolled(places, found.pin)
        else:
            assert write == 3
    keep(places, granted)
    assert is_enrolled(places, found.pin)


def test_a_device_comes_in_through_kills_of_the_hall_and_of_itself(tmp_path: Path) -> None:
    files, places = make_hall(tmp_path / "hall"), device(tmp_path)
    cards = ("--tables", "12", "--host", ADDRESS, "--folder", str(files.folder))
    settings = ("--settings", str(tmp_path / "cards" / "table-12" / "tilehall.toml"), "--device-settings", str(tmp_path / "device.toml"))
    enrolling = (*TILEHALL, "enrol", "tileclock", "--at-boot", "--folder", str(places.link), *settings)
    assert tilehall("token", str(tmp_path / "cards"), *cards).returncode == 0
    tokens = files.folder / "tokens.json"
    steps: list[Callable[[], bool]] = [
        lambda: True,
        lambda: b'"c-' in tokens.read_bytes(),
        lambda: any(name.startswith("c-") for name in files.names),
        places.trust.exists,
    ]
    for number, step in enumerate((*steps, None)):
        with admitting(files, tmp_path) as found, running(enrolling, "--port", str(found.port)) as asking:
            if step is not None:
                while not step() and asking.poll() is None:
                    pass
                (found.process if number % 2 else asking).send_signal(signal.SIGKILL)
            asking.wait()
    assert is_enrolled(places, found.pin)
    assert subprocess.run([*enrolling], check=False).returncode == 0
    # Drafts of killed programs are the only traces.
    assert all(path.suffix in (".pem", ".part", ".toml") for path in (*places.link.iterdir(), *places.key.parent.iterdir()))


@pytest.mark.needs_root
def test_what_root_writes_belongs_to_the_users_who_read_it(granting: tuple[Admitting, DevicePlaces, Granted], tmp_path: Path) -> None:
    _, _, granted = granting
    places = device(tmp_path)
    clock, link = 12_345, 12_346
    os.chown(places.key.parent, clock, clock)
    os.chown(places.link, link, link)
    keys_of(places)
    keep(places, granted)
    found = {path.name: path.stat().st_uid for folder in (places.key.parent, places.link) for path in folder.iterdir()}
    assert found == {"device.pem": clock, "hall.toml": clock, "key.pem": link, "ca.pem": link, "certificate.pem": link}
