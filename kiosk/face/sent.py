"""What has become of a message to the table's clock, in a sentence. It is the same for every verdict."""

from __future__ import annotations

from typing import Final

from appliance.texts import Texts
from kiosk.challenge.flow import Flow
from kiosk.challenge.table_facts import Answer
from wire.reasons import Reason

_SAID: Final = (
    Reason.NO_CHALLENGE,
    Reason.OTHER_CHALLENGE,
    Reason.OTHER_GAME,
    Reason.HAS_VERDICT,
    Reason.GONE_ON,
    Reason.FROZEN,
    Reason.NOT_BY_RULEBOOK,
)
"""The refusals that players can do something about; of any other they are told by its name, for the director."""


def sent_line(flow: Flow, texts: Texts) -> tuple[str | None, bool]:
    """Return the sentence, and whether it says that the clock has taken the message; None: nothing was sent."""
    sent = flow.sent
    if sent is None:
        return None, False
    if sent.answer is not Answer.REFUSED:
        return texts.say(f"sent.{sent.answer}", table=flow.table or 0), sent.answer in (Answer.WAITING, Answer.TAKEN)
    if sent.reason in _SAID:
        return texts.say(f"sent.{sent.reason}", table=flow.table or 0), False
    return texts.say("sent.refused", table=flow.table or 0, reason=sent.reason), False
