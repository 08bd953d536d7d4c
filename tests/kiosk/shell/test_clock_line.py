"""The station's line to a clock, with real keys: what it sends opens at the clock, what it hears becomes facts."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from firmware.hall.opening import Trust, opened
from kiosk.effects import CallAtClock, Propose
from kiosk.events import ClockAnswered, HallEvent, TableHeard
from kiosk.facts import ClockAnswer, ClockChallenge, NoFacts, TableFacts
from kiosk.shell.hall import STALE_NS, ClockLine
from rules.side import Side
from wire.keys import load_key, signature_fits
from wire.proposals import VerdictBody
from wire.signed_bytes import credential_bytes
from wire.topics import CLOCK, STATION

HALL = "club-hall"
DEVICE = "c-" + "a" * 16
EPOCH = "00" * 8
SIDE = {"remaining_ns": 1, "used_ns": 1, "penalty": 0, "credit_ns": 0, "points": 0, "infractions": 0}
STATE: dict[str, Any] = {
    "boot": "b", "epoch": EPOCH, "game": 3, "number": 14, "at": 5, "phase": "adjudication", "running": None, "turn": "left", "holder": None,
    "reason": None, "called": False, "left": SIDE, "right": SIDE, "pending": None,
    "challenge": {"number": 14, "challenger": "right", "words_asked": True}, "rulebook": "naspa-2017", "table": 12,
    "names": {"left": "", "right": ""}, "between_games": False, "freeze": "advisory", "lexicon": None,
}  # fmt: skip
CHALLENGE = ClockChallenge(DEVICE, EPOCH, 3, 14, Side.RIGHT)


class Line:
    """A line with its enrolment, and what goes over it."""

    def __init__(self, folder: Path, *, enrolled: bool = True) -> None:
        self.now, self.sent, self.told = 0, list[Mapping[str, object]](), list[HallEvent]()
        self.hall, self.station = load_key(folder / "hall.pem", CLOCK), load_key(folder / "station.pem", STATION)
        body = json.dumps({"device": self.station.device, "key": self.station.public, "not_after_day": 99_999})
        text = f"hall = {json.dumps(HALL)}\n[credential]\nbody = {json.dumps(body)}\nsignature = {json.dumps(self.hall.sign(credential_bytes(HALL, body)))}\n"
        if enrolled:
            (folder / "hall.toml").write_text(text, encoding="utf-8")
        self.line = ClockLine(folder / "hall.toml", self._send, self.told.append, lambda: self.now)
        self.line.key = self.station
        self.line.focus(12)

    def hear(self, what: str, payload: object, device: str | None = DEVICE) -> None:
        self.line.heard({"t": "heard", "device": device, "what": what, "payload": json.dumps(payload)})

    def opened(self) -> Any:
        """Return what the clock makes of the last message."""
        packet = self.sent[-1]
        assert packet["device"] == DEVICE
        trust = Trust(HALL, self.hall.public, self.hall.public)
        return opened(f"verdict/{self.station.device}", str(packet["payload"]), trust, signature_fits, None)

    def _send(self, packet: Mapping[str, object]) -> bool:
        self.sent.append(packet)
        return True


@pytest.fixture
def line(tmp_path: Path) -> Line:
    return Line(tmp_path)


def test_the_table_in_focus_is_asked_for_once(line: Line) -> None:
    line.line.focus(12)
    assert line.sent == [{"t": "focus", "table": 12}]


def test_a_state_tells_what_nobody_need_be_asked(line: Line) -> None:
    line.hear("state", STATE)
    assert line.told == [TableHeard(12, TableFacts(DEVICE, running=False, challenge=CHALLENGE, last_play=False, called=False))]


def test_the_state_of_the_table_before_is_dropped(line: Line) -> None:
    line.hear("state", {**STATE, "table": 11})
    assert line.told == []


@pytest.mark.parametrize("what", ["unknown", "ambiguous"])
def test_a_table_without_one_clock_is_said(line: Line, what: str) -> None:
    line.hear(what, "", device=None)
    assert line.told == [TableHeard(12, NoFacts(what))]


def test_a_clock_that_is_gone_or_silent_is_not_known(line: Line) -> None:
    line.hear("state", STATE)
    line.line.tick(STALE_NS - 1)
    assert len(line.told) == 1
    line.line.tick(STALE_NS)
    line.line.tick(2 * STALE_NS)
    assert line.told[1:] == [TableHeard(12, NoFacts.UNKNOWN)]


@pytest.mark.parametrize("payload", [None, [], {}, {**STATE, "v": 2}, {**STATE, "running": "up"}])
def test_what_is_no_message_is_dropped(line: Line, payload: object) -> None:
    line.hear("state", payload)
    assert line.told == []


def test_a_verdict_opens_at_the_clock(line: Line) -> None:
    effect = Propose(CHALLENGE, "verdict", True, None, 2, ("QI", "ZA"), "ab" * 32, 7, None)
    sent = line.line.propose(effect).sent
    body = line.opened()
    assert isinstance(body, VerdictBody)
    assert (body.id, body.challenge, body.acceptable, body.words, body.row) == (sent.id, 14, True, ("QI", "ZA"), 7)
    line.hear("ack", {"command": sent.id, "accepted": False, "reason": "gone_on", "at": 1, "seq": 1, "number": None})
    assert line.told == [ClockAnswered(sent.id, "gone_on")]


@pytest.mark.parametrize(("do", "by"), [("withdrawn", None), ("conceded", Side.LEFT)])
def test_the_other_endings_open_too(line: Line, do: str, by: Side | None) -> None:
    line.line.propose(Propose(CHALLENGE, do, None, by, None, (), None, None, None))
    assert line.opened().do == do


def test_a_call_waits_for_the_clocks_next_beat(line: Line) -> None:
    line.hear("state", STATE)
    line.line.call(CallAtClock(DEVICE))
    assert len(line.sent) == 1
    beat = {
        "nonce": "0f" * 16, "boot": "b", "epoch": EPOCH, "seq": 1, "head": "00" * 32, "signed": None, "lexicon": None, "power": "ok", "lag": 0,
        "dropped": 0, "sent": 1, "echo": None,
    }  # fmt: skip
    line.hear("beat", beat)
    assert (line.opened().do, line.opened().nonce) == ("call", "0f" * 16)
    line.hear("beat", beat)
    assert len(line.sent) == 2


def test_a_station_that_is_not_enrolled_sends_nothing(tmp_path: Path) -> None:
    line = Line(tmp_path, enrolled=False)
    effect = Propose(CHALLENGE, "verdict", True, None, 1, ("QI",), None, 7, None)
    assert line.line.propose(effect).sent.answer is ClockAnswer.UNSENT
    assert len(line.sent) == 1
