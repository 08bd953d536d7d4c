"""From a packet of the network to a proposal: form and signatures, and whether it is for this clock, this game and now.

A packet that fails here changes nothing and reaches no game. No wall clock: the clock knows its own nonces and the ids it has handled.
"""

import base64
import json
import re
from collections.abc import Callable
from typing import Annotated, Any, Final, TypeAlias

from msgspec import Meta, Struct
from pydantic import ValidationError

from wire.proposals import ACTS, MAX_BYTES, ORDER, CredentialBody, Order, RefusalReason, SignedBody, SignedVerdict, VerdictBody
from wire.topics import HALL, STATION, device_id, signed_bytes

SignatureCheck: TypeAlias = Callable[[str, str, bytes], bool]
"""Whether a signature by a public key (both base64) covers these bytes."""
ORDER_TOPIC: Final = "order"
_VERDICT_TOPIC: Final = "verdict/"
_ID: Final = re.compile(r"[0-9a-f]{32}")


_Key: TypeAlias = Annotated[str, Meta(pattern=r"\A[A-Za-z0-9+/]{43}=\Z")]


class Trust(Struct, frozen=True):
    hall: Annotated[str, Meta(pattern=rf"\A{HALL.pattern}\Z")]
    hall_key: _Key
    director_key: _Key


class Refusal(Struct, frozen=True):
    """A packet that is no proposal."""

    reason: RefusalReason
    id: str | None
    """What the packet calls itself, for the answer; None: it has no such name."""
    sender: str
    """``order``, or the station as the broker knows it."""


def opened(topic: str, payload: str, trust: Trust, fits: SignatureCheck, today: int | None) -> Order | VerdictBody | Refusal:
    """Return the proposal in ``payload``.

    ``topic`` is what follows ``cmd/{id}/``; the broker has checked that the station in it is the sender. ``today``: the day since 1970; None:
    this machine's date is not plausible.
    """
    sender = topic.removeprefix(_VERDICT_TOPIC)
    if len(payload.encode()) > MAX_BYTES:
        return Refusal(RefusalReason.TOO_LARGE, None, sender)
    try:
        if topic == ORDER_TOPIC:
            return _order(payload, trust, fits)
        if topic.startswith(_VERDICT_TOPIC):
            return _verdict(payload, sender, trust, fits, today)
    except ValidationError:
        return Refusal(RefusalReason.MALFORMED, id_of(payload), sender)
    return Refusal(RefusalReason.NOT_ALLOWED, id_of(payload), sender)


def _order(payload: str, trust: Trust, fits: SignatureCheck) -> Order | Refusal:
    order = SignedBody.model_validate_json(payload)
    if not fits(trust.director_key, order.signature, signed_bytes("tc/1 order", trust.hall, order.body)):
        return Refusal(RefusalReason.BAD_SIGNATURE, id_of(payload), ORDER_TOPIC)
    if _unknown_act(order.body):
        return Refusal(RefusalReason.NOT_ALLOWED, id_of(payload), ORDER_TOPIC)
    return ORDER.validate_json(order.body)


def _verdict(payload: str, sender: str, trust: Trust, fits: SignatureCheck, today: int | None) -> VerdictBody | Refusal:
    verdict = SignedVerdict.model_validate_json(payload)
    key = _station_key(verdict.credential, sender, trust, fits, today)
    if key is None:
        return Refusal(RefusalReason.NOT_ENROLLED, id_of(payload), sender)
    if not fits(key, verdict.signature, signed_bytes("tc/1 verdict", trust.hall, verdict.body)):
        return Refusal(RefusalReason.BAD_SIGNATURE, id_of(payload), sender)
    if _unknown_act(verdict.body):
        return Refusal(RefusalReason.NOT_ALLOWED, id_of(payload), sender)
    body = VerdictBody.model_validate_json(verdict.body)
    return body if body.station == sender else Refusal(RefusalReason.NOT_ENROLLED, body.id, sender)


def _station_key(credential: SignedBody, sender: str, trust: Trust, fits: SignatureCheck, today: int | None) -> str | None:
    """Return the key of the station ``sender``; None: the hall has not signed that it is one."""
    if not fits(trust.hall_key, credential.signature, signed_bytes("tc/1 credential", trust.hall, credential.body)):
        return None
    body = CredentialBody.model_validate_json(credential.body)
    if body.device != sender or device_id(STATION, base64.b64decode(body.key)) != sender:
        return None
    return body.key if today is None or today <= body.not_after_day else None


def _unknown_act(body: str) -> bool:
    do = _object(body).get("do")
    return isinstance(do, str) and do not in ACTS


def id_of(payload: str) -> str | None:
    body = _object(payload).get("body")
    name = _object(body).get("id") if isinstance(body, str) else None
    return name if isinstance(name, str) and _ID.fullmatch(name) else None


def _object(text: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


IDS: Final = 1_000
"""How many ids are remembered: more than a day of rounds has verdicts and orders."""


class Addressee(Struct, frozen=True):
    """The clock as proposals have to name it."""

    device: str
    epoch: str | None
    """None: no journal can be read, so no proposal fits."""
    game: int
    nonces: tuple[str, ...]
    """Of the last beats, oldest first: an order names one."""
    start: str
    """The nonce of this start of the program: a station's message names it."""
    handled: tuple[str, ...]
    """The ids of the last proposals, oldest first."""


def misdirected(proposal: Order | VerdictBody, to: Addressee, *, retained: bool) -> RefusalReason | None:
    if retained:
        return RefusalReason.RETAINED
    if proposal.device != to.device:
        return RefusalReason.OTHER_DEVICE
    if proposal.epoch != to.epoch:
        return RefusalReason.OTHER_EPOCH
    if proposal.id in to.handled:
        return RefusalReason.REPEATED
    if proposal.game != to.game:
        return RefusalReason.OTHER_GAME
    # Whoever restores the card puts back the ids that were handled, but not the start.
    fresh = (to.start,) if isinstance(proposal, VerdictBody) else to.nonces
    return None if proposal.nonce in fresh else RefusalReason.STALE
