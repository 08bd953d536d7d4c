"""What the director chose at the desk, kept over a restart in a small file beside its log: lexicon, rulebook, the station's name.

A choice stands over the settings until they say something new: each remembers what they said when it was made, so the last word wins, whoever had it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from appliance.records import files
from kiosk.log.log_files import CHOICES

KEYS: Final = ("lexicon", "rulebook", "name")


@dataclass(frozen=True, slots=True)
class Choice:
    """One thing that was chosen."""

    value: str
    over: str
    """What the settings said then."""


def beside(log: Path) -> Path:
    """Return where the choices of the station are kept that has its log at ``log``."""
    return files.beside(log, CHOICES)


def read(path: Path) -> dict[str, Choice]:
    """Return the choices kept at ``path`` by their keys; none where there is no such file.

    Raises:
        OSError, ValueError: it cannot be read, or is not what ``write`` writes.
    """
    try:
        kept = json.loads(path.read_text(encoding="utf-8"))
        return {key: _choice(kept[key]) for key in KEYS if kept.get(key) is not None}
    except FileNotFoundError:
        return {}
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise ValueError(
            f"{path}: expected choices as the station writes them, found others ({error}). Choose anew at the desk."
        ) from error


def in_force(choices: Mapping[str, Choice], said: Mapping[str, str]) -> dict[str, str]:
    """Return for each key of ``said``, what the settings say now, what stands."""
    return {key: _standing(choices.get(key), value) for key, value in said.items()}


def write(path: Path, choices: Mapping[str, Choice]) -> None:
    """Keep the choices at ``path``: the file is there whole, the old or the new.

    Raises:
        OSError: it cannot be written; the old one is as it was.
    """
    # In ASCII: the name of a lexicon's file may be no text at all, and comes back as it was.
    files.write_whole(path, json.dumps({key: asdict(choice) for key, choice in choices.items()}, indent=1).encode("ascii"))


def _choice(kept: Any) -> Choice:
    value, over = kept["value"], kept["over"]
    if not (isinstance(value, str) and isinstance(over, str)):
        raise TypeError("not text")
    return Choice(value, over)


def _standing(choice: Choice | None, value: str) -> str:
    return choice.value if choice is not None and choice.over == value else value
