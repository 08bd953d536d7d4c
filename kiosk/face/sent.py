"""What has become of a message to the table's clock, in a sentence. It is the same for every verdict."""

from __future__ import annotations

from typing import Final

from appliance.texts import Texts
from kiosk.challenge.flow import Flow
from kiosk.challenge.table_facts import ClockAnswer
from wire.reasons import RefusalReason

_SAID: Final = (
    RefusalReason.NO_CHALLENGE,
    RefusalReason.OTHER_CHALLENGE,
    RefusalReason.OTHER_GAME,
    RefusalReason.HAS_VERDICT,
    RefusalReason.GONE_ON,
    RefusalReason.FROZEN,
    RefusalReason.NOT_BY_RULEBOOK,
)
"""The refusals that players can do something about; of any other they are told by its name, for the director."""


def sent_line(flow: Flow, texts: Texts) -> tuple[str | None, bool]:
    """Return the sentence, and whether it says that the clock has taken the message; None: nothing was sent."""
    sent = flow.sent
    if sent is None:
        return None, False
    if sent.answer is not ClockAnswer.REFUSED:
        return texts.say(f"sent.{sent.answer}", table=flow.table or 0), sent.answer in (ClockAnswer.WAITING, ClockAnswer.TAKEN)
    if sent.reason in _SAID:
        return texts.say(f"sent.{sent.reason}", table=flow.table or 0), False
    return texts.say("sent.refused", table=flow.table or 0, reason=sent.reason), False
