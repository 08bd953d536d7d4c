"""Write rulebooks of one's own, and read how they are refused."""

from importlib import resources
from pathlib import Path
from typing import Final

import pytest

from rules.rulebooks import RulebookError, load_rulebook

OWN: Final = 'id = "ours"\ntitle = "Our rules"\nsummary = "Made at home."\n'
"""What a file that extends another one has to say itself."""


def shipped_text(rulebook_id: str) -> str:
    """Return a shipped rulebook as it stands in its file."""
    return (resources.files("rules.rulebooks") / f"{rulebook_id}.toml").read_text()


def written(folder: Path, text: str) -> str:
    """Write a rulebook of one's own, and return its path."""
    file = folder / "ours.toml"
    file.write_text(text)
    return str(file)


def refusal(id_or_path: str) -> RulebookError:
    """Return the error with which a rulebook is refused."""
    with pytest.raises(RulebookError) as caught:
        load_rulebook(id_or_path)
    return caught.value
