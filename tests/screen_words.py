"""The words of the station's errors, findings and phrases, found by reading the code.

All modules that the running station imports are read, and in them every call that makes an error, a diagnosis, a finding or a phrase. A name is followed to what the
module assigns to it, a call to what the module's function returns.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

import grimp

from faults.errors import TileclockError
from lexicon.errors import LexiconError

ROOT: Final = Path(__file__).parents[1]
PACKAGES: Final = ("appliance", "faults", "game", "hardware", "kiosk", "lexicon", "rules")
STATION: Final = "kiosk.shell.assemble"
NOT_SHOWN: Final = {
    "appliance.finding": "makes findings of its callers' words",
    "appliance.display": "without a display nothing is shown",
    "appliance.lock": "`config pin`",
    "hardware.boards.pis": "names a Pi for `pinout`",
    "hardware.electrics": "`doctor`, with the station stopped",
    "hardware.buttons.self_test": "`doctor`, with the station stopped",
    "kiosk.doctor.parts": "`doctor`, with the station stopped",
    "kiosk.keyboards": "shipped with the program; a damaged file ends its start",
    "lexicon.files": "writing a lexicon",
    "lexicon.dawg": "building a lexicon, and listing its words",
    "rules.duration": "the clock's scripts",
}
"""Modules below which errors reach a command line or the service log only, and why."""
MAKERS: Final = {
    *("Diagnosis", "Phrase", "counted", "problem_of"),
    *("ok", "note", "fail", "error_finding"),
    *("together", "_together", "PydanticCustomError"),
    *("_known", "_same", "inconsistent_header", "Appliance", "Chain", "check_wall"),
}
"""Besides the errors: what makes words for a screen, or passes them on."""


def read_words() -> Iterator[tuple[str, ast.expr]]:
    """Yield each piece of text of the station's code, and its place."""
    makers = {*MAKERS, *_errors(TileclockError), *_errors(LexiconError)}
    for module, tree in _shown_modules().items():
        for words in Words(tree, makers).read():
            yield f"{module}:{words.lineno}", words


@cache
def station_modules() -> frozenset[str]:
    """Return the modules that the running station imports."""
    return frozenset({STATION, *grimp.build_graph(*PACKAGES, cache_dir=None).find_upstream_modules(STATION)})


def is_below(module: str, package: str) -> bool:
    """Return whether ``module`` is ``package`` or within it."""
    return f"{module}.".startswith(f"{package}.")


def _shown_modules() -> dict[str, ast.Module]:
    """Return the modules that the running station imports, and whose words can be shown."""
    shown = (each for each in sorted(station_modules()) if not any(is_below(each, hidden) for hidden in NOT_SHOWN))
    return {each: ast.parse(_file(each).read_text(encoding="utf-8")) for each in shown}


def _file(module: str) -> Path:
    path = ROOT.joinpath(*module.split("."))
    package = path / "__init__.py"
    return package if package.exists() else path.with_suffix(".py")


def all_trees() -> Iterator[ast.Module]:
    """Yield every module of the packages that the station consists of."""
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            yield ast.parse(path.read_text(encoding="utf-8"))


def _errors(root: type[Exception]) -> Iterator[str]:
    yield root.__name__
    for each in root.__subclasses__():
        yield from _errors(each)


class Words:
    """Reads the words of a module's errors, findings and phrases."""

    def __init__(self, tree: ast.Module, makers: set[str]) -> None:
        """Read ``tree``; calls of ``makers`` have words."""
        self._tree, self._makers = tree, makers
        self._assigned: dict[str, list[ast.expr]] = {}
        self._returned: dict[str, list[ast.expr]] = {}
        for node in ast.walk(tree):
            if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
                for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                    if isinstance(target, ast.Name):
                        self._assigned.setdefault(target.id, []).append(node.value)
            elif isinstance(node, ast.FunctionDef):
                returns = (each.value for each in ast.walk(node) if isinstance(each, ast.Return))
                self._returned[node.name] = [each for each in returns if each is not None]

    def read(self) -> Iterator[ast.expr]:
        """Yield every piece of text, as it is written: a constant, or an f-string, which no other language can have."""
        for node in ast.walk(self._tree):
            if isinstance(node, ast.Call) and (name := _name(node)) in self._makers:
                for said in _said(name, node):
                    yield from self._texts(said, frozenset())

    def _texts(self, said: ast.expr, seen: frozenset[str]) -> Iterator[ast.expr]:
        if isinstance(said, ast.JoinedStr) or (isinstance(said, ast.Constant) and isinstance(said.value, str)):
            yield said
            return
        name, within = self._behind(said)
        if name not in seen:
            for each in within:
                yield from self._texts(each, seen | {name} if name else seen)

    def _behind(self, said: ast.expr) -> tuple[str, list[ast.expr]]:
        """Return what an expression can be, and the name that says so, if it is one."""
        match said:
            case ast.IfExp(body=one, orelse=other) | ast.BinOp(left=one, right=other):
                return "", [one, other]
            case ast.BoolOp(values=values) | ast.Tuple(elts=values) | ast.Dict(values=values):
                return "", values
            case ast.Subscript(value=whole) | ast.Call(func=ast.Attribute(value=whole, attr="get")):
                return "", [whole]
            case ast.Name(name):
                return name, self._assigned.get(name, [])
            case ast.Call(func=ast.Name(name)) if name not in self._makers:
                return name, self._returned.get(name, [])
            case _:
                return "", []


def _name(call: ast.Call) -> str:
    if isinstance(call.func, ast.IfExp):
        return call.func.body.id if isinstance(call.func.body, ast.Name) else ""
    return call.func.id if isinstance(call.func, ast.Name) else call.func.attr if isinstance(call.func, ast.Attribute) else ""


def _said(name: str, call: ast.Call) -> Iterator[ast.expr]:
    """Yield the arguments that are words; where an error is, and a phrase's values, are data."""
    match name:
        case "Phrase" | "Message" | "Appliance":
            yield call.args[0]
        case "counted":
            one, several = ast.literal_eval(call.args[1]), ast.literal_eval(call.args[2]) if call.args[2:] else None
            yield from (ast.copy_location(ast.Constant(each), call) for each in (f"1 {one}", f"{{count}} {several or one + 's'}"))
        case "PydanticCustomError":
            yield call.args[1]
        case _:
            yield from call.args
            yield from (each.value for each in call.keywords if each.arg in {"expected", "found", "remedy", "problem"})
