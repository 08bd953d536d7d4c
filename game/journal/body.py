"""The body of a row and the lines of an export: flat JSON objects with exact numbers.

``json`` cannot write a ``Decimal`` and reads decimals as floats; durations never pass through a float, so both directions use this module.
The output is plain ASCII, so any reason can be stored and hashed.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from decimal import Decimal
from typing import Any, Final

_DECODER: Final = json.JSONDecoder(parse_float=Decimal)


def encode(fields: Mapping[str, Any], raw: Mapping[str, str] | None = None) -> str:
    """Return ``fields`` as a JSON object; the values of ``raw`` are already JSON."""
    pairs = {key: _value(value) for key, value in fields.items()} | dict(raw or {})
    return "{" + ", ".join(f"{json.dumps(key)}: {value}" for key, value in pairs.items()) + "}"


def decode(text: str) -> dict[str, Any]:
    """Return the object in ``text``, with exact numbers.

    Raises:
        ValueError: not a JSON object.
    """
    fields = _DECODER.decode(text)
    if not isinstance(fields, dict):
        raise ValueError(f"expected a JSON object, found {text[:40]}")  # noqa: TRY004 - the text is of a wrong form, its type is right
    return fields


def _value(value: Any) -> str:
    return f"{value:f}" if isinstance(value, Decimal) else json.dumps(value)
