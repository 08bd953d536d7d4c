"""The JSON of scripts and of the journal's rows: one object, each key once, and exact numbers. No instant or duration passes through a float."""

import json
import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Any, Final

from faults.errors import TileclockError


class Malformed(TileclockError, ValueError):
    """A line that does not match the format."""


def decode(text: str) -> dict[str, Any]:
    """Raises ``Malformed``."""
    try:
        fields = _DECODER.decode(text)
    except RecursionError as error:
        raise Malformed(expected="one flat JSON object", found="one nested too deep") from error
    except json.JSONDecodeError as error:
        raise Malformed(expected="one JSON object", found=f"an error at {short(text[error.pos :])}: {error.msg}") from error
    if not isinstance(fields, dict):
        raise Malformed(expected="one JSON object", found=short(fields))
    return fields


def encode(fields: Mapping[str, Any], raw: Mapping[str, str] | None = None) -> str:
    """Return ``fields`` as a JSON object; the values of ``raw`` are already JSON."""
    pairs = {key: f"{value:f}" if isinstance(value, Decimal) else json.dumps(value) for key, value in fields.items()} | dict(raw or {})
    return "{" + ", ".join(f"{json.dumps(key)}: {value}" for key, value in pairs.items()) + "}"


def short(value: Any) -> str:
    shown = repr(value)
    return shown if len(shown) <= 60 else f"{shown[:57]}..."


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        raise Malformed(expected="each key once", found=", ".join(key[:40] for key, _ in pairs))
    return fields


def _exact(number: str) -> int | Decimal:
    if not _NUMBER(number):
        raise Malformed(expected="a number of at most 20 digits", found=short(number))
    return int(number) if number.lstrip("-").isdigit() else Decimal(number)


_NUMBER: Final = re.compile(r"-?[0-9]{1,20}(\.[0-9]{1,20})?([eE][+-]?[0-9])?").fullmatch
"""More than the format needs. A longer one, or 1e999999999, would take seconds and gigabytes to write out."""
_DECODER: Final = json.JSONDecoder(object_pairs_hook=_once, parse_float=_exact, parse_int=_exact, parse_constant=_exact)
