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

from pydantic import BaseModel

from appliance.machine.model import MachineSettings
from firmware.settings.model import Settings as ClockSettings
from hall.settings import Settings as HallSettings
from kiosk.settings.model import Settings as StationSettings

MODELS: Final[dict[str, type[BaseModel]]] = {
    "tileclock": ClockSettings,
    "tilekiosk": StationSettings,
    "tilehall": HallSettings,
    "machine": MachineSettings,
}
_HEAD: Final = "| key | type | default | meaning |\n| --- | --- | --- | --- |\n"
_WORDS: Final = {"string": "text", "boolean": "true or false", "integer": "whole number", "number": "number"}


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


def _tables(model: type[BaseModel], name: str) -> Iterator[tuple[str, str]]:
    """Yield the table of ``model``'s own settings, then those of the models in it, with their dotted names."""
    rows, inner = [], []
    meanings = _docstrings(model)
    properties = model.model_json_schema()["properties"]
    for key, field in model.model_fields.items():
        if isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel):
            inner.append((field.annotation, f"{name}.{key}" if name else key))
            continue
        if key not in meanings:
            raise LookupError(
                f"expected a docstring below {model.__module__}.{model.__name__}.{key}, found none: the settings reference needs its meaning"
            )
        rows.append(
            f"| `{key}` | {_kind(properties[key])} | {_default(field.get_default(call_default_factory=True))} | {meanings[key]} |\n"
        )
    if rows:
        yield name, _HEAD + "".join(rows)
    for table, path in inner:
        yield from _tables(table, path)


def _docstrings(model: type[BaseModel]) -> dict[str, str]:
    """Return the docstring below each setting in the source, as one line. Pydantic's own descriptions are used for error messages."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(model))).body[0]
    assert isinstance(tree, ast.ClassDef)  # noqa: S101 - what inspect returns for a class
    meanings = {}
    for field, below in zip(tree.body, tree.body[1:], strict=False):
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name) and isinstance(below, ast.Expr):
            meanings[field.target.id] = " ".join(
                inspect.cleandoc(str(ast.literal_eval(below.value))).replace("``", "`").replace("|", "\\|").split()
            )
    return meanings


def _kind(schema: dict[str, Any]) -> str:
    """Return a setting's allowed values in words, from its JSON schema."""
    if "enum" in schema:
        return ", ".join(f"`{json.dumps(each)}`" for each in schema["enum"])
    if "$ref" in schema:
        return "text"
    kind = str(schema.get("type"))
    if kind == "array":
        return "list of texts"
    if kind == "object":
        return "table of names"
    words = _WORDS[kind]
    if "minimum" in schema and "maximum" in schema:
        words += f", {schema['minimum']:g} to {schema['maximum']:g}"
    return f"{words}: {schema['description']}" if "description" in schema else words


def _default(value: Any) -> str:
    """Return a default as written in the file."""
    if isinstance(value, dict):
        return "`{}`"
    if hasattr(value, "get_secret_value"):
        value = value.get_secret_value()
    return f"`{json.dumps(value)}`"


if __name__ == "__main__":
    for each in MODELS:
        print(markdown(each))  # noqa: T201 - that is what the script is for
