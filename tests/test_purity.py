"""What decides reads nothing: the modules of the pure cores name no file, no clock and no environment. Import arrows between packages are the linter's."""

import ast
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
CORES: Final = (
    "game",
    *(f"firmware/{name}" for name in ("face", "gestures", "menu", "table_menu")),
    *(f"kiosk/{name}" for name in ("challenge", "director", "face", "layout", "station")),
)
PURE: Final = sorted(
    [path for core in CORES for path in (ROOT / core).glob("*.py")]
    + [ROOT / "kiosk" / name for name in ("effects.py", "events.py", "facts.py", "slip.py")]
    + [ROOT / "rules" / name for name in ("contact.py", "duration.py", "side.py", "tables.py", "rulebooks/model.py")]
)
OUTSIDE: Final = {
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
}


def imported(path: Path) -> set[str]:
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
    found = {str(path.relative_to(ROOT)): outside for path in PURE if (outside := imported(path) & OUTSIDE)}
    assert found == {}
