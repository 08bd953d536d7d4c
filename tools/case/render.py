"""`make case`: makes the STL file of every printed piece (`prints.toml`) with OpenSCAD, and checks it.

python -m tools.case.render build/case [case]      # case: full, two-button, two-display or station; default: all
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from msgspec import Struct

from faults.errors import TileclockError
from tools.case.mesh import read_stl

FOLDER = Path(__file__).parent
ECHO = re.compile(r"^ECHO: (\w+) = (.*)$", re.MULTILINE)
COMPLAINT = re.compile(r"^.*(?:WARNING|ERROR|DEPRECATED|TRACE|Can't|does not exist).*$", re.MULTILINE)


class CaseError(TileclockError):
    """A case cannot be made: OpenSCAD is missing, rejects the parameters, or the piece is unprintable."""


class CasePrint(Struct, frozen=True):
    """One piece: OpenSCAD file, part, parameters, and the number of copies per case."""

    name: str
    file: str
    part: str
    parameters: dict[str, Any]
    copies: dict[str, int]
    either: str | None = None


class Rendered(Struct, frozen=True):
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
            where=file, expected="valid parameters", found=_refusal(done.stderr), remedy="Change the parameter that you set last"
        )
    echoes = {name: json.loads(value.replace("undef", "null")) for name, value in ECHO.findall(done.stderr)}
    return Rendered(target, echoes, tuple(COMPLAINT.findall(done.stderr)), empty)


def _refusal(text: str) -> str:
    asserted = re.search(r'Assertion .*? failed: "(.*)" in file', text)
    lines = text.strip().splitlines() or ["no message"]
    return f"that {asserted.group(1)}" if asserted else lines[-1]


BED = (212.0, 212.0, 220.0)
"""The usable volume of an ordinary printer, in mm: a bed of 220 x 220 with 4 free all round, 220 high. Same as in numbers.scad."""


def make(one: CasePrint, folder: Path) -> str:
    """Write the piece's STL into `folder` and return a summary line; raises CaseError on warnings or an unprintable piece."""
    done = render(one.file, folder / f"{one.name}.stl", part=one.part, **one.parameters)
    if done.complaints or done.empty:
        raise CaseError(where=one.name, expected="a piece without warnings", found="; ".join(done.complaints) or "nothing drawn")
    mesh = read_stl(done.path)
    if mesh.open_edges():
        found = f"{mesh.open_edges()} open edges, where a slicer would guess"
        raise CaseError(where=one.name, expected="a closed surface", found=found, remedy="Change the parameter that you set last")
    if any(side > most for side, most in zip(mesh.size, BED, strict=True)):
        raise CaseError(where=one.name, expected=f"a piece that fits the bed's {_sides(BED)} mm", found=f"{_sides(mesh.size)} mm")
    wanted = ", ".join(f"{count} x {case}" for case, count in one.copies.items())
    return (
        f"{one.name:24} {_sides(mesh.size):>17} mm  {mesh.volume() / 1000:5.0f} cm3  {wanted}{f'  (or {one.either})' if one.either else ''}"
    )


def _sides(size: tuple[float, ...]) -> str:
    return " x ".join(f"{side:.0f}" for side in size)


def main(arguments: list[str]) -> int:
    """Make the pieces of one case or of all; return 0, or 2 after printing an error."""
    if not arguments:
        sys.stderr.write("Expected a folder to write to: python -m tools.case.render build/case\n")
        return 2
    folder, case = Path(arguments[0]), "".join(arguments[1:2])
    wanted = [one for one in prints() if not case or case in one.copies]
    if not wanted:
        sys.stderr.write(f"Unknown case {case}: choose {', '.join(sorted({name for one in prints() for name in one.copies}))}\n")
        return 2
    folder.mkdir(parents=True, exist_ok=True)
    try:
        with ThreadPoolExecutor(os.cpu_count()) as workers:
            for line in workers.map(lambda one: make(one, folder), wanted):
                sys.stdout.write(line + "\n")
    except CaseError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
