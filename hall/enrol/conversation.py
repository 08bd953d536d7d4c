"""One device at the enrolment port: the hall's side of a conversation, and the room where devices wait for the director (docs/spec/wire.md, "The enrolment port")."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, TypeVar

from cryptography.hazmat.primitives.serialization import Encoding
from pydantic import BaseModel

from appliance.log import get_logger
from faults.errors import TileclockError
from hall.enrol.protocol import (
    SENTENCES,
    Conversation,
    EnrolRequest,
    HallAnswer,
    HallOpening,
    NotGranted,
    Opening,
    Renewal,
    Reveal,
    commitment,
    digits_of,
)
from hall.enrol.registrar import About, Registrar, has_its_keys, id_of, refused
from hall.keys.files import HallFiles
from hall.link.pace import Bucket

MAX: Final = 100
MAX_OF_ADDRESS: Final = 20
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
        if len(self.applicants) >= MAX or of_address >= MAX_OF_ADDRESS or not self._new.take(applicant.since):
            return False
        self.applicants.append(applicant)
        return True

    def leave(self, applicant: Applicant) -> None:
        """Take a device out: it has its answer, or is gone."""
        self.applicants.remove(applicant)

    def with_digits(self, typed: str) -> list[Applicant]:
        """Return the devices with these digits, or this transcript; more than one is an accident or an attack."""
        return [each for each in self.applicants if typed in (each.digits, each.transcript) and not each.answer.done()]


M = TypeVar("M", bound=BaseModel)
LINE_S: Final = 10.0
"""How long a device may take for a line, and for reading one."""
WAIT_S: Final = 600.0
"""How long a device waits for the director."""
_WRONG_S: Final = 1.0
"""A wrong token is answered after that."""
_NONCE_BYTES: Final = 16


class Office:
    """What all conversations share.

    Args:
        files: the hall.
    """

    def __init__(self, files: HallFiles) -> None:
        self.registrar = Registrar(files)
        self.room = WaitingRoom()
        self.wrong = Bucket(60, 60_000_000_000)
        """Wrong tokens."""
        authority = files.authority.certificate
        self.ca_der = authority.public_bytes(Encoding.DER)
        self.ca_pem = authority.public_bytes(Encoding.PEM).decode()

    def decided(self, decide: Callable[[], HallAnswer]) -> HallAnswer:
        """Return the registrar's answer; where the hall's own files fail, its log says why."""
        try:
            return decide()
        except (TileclockError, OSError) as error:
            get_logger().error("the hall cannot admit", why=str(error))
            return refused(NotGranted.HALL_FAULT)


class DeviceConversation:
    """From a device's first line to its answer.

    Args:
        office: what all share.
        reader: of the device's lines; it refuses longer ones than ``messages.LONGEST``.
        writer: to the device.
        address: the device's.
    """

    def __init__(self, office: Office, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, address: str) -> None:
        self._office, self._reader, self._writer, self._address = office, reader, writer, address
        self._nonce = secrets.token_hex(_NONCE_BYTES)

    async def run(self) -> None:
        """Talk until the answer is sent, or the device is gone."""
        try:
            answer = await self._answer()
        except (ValueError, asyncio.LimitOverrunError):
            answer = refused(NotGranted.MALFORMED)
        if answer is None:
            return
        await self._send(answer)
        if answer.answer == "refused":
            get_logger().warning("not granted", address=self._address, why=SENTENCES[answer.reason])

    async def _answer(self) -> HallAnswer | None:
        opening = await self._receive(Opening)
        await self._send(HallOpening(ca=self._office.ca_pem, nonce=self._nonce))
        if opening.do == "renew":
            renewal = await self._receive(Renewal)
            answer = self._office.decided(lambda: self._office.registrar.renew(renewal, self._nonce))
            if answer.answer == "granted":
                get_logger().info("renewed", device=renewal.device, address=self._address)
            return answer
        return await self._enrol(opening.commitment or "", await self._receive(Reveal))

    async def _enrol(self, committed: str, reveal: Reveal) -> HallAnswer | None:
        request = EnrolRequest.model_validate_json(reveal.request)
        transcript = Conversation(self._office.ca_der, reveal.request, reveal.secret, self._nonce).transcript
        if committed != commitment(reveal.request, reveal.secret) or not has_its_keys(request, reveal, transcript):
            return refused(NotGranted.BAD_PROOF)
        if reveal.token is not None:
            return await self._by_token(request, transcript, reveal.token)
        return await self._by_digits(request, transcript)

    async def _by_token(self, request: EnrolRequest, transcript: str, token: str) -> HallAnswer:
        if self._office.wrong.free_at(now := time.monotonic_ns()) > now:
            return refused(NotGranted.TOO_MANY)
        answer = self._office.decided(lambda: self._office.registrar.admit_by_token(request, transcript, token))
        if answer.reason in (NotGranted.UNKNOWN_TOKEN, NotGranted.USED_TOKEN):
            self._office.wrong.take(now)
            await asyncio.sleep(_WRONG_S)
        self._note(answer, request)
        return answer

    async def _by_digits(self, request: EnrolRequest, transcript: str) -> HallAnswer | None:
        """Wait for the director; None: the device is gone before."""
        decided: asyncio.Future[HallAnswer] = asyncio.get_running_loop().create_future()
        applicant = Applicant(request, transcript, self._address, time.monotonic_ns(), decided)
        room = self._office.room
        if not room.enter(applicant):
            return refused(NotGranted.TOO_MANY)
        gone = asyncio.ensure_future(self._reader.read(1))
        try:
            await self._send(HallAnswer(answer="waiting"))
            get_logger().info("waits for the director", digits=applicant.digits, device=id_of(request), address=self._address)
            await asyncio.wait((decided, gone), timeout=WAIT_S, return_when=asyncio.FIRST_COMPLETED)
        finally:
            room.leave(applicant)
            gone.cancel()
        if decided.done():
            self._note(decided.result(), request)
            return decided.result()
        return None if gone.done() and not gone.cancelled() else refused(NotGranted.TOO_LATE)

    def _note(self, answer: HallAnswer, request: EnrolRequest) -> None:
        if answer.answer == "granted":
            about = About(kind=request.kind, name=request.name, table=request.table)
            get_logger().info("admitted", device=id_of(request), what=about, address=self._address)

    async def _receive(self, kind: type[M]) -> M:
        line = await asyncio.wait_for(self._reader.readuntil(b"\n"), LINE_S)
        return kind.model_validate_json(line)

    async def _send(self, message: BaseModel) -> None:
        self._writer.write(message.model_dump_json().encode() + b"\n")
        await asyncio.wait_for(self._writer.drain(), LINE_S)
