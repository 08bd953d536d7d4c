"""The kinds of values in rulebook files, and the base of their tables."""

from __future__ import annotations

import re
from typing import Annotated, Any, Final

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field
from pydantic_core import PydanticCustomError

from appliance.validation import unknown_key

NO_LIMIT: Final = "none"
"""The value of ``limit.reading`` for overtime without limit, and of ``overtime.cap`` for none."""

_READING = re.compile(r"(-?)([0-9]{1,3}):([0-5][0-9])")


def reading_seconds(text: str) -> int:
    """Return the seconds of a checked reading: ``-10:01`` gives -601."""
    found = _READING.fullmatch(text)
    if found is None:
        raise ValueError(f"expected a reading like -10:01, found {text!r}")
    sign, minutes, seconds = found.groups()
    return (int(minutes) * 60 + int(seconds)) * (-1 if sign else 1)


def matching(pattern: str) -> AfterValidator:
    """Return a validator that the whole string matches ``pattern``."""
    compiled = re.compile(pattern)

    def check(text: str) -> str:
        if compiled.fullmatch(text) is None:
            raise PydanticCustomError("form", "not in the allowed form")
        return text

    return AfterValidator(check)


def _one_printable_line(text: str) -> str:
    """Reject line ends and control characters, which would break a screen or terminal."""
    if not text.strip() or len(text) > 200 or not text.isprintable():
        raise PydanticCustomError("form", "not one printable line")
    return text


def one_of(names: tuple[str, ...]) -> AfterValidator:
    """Return a validator of keys."""

    def check(name: str) -> str:
        if name not in names:
            raise unknown_key(names)
        return name

    return AfterValidator(check)


def _none_as_null(value: Any) -> Any:
    return None if value == NO_LIMIT else value


Line = Annotated[str, AfterValidator(_one_printable_line)]
Id = Annotated[str, matching(r"[a-z0-9][a-z0-9-]{0,63}")]
Points = Annotated[int, Field(ge=0, le=1000)]
Seconds = Annotated[int, Field(ge=1, le=86_400)]
Cap = Annotated[Annotated[int, Field(ge=0, le=10_000)] | None, BeforeValidator(_none_as_null)]
SecondsATurn = Annotated[int, Field(ge=0, le=600)]
SecondsFrom5 = Annotated[int, Field(ge=5, le=3600)]
Allowance = Annotated[str, matching(r"(?!0{1,3}:00)[0-9]{1,3}:[0-5][0-9]")]
BELOW_ZERO = r"-(?!0{1,3}:00)[0-9]{1,3}:[0-5][0-9]"  # without -0:00, which lasts a whole second and names no instant


class StrictTable(BaseModel):
    """A table of a rulebook file, without unknown keys."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, defer_build=True)


def keys_given(table: BaseModel) -> str:
    """Return the names of the keys that a table's file has, without the clause."""
    names = [name for name in type(table).model_fields if name in table.model_fields_set - {"clause", "assumed"}]
    return ", ".join(names) or "neither"


class Rule(StrictTable):
    """One rule; subclasses have its values."""

    clause: Line
    assumed: Id | None = None
    """The rulebook to follow where the source is silent; ``clause`` then refers to that one."""
