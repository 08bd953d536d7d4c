"""Files for many cards, each with a token that admits one device, once: made by the director, used at boot, by real programs."""

from __future__ import annotations

import subprocess
import tomllib
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Literal

import pytest
from cryptography.hazmat.primitives.serialization import Encoding

from hall.enrol.device import DevicePlaces, is_enrolled
from hall.enrol.protocol import SENTENCES, NotGranted
from hall.keys.authority import read_holder
from tests.hall.enrol.admitting import ADDRESS, Admitting, admitting, device, files_of, make_hall, tilehall, tilehall_alone
from wire.keys import load_key
from wire.topics import CLOCK

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Admitting]:
    folder = tmp_path_factory.mktemp("admitting")
    with admitting(make_hall(folder / "hall"), folder) as found:
        yield found


@pytest.fixture
def cards(hall: Admitting, tmp_path: Path) -> Path:
    done = make_cards(hall, tmp_path / "cards", "--tables", "1-3", "--stations", "A")
    assert done.returncode == 0, done.stderr
    return tmp_path / "cards"


def make_cards(hall: Admitting, target: Path, *words: str, run: Run = tilehall) -> subprocess.CompletedProcess[str]:
    options = ("--folder", str(hall.files.folder), "--host", ADDRESS, "--enrol-port", str(hall.port))
    return run("token", str(target), *options, *words)


def at_boot(places: DevicePlaces, card: Path, *, run: Run = tilehall) -> subprocess.CompletedProcess[str]:
    settings = ("--settings", str(card / "tilehall.toml"), "--device-settings", str(places.link.parent / "device.toml"))
    return run("enrol", places.program, "--at-boot", "--folder", str(places.link), *settings)


def test_each_card_admits_its_device_without_a_director(hall: Admitting, tmp_path: Path) -> None:
    cards = tmp_path / "cards"
    assert make_cards(hall, cards, "--tables", "1-3", "--stations", "A", run=tilehall_alone).returncode == 0
    assert sorted(each.name for each in cards.iterdir()) == ["station-A", "table-1", "table-2", "table-3"]
    kinds: tuple[tuple[str, Literal["tileclock", "tilekiosk"], str], ...] = (
        ("table-2", "tileclock", "clock · table 2"),
        ("station-A", "tilekiosk", "station · A"),
    )
    for card, program, about in kinds:
        places = device(tmp_path / card, program, table=77)
        done = at_boot(places, cards / card, run=tilehall_alone)
        assert done.returncode == 0, done.stderr
        assert is_enrolled(places, hall.pin)
        listed = tilehall_alone("devices", "--folder", str(hall.files.folder)).stdout
        assert f"{read_holder(places.identity.certificate).name}   {about}   until " in listed


def test_a_token_admits_one_device_which_may_ask_again(hall: Admitting, cards: Path, tmp_path: Path) -> None:
    first, second = device(tmp_path / "first"), device(tmp_path / "second")
    assert at_boot(first, cards / "table-1").returncode == 0
    refused = at_boot(second, cards / "table-1")
    assert (refused.returncode, refused.stderr) == (1, f"tilehall: {SENTENCES[NotGranted.USED_TOKEN]}\n")
    assert files_of(second) == {}
    # A power cut after the hall has noted the token, and before the device has its certificate.
    first.identity.certificate.unlink()
    assert at_boot(first, cards / "table-1").returncode == 0
    assert is_enrolled(first, hall.pin)


def test_a_device_that_is_enrolled_asks_no_more(cards: Path, tmp_path: Path, hall: Admitting) -> None:
    places = device(tmp_path)
    assert at_boot(places, cards / "table-3").returncode == 0
    before = files_of(places)
    done = at_boot(places, cards / "table-3")
    assert (done.returncode, done.stdout) == (0, "")
    assert files_of(places) == before
    assert (
        tilehall("enrol", "tileclock", "--at-boot", "--folder", str(places.link), "--settings", str(tmp_path / "device.toml")).returncode
        == 2
    )


