"""The enrolment port: devices wait there for the director's answer, each in a conversation of its own."""

from __future__ import annotations

import asyncio
import gc
import os
import secrets
import signal
import ssl
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, TypeVar

import sdnotify
from cryptography.hazmat.primitives.serialization import Encoding
from pydantic import BaseModel, ValidationError

from appliance.log import get_logger
from appliance.process import startup_done
from faults.errors import TileclockError, reason
from hall.enrol.announce import Announced, announce
from hall.enrol.protocol import (
    LONGEST,
    MAX_BYTES,
    SENTENCES,
    AdmitAnswer,
    AdmitRequest,
    EnrolRequest,
    HallAnswer,
    HallOpening,
    Opening,
    Renewal,
    Reveal,
    WaitingDevice,
    commitment,
    digits_of,
    fingerprint,
    transcript_of,
)
from hall.enrol.registrar import Registrar, about_of, has_its_keys, id_of, refused
from hall.errors import HallError, explained
from hall.keys.files import HallFiles
from hall.link.pace import Bucket
from hall.listening import LimitedSocket, shortened
from hall.settings import Settings

BEGIN_AT_ONCE: Final = 10
BEGIN_WITHIN_NS: Final = 10_000_000_000
"""So many devices begin to wait in this time, 60 in a minute. Each is one try in 10^8 of a program in between to have the digits of another device."""


@dataclass(frozen=True, eq=False)
class Applicant:
    """A device that wants to wait, then waits; made within the event loop."""

    request: EnrolRequest
    transcript: str
    address: str
    since: int = field(default_factory=time.monotonic_ns)
    """ns of CLOCK_MONOTONIC."""
    waits: asyncio.Event = field(default_factory=asyncio.Event, repr=False)
    answer: asyncio.Future[HallAnswer] = field(default_factory=lambda: asyncio.get_running_loop().create_future(), repr=False)

    @property
    def digits(self) -> str:
        return digits_of(self.transcript)


class WaitingRoom:
    """Used by one event loop. The limits of connections bound how many devices wait."""

    def __init__(self) -> None:
        self.applicants: list[Applicant] = []
        self._outside: list[Applicant] = []
        self._begun: Counter[str] = Counter()
        """How many devices of each address have waited since the start."""
        self._new = Bucket(BEGIN_AT_ONCE, BEGIN_WITHIN_NS)
        self._opens: asyncio.TimerHandle | None = None

    def enter(self, applicant: Applicant) -> None:
        """Let a device wait as soon as it may. The address with the fewest turns goes first, so a crowd never locks a device out."""
        self._outside.append(applicant)
        self._let_in()

    def leave(self, applicant: Applicant) -> None:
        (self.applicants if applicant.waits.is_set() else self._outside).remove(applicant)

    def with_digits(self, typed: str) -> list[Applicant]:
        """Return the devices with these digits, or this transcript; more than one is an accident or an attack."""
        return [each for each in self.applicants if typed in (each.digits, each.transcript) and not each.answer.done()]

    def _let_in(self) -> None:
        while self._outside and self._new.allows(time.monotonic_ns()):
            first = min(self._outside, key=lambda each: self._begun[shortened(each.address)])
            self._outside.remove(first)
            self._begun[shortened(first.address)] += 1
            self.applicants.append(first)
            first.waits.set()
        if self._opens is not None:
            self._opens.cancel()
        if self._outside:
            now = time.monotonic_ns()
            self._opens = asyncio.get_running_loop().call_later((self._new.free_at(now) - now) / 1_000_000_000, self._let_in)


M = TypeVar("M", bound=BaseModel)
LINE_S: Final = 10.0
"""How long a device may take for a line, and for reading one."""
TURN_S: Final = 15.0
"""How long it may take until a device may wait: less than the device's own patience."""
WAIT_S: Final = 600.0


