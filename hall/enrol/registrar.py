"""The hall's register of devices: what it remembers of each beside its certificate, the tokens for one use, and who issues what a device gets.

Of a token only the hash is kept, in the hall's folder.
"""

import base64
import hashlib
import json
import re
import secrets
import shutil
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path
from typing import Final, Literal

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding
from msgspec import Struct
from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from appliance.clocks import NOT_BEFORE
from appliance.errors import SettingsError
from appliance.records.files import OWNER_ONLY, PUBLIC, write_whole
from faults.small_file import read_small
from hall.broker import write_access_list
from hall.enrol.device import settings_of
from hall.enrol.protocol import EnrolRequest, Grant, HallAnswer, NotGranted, Renewal, Reveal, fingerprint
from hall.errors import HallError, explained
from hall.keys.files import GRACE, HallFiles
from rules.tables import MAX_TABLE, tables_of
from wire.keys import key_text, signature_fits
from wire.proposals import SignedBody
from wire.reports import Line, Table
from wire.topics import device_id, is_device, is_station, signed_bytes


class About(BaseModel):
    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")
    kind: Literal["clock", "station"]
    name: Line = ""
    table: Table | None = None

    def __str__(self) -> str:
        place = f"table {self.table}" if self.table else ""
        return " · ".join(part for part in (self.kind, place, self.name) if part)


class Admitted(Struct, frozen=True):
    id: str
    about: About
    ends: datetime


def about_of(request: EnrolRequest) -> About:
    return About(kind=request.kind, name=request.name, table=request.table)


def admitted(files: HallFiles) -> Iterator[Admitted]:
    """Yield the devices of a hall, stations first, then by table."""
    found = []
    for name in filter(is_device, files.names):
        certificate = files.certificate(name)
        if certificate is not None:
            found.append(Admitted(name, _read_about(files, name), certificate.not_valid_after_utc))
    yield from sorted(found, key=lambda each: (each.about.kind != "station", each.about.table or 0, each.about.name, each.id))


def name_for(files: HallFiles, typed: str) -> str:
    """Return the name at the broker for an id, a desk, or a device's name or table (``table 12``); raises ``HallError`` if several devices have it."""
    if typed in files.names:
        return typed
    fits = [each for each in admitted(files) if typed.casefold() in (each.about.name.casefold(), f"table {each.about.table}")]
    if len(fits) > 1:
        found = ", ".join(f"{each.id} ({each.about})" for each in fits)
        raise HallError(where=files.folder, expected=f'one device called "{typed}"', found=found, remedy="Name the id of one of them")
    return fits[0].id if fits else typed


def _read_about(files: HallFiles, device: str) -> About:
    try:
        return About.model_validate_json(_about_path(files, device).read_bytes())
    except (OSError, ValidationError):
        return About(kind="station" if is_station(device) else "clock")


def _about_path(files: HallFiles, device: str) -> Path:
    return files.identity(device).key.parent / "about.json"


class TokenUse(About):
    device: str | None = None
    """Who has used it. The same device may use it again: a power cut must not leave it outside with a used token."""
    revoked: bool = False


_TOKENS: Final = TypeAdapter(dict[str, TokenUse])


def new_tokens(files: HallFiles, wanted: Sequence[TokenUse]) -> list[str]:
    made = [secrets.token_hex(16) for _ in wanted]
    _write_tokens(files, {**_read_tokens(files), **{_hash(token): use for token, use in zip(made, wanted, strict=True)}})
    return made


def use_token(files: HallFiles, token: str, kind: str, device: str) -> TokenUse | NotGranted:
    """Bind a token to ``device``, and return what it is for; the caller holds ``files.changing``."""
    known = _read_tokens(files)
    use = known.get(_hash(token))
    if use is None:
        return "unknown_token"
    if use.kind != kind:
        return "other_kind"
    if use.revoked or use.device not in (None, device):
        return "used_token"
    if use.device is None:
        use = use.model_copy(update={"device": device})
        _write_tokens(files, {**known, _hash(token): use})
    return use


def revoke_tokens(files: HallFiles, device: str) -> None:
    """Make sure that no token admits ``device`` again; the caller holds ``files.changing``."""
    known = _read_tokens(files)
    if any(use.device == device and not use.revoked for use in known.values()):
        _write_tokens(files, {name: use.model_copy(update={"revoked": use.revoked or use.device == device}) for name, use in known.items()})


