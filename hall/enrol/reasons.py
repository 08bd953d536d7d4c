"""Why the hall refuses an enrolment or a renewal, in one sentence each (docs/spec/wire.md, "Refusals")."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Final


class NotGranted(StrEnum):
    """The reasons, as they are sent."""

    MALFORMED = "malformed"
    BAD_PROOF = "bad_proof"
    UNKNOWN_TOKEN = "unknown_token"  # noqa: S105 - a reason
    USED_TOKEN = "used_token"  # noqa: S105 - a reason
    OTHER_KIND = "other_kind"
    TOO_MANY = "too_many"
    TOO_LATE = "too_late"
    NOT_ADMITTED = "not_admitted"
    ENDED = "ended"
    NO_DATE = "no_date"
    HALL_FAULT = "hall_fault"


SENTENCES: Final[Mapping[str, str]] = {
    NotGranted.MALFORMED: "The hall does not understand the request: install the same release on both machines.",
    NotGranted.BAD_PROOF: "The request is not signed by this device's keys: ask again.",
    NotGranted.UNKNOWN_TOKEN: "The hall does not know this token: make a new file with `tilehall token`.",
    NotGranted.USED_TOKEN: "This token has been used by another device, or its device is revoked: make a new file with `tilehall token`.",
    NotGranted.OTHER_KIND: "This token is for the other kind of device, a clock or a station: use the right file.",
    NotGranted.TOO_MANY: "Too many devices ask at once: try again in a minute.",
    NotGranted.TOO_LATE: "The director has not admitted this device within ten minutes: ask again.",
    NotGranted.NOT_ADMITTED: "The hall does not know this device, or has revoked it: enrol it again.",
    NotGranted.ENDED: "This device's certificate ended more than 60 days ago: enrol it again.",
    NotGranted.NO_DATE: "The date of the hall's machine is wrong: set it there.",
    NotGranted.HALL_FAULT: "The hall cannot admit anybody now: its log says why.",
}
