"""No module imports itself by way of others, and what decides reads nothing. Import arrows between packages are the linter's."""

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
    assert len(modules) > 300
    assert "appliance.errors" in arrows["hardware.pins.opening"]
    try:
        TopologicalSorter(arrows).prepare()
    except CycleError as circle:
        pytest.fail(f"expected no circle of imports, found: {' <- '.join(circle.args[1])}")


CORES: Final = (
    "game",
    *(f"firmware/{name}" for name in ("face", "gestures", "menu", "table_menu")),
    *(f"kiosk/{name}" for name in ("challenge", "director", "face", "layout", "station")),
)
PURE: Final = sorted(
    [path for core in CORES for path in (ROOT / core).glob("*.py")]
    + [ROOT / "kiosk" / name for name in ("context.py", "events.py", "slip.py")]
    + [ROOT / "rules" / name for name in ("contact.py", "duration.py", "side.py", "tables.py", "rulebooks/model.py")]
)
OUTSIDE: Final = frozenset(
    [
        "importlib",
        "io",
        "os",
        "pathlib",
        "random",
        "shutil",
        "socket",
        "sqlite3",
        "subprocess",
        "sys",
        "tempfile",
        "threading",
        "time",
        "tomllib",
    ]
)


def modules_of(path: Path) -> set[str]:
    """Return the top-level modules that a file imports, anywhere in it. A call of ``open`` counts as io; paths as values (``PurePath``) do not count."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {name.name.split(".")[0] for name in node.names}
        elif isinstance(node, ast.ImportFrom) and [name.name for name in node.names] != ["PurePath"]:
            found.add((node.module or "").split(".")[0])
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "open":
            found.add("io")
    return found


def test_no_module_of_a_pure_core_imports_what_reads_the_world_outside() -> None:
    found = {str(path.relative_to(ROOT)): outside for path in PURE if (outside := modules_of(path) & OUTSIDE)}
    assert found == {}
