"""A hall's machine with a wrong date: an hour is nothing to a real broker, 1970 grants nothing."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path

import pytest

import hall.enrol.registrar
import hall.keys.files
from hall.broker import plan_of
from hall.enrol.device import keys_of, request_of
from hall.enrol.protocol import NotGranted
from hall.enrol.registrar import Registrar, id_of
from hall.keys.files import Identity
from tests.hall.client import connected
from tests.hall.enrol.admitting import device, make_hall
from tests.installed import require
from tools.trial_broker import running_broker
from wire.topics import Topics

TRANSCRIPT = "ab" * 32


def set_date(monkeypatch: pytest.MonkeyPatch, wrong: timedelta) -> None:
    class Wrong(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> datetime:  # type: ignore[override]
            return datetime.now(tz) + wrong

    for module in (hall.keys.files, hall.enrol.registrar):
        monkeypatch.setattr(module, "datetime", Wrong)


def test_the_broker_takes_what_a_machine_an_hour_wrong_has_granted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    require("mosquitto")
    files = make_hall(tmp_path / "hall")
    asked = []
    for hours in (-1, 1):
        set_date(monkeypatch, timedelta(hours=hours))
        places = device(tmp_path / str(hours))
        request = request_of(places, keys_of(places))
        assert Registrar(files).admit(request, TRANSCRIPT).answer == "granted"
        issued = files.identity(id_of(request))
        asked.append((id_of(request), Identity(issued.ca, issued.certificate, places.identity.key)))
    with running_broker(tmp_path / "broker", plan_of(files)) as broker:
        for name, identity in asked:
            with connected(broker, identity) as client:
                assert client.publish(Topics("club").of_device(name, "state")) < 0x80


def test_a_hall_in_1970_grants_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files, places = make_hall(tmp_path / "hall"), device(tmp_path)
    set_date(monkeypatch, datetime(1970, 1, 1, tzinfo=UTC) - datetime.now(UTC))
    assert Registrar(files).admit(request_of(places, keys_of(places)), TRANSCRIPT).reason == NotGranted.NO_DATE
    assert files.names == ("listener",)
