"""Issues what a device gets: it checks that the keys are the device's, keeps what was issued, and signs the answer."""

from __future__ import annotations

import base64
from datetime import UTC, datetime

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding

from appliance.clocks import NOT_BEFORE
from hall.broker.files import write_access_list
from hall.enrol.about import About, write_about
from hall.enrol.messages import EnrolRequest, Grant, HallAnswer, Renewal, Reveal
from hall.enrol.reasons import NotGranted
from hall.enrol.tokens import TokenUse, use_token
from hall.keys.authority import key_text
from hall.keys.certificate import GRACE
from hall.keys.files import HallFiles
from wire.keys import signature_fits
from wire.messages.proposals import Credential
from wire.signed_bytes import enrolment_bytes, grant_bytes, renewal_bytes
from wire.topics import CLOCK, STATION, device_id, is_device, is_station


class Registrar:
    """Grants and refuses. Each method takes the folder's lock, and leaves whole files, whenever it is killed.

    Args:
        files: the hall.
    """

    def __init__(self, files: HallFiles) -> None:
        self._files = files

    def admit(self, request: EnrolRequest, transcript: str) -> HallAnswer:
        """Grant a request whose digits the director has compared."""
        with self._files.changing():
            return self._granted(request, transcript, About(kind=request.kind, name=request.name, table=request.table))

    def admit_by_token(self, request: EnrolRequest, transcript: str, token: str) -> HallAnswer:
        """Grant a request that shows a token."""
        with self._files.changing():
            if _undated():
                return refused(NotGranted.NO_DATE)
            use = use_token(self._files, token, request.kind, id_of(request))
            if not isinstance(use, TokenUse):
                return refused(use)
            return self._granted(request, transcript, About(kind=use.kind, name=use.name or request.name, table=use.table or request.table))

    def renew(self, renewal: Renewal, nonce: str) -> HallAnswer:
        """Grant a new certificate for the key of the last one."""
        files, device = self._files, renewal.device
        hall = files.authority.hall
        with files.changing():
            last = files.certificate(device) if is_device(device) else None
            key = None if last is None else last.public_key()
            if last is None or not isinstance(key, Ed25519PublicKey):
                return refused(NotGranted.NOT_ADMITTED)
            if not signature_fits(key_text(key), renewal.proof, renewal_bytes(hall, device, nonce)):
                return refused(NotGranted.BAD_PROOF)
            if _undated():
                return refused(NotGranted.NO_DATE)
            if datetime.now(UTC) > last.not_valid_after_utc + GRACE:
                return refused(NotGranted.ENDED)
            return self._answer(device, key, nonce, None)

    def _granted(self, request: EnrolRequest, transcript: str, about: About) -> HallAnswer:
        if _undated():
            return refused(NotGranted.NO_DATE)
        device = id_of(request)
        credential = self._files.authority.credential(device, request.key) if is_station(device) else None
        write_about(self._files, device, about)
        answer = self._answer(device, Ed25519PublicKey.from_public_bytes(base64.b64decode(request.link_key)), transcript, credential)
        if is_station(device):
            write_access_list(self._files)
        return answer

    def _answer(self, device: str, key: Ed25519PublicKey, conversation: str, credential: str | None) -> HallAnswer:
        files = self._files
        certificate = files.admit_key(device, key)
        hall = files.authority.hall
        body = Grant(
            hall=hall,
            device=device,
            certificate=certificate.public_bytes(Encoding.PEM).decode(),
            director_key=files.director_public(),
            credential=None if credential is None else Credential.model_validate_json(credential),
        ).model_dump_json()
        signature = base64.b64encode(files.authority.key.sign(grant_bytes(hall, conversation, body))).decode()
        return HallAnswer(answer="granted", body=body, signature=signature)


def id_of(request: EnrolRequest) -> str:
    """Return the id of the device that asks."""
    return device_id(CLOCK if request.kind == "clock" else STATION, base64.b64decode(request.key))


def has_its_keys(request: EnrolRequest, reveal: Reveal, transcript: str) -> bool:
    """Return whether whoever asks has the device's own key and its link's."""
    signed = enrolment_bytes(transcript)
    return signature_fits(request.key, reveal.proof, signed) and signature_fits(request.link_key, reveal.link_proof, signed)


def refused(why: NotGranted) -> HallAnswer:
    """Return the answer with this reason."""
    return HallAnswer(answer="refused", reason=why)


def _undated() -> bool:
    # A certificate of a machine that believes in 1970 would have ended.
    return datetime.now(UTC) < NOT_BEFORE
