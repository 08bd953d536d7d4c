"""The version of all programs, also read by the packaging. A lookup in the installed metadata would load Python's e-mail parser."""

from typing import Final

VERSION: Final = "0.2.0"
