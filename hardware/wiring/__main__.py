"""``python -m hardware.wiring``: write picture, pin table and parts list of every shipped board beside this file; with ``--check`` only tell which are out of date."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

HERE: Final = Path(__file__).parent


def main(arguments: list[str]) -> int:
    """Write the files, or look at them, and name those that were not as they should be.

    Returns:
        0; 1 where ``--check`` found one out of date; 2 without the library that draws.
    """
    try:
        from hardware.wiring.pages import out_of_date, pages  # noqa: PLC0415 - only the developer's environment has the library
    except ImportError as why:
        sys.stderr.write(f"expected schemdraw, which draws the pictures, found: {why}; install it with: pip install -e '.[dev]'\n")
        return 2
    made = pages()
    stale = out_of_date(made, HERE)
    for name in stale:
        sys.stdout.write(f"{name}\n")
        if "--check" in arguments:
            continue
        if name in made:
            (HERE / name).write_bytes(made[name])
        else:
            (HERE / name).unlink()
    return 1 if stale and "--check" in arguments else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
