"""Translates pydantic's validation errors into the fields of ours: where, expected, found, remedy. For settings, rulebooks and boards."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from types import NoneType
from typing import Any, Final, TypedDict, cast, get_args

from msgspec import Struct
from pydantic import BaseModel, SecretStr, ValidationError
from pydantic_core import ErrorDetails, PydanticCustomError, PydanticKnownError, core_schema

from faults.errors import Phrase, as_phrase

UNKNOWN_KEY: Final = "unknown_key"
TOGETHER: Final = "together"
_UNKNOWN: Final = (UNKNOWN_KEY, "extra_forbidden")
_OF_FORM: Final = ("string_pattern_mismatch", "string_too_short", "string_too_long")
"""Pydantic's errors about patterns or lengths; the field's description explains these better."""
_SUBJECT: Final = re.compile(r"^(Input|String|Tuple|List|Dictionary|Value) should (be|have) ")
_MAX_SHOWN: Final = 200
"""In characters: long enough to show a whole path."""


class Fields(TypedDict):
    """The fields of a ``TileclockError``."""

    where: str
    expected: str
    found: str
    remedy: str


class Fault(Struct, frozen=True):
    """The first fault of a file."""

    key: str
    """The dotted key at fault; empty: the whole file."""
    fields: Fields


def unknown_key(known: Sequence[str]) -> PydanticCustomError:
    """Return the error for a key that is not in ``known``; for validators of keys."""
    return PydanticCustomError(UNKNOWN_KEY, "no such key", {"known": tuple(known)})


def together(*, expected: str, found: str, remedy: str = "") -> PydanticCustomError:
    """Return the error for values that contradict each other; for validators of a table."""
    # Pass them as context: pydantic expands braces in a message.
    return PydanticCustomError(TOGETHER, "do not go together", {"expected": expected, "found": found, "remedy": remedy})


def first_fault(invalid: ValidationError, model: type[BaseModel], allowed: Callable[[Sequence[str]], str | None] = lambda _: None) -> Fault:
    """Return the first of ``all_faults``."""
    return all_faults(invalid, model, allowed)[0]


def all_faults(
    invalid: ValidationError, model: type[BaseModel], allowed: Callable[[Sequence[str]], str | None] = lambda _: None
) -> tuple[Fault, ...]:
    """Return every fault; unknown keys before missing ones, since a misspelt key causes both.

    ``allowed`` returns in words what is allowed at a key path; None: use the model.
    """
    faults = sorted(invalid.errors(include_url=False), key=lambda each: each["type"] not in _UNKNOWN)
    # pydantic ends the path of an invalid dict key with "[key]".
    paths = [[str(step) for step in fault["loc"] if step != "[key]"] for fault in faults]
    return tuple(Fault(".".join(path), _fields(fault, path, model, allowed)) for fault, path in zip(faults, paths, strict=True))


def nearest(name: str, known: Iterable[str]) -> str:
    """Return ``Did you mean X?`` for the closest match in ``known``, or an empty text."""
    import difflib  # noqa: PLC0415 - only where something is wrong: a start does without

    found = difflib.get_close_matches(name, list(known), n=1, cutoff=0.6)
    return Phrase("Did you mean {name}?", name=found[0]) if found else ""


def either(values: Iterable[object]) -> Phrase:
    """Return a choice of values: ``"a", "b" or "c"``."""
    *others, last = map(shown, values)
    return Phrase("{others} or {last}", others=", ".join(others), last=last)


def shown(value: Any) -> str:
    """Return ``value`` roughly as in TOML, cut to fit a sentence."""
    try:
        text = json.dumps(value, ensure_ascii=False, default=str)
    except ValueError:  # Python does not print integers of more than 4300 digits
        return "a number too long to show"
    return text if len(text) <= _MAX_SHOWN else f"{text[: _MAX_SHOWN - 3]}..."


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
    """Return the value found. Hide secrets: the sentence may appear on a public screen."""
    kinds = _kinds(model, path)
    if SecretStr in kinds:
        return "something else"
    # A whole table may contain secrets too.
    is_table = any(map(_is_model, kinds)) and isinstance(fault["input"], dict)
    return "a table that does not fit" if is_table else shown(fault["input"])


def _expected(fault: ErrorDetails, path: list[str], model: type[BaseModel]) -> str:
    """Return what is allowed: for format errors the field's description, else pydantic's message without its subject."""
    if fault["type"] in {"model_type", "missing"} and (keys := _keys(model, path)):
        return Phrase("a table with {keys}", keys=", ".join(keys))
    if fault["type"] in _OF_FORM and (described := _description(model, path)) is not None:
        return described
    if fault["type"] == "missing":
        return "a value"
    if fault["type"] == "literal_error":
        return either(value for kind in _kinds(model, path) for value in get_args(kind))
    return _message(fault)


def _message(fault: ErrorDetails) -> Phrase:
    """Return pydantic's message without its subject. Our own custom errors have no values."""
    known, values = cast("core_schema.ErrorType", fault["type"]), fault.get("ctx", {})
    template = PydanticKnownError(known, values).message_template if known in get_args(core_schema.ErrorType) else fault["msg"]
    if "{expected_plural}" in template:
        # Pydantic fills that in by itself.
        return as_phrase(_SUBJECT.sub("", fault["msg"]))
    # Without the ".0" of a bound that a model gives as a whole number.
    bounds = {name: f"{value:g}" if isinstance(value, float) else value for name, value in values.items()}
    return Phrase(_SUBJECT.sub("", template), **bounds)


def _keys(model: type[BaseModel], path: Sequence[str]) -> tuple[str, ...]:
    """Return the allowed keys of the table at ``path``; empty if it is not a table."""
    table = next(filter(_is_model, _kinds(model, path)), None)
    return () if table is None else tuple(table.model_fields)


def _description(model: type[BaseModel], path: Sequence[str]) -> str | None:
    table = next(filter(_is_model, _kinds(model, path[:-1])), None)
    field = None if table is None else table.model_fields.get(path[-1])
    return None if field is None else field.description


def _kinds(model: type[BaseModel], path: Sequence[str]) -> list[Any]:
    """Return the types allowed at ``path``."""
    kinds: list[Any] = [model]
    for step in path:
        kinds = [inner for kind in kinds for inner in _within(kind, step)]
    return kinds


def _within(kind: Any, step: str) -> Iterator[Any]:
    if _is_model(kind):
        if step in kind.model_fields:
            yield from _alternatives(kind.model_fields[step].annotation)
    else:
        # In dict[K, V], list[V] and tuple[V, ...] the values have the last type.
        for inner in [each for each in get_args(kind) if each is not Ellipsis][-1:]:
            yield from _alternatives(inner)


def _alternatives(annotation: Any) -> Iterator[Any]:
    """Yield the types an annotation allows, without None: ``A`` for ``A | None`` and for ``Annotated[A, ...]``."""
    if hasattr(annotation, "__metadata__"):
        yield from _alternatives(annotation.__origin__)
    elif NoneType in get_args(annotation):
        yield from (each for each in get_args(annotation) if each is not NoneType)
    else:
        yield annotation


def _is_model(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, BaseModel)
