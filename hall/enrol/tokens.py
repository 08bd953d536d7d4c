"""Tokens for one use: each admits one device without digits. Only their hashes are kept, in the hall's folder."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, Literal

from pydantic import BaseModel, ConfigDict, RootModel, ValidationError

from appliance.records.files import write_whole
from faults.errors import reason
from hall.enrol.reasons import NotGranted
from hall.errors import HallFolderError
from hall.keys.files import HallFiles
from wire.messages.base import Line, Table

_FILE: Final = "tokens.json"
_OWNER_ONLY: Final = 0o600
_BYTES: Final = 16


class TokenUse(BaseModel):
    """What a token is for, and who has used it."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")
    kind: Literal["clock", "station"]
    name: Line
    table: Table | None = None
    device: str | None = None
    """Who has used it. The same device may use it again: a power cut must not leave it outside with a used token."""
    revoked: bool = False
    """Its device is revoked."""


class _Tokens(RootModel[dict[str, TokenUse]]):
    """By the hash of each."""


def new_tokens(files: HallFiles, wanted: Sequence[TokenUse]) -> list[str]:
    """Make tokens; the caller holds ``files.changing``."""
    made = [secrets.token_hex(_BYTES) for _ in wanted]
    _write(files, {**_read(files), **{_hash(token): use for token, use in zip(made, wanted, strict=True)}})
    return made


def use_token(files: HallFiles, token: str, kind: str, device: str) -> TokenUse | NotGranted:
    """Bind a token to ``device``, and return what it is for; the caller holds ``files.changing``."""
    known = _read(files)
    use = known.get(_hash(token))
    if use is None:
        return NotGranted.UNKNOWN_TOKEN
    if use.kind != kind:
        return NotGranted.OTHER_KIND
    if use.revoked or use.device not in (None, device):
        return NotGranted.USED_TOKEN
    if use.device is None:
        use = use.model_copy(update={"device": device})
        _write(files, {**known, _hash(token): use})
    return use


def revoke_tokens(files: HallFiles, device: str) -> None:
    """Make sure that no token admits ``device`` again; the caller holds ``files.changing``."""
    known = _read(files)
    if any(use.device == device and not use.revoked for use in known.values()):
        _write(files, {name: use.model_copy(update={"revoked": use.revoked or use.device == device}) for name, use in known.items()})


def _read(files: HallFiles) -> Mapping[str, TokenUse]:
    path = _path(files)
    try:
        return _Tokens.model_validate_json(path.read_bytes()).root
    except FileNotFoundError:
        return {}
    except (OSError, ValidationError) as error:
        found = reason(error) if isinstance(error, OSError) else "another kind of file"
        raise HallFolderError(
            where=path, expected="the tokens of the hall", found=found, remedy="Delete it, and make new tokens with `tilehall token`"
        ) from error


def _write(files: HallFiles, tokens: Mapping[str, TokenUse]) -> None:
    write_whole(_path(files), _Tokens(dict(tokens)).model_dump_json(indent=1).encode(), _OWNER_ONLY)


def _path(files: HallFiles) -> Path:
    return files.folder / _FILE


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
