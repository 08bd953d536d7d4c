"""``python -m tools.wiring``: write picture, pin table and parts list of every shipped board beside this file; with ``--check`` only list outdated files."""

import sys
from pathlib import Path
from typing import Final

HERE: Final = Path(__file__).parent


def main(arguments: list[str]) -> int:
    """Write or check the files, and print the names of outdated ones.

    Returns:
        0; 1 if ``--check`` finds outdated files; 2 without the drawing library.
    """
    try:
        from tools.wiring.pages import out_of_date, pages  # noqa: PLC0415 - only in the developer's environment
    except ImportError as why:
        sys.stderr.write(f"expected schemdraw, which draws the pictures, found: {why}; install it with: make setup-test\n")
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
