"""The list of what is printed (`prints.toml`), and OpenSCAD, which makes an STL of it."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from appliance.errors import TileclockError

FOLDER = Path(__file__).parent
SAID = re.compile(r"^ECHO: (\w+) = (.*)$", re.MULTILINE)
COMPLAINED = re.compile(r"^.*(?:WARNING|ERROR|DEPRECATED|TRACE|Can't|does not exist).*$", re.MULTILINE)


class CaseError(TileclockError):
    """A case cannot be made: OpenSCAD is missing, refused the numbers, or made what no printer can print."""


@dataclass(frozen=True, slots=True)
class Print:
    """One piece: which part of which OpenSCAD file, with which parameters, and how many of it each case takes."""

    name: str
    file: str
    part: str
    parameters: dict[str, Any]
    copies: dict[str, int]
    either: str | None = None


@dataclass(frozen=True, slots=True)
class Rendered:
    """What OpenSCAD did: the file it wrote, the values it echoed by name, and whatever it complained of, line by line."""

    path: Path
    said: dict[str, Any]
    complaints: tuple[str, ...]
    empty: bool


def prints() -> list[Print]:
    """Return every piece of `prints.toml`, in its order."""
    with (FOLDER / "prints.toml").open("rb") as file:
        tables = tomllib.load(file)
    return [Print(name, one["file"], one["part"], one.get("set", {}), one["copies"], one.get("either")) for name, one in tables.items()]


def render(file: str, target: Path, /, **parameters: Any) -> Rendered:
    """Run OpenSCAD on `file` of this folder with `parameters` (text, numbers, lists; `fn` is $fn) and write `target`, .stl or .png.

    Raises CaseError if OpenSCAD is not there or an assertion in the file refuses the parameters: its message is the file's own.
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
            expected="numbers that it can be drawn with",
            found=_refusal(done.stderr),
            remedy="Change the parameter that you set last",
        )
    said = {name: json.loads(value.replace("undef", "null")) for name, value in SAID.findall(done.stderr)}
    return Rendered(target, said, tuple(COMPLAINED.findall(done.stderr)), empty)


def _refusal(text: str) -> str:
    asserted = re.search(r'Assertion .*? failed: "(.*)" in file', text)
    lines = text.strip().splitlines() or ["an end without a word"]
    return f"that {asserted.group(1)}" if asserted else lines[-1]
