"""No module imports itself by way of others. Imports inside functions and for types only count too: a circle of them still cannot be read from one end."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).resolve().parents[1]


def our_modules() -> dict[str, Path]:
    """Return the files of the packages that import-linter looks over, by the modules' names."""
    linted = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]["root_packages"]
    files = [file for package in linted for file in (ROOT / package).rglob("*.py")]
    return {".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): file for file in files}


def imported(tree: ast.Module) -> Iterator[str]:
    """Yield what a module imports: modules, and names in modules, which may be modules themselves."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (each.name for each in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"line {node.lineno}: imports are absolute here"
            yield from (f"{node.module}.{each.name}" for each in node.names)


def test_no_module_imports_itself_by_way_of_others() -> None:
    modules = our_modules()
    arrows: dict[str, set[str]] = {}
    for module, file in modules.items():
        found = imported(ast.parse(file.read_text(encoding="utf-8")))
        arrows[module] = {name if name in modules else name.rpartition(".")[0] for name in found} & modules.keys() - {module}
    assert len(modules) > 400
    assert "appliance.errors" in arrows["hardware.pins.opening"]
    try:
        TopologicalSorter(arrows).prepare()
    except CycleError as circle:
        pytest.fail(f"expected no circle of imports, found: {' <- '.join(circle.args[1])}")
