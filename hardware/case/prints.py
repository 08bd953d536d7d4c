"""The list of printed pieces (`prints.toml`), and the call of OpenSCAD that makes their STL files."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from faults.errors import TileclockError

FOLDER = Path(__file__).parent
ECHO = re.compile(r"^ECHO: (\w+) = (.*)$", re.MULTILINE)
COMPLAINT = re.compile(r"^.*(?:WARNING|ERROR|DEPRECATED|TRACE|Can't|does not exist).*$", re.MULTILINE)


class CaseError(TileclockError):
    """A case cannot be made: OpenSCAD is missing, rejects the parameters, or the piece is unprintable."""


@dataclass(frozen=True, slots=True)
class CasePrint:
    """One piece: OpenSCAD file, part, parameters, and the number of copies per case."""

    name: str
    file: str
    part: str
    parameters: dict[str, Any]
    copies: dict[str, int]
    either: str | None = None


@dataclass(frozen=True, slots=True)
class Rendered:
    """OpenSCAD's result: the file, the echoed values by name, and the warnings, line by line."""

    path: Path
    echoes: dict[str, Any]
    complaints: tuple[str, ...]
    empty: bool


def prints() -> list[CasePrint]:
    """Return the pieces of `prints.toml`, in order."""
    with (FOLDER / "prints.toml").open("rb") as file:
        tables = tomllib.load(file)
    return [CasePrint(name, one["file"], one["part"], one.get("set", {}), one["copies"], one.get("either")) for name, one in tables.items()]


def render(file: str, target: Path, /, **parameters: Any) -> Rendered:
    """Run OpenSCAD on this folder's `file` with `parameters` (text, numbers, lists; `fn` is $fn) and write `target`, .stl or .png.

    Raises CaseError if OpenSCAD is missing or an assertion in the file fails; the message is the assertion's.
    """
    program = shutil.which("openscad")
    if program is None:
        raise CaseError(
            expected="the program openscad, which draws the cases", found="none", remedy="Install it: sudo apt-get install openscad"
        )
    given = [f"-D{'$fn' if name == 'fn' else name}={json.dumps(value)}" for name, value in parameters.items()]
    done = subprocess.run([program, "-o", str(target), *given, str(FOLDER / file)], capture_output=True, text=True, check=False)  # noqa: S603 - no shell, own files
    empty = "Current top level object is empty" in done.stderr
    if "ERROR:" in done.stderr or (done.returncode != 0 and not empty):
        raise CaseError(
            where=file,
            expected="valid parameters",
            found=_refusal(done.stderr),
            remedy="Change the parameter that you set last",
        )
    echoes = {name: json.loads(value.replace("undef", "null")) for name, value in ECHO.findall(done.stderr)}
    return Rendered(target, echoes, tuple(COMPLAINT.findall(done.stderr)), empty)


def _refusal(text: str) -> str:
    asserted = re.search(r'Assertion .*? failed: "(.*)" in file', text)
    lines = text.strip().splitlines() or ["no message"]
    return f"that {asserted.group(1)}" if asserted else lines[-1]
