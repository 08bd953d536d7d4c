"""When the link looks for the broker, and when it renews its certificate: also with a wrong date, and with child processes that fail."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hall.link.connection import BrokerConnection
from hall.link.dialling import LinkPlan
from hall.link.upkeep import EXPIRED_NS, LOOK_NS, RENEW_NS, Child, Upkeep

DUE = 1_790_000_000
HOUR = 3_600
PLAN = LinkPlan("club", "", 8883, Path("ca"), Path("link/certificate.pem"), Path("key"), "c-a", Path(), renew_at=DUE, enrol_port=8884)


@dataclass
class Started:
    """A child that ends when the test says so."""

    words: tuple[str, ...]
    said: str | None = None

    def fileno(self) -> int:
        return 7

    def result(self) -> str | None:
        return self.said


@dataclass
class Kept:
    """An upkeep with its children."""

    plan: LinkPlan
    children: list[Started] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.connection = BrokerConnection(self.plan)
        self.upkeep = Upkeep(self.plan, self.connection, self._start)

    def _start(self, *words: str) -> Any:
        self.children.append(Started(words))
        return self.children[-1]

    def verbs(self) -> list[str]:
        return [child.words[0] for child in self.children]


def test_a_broker_that_is_not_there_is_looked_for_again_and_the_hint_is_used() -> None:
    kept = Kept(PLAN._replace(look_from="10.0.0.2"))
    kept.upkeep.step(0, 0)
    assert kept.children[0].words == ("find", "--for", "club", "--from", "10.0.0.2")
    kept.children[0].said = ""
    kept.upkeep.step(1, 0)
    assert len(kept.children) == 1
    kept.upkeep.step(LOOK_NS, 0)
    kept.children[1].said = json.dumps({"host": "10.0.0.9", "port": 1883, "enrol_port": 99})
    kept.upkeep.step(LOOK_NS + 1, 0)
    assert (kept.connection._plan.host, kept.connection._plan.port) == ("10.0.0.9", 1883)


def test_answers_that_are_none_change_nothing() -> None:
    for said in ("", "no json", "[]", '{"host": 3, "port": "x"}', '{"ends": 1}'):
        kept = Kept(PLAN)
        kept.upkeep.step(0, 0)
        kept.children[0].said = said
        kept.upkeep.step(1, 0)
        assert kept.connection._plan == PLAN


def test_a_clock_an_hour_wrong_renews_an_hour_off_and_one_in_1970_when_the_broker_says_so() -> None:
    plan = PLAN._replace(host="10.0.0.9")
    for wall, due in ((0, False), (DUE - 1, False), (DUE - HOUR, False), (DUE, True), (DUE + HOUR, True)):
        kept = Kept(plan)
        kept.upkeep.step(0, wall)
        assert kept.verbs() == (["renew"] if due else []), wall
    kept = Kept(plan)
    kept.connection.expired = True
    kept.upkeep.step(0, 0)
    assert kept.children[0].words == ("renew", "--host", "10.0.0.9", "--port", "8884", "--folder", "link")


def test_a_renewal_that_fails_is_tried_again_and_one_that_succeeds_is_not() -> None:
    for expired, pause in ((False, RENEW_NS), (True, EXPIRED_NS)):
        kept = Kept(PLAN._replace(host="10.0.0.9"))
        kept.connection.expired = expired
        kept.upkeep.step(0, DUE)
        kept.children[0].said = ""
        kept.upkeep.step(pause // 2 - 1, DUE)
        assert kept.verbs() == ["renew"]
        kept.upkeep.step(pause, DUE)
        assert kept.verbs() == ["renew", "renew"]
        kept.children[1].said = json.dumps({"ends": "2026-12-24", "renew_at": DUE + 20 * 24 * HOUR})
        kept.upkeep.step(pause + 1, DUE)
        assert (kept.connection._plan.ends, kept.connection.expired) == ("2026-12-24", False)
        kept.upkeep.step(9 * RENEW_NS, DUE + HOUR)
        assert kept.verbs() == ["renew", "renew"]


def test_a_child_writes_one_line_and_a_failure_is_an_empty_one() -> None:
    for words, wanted in ((("--version",), True), (("no-such-verb",), False)):
        child = Child(*words)
        while (said := child.result()) is None:
            pass
        assert said.startswith("tilehall") is wanted