def _read_tokens(files: HallFiles) -> Mapping[str, TokenUse]:
    path, remedy = _tokens_path(files), "Delete it, and make new tokens with `tilehall token`"
    with explained(HallError, "the tokens of the hall", where=path, found="another kind of file", remedy=remedy):
        return _TOKENS.validate_json(path.read_bytes()) if path.exists() else {}


def _write_tokens(files: HallFiles, tokens: Mapping[str, TokenUse]) -> None:
    write_whole(_tokens_path(files), _TOKENS.dump_json(dict(tokens), indent=1), OWNER_ONLY)


def _tokens_path(files: HallFiles) -> Path:
    return files.folder / "tokens.json"


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


class Registrar:
    """Grants and refuses. Each method takes the folder's lock, and leaves whole files, whenever it is killed."""

    def __init__(self, files: HallFiles) -> None:
        self._files = files

    def admit(self, request: EnrolRequest, transcript: str) -> HallAnswer:
        with self._files.changing():
            return self._granted(request, transcript, about_of(request))

    def admit_by_token(self, request: EnrolRequest, transcript: str, token: str) -> HallAnswer:
        with self._files.changing():
            if _undated():
                return refused("no_date")
            use = use_token(self._files, token, request.kind, id_of(request))
            if not isinstance(use, TokenUse):
                return refused(use)
            return self._granted(request, transcript, About(kind=use.kind, name=use.name or request.name, table=use.table or request.table))

    def renew(self, renewal: Renewal, nonce: str) -> HallAnswer:
        files, device = self._files, renewal.device
        hall = files.authority.hall
        with files.changing():
            last = files.certificate(device) if is_device(device) else None
            key = None if last is None else last.public_key()
            if last is None or not isinstance(key, Ed25519PublicKey):
                return refused("not_admitted")
            if not signature_fits(key_text(key), renewal.proof, signed_bytes("tc/1 renewal", hall, device, nonce)):
                return refused("bad_proof")
            if _undated():
                return refused("no_date")
            if datetime.now(UTC) > last.not_valid_after_utc + GRACE:
                return refused("ended")
            return self._answer(device, key, nonce, None)

    def _granted(self, request: EnrolRequest, transcript: str, about: About) -> HallAnswer:
        if _undated():
            return refused("no_date")
        device = id_of(request)
        credential = self._files.authority.credential(device, request.key) if is_station(device) else None
        path = _about_path(self._files, device)
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, about.model_dump_json().encode(), PUBLIC)
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
            credential=None if credential is None else SignedBody.model_validate_json(credential),
        ).model_dump_json()
        signature = base64.b64encode(files.authority.key.sign(signed_bytes("tc/1 grant", hall, conversation, body))).decode()
        return HallAnswer(answer="granted", body=body, signature=signature)


def id_of(request: EnrolRequest) -> str:
    return device_id(request.kind[0], base64.b64decode(request.key))


def has_its_keys(request: EnrolRequest, reveal: Reveal, transcript: str) -> bool:
    signed = signed_bytes("tc/1 enrolment", transcript)
    return signature_fits(request.key, reveal.proof, signed) and signature_fits(request.link_key, reveal.link_proof, signed)


def refused(why: NotGranted) -> HallAnswer:
    return HallAnswer(answer="refused", reason=why)


def _undated() -> bool:
    # A certificate of a machine that believes in 1970 would have ended.
    return datetime.now(UTC) < NOT_BEFORE


_CLOCK: Final = """# Table {table}. See the documents of Tileclock for all other settings.
[hall]
enabled = true
table = {table}

[machine]
table = {table}
"""
_STATION: Final = """# Station {name}. See the documents of Tileclock for all other settings.
name = "{name}"

[hall]
enabled = true
"""


class BrokerAddress(Struct, frozen=True):
    """Where the cards' devices find the hall; an empty host: they look for it."""

    host: str = ""
    port: int = 8883
    enrol_port: int = 8884


class Card(Struct, frozen=True):
    kind: Literal["clock", "station"]
    folder: str
    name: str
    table: int | None
    template: Path | None
    """Its program's settings, with ``{table}`` or ``{name}``; None: the least that it needs."""

    @property
    def file(self) -> str:
        return "tileclock.toml" if self.kind == "clock" else "tilekiosk.toml"

    def settings(self) -> str:
        with explained(SettingsError, "a settings file", where=self.template or "", found="another kind of file"):
            text = (_CLOCK if self.kind == "clock" else _STATION) if self.template is None else read_small(self.template).decode()
        return text.replace("{table}", str(self.table)).replace("{name}", self.name)