def test_a_device_whose_certificate_is_too_old_to_be_renewed_shows_its_token_again(hall: Admitting, cards: Path, tmp_path: Path) -> None:
    places = device(tmp_path)
    assert at_boot(places, cards / "table-1").returncode == 0
    name, key = read_holder(places.identity.certificate).name, load_key(places.identity.key, CLOCK).private.public_key()
    for days, asks in ((59, False), (61, True)):
        old = hall.files.authority.device(name, key, datetime.now(UTC) - timedelta(days=days)).public_bytes(Encoding.PEM)
        places.identity.certificate.write_bytes(old)
        assert at_boot(places, cards / "table-1").returncode == 0
        assert (places.identity.certificate.read_bytes() != old) is asks


def test_a_wrong_token_and_that_of_a_station_admit_no_clock(cards: Path, tmp_path: Path) -> None:
    for card, why in (("station-A", NotGranted.OTHER_KIND), ("table-1", NotGranted.UNKNOWN_TOKEN)):
        places = device(tmp_path / card)
        text = (cards / card / "tilehall.toml").read_text(encoding="utf-8")
        token = tomllib.loads(text)["enrol"]["token"]
        forged = text if why is NotGranted.OTHER_KIND else text.replace(token, token[::-1])
        (cards / card / "tilehall.toml").write_text(forged, encoding="utf-8")
        done = at_boot(places, cards / card)
        assert (done.returncode, done.stderr) == (1, f"tilehall: {SENTENCES[why]}\n")
        assert files_of(places) == {}


def test_a_template_gets_the_number_of_each_table(hall: Admitting, tmp_path: Path) -> None:
    template = tmp_path / "tileclock.toml"
    template.write_text(
        'rulebook = "nzasp-2022"\n[hall]\nenabled = true\ntable = {table}\n[machine]\nname = "clock"\ntable = {table}\n', encoding="utf-8"
    )
    assert make_cards(hall, tmp_path / "cards", "--tables", "9,10", "--clock-settings", str(template)).returncode == 0
    text = (tmp_path / "cards" / "table-10" / "tileclock.toml").read_text(encoding="utf-8")
    assert tomllib.loads(text) == {
        "rulebook": "nzasp-2022",
        "hall": {"enabled": True, "table": 10},
        "machine": {"name": "clock", "table": 10},
    }
    assert (tmp_path / "cards" / "table-09").is_dir()


@pytest.mark.parametrize(
    ("template", "said"),
    [
        ("rulebook = 3\n", "rulebook"),
        ("[hall]\nenabled = true\ntable = 5\n", "table = {table}"),
        ("[hall]\ntable = {table}\n", "enabled = true"),
    ],
)
def test_a_template_that_no_clock_would_take_makes_nothing(hall: Admitting, tmp_path: Path, template: str, said: str) -> None:
    path = tmp_path / "tileclock.toml"
    path.write_text(template, encoding="utf-8")
    before = (hall.files.folder / "tokens.json").read_bytes() if (hall.files.folder / "tokens.json").exists() else b""
    done = make_cards(hall, tmp_path / "cards", "--tables", "1-2", "--clock-settings", str(path))
    assert done.returncode == 2
    assert said in done.stderr
    assert str(path) in done.stderr
    assert [each.name for each in tmp_path.iterdir()] == ["tileclock.toml"]
    assert before == ((hall.files.folder / "tokens.json").read_bytes() if before else b"")


@pytest.mark.parametrize("words", [("--tables", "0-3"), ("--tables", "1,1"), ("--tables", "x"), ("--stations", "A,../b"), ()])
def test_numbers_and_names_that_are_none_make_nothing(hall: Admitting, tmp_path: Path, words: tuple[str, ...]) -> None:
    assert make_cards(hall, tmp_path / "cards", *words).returncode == 2
    assert list(tmp_path.iterdir()) == []


def test_files_of_cards_are_never_overwritten(hall: Admitting, cards: Path) -> None:
    before = (cards / "table-1" / "tilehall.toml").read_bytes()
    assert make_cards(hall, cards, "--tables", "1-3").returncode == 2
    assert (cards / "table-1" / "tilehall.toml").read_bytes() == before
