"""The enrolment's service on the hall's machine: the port where devices ask, and the local socket where the director answers."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import ssl
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

import sdnotify
from cryptography.hazmat.primitives.serialization import Encoding
from pydantic import ValidationError

from appliance.log import get_logger
from faults.errors import reason
from hall.enrol.admit_socket import MAX_BYTES, AdmitAnswer, AdmitRequest, WaitingDevice
from hall.enrol.announce import Announced, announce
from hall.enrol.conversation import Applicant, DeviceConversation, Office
from hall.enrol.protocol import LONGEST, fingerprint
from hall.enrol.registrar import About, id_of
from hall.errors import AdmissionsError
from hall.keys.files import HallFiles

MAX_CONNECTIONS: Final = 300
MAX_OF_ADDRESS: Final = 30
HANDSHAKE_S: Final = 10.0
_OWNER_ONLY: Final = 0o177


class AdmissionPlaces(NamedTuple):
    """Where the service is reached."""

    address: str
    """Empty: at all addresses of the machine."""
    port: int
    """0: a free one."""
    socket: Path
    """The director's."""


class AdmissionService:
    """Serves devices and director until ``stop``.

    Args:
        files: the hall.
        places: where.
    """

    def __init__(self, files: HallFiles, places: AdmissionPlaces) -> None:
        self._office = Office(files)
        self._files, self._places = files, places
        self._connections: Counter[str] = Counter()

    async def run(self, ready: Callable[[int], None], stopped: asyncio.Event) -> None:
        """Serve until ``stopped``; ``ready`` gets the port.

        Raises:
            AdmissionsError: port or socket are in use.
        """
        port = await self._listening()
        director = await self._for_director()
        async with port, director:
            ready(port.sockets[0].getsockname()[1])
            await stopped.wait()
        with suppress(OSError):
            self._places.socket.unlink()

    async def _listening(self) -> asyncio.Server:
        address, port, _ = self._places
        try:
            return await asyncio.start_server(
                self._serve,
                address or None,
                port,
                family=socket.AF_UNSPEC,
                limit=LONGEST,
                backlog=100,
                ssl=_tls(self._files),
                ssl_handshake_timeout=HANDSHAKE_S,
                ssl_shutdown_timeout=HANDSHAKE_S,
            )
        except OSError as error:
            raise AdmissionsError(
                where=f"port {port}", expected="a free port", found=reason(error), remedy="Give another --port"
            ) from error

    async def _for_director(self) -> asyncio.Server:
        path = self._places.socket
        umask = os.umask(_OWNER_ONLY)
        try:
            return await asyncio.start_unix_server(self._direct, path, limit=MAX_BYTES)
        except OSError as error:
            raise AdmissionsError(where=path, expected="to make the director's socket", found=reason(error)) from error
        finally:
            os.umask(umask)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        address = str((writer.get_extra_info("peername") or ("unknown",))[0])
        self._connections[address] += 1
        try:
            if self._connections.total() <= MAX_CONNECTIONS and self._connections[address] <= MAX_OF_ADDRESS:
                await DeviceConversation(self._office, reader, writer, address).run()
        # Devices, and whatever else finds the port, come and go.
        except (OSError, EOFError, TimeoutError):
            pass
        finally:
            self._connections -= Counter((address,))
            writer.close()

    async def _direct(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError, EOFError, ValidationError, ValueError):
            wish = AdmitRequest.model_validate_json(await reader.readline())
            answer = self._listed() if wish.admit is None else self._admit(wish.admit)
            writer.write(answer.model_dump_json().encode() + b"\n")
            await writer.drain()
        writer.close()

    def _listed(self) -> AdmitAnswer:
        return AdmitAnswer(outcome="list", waiting=tuple(map(_shown, self._office.room.applicants)))

    def _admit(self, typed: str) -> AdmitAnswer:
        found = self._office.room.with_digits(typed)
        if len(found) != 1:
            return AdmitAnswer(outcome="ambiguous" if found else "unknown")
        applicant = found[0]
        answer = self._office.decided(lambda: self._office.registrar.admit(applicant.request, applicant.transcript))
        applicant.answer.set_result(answer)
        if answer.answer == "refused":
            return AdmitAnswer(outcome="refused", reason=answer.reason)
        return AdmitAnswer(outcome="admitted", waiting=(_shown(applicant),))


def _shown(applicant: Applicant) -> WaitingDevice:
    request = applicant.request
    return WaitingDevice(
        digits=applicant.digits,
        device=id_of(request),
        about=str(About(kind=request.kind, name=request.name, table=request.table)),
        address=applicant.address,
        seconds=(time.monotonic_ns() - applicant.since) // 1_000_000_000,
    )


def _tls(files: HallFiles) -> ssl.SSLContext:
    # The broker's own certificate: it is the one of this machine, and no device's is good for a server.
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.load_cert_chain(files.broker.certificate, files.broker.key)
    return context


async def serve(files: HallFiles, places: AdmissionPlaces, broker_port: int) -> None:
    """Run the service, and announce the broker, until SIGTERM or SIGINT.

    Raises:
        AdmissionsError: port or socket are in use.
    """
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stopped.set)
    announcing: list[asyncio.Task[None]] = []

    def ready(port: int) -> None:
        found = fingerprint(files.authority.certificate.public_bytes(Encoding.DER))
        hall = Announced(files.authority.hall, found, "", broker_port, port)
        announcing.append(asyncio.ensure_future(announce(hall, places.address)))
        get_logger().info("admitting", hall=hall.hall, port=port, fingerprint=found)
        sdnotify.SystemdNotifier().notify("READY=1")

    await AdmissionService(files, places).run(ready, stopped)
    for task in announcing:
        task.cancel()
    await asyncio.gather(*announcing, return_exceptions=True)
