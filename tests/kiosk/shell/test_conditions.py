"""What the station is to stand like: of several troubles the lexicon's is told first, and a cause that changes is told anew."""

from __future__ import annotations

from appliance.errors import Diagnosis
from kiosk.context import Trouble, TroubleKind
from kiosk.shell.conditions import StationConditions
from tests.kiosk.challenge.making import context

FULL, READ_ONLY = Trouble(TroubleKind.LOG, Diagnosis("the disk is full")), Trouble(TroubleKind.LOG, Diagnosis("the disk is read-only"))
MISSING = Trouble(TroubleKind.LEXICON_MISSING, Diagnosis("there is no such file"))


def test_a_log_that_cannot_be_written_does_not_hide_that_there_is_no_lexicon_and_is_told_after_it() -> None:
    ground = StationConditions(context())
    ground.lexicon(MISSING)
    stand = ground.log(FULL)
    assert stand is not None
    assert stand.context.trouble == MISSING
    stand = ground.log(None)
    assert stand is not None
    assert stand.context.trouble == MISSING
    other = StationConditions(context())
    stand = other.log(FULL)
    assert stand is not None
    assert stand.context.trouble == FULL
    assert other.lexicon(MISSING).context.trouble == MISSING


def test_why_the_log_cannot_be_written_is_told_when_it_changes_and_only_then() -> None:
    ground = StationConditions(context())
    assert ground.log(None) is None
    for trouble in (FULL, READ_ONLY, None):
        stand = ground.log(trouble)
        assert stand is not None
        assert stand.context.trouble == trouble
        assert ground.log(trouble) is None
