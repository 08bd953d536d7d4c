"""What all messages have in common: version 1, strict types, JSON."""

from __future__ import annotations

from typing import Annotated, Final, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field

from wire.topics import VERSION

Ns: TypeAlias = Annotated[int, Field(ge=-(1 << 63), lt=1 << 63)]
"""An instant of the sender's CLOCK_MONOTONIC, or a duration."""
Count: TypeAlias = Annotated[int, Field(ge=0, lt=1 << 63)]
Hash: TypeAlias = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
Epoch: TypeAlias = Annotated[str, Field(pattern=r"^[0-9a-f]{16}$")]
Nonce: TypeAlias = Annotated[str, Field(pattern=r"^[0-9a-f]{32}$")]
Key: TypeAlias = Annotated[str, Field(pattern=r"^[A-Za-z0-9+/]{43}=$")]
"""An Ed25519 public key, raw, in base64."""
Signature: TypeAlias = Annotated[str, Field(pattern=r"^[A-Za-z0-9+/]{86}==$")]
Table: TypeAlias = Annotated[int, Field(ge=1, le=999)]
LONGEST_LINE: Final = 200
Line: TypeAlias = Annotated[str, Field(max_length=LONGEST_LINE, pattern=r"^[^\x00-\x1f\x7f]*$")]
"""One line of text."""
SideName: TypeAlias = Literal["left", "right"]


def as_line(text: str) -> str:
    """Return ``text`` as a ``Line``: what cannot be printed becomes a blank, and a long text is cut."""
    return "".join(each if each.isprintable() else " " for each in text)[:LONGEST_LINE]


class Report(BaseModel):
    """What a device says of itself. Keys of later releases are ignored."""

    model_config = ConfigDict(frozen=True, strict=True, extra="ignore")
    v: Literal[1] = VERSION


class Proposal(BaseModel):
    """What may change something. An unknown key is refused: it may restrict the meaning."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")
    v: Literal[1] = VERSION
