"""``python -m tools.sheets FOLDER [RULEBOOK...]`` writes all sheets as PDF: of the rulebooks named, by id or file."""

import sys
from pathlib import Path

from faults.errors import TileclockError
from tools.sheets.draw import write_all

if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    try:
        write_all(Path(sys.argv[1]), *sys.argv[2:])
    except TileclockError as error:
        print(error, file=sys.stderr)  # noqa: T201 - a tool's message
        sys.exit(2)
