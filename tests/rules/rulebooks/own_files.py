"""Write rulebooks of one's own, and read how they are refused."""

from importlib import resources
from pathlib import Path
from typing import Final

import pytest

from rules.rulebooks import RulebookError, load_rulebook

OWN: Final = 'id = "ours"\ntitle = "Our rules"\nsummary = "Made at home."\n'
"""What a file that extends another one has to say itself."""


def shipped_text(rulebook_id: str) -> str:
    return (resources.files("rules.rulebooks") / f"{rulebook_id}.toml").read_text()


def written(folder: Path, text: str) -> str:
    file = folder / "ours.toml"
    file.write_text(text)
    return str(file)


def refusal(id_or_path: str) -> RulebookError:
    with pytest.raises(RulebookError) as caught:
        load_rulebook(id_or_path)
    return caught.value
