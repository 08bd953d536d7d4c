"""Reads tables of TOML files into values, and explains what is wrong in them: where, expected, found, remedy. For settings, rulebooks, boards and alphabets.

msgspec reads them. It reports one fault, as a sentence; so where it refuses a table, ``faults_in`` walks through it by the same types and finds every fault with its key.
"""

import json
import re
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Sized
from contextlib import suppress
from functools import cache
from types import FunctionType, SimpleNamespace
from typing import Annotated, Any, Final, TypeAlias, TypedDict, TypeVar

import msgspec
from msgspec import Meta, Struct, inspect

from faults.errors import Phrase, TileclockError

_MAX_SHOWN: Final = 200
"""In characters: long enough to show a whole path."""


class Misfit(Struct, frozen=True, kw_only=True):
    """Values of a table contradict each other, or one is of no use; ``key``: the value's key, empty: the table. Without ``found``, that value is shown."""

    expected: str
    found: str | None = None
    remedy: str = ""
    key: str = ""


Misfits: TypeAlias = Iterable[Misfit]
Check = Callable[[Any], Misfits]
"""A method of a ``Table`` that returns what does not fit. Where a key is at fault, the checks that read it are left out."""
C = TypeVar("C", bound=Check)
_CHECKS: Final[set[Check]] = set()


def check(method: C) -> C:
    """Have a method of a ``Table`` called whenever one is made."""
    _CHECKS.add(method)
    return method


def misfit_if(wrong: object, *, expected: str, found: str | None = None, remedy: str = "Correct it", key: str = "") -> Misfits:
    return (Misfit(expected=expected, found=found, remedy=remedy, key=key),) if wrong else ()


@cache
def _checks_of(kind: type) -> tuple[Check, ...]:
    return tuple(
        each for base in reversed(kind.__mro__) for each in vars(base).values() if isinstance(each, FunctionType) and each in _CHECKS
    )


class Table(Struct, frozen=True, forbid_unknown_fields=True):
    """A table of a TOML file: rejects unknown keys, values of another type, and what its checks yield."""

    def __post_init__(self) -> None:
        for each in _checks_of(type(self)):
            for misfit in each(self):
                raise ValueError(misfit.expected)


class Secret:
    __slots__ = ("value",)

    def __init__(self, value: str) -> None:
        self.value = value

    def __bool__(self) -> bool:
        return bool(self.value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secret) and other.value == self.value

    def __hash__(self) -> int:
        return hash(self.value)

    def __str__(self) -> str:
        return "**********" if self.value else ""

    __repr__ = __str__


class Fields(TypedDict):
    where: str
    expected: str
    found: str
    remedy: str


class Fault(Struct, frozen=True):
    key: str
    """The dotted key at fault; empty: the whole file."""
    fields: Fields
    unknown: bool = False
    """The key is none that the table has."""


Allowed = Callable[[Sequence[str]], str | None]
"""Returns in words what is allowed at a key path; None: see the type."""
T = TypeVar("T", bound=Table)
E = TypeVar("E", bound=TileclockError)


class InvalidTable(ValueError):
    """A table with faults, unknown keys first."""

    def __init__(self, faults: tuple[Fault, ...]) -> None:
        super().__init__(faults)
        self.faults = faults

    def first(self, kind: type[E], file: object) -> E:
        error = kind(**self.faults[0].fields)
        error.locate(file)
        return error


_PREPARED: Final[set[type[Struct]]] = set()
_ONE_BY_ONE: Final = threading.Lock()


def prepare(*kinds: type[Struct]) -> None:
    """Let msgspec look at types before it reads values of them: threads that first meet one at the same time end the program with a segmentation fault.

    For a type that threads decode, its module calls this; ``read_table`` does so itself.
    """
    with _ONE_BY_ONE:
        for kind in kinds:
            if kind not in _PREPARED:
                msgspec.json.Decoder(kind)
                _PREPARED.add(kind)


def read_table(content: Any, kind: type[T], allowed: Allowed = lambda _: None) -> T:
    prepare(kind)
    try:
        return msgspec.convert(content, kind, dec_hook=_decoded)
    except msgspec.ValidationError as error:
        raise InvalidTable(faults_in(content, kind, allowed)) from error


def plain(table: Table) -> dict[str, Any]:
    """Return ``table`` as a TOML file has it, without secrets; None: no value."""
    found: dict[str, Any] = msgspec.to_builtins(table, enc_hook=str)
    return found


def _decoded(kind: type, value: Any) -> Secret:
    if kind is not Secret or not isinstance(value, str):
        raise TypeError(kind)
    return Secret(value)