class DeviceConversation:
    """From a device's first line to its answer; ``reader`` refuses lines longer than ``messages.LONGEST``."""

    def __init__(self, service: AdmissionService, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, address: str) -> None:
        self._service, self._reader, self._writer, self._address = service, reader, writer, address
        self._nonce = secrets.token_hex(16)

    async def run(self) -> None:
        try:
            answer = await self._answer()
        except (ValueError, asyncio.LimitOverrunError):
            answer = refused("malformed")
        if answer is None:
            return
        await self._send(answer)
        if answer.answer == "refused":
            get_logger().warning("a device was not admitted", address=self._address, why=SENTENCES[answer.reason])

    async def _answer(self) -> HallAnswer | None:
        opening = await self._receive(Opening)
        await self._send(HallOpening(ca=self._service.ca.public_bytes(Encoding.PEM).decode(), nonce=self._nonce))
        if opening.do == "renew":
            renewal = await self._receive(Renewal)
            answer = self._service.decided(lambda: self._service.registrar.renew(renewal, self._nonce))
            if answer.answer == "granted":
                get_logger().info("the certificate of a device was renewed", device=renewal.device, address=self._address)
            return answer
        return await self._enrol(opening.commitment or "", await self._receive(Reveal))

    async def _enrol(self, committed: str, reveal: Reveal) -> HallAnswer | None:
        request = EnrolRequest.model_validate_json(reveal.request)
        transcript = transcript_of(self._service.ca.public_bytes(Encoding.DER), reveal.request, reveal.secret, self._nonce)
        if committed != commitment(reveal.request, reveal.secret) or not has_its_keys(request, reveal, transcript):
            return refused("bad_proof")
        if reveal.token is not None:
            return await self._by_token(request, transcript, reveal.token)
        return await self._by_digits(request, transcript)

    async def _by_token(self, request: EnrolRequest, transcript: str, token: str) -> HallAnswer:
        answer = self._service.decided(lambda: self._service.registrar.admit_by_token(request, transcript, token))
        if answer.reason in ("unknown_token", "used_token"):
            # This suffices: 128 random bits cannot be guessed, and a common limit would lock out the owner of the right token.
            await asyncio.sleep(1.0)
        self._note(answer, request)
        return answer

    async def _by_digits(self, request: EnrolRequest, transcript: str) -> HallAnswer | None:
        """Wait for the director; None: the device is gone before."""
        applicant, room = Applicant(request, transcript, self._address), self._service.room
        gone, waits = asyncio.ensure_future(self._reader.read(1)), asyncio.ensure_future(applicant.waits.wait())
        room.enter(applicant)
        try:
            await asyncio.wait((waits, gone), timeout=TURN_S, return_when=asyncio.FIRST_COMPLETED)
            if not applicant.waits.is_set():
                return None if gone.done() else refused("too_many")
            await self._send(HallAnswer(answer="waiting"))
            get_logger().info("a device waits for the director", digits=applicant.digits, device=id_of(request), address=self._address)
            await asyncio.wait((applicant.answer, gone), timeout=WAIT_S, return_when=asyncio.FIRST_COMPLETED)
        finally:
            room.leave(applicant)
            gone.cancel()
            waits.cancel()
        if applicant.answer.done():
            self._note(applicant.answer.result(), request)
            return applicant.answer.result()
        return None if gone.done() and not gone.cancelled() else refused("too_late")

    def _note(self, answer: HallAnswer, request: EnrolRequest) -> None:
        if answer.answer == "granted":
            get_logger().info("a device was admitted", device=id_of(request), what=about_of(request), address=self._address)

    async def _receive(self, kind: type[M]) -> M:
        line = await asyncio.wait_for(self._reader.readuntil(b"\n"), LINE_S)
        return kind.model_validate_json(line)

    async def _send(self, message: BaseModel) -> None:
        self._writer.write(message.model_dump_json().encode() + b"\n")
        await asyncio.wait_for(self._writer.drain(), LINE_S)


class AdmissionSocket(LimitedSocket):
    """The enrolment port. A network of IPv4 has fewer than 300 addresses, so no crowd of them takes the connection of a device."""

    of_one, of_all = 30, 300


HANDSHAKE_S: Final = 10.0
_BACKLOG: Final = 512


