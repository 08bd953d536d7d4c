"""The body of a row, and the lines of an export: flat JSON objects with exact numbers.

``json`` writes no ``Decimal`` and would read one as a float; no duration of ours passes through a float, so both ways go through here. Plain ASCII: whatever a
reason holds can be stored and hashed.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from decimal import Decimal
from typing import Any, Final

_DECODER: Final = json.JSONDecoder(parse_float=Decimal)


def encode(fields: Mapping[str, Any], raw: Mapping[str, str] | None = None) -> str:
    """Return ``fields`` as a JSON object; ``raw`` are further keys whose values are JSON already."""
    pairs = {key: _value(value) for key, value in fields.items()} | dict(raw or {})
    return "{" + ", ".join(f"{json.dumps(key)}: {value}" for key, value in pairs.items()) + "}"


def decode(text: str) -> dict[str, Any]:
    """Return the object that ``text`` holds, numbers exact.

    Raises:
        ValueError: not a JSON object.
    """
    fields = _DECODER.decode(text)
    if not isinstance(fields, dict):
        raise ValueError(f"expected a JSON object, found {text[:40]}")  # noqa: TRY004 - the text is of a wrong form, its type is right
    return fields


def _value(value: Any) -> str:
    return f"{value:f}" if isinstance(value, Decimal) else json.dumps(value)