def clock_cards(tables: str, template: Path | None) -> list[Card]:
    """Return the cards of clocks, by a text such as ``1-60`` or ``1,2,7-9``; raises ``SettingsError`` for another one."""
    with explained(SettingsError, "numbers of tables, as in 1-60 or 1,2,7-9", where="--tables", found=f'"{tables}"'):
        numbers = list(chain.from_iterable(tables_of(tables))) if tables else []
    if len(set(numbers)) != len(numbers):
        raise SettingsError(where="--tables", expected=f"numbers from 1 to {MAX_TABLE}, each once", found=f'"{tables}"')
    width = len(str(max(numbers, default=0)))
    return [Card("clock", f"table-{number:0{width}}", "", number, template) for number in numbers]


def station_cards(names: str, template: Path | None) -> list[Card]:
    """Return the cards of stations, by their names with commas between them; raises ``SettingsError`` for a name that no folder can have."""
    found = [name.strip() for name in names.split(",")] if names else []
    wrong = [name for name in found if not re.fullmatch(r"[\w][\w .-]{0,39}", name)]
    if wrong or len(set(found)) != len(found):
        raise SettingsError(where="--stations", expected="names of letters and digits, each once, as in A,B,C", found=f'"{names}"')
    return [Card("station", f"station-{name}", name, None, template) for name in found]


def write_cards(files: HallFiles, target: Path, cards: Sequence[Card], address: BrokerAddress) -> None:
    """Make a token for each card, and the new folder ``target`` with a folder for each: all of them, or nothing.

    Raises:
        SettingsError: the settings of a card are faulty.
        HallError: ``target`` is there already, or cannot be written.
    """
    draft = target.with_name(f".{target.name}.{secrets.token_hex(4)}.part")
    if target.exists():
        raise HallError(where=target, expected="no such folder yet", found="one", remedy="Name another folder, or delete this one")
    try:
        with explained(HallError, "to write the cards' files", where=target):
            draft.mkdir(mode=0o700, parents=True)
            for card in cards:
                (draft / card.folder).mkdir()
                write_whole(draft / card.folder / card.file, card.settings().encode(), PUBLIC)
                _check(draft / card.folder / card.file, card)
            with files.changing():
                tokens = new_tokens(files, [TokenUse(kind=card.kind, name=card.name, table=card.table) for card in cards])
            for card, token in zip(cards, tokens, strict=True):
                write_whole(draft / card.folder / "tilehall.toml", _enrolment(files, card, token, address).encode(), OWNER_ONLY)
            draft.rename(target)
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def _check(path: Path, card: Card) -> None:
    """Check the settings of a card as its own program does, and that they report this table to the hall."""
    where = str(card.template or card.file)
    try:
        if card.kind == "clock":
            clock = settings_of("tileclock", path).hall
            fits = clock.enabled and clock.table == card.table
        else:
            station = settings_of("tilekiosk", path)
            fits = station.hall.enabled and station.name == card.name
    except HallError:
        # Only a machine with the program can check it.
        return
    except SettingsError as error:
        error.where = error.where.replace(str(path), where)
        raise
    if not fits:
        wanted = "table = {table}" if card.kind == "clock" else 'name = "{name}"'
        raise SettingsError(where=where, expected=f"enabled = true below [hall], and {wanted}", found="other settings")


def _enrolment(files: HallFiles, card: Card, token: str, address: BrokerAddress) -> str:
    hall = fingerprint(files.authority.certificate.public_bytes(Encoding.DER))
    plain = BrokerAddress(address.host)
    lines = [
        f"# {card.folder} of hall {files.authority.hall}, made by `tilehall token`. It admits one device, once: keep it like a key.",
        *(["[broker]", f"host = {json.dumps(address.host)}", f"port = {address.port}", ""] if address.host else []),
        "[enrol]",
        *([f"port = {address.enrol_port}"] if address.enrol_port != plain.enrol_port else []),
        f'hall = "{hall}"',
        f'token = "{token}"',
        "",
    ]
    return "\n".join(lines)