_type_of = cache(inspect.type_info)


def faults_in(content: Any, kind: type[Table], allowed: Allowed = lambda _: None) -> tuple[Fault, ...]:
    """Return every fault; unknown keys first, since a misspelt key causes a missing one too."""
    return tuple(sorted(_Walk(allowed).at(content, _type_of(kind), ()), key=lambda fault: not fault.unknown))


class _Walk:
    def __init__(self, allowed: Allowed) -> None:
        self._allowed = allowed

    def at(self, value: Any, kind: inspect.Type, path: tuple[str, ...], described: str | None = None) -> Iterator[Fault]:
        match kind:
            case inspect.Metadata():
                yield from self.at(value, kind.type, path, (kind.extra_json_schema or {}).get("description"))
            case inspect.UnionType():
                yield from self.at(value, _alternative(value, kind.types), path, described)
            case inspect.StructType() if isinstance(value, dict):
                yield from self._table(value, kind, path)
            case inspect.DictType() if isinstance(value, dict):
                yield from self._names(value, kind, path)
            case inspect.ListType() | inspect.VarTupleType() if isinstance(value, list | tuple) and _fits_length(value, kind):
                for number, each in enumerate(value):
                    yield from self.at(each, kind.item_type, (*path, str(number)))
            case _ if (expected := _expected(value, kind, described)) is not None:
                # The sentence may appear on a public screen.
                found = "something else" if getattr(kind, "cls", None) is Secret else shown(value)
                yield _fault(path, self._allowed(path) or expected, found, "Correct it")

    def _table(self, table: Mapping[str, Any], kind: inspect.StructType, path: tuple[str, ...]) -> Iterator[Fault]:
        known = tuple(field.encode_name for field in kind.fields)
        unknown = [_unknown(key, known, path) for key in table if key not in known]
        yield from unknown
        right: dict[str, Any] = {}
        for field in kind.fields:
            inner = (*path, field.encode_name)
            if field.encode_name in table:
                wrong = tuple(self.at(table[field.encode_name], field.type, inner))
                yield from wrong
                if not wrong:
                    right[field.name] = _as_read(table[field.encode_name], field.type)
            elif field.required:
                yield _fault(inner, self._allowed(inner) or _keys_of(field.type) or "a value", "nothing", "Add it")
            # An unknown key may be meant for one that is missing.
            elif not unknown:
                right[field.name] = field.default if field.default_factory is msgspec.NODEFAULT else field.default_factory()
        yield from (_misfit(why, table, path) for why in _misfits(kind.cls, right))

    def _names(self, table: Mapping[str, Any], kind: inspect.DictType, path: tuple[str, ...]) -> Iterator[Fault]:
        known = getattr(kind.key_type, "values", None)
        for name, value in table.items():
            if known is not None and name not in known:
                yield _unknown(name, known, path)
            else:
                yield from self.at(value, kind.value_type, (*path, name))


def _alternative(value: Any, kinds: Sequence[inspect.Type]) -> inspect.Type:
    """Return the kind of a union that ``value`` is meant to have."""
    kinds = [kind for kind in kinds if not isinstance(kind, inspect.NoneType)] if value is not None else list(kinds)
    return next((kind for kind in kinds if _expected(value, kind, None) is None), kinds[0])


def _as_read(value: Any, kind: inspect.Type) -> Any:
    match kind:
        case inspect.Metadata():
            return _as_read(value, kind.type)
        case inspect.UnionType():
            return _as_read(value, _alternative(value, kind.types))
        case inspect.StructType() | inspect.CustomType():
            return msgspec.convert(value, kind.cls, dec_hook=_decoded)
        case inspect.DictType():
            return {name: _as_read(each, kind.value_type) for name, each in value.items()}
        case inspect.ListType() | inspect.VarTupleType():
            return tuple(_as_read(each, kind.item_type) for each in value)
        case _:
            return value


def _misfits(kind: type, right: Mapping[str, Any]) -> Iterator[Misfit]:
    """Yield what the checks find in a table; ``right``: the values that are right, or certainly meant to be left out."""
    for each in _checks_of(kind):
        # A check reads a key at fault.
        with suppress(AttributeError):
            yield from each(SimpleNamespace(**right))


def _misfit(why: Misfit, table: Mapping[str, Any], path: tuple[str, ...]) -> Fault:
    found = why.found if why.found is not None else shown(table[why.key]) if why.key in table else "a table that does not fit"
    return _fault((*path, why.key) if why.key else path, why.expected, found, why.remedy)


