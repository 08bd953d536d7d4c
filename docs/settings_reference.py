"""Generates the tables of the settings reference from the programs' models. ``conf.py`` inserts them into a page; ``python docs/settings_reference.py`` prints them.

A setting without a docstring is an error: the reference says what each one means.
"""

from __future__ import annotations

import ast
import inspect
import json
import textwrap
from collections.abc import Iterator
from typing import Any, Final

from msgspec import inspect as types

from appliance.machine import MachineSettings
from faults.validation import Secret, Table
from firmware.settings import Settings as ClockSettings
from hall.settings import Settings as HallSettings
from kiosk.settings import Settings as StationSettings

MODELS: Final[dict[str, type[Table]]] = {
    "tileclock": ClockSettings,
    "tilekiosk": StationSettings,
    "tilehall": HallSettings,
    "machine": MachineSettings,
}
_HEAD: Final = "| key | type | default | meaning |\n| --- | --- | --- | --- |\n"


def markdown(program: str) -> str:
    """Return the tables of a program's settings as Markdown, each under its name in the file.

    Raises:
        LookupError: a setting has no docstring.
    """
    prefix = "machine" if program == "machine" else ""
    tables = dict(_tables(MODELS[program], prefix))
    if program != "machine":  # one table for both programs, in its own section
        tables = {name: table for name, table in tables.items() if not name.startswith("machine")}
    return "\n".join(
        f"**{f'[{name}]' if name else 'At the top of the file, before the first table'}**\n\n{table}" for name, table in tables.items()
    )


def _tables(model: type[Table], name: str) -> Iterator[tuple[str, str]]:
    """Yield the table of ``model``'s own settings, then those of the models in it, with their dotted names."""
    rows, inner = [], []
    meanings = _docstrings(model)
    schema = types.type_info(model)
    assert isinstance(schema, types.StructType)  # noqa: S101 - what it is for a table
    for field in schema.fields:
        key, default = field.name, getattr(model(), field.name)
        if isinstance(default, Table):
            inner.append((type(default), f"{name}.{key}" if name else key))
            continue
        if key not in meanings:
            raise LookupError(
                f"expected a docstring below {model.__module__}.{model.__name__}.{key}, found none: the settings reference needs its meaning"
            )
        rows.append(f"| `{key}` | {_kind(field.type)} | {_default(default)} | {meanings[key]} |\n")
    if rows:
        yield name, _HEAD + "".join(rows)
    for table, path in inner:
        yield from _tables(table, path)


def _docstrings(model: type[Table]) -> dict[str, str]:
    """Return the docstring below each setting in the source, as one line. The descriptions in its types are used for error messages."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(model))).body[0]
    assert isinstance(tree, ast.ClassDef)  # noqa: S101 - what inspect returns for a class
    meanings = {}
    for field, below in zip(tree.body, tree.body[1:], strict=False):
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name) and isinstance(below, ast.Expr):
            meanings[field.target.id] = " ".join(
                inspect.cleandoc(str(ast.literal_eval(below.value))).replace("``", "`").replace("|", "\\|").split()
            )
    return meanings


def _kind(kind: types.Type, described: str | None = None) -> str:
    """Return a setting's allowed values in words."""
    match kind:
        case types.Metadata():
            return _kind(kind.type, (kind.extra_json_schema or {}).get("description"))
        case types.LiteralType():
            return ", ".join(f"`{json.dumps(each)}`" for each in kind.values)
        case types.VarTupleType():
            return "list of texts"
        case types.DictType():
            return "table of names"
        case types.IntType() | types.FloatType():
            bounds = f", {kind.ge:g} to {kind.le:g}" if kind.ge is not None and kind.le is not None else ""
            return ("whole number" if isinstance(kind, types.IntType) else "number") + bounds
        case types.BoolType():
            return "true or false"
        case _:
            return f"text: {described}" if described else "text"


def _default(value: Any) -> str:
    """Return a default as written in the file."""
    if isinstance(value, dict):
        return "`{}`"
    if isinstance(value, Secret):
        value = value.value
    return f"`{json.dumps(value)}`"


if __name__ == "__main__":
    for each in MODELS:
        print(markdown(each))  # noqa: T201 - that is what the script is for
