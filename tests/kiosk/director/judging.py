"""A manual adjudication, played for tests: a slip written, a judge named, verdicts kept."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from kiosk import events as players
from kiosk.context import StationContext
from kiosk.director import word_judge
from kiosk.director.word_judge import Adjudication, new_slip
from kiosk.events import GiveVerdict, SecondOpinion, VerdictWritten, WriteVerdict
from rules.duration import NS
from rules.side import Side
from tests.kiosk.challenge.making import context

AT = 1_000_000_000_000


@dataclass
class Judging:
    now: Adjudication | None
    asked: list[Any] = field(default_factory=list)
    row: int = 100
    instant: int = AT

    def do(self, *events: object) -> Judging:
        """Do them a second apart: what comes too soon after the step before counts for nothing in the players' flow."""
        for event in events:
            assert self.now is not None, f"{event} after the end"
            self.instant += NS
            self.now, effects = word_judge.apply(self.now, event, self.instant)
            self.asked += effects
        return self

    def ruled_by(self, judge: str, *, acceptable: bool) -> Judging:
        self.do(players.Type(judge), players.Next(), GiveVerdict(acceptable))
        self.row += 1
        return self.do(VerdictWritten(self.row))

    def reviewed_by(self, judge: str, *, acceptable: bool) -> Judging:
        return self.do(SecondOpinion(here=False)).ruled_by(judge, acceptable=acceptable)

    @property
    def at(self) -> Adjudication:
        assert self.now is not None
        return self.now

    @property
    def kept(self) -> list[Any]:
        return [effect.entry for effect in self.asked if isinstance(effect, WriteVerdict)]


def slip(table: str = "7", words: str = "HEM ZAX", at: StationContext | None = None) -> Judging:
    return written(players.ChooseChallenger(Side.RIGHT), table, words, at).do(players.Finish())


def written(side: object, table: str = "7", words: str = "HEM ZAX", at: StationContext | None = None) -> Judging:
    begun = Judging(new_slip(at or context(), AT))
    begun.do(players.Type(table), players.Next(), side)
    return begun.do(players.Type(words), players.Finish())
