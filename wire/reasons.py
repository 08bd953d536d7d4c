"""Why a device refuses a proposal (docs/spec/wire.md, "Reasons"). ``ack`` carries the name; each screen says the sentence in its language."""

from __future__ import annotations

from enum import StrEnum
from typing import Final


class RefusalReason(StrEnum):
    """A refusal."""

    MALFORMED = "malformed"
    TOO_LARGE = "too_large"
    BAD_SIGNATURE = "bad_signature"
    NOT_ENROLLED = "not_enrolled"
    OTHER_DEVICE = "other_device"
    OTHER_EPOCH = "other_epoch"
    OTHER_GAME = "other_game"
    STALE = "stale"
    REPEATED = "repeated"
    RETAINED = "retained"
    OUT_OF_DATE = "out_of_date"
    NOT_BETWEEN_GAMES = "not_between_games"
    NO_CHALLENGE = "no_challenge"
    OTHER_CHALLENGE = "other_challenge"
    HAS_VERDICT = "has_verdict"
    GONE_ON = "gone_on"
    FROZEN = "frozen"
    NOT_BY_RULEBOOK = "not_by_rulebook"
    UNKNOWN_RULEBOOK = "unknown_rulebook"
    SET_ON_CARD = "set_on_card"
    UNKNOWN_LANGUAGE = "unknown_language"
    NO_BUZZER = "no_buzzer"
    NO_UPDATES = "no_updates"
    NOT_ALLOWED = "not_allowed"
    BUSY = "busy"

    @property
    def sentence(self) -> str:
        """The refusal in English."""
        return _SENTENCES[self]


_SENTENCES: Final = {
    RefusalReason.MALFORMED: "The message is not one of version 1.",
    RefusalReason.TOO_LARGE: "The message is larger than 8,192 bytes.",
    RefusalReason.BAD_SIGNATURE: "The signature is not the director's (the station's).",
    RefusalReason.NOT_ENROLLED: "This station has no credential of this hall.",
    RefusalReason.OTHER_DEVICE: "The message is for another clock.",
    RefusalReason.OTHER_EPOCH: "The message is for another journal.",
    RefusalReason.OTHER_GAME: "The message is for another game.",
    RefusalReason.STALE: "The message is older than the last three beats.",
    RefusalReason.REPEATED: "This message has been handled already.",
    RefusalReason.RETAINED: "The message was kept by the broker; orders are never kept.",
    RefusalReason.OUT_OF_DATE: "The game has gone on since the message was made.",
    RefusalReason.NOT_BETWEEN_GAMES: "A game is in progress.",
    RefusalReason.NO_CHALLENGE: "This clock adjudicates no challenge.",
    RefusalReason.OTHER_CHALLENGE: "This clock adjudicates another challenge.",
    RefusalReason.HAS_VERDICT: "The challenge already has its verdict.",
    RefusalReason.GONE_ON: "The game has gone on since the verdict: call the director.",
    RefusalReason.FROZEN: "The director has to confirm the times of this clock first.",
    RefusalReason.NOT_BY_RULEBOOK: "The rulebook does not allow it.",
    RefusalReason.UNKNOWN_RULEBOOK: "This clock has no such rulebook.",
    RefusalReason.SET_ON_CARD: "The clock's own settings set this: change it there.",
    RefusalReason.UNKNOWN_LANGUAGE: "This clock does not have this language.",
    RefusalReason.NO_BUZZER: "The buzzer's pin cannot be used: this clock's log says why.",
    RefusalReason.NO_UPDATES: "The clock's own settings do not let the desk update it.",
    RefusalReason.NOT_ALLOWED: "This never comes from the network.",
    RefusalReason.BUSY: "Eight proposals are waiting.",
}
