"""A slip for the printer: lines with styles. It is composed elsewhere and already fits the paper."""

from typing import TypeAlias

from msgspec import Struct


class SlipLine(Struct, frozen=True):
    text: str
    large: bool = False
    """Double height and width: half as many characters fit."""
    bold: bool = False
    centred: bool = False


Slip: TypeAlias = tuple[SlipLine, ...]
