"""From a fault that pydantic finds in a file to the fields of our errors: where, expected, found, remedy. For settings, rulebooks and boards alike."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from types import NoneType
from typing import Any, Final, TypedDict, get_args

from pydantic import BaseModel, SecretStr, ValidationError
from pydantic_core import ErrorDetails, PydanticCustomError

from appliance.phrase import Phrase

UNKNOWN_KEY: Final = "unknown_key"
TOGETHER: Final = "together"
_UNKNOWN: Final = (UNKNOWN_KEY, "extra_forbidden")
_OF_FORM: Final = ("string_pattern_mismatch", "string_too_short", "string_too_long")
"""Pydantic's faults that speak of patterns or counts, where a field's description says what is meant."""
_MOST_SHOWN: Final = 200
"""Characters: a path that is wrong at its end is shown to its end."""


class Fields(TypedDict):
    """What an error of ours takes."""

    where: str
    expected: str
    found: str
    remedy: str


@dataclass(frozen=True, slots=True)
class Fault:
    """The first fault of a file."""

    key: str
    """The dotted key that is at fault; empty: the file as a whole."""
    fields: Fields


def unknown_key(known: Sequence[str]) -> PydanticCustomError:
    """Return the fault of a table's key that is none of ``known``, for a validator of keys."""
    return PydanticCustomError(UNKNOWN_KEY, "no such key", {"known": tuple(known)})


def together(*, expected: str, found: str, remedy: str = "") -> PydanticCustomError:
    """Return the fault of values that do not go together, for a validator of a table."""
    # As context: pydantic takes braces in a message for its own.
    return PydanticCustomError(TOGETHER, "do not go together", {"expected": expected, "found": found, "remedy": remedy})


def first_fault(invalid: ValidationError, model: type[BaseModel], allowed: Callable[[Sequence[str]], str | None] = lambda _: None) -> Fault:
    """Return the first fault; an unknown key before a missing one, as a slip in a name gives both.

    Args:
        invalid: what pydantic found.
        model: what the file should hold.
        allowed: returns in words what may stand at a key, given as its steps; None: what the model says of it.
    """
    faults = invalid.errors(include_url=False)
    fault = next((each for each in faults if each["type"] in _UNKNOWN), faults[0])
    # A fault in a name ends in pydantic's own "[key]".
    path = [str(step) for step in fault["loc"] if step != "[key]"]
    return Fault(".".join(path), _fields(fault, path, model, allowed))


def nearest(name: str, known: Iterable[str]) -> str:
    """Return ``Did you mean X?`` for the nearest of ``known``, or nothing where none is near."""
    found = difflib.get_close_matches(name, list(known), n=1, cutoff=0.6)
    return Phrase("Did you mean {name}?", name=found[0]) if found else ""


def shown(value: Any) -> str:
    """Return ``value`` much as TOML writes it, cut to fit a sentence."""
    try:
        text = json.dumps(value, ensure_ascii=False, default=str)
    except ValueError:  # Python writes out no whole number of more than 4300 digits
        return "a number too long to show"
    return text if len(text) <= _MOST_SHOWN else f"{text[: _MOST_SHOWN - 3]}..."


def _fields(fault: ErrorDetails, path: list[str], model: type[BaseModel], allowed: Callable[[Sequence[str]], str | None]) -> Fields:
    where = ".".join(path)
    if fault["type"] == TOGETHER:
        return {"where": where, **fault["ctx"]}  # type: ignore[typeddict-item]  # what ``together`` put there
    if fault["type"] in _UNKNOWN:
        known = fault["ctx"]["known"] if fault["type"] == UNKNOWN_KEY else _keys(model, path[:-1])
        expected = Phrase("one of the keys {keys}", keys=", ".join(known)) if known else "a value"
        remedy = nearest(path[-1], known) or "Remove it"
        return {"where": ".".join(path[:-1]), "expected": expected, "found": shown(path[-1]), "remedy": remedy}
    expected = allowed(path) or _expected(fault, path, model)
    if fault["type"] == "missing":
        return {"where": where, "expected": expected, "found": "nothing", "remedy": "Add it"}
    return {"where": where, "expected": expected, "found": _found(fault, path, model), "remedy": "Correct it"}


def _found(fault: ErrorDetails, path: list[str], model: type[BaseModel]) -> str:
    """Return the value that was found. The sentence may stand on a screen in a hall: a secret is not in it."""
    kinds = _kinds(model, path)
    if SecretStr in kinds:
        return "something else"
    # Nor in one of its values, where a table of settings is at fault as a whole.
    is_table = any(map(_is_model, kinds)) and isinstance(fault["input"], dict)
    return "a table that does not fit" if is_table else shown(fault["input"])


def _expected(fault: ErrorDetails, path: list[str], model: type[BaseModel]) -> str:
    """Return what is allowed: what the field says of itself where its text has a form, else as pydantic has it, without its subject."""
    if fault["type"] in {"model_type", "missing"} and (keys := _keys(model, path)):
        return Phrase("a table with {keys}", keys=", ".join(keys))
    if fault["type"] in _OF_FORM and (described := _description(model, path)) is not None:
        return described
    if fault["type"] == "missing":
        return "a value"
    return re.sub(r"^(Input|String|Tuple|List|Dictionary|Value) should (be|have) ", "", fault["msg"])


def _keys(model: type[BaseModel], path: Sequence[str]) -> tuple[str, ...]:
    """Return the keys that may stand in the table at ``path``; none where it is no table."""
    table = next(filter(_is_model, _kinds(model, path)), None)
    return () if table is None else tuple(table.model_fields)


def _description(model: type[BaseModel], path: Sequence[str]) -> str | None:
    table = next(filter(_is_model, _kinds(model, path[:-1])), None)
    field = None if table is None else table.model_fields.get(path[-1])
    return None if field is None else field.description


def _kinds(model: type[BaseModel], path: Sequence[str]) -> list[Any]:
    """Return the types that may stand at ``path``: an optional table is none or a table."""
    kinds: list[Any] = [model]
    for step in path:
        kinds = [inner for kind in kinds for inner in _within(kind, step)]
    return kinds


def _within(kind: Any, step: str) -> Iterator[Any]:
    if _is_model(kind):
        if step in kind.model_fields:
            yield from _alternatives(kind.model_fields[step].annotation)
    else:
        # A table by name, or a list: each of its values is of the last type.
        for inner in get_args(kind)[-1:]:
            yield from _alternatives(inner)


def _alternatives(annotation: Any) -> Iterator[Any]:
    """Yield what an annotation allows: both of ``A | None`` but None, ``A`` of ``Annotated[A, ...]``."""
    if hasattr(annotation, "__metadata__"):
        yield from _alternatives(annotation.__origin__)
    elif NoneType in get_args(annotation):
        yield from (each for each in get_args(annotation) if each is not NoneType)
    else:
        yield annotation


def _is_model(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, BaseModel)
