"""The version of both programs: the package takes it from here. Looking it up in the installed package's metadata would load Python's parser of e-mails."""

from __future__ import annotations

from typing import Final

VERSION: Final = "0.1.0"