class AdmissionService:
    """Serves devices at ``address`` (empty: all of the machine's) and ``port`` (0: a free one), and the director by a local socket."""

    def __init__(self, files: HallFiles, address: str, port: int, director: Path) -> None:
        self.registrar, self.room, self.ca = Registrar(files), WaitingRoom(), files.authority.certificate
        self._files, self._address, self._port, self._director = files, address, port, director

    def decided(self, decide: Callable[[], HallAnswer]) -> HallAnswer:
        """Return the registrar's answer; where the hall's own files fail, its log says why."""
        try:
            return decide()
        except (TileclockError, OSError) as error:
            get_logger().error("the hall cannot admit", why=str(error))
            return refused("hall_fault")

    async def run(self, ready: Callable[[int], None], stopped: asyncio.Event) -> None:
        """Serve until ``stopped``; ``ready`` gets the port.

        Raises:
            HallError: port or socket are in use.
        """
        port = await self._listening()
        director = await self._for_director()
        async with port, director:
            ready(port.sockets[0].getsockname()[1])
            await stopped.wait()
        with suppress(OSError):
            self._director.unlink()

    async def _listening(self) -> asyncio.Server:
        with explained(HallError, "a free port", where=f"port {self._port}", remedy="Give another --port"):
            listening = AdmissionSocket.bound(self._address, self._port, _BACKLOG)
        return await asyncio.start_server(
            self._serve,
            sock=listening,
            limit=LONGEST,
            backlog=_BACKLOG,
            ssl=_tls(self._files),
            ssl_handshake_timeout=HANDSHAKE_S,
            ssl_shutdown_timeout=HANDSHAKE_S,
        )

    async def _for_director(self) -> asyncio.Server:
        path = self._director
        umask = os.umask(0o177)
        try:
            return await asyncio.start_unix_server(self._direct, path, limit=MAX_BYTES)
        except OSError as error:
            raise HallError(where=path, expected="to make the director's socket", found=reason(error)) from error
        finally:
            os.umask(umask)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        # So begins an address of IPv4 on a socket of both kinds.
        address = str((writer.get_extra_info("peername") or ("unknown",))[0]).removeprefix("::ffff:")
        try:
            await DeviceConversation(self, reader, writer, address).run()
        # Devices, and whatever else finds the port, come and go.
        except (OSError, EOFError, TimeoutError):
            pass
        finally:
            writer.close()

    async def _direct(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError, EOFError, ValidationError, ValueError):
            wish = AdmitRequest.model_validate_json(await reader.readline())
            answer = (
                AdmitAnswer(outcome="list", waiting=tuple(map(_shown, self.room.applicants)))
                if wish.admit is None
                else self._admit(wish.admit)
            )
            writer.write(answer.model_dump_json().encode() + b"\n")
            await writer.drain()
        writer.close()

    def _admit(self, typed: str) -> AdmitAnswer:
        found = self.room.with_digits(typed)
        if len(found) != 1:
            return AdmitAnswer(outcome="ambiguous" if found else "unknown")
        applicant = found[0]
        answer = self.decided(lambda: self.registrar.admit(applicant.request, applicant.transcript))
        applicant.answer.set_result(answer)
        if answer.answer == "refused":
            return AdmitAnswer(outcome="refused", reason=answer.reason)
        return AdmitAnswer(outcome="admitted", waiting=(_shown(applicant),))


def _shown(applicant: Applicant) -> WaitingDevice:
    request = applicant.request
    return WaitingDevice(
        digits=applicant.digits,
        device=id_of(request),
        about=str(about_of(request)),
        address=applicant.address,
        seconds=(time.monotonic_ns() - applicant.since) // 1_000_000_000,
    )


def _tls(files: HallFiles) -> ssl.SSLContext:
    # The broker's own certificate: it is the one of this machine, and no device's is good for a server.
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.load_cert_chain(files.broker.certificate, files.broker.key)
    return context


def _collect_often() -> None:
    """Let ended connections go soon: each is 60 kB over TLS, but to Python's collector a few objects of thousands."""
    # What the start has loaded is left out, so a collection takes few milliseconds.
    startup_done()
    gc.collect()
    gc.set_threshold(700, 5, 2)


async def serve(settings: Settings) -> None:
    """Run the service, and announce the broker, until SIGTERM or SIGINT; raises ``HallError`` if port or socket are in use."""
    files = HallFiles.load(Path(settings.admissions.folder))
    stopped = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stopped.set)
    announcing: list[asyncio.Task[None]] = []

    def ready(port: int) -> None:
        found = fingerprint(files.authority.certificate.public_bytes(Encoding.DER))
        hall = Announced(files.authority.hall, found, "", settings.broker.port, port)
        announcing.append(asyncio.ensure_future(announce(hall, settings.admissions.address)))
        _collect_often()
        get_logger().info("the hall admits devices", hall=hall.hall, port=port, fingerprint=found)
        sdnotify.SystemdNotifier().notify("READY=1")

    place = settings.admissions
    await AdmissionService(files, place.address, settings.enrol.port, Path(place.socket)).run(ready, stopped)
    for task in announcing:
        task.cancel()
    await asyncio.gather(*announcing, return_exceptions=True)
