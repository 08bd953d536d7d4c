"""What has become of a message to the table's clock, in a sentence. It is the same for every verdict."""

from __future__ import annotations

from typing import Final

from appliance.texts import Texts
from kiosk.challenge.flow import Flow
from kiosk.challenge.table_facts import ClockAnswer

SAID: Final = ("no_challenge", "other_challenge", "other_game", "has_verdict", "gone_on", "frozen", "not_by_rulebook")
"""The refusals that players can do something about; any other is shown by its name, for the director."""


def sent_line(flow: Flow, texts: Texts) -> tuple[str | None, bool]:
    """Return the sentence, and whether it says that the clock has taken the message; None: nothing was sent."""
    sent = flow.sent
    if sent is None:
        return None, False
    if sent.answer is not ClockAnswer.REFUSED:
        return texts.say(f"sent.{sent.answer}", table=flow.table or 0), sent.answer in (ClockAnswer.WAITING, ClockAnswer.TAKEN)
    if sent.reason in SAID:
        return texts.say(f"sent.{sent.reason}", table=flow.table or 0), False
    return texts.say("sent.refused", table=flow.table or 0, reason=sent.reason), False
