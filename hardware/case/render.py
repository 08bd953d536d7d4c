"""`make case`: writes and checks the STL file of every printed piece.

python -m hardware.case.render build/case [case]      # case: full, two-button, two-display or station; default: all
"""

from __future__ import annotations

import os
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from hardware.case.mesh import read_stl
from hardware.case.prints import CaseError, CasePrint, prints, render

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
        sys.stderr.write("Expected a folder to write to: python -m hardware.case.render build/case\n")
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
