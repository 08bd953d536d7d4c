"""The devices that wait for the director: who, with which digits, and how many may."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Final

from hall.enrol.messages import EnrolRequest, HallAnswer
from hall.enrol.transcript import digits_of
from hall.link.bucket import Bucket

MOST: Final = 100
MOST_OF_ADDRESS: Final = 20
A_MINUTE: Final = 60
"""New ones. Each is one try in 10^8 of a program in between to have the digits of another device."""
_MINUTE_NS: Final = 60_000_000_000


@dataclass(frozen=True, eq=False)
class Applicant:
    """A device that waits."""

    request: EnrolRequest
    transcript: str
    address: str
    since: int
    """ns of CLOCK_MONOTONIC."""
    answer: asyncio.Future[HallAnswer] = field(repr=False)

    @property
    def digits(self) -> str:
        """What the device shows too."""
        return digits_of(self.transcript)


class WaitingRoom:
    """Used by one event loop."""

    def __init__(self) -> None:
        self.applicants: list[Applicant] = []
        """In the order in which they came."""
        self._new = Bucket(A_MINUTE, _MINUTE_NS)

    def enter(self, applicant: Applicant) -> bool:
        """Let a device wait; False: there is no room."""
        of_address = sum(each.address == applicant.address for each in self.applicants)
        if len(self.applicants) >= MOST or of_address >= MOST_OF_ADDRESS or not self._new.take(applicant.since):
            return False
        self.applicants.append(applicant)
        return True

    def leave(self, applicant: Applicant) -> None:
        """Take a device out: it has its answer, or is gone."""
        self.applicants.remove(applicant)

    def with_digits(self, typed: str) -> list[Applicant]:
        """Return the devices with these digits, or this transcript; more than one is an accident or an attack."""
        return [each for each in self.applicants if typed in (each.digits, each.transcript) and not each.answer.done()]