def _expected(value: Any, kind: inspect.Type, described: str | None) -> str | None:
    """Return what is expected in place of ``value``; None: it fits."""
    match kind:
        case inspect.BoolType():
            return None if isinstance(value, bool) else "a valid boolean"
        case inspect.IntType():
            return _within(value, kind) if isinstance(value, int) and not isinstance(value, bool) else "a valid integer"
        case inspect.FloatType():
            return _within(value, kind) if isinstance(value, int | float) and not isinstance(value, bool) else "a valid number"
        case inspect.StrType() | inspect.CustomType():
            return _text(value, kind, described)
        case inspect.LiteralType():
            return None if any(type(each) is type(value) and each == value for each in kind.values) else either(kind.values)
        case inspect.NoneType():
            return None if value is None else "nothing"
        case inspect.StructType() | inspect.DictType() if isinstance(value, dict):
            return None
        case inspect.ListType() | inspect.VarTupleType():
            return "a valid tuple"
        case _:
            return _keys_of(kind) or "a table"


def _within(value: float, kind: inspect.IntType | inspect.FloatType) -> str | None:
    # Not a number is within no bounds.
    if kind.ge is not None and not value >= kind.ge:
        return Phrase("greater than or equal to {ge}", ge=f"{kind.ge:g}")
    if kind.le is not None and not value <= kind.le:
        return Phrase("less than or equal to {le}", le=f"{kind.le:g}")
    return None


def _text(value: Any, kind: inspect.Type, described: str | None) -> str | None:
    if not isinstance(value, str):
        return "a valid string"
    pattern = getattr(kind, "pattern", None)
    return None if _fits_length(value, kind) and (pattern is None or re.search(pattern, value)) else described or "a valid string"


def _fits_length(value: Sized, kind: inspect.Type) -> bool:
    least, most = (getattr(kind, name, None) for name in ("min_length", "max_length"))
    return len(value) >= (least or 0) and (most is None or len(value) <= most)


def _keys_of(kind: inspect.Type) -> Phrase | None:
    for each in (kind, *getattr(kind, "types", ())):
        if fields := getattr(each, "fields", ()):
            return Phrase("a table with {keys}", keys=", ".join(field.encode_name for field in fields))
    return None


def _unknown(name: str, known: Sequence[Any], path: tuple[str, ...]) -> Fault:
    expected = Phrase("one of the keys {keys}", keys=", ".join(known))
    fields = _fault(path, expected, shown(name), nearest(name, known) or "Remove it").fields
    return Fault(".".join((*path, name)), fields, unknown=True)


def _fault(path: tuple[str, ...], expected: str, found: str, remedy: str) -> Fault:
    return Fault(".".join(path), {"where": _quoted(*path), "expected": expected, "found": found, "remedy": remedy})


Line = Annotated[str, Meta(max_length=200, pattern=r"\S")]
"""One line, where ``not_one_line`` is one of the table's checks: a line end or a control character would break a screen or terminal."""
Id = Annotated[str, Meta(pattern=r"\A[a-z0-9][a-z0-9-]{0,63}\Z")]


def not_one_line(table: Table, key: str) -> Iterator[Misfit]:
    """Yield each text of ``table``, or in a table of texts, that has unprintable characters."""
    value = getattr(table, key, "")
    lines = {f"{key}.{name}": line for name, line in value.items()} if isinstance(value, dict) else {key: value}
    for place, line in lines.items():
        if not line.isprintable():
            yield Misfit(key=place, expected="one line of text", found=shown(line), remedy="Correct it")


def nearest(name: str, known: Iterable[str]) -> str:
    """Return ``Did you mean X?`` for the closest match in ``known``, or an empty text."""
    import difflib  # noqa: PLC0415 - only where something is wrong: a start does without

    found = difflib.get_close_matches(name, list(known), n=1, cutoff=0.6)
    return Phrase("Did you mean {name}?", name=found[0]) if found else ""


def either(values: Iterable[object]) -> Phrase:
    """Return a choice of values: ``"a", "b" or "c"``."""
    *others, last = map(shown, values)
    return Phrase("{others} or {last}", others=", ".join(others), last=last)


def _quoted(*path: str) -> str:
    """Return the key that ``path`` leads to as in TOML: a name that would break the line is quoted."""
    return ".".join(name if name.isprintable() else json.dumps(name) for name in path)


def shown(value: Any) -> str:
    """Return ``value`` roughly as in TOML, cut to fit a sentence."""
    try:
        text = json.dumps(value, ensure_ascii=False, default=str)
    except ValueError:  # Python does not print integers of more than 4300 digits
        return "a number too long to show"
    return text if len(text) <= _MAX_SHOWN else f"{text[: _MAX_SHOWN - 3]}..."
