"""The bundled practice lexicon: ordinary English words from SCOWL, so that everything runs out of the box. Not a tournament list.

``tools.practice`` makes the file (see README.md); COPYRIGHT contains the notices that must accompany it.
"""

from pathlib import Path

PRACTICE: Path = Path(__file__).with_name("practice.dawg")
