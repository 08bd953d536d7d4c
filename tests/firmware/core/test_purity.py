"""What decides reads nothing: the modules of the core name no file, no clock and no environment. Import arrows to other packages are the linter's."""

import ast
from pathlib import Path

import pytest

import firmware

ROOT = Path(firmware.__file__).parent
PURE = sorted(
    [*(path for name in ("core", "gestures", "menu", "face") for path in (ROOT / name).glob("*.py")), ROOT / "rulebooks" / "model.py"]
)
OUTSIDE = {
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


def _imported(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {name.name.split(".")[0] for name in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add((node.module or "").split(".")[0])
        elif isinstance(node, ast.Name) and node.id == "open":
            found.add("io")
    return found


@pytest.mark.parametrize("path", PURE, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_a_module_of_the_core_imports_nothing_that_reads_the_world_outside(path: Path) -> None:
    assert _imported(path) & OUTSIDE == set()
