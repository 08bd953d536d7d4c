"""The practice lexicon, bundled so that everything runs at once: a list of ordinary English words made from SCOWL. It is no tournament list.

``tools.practice`` makes the file; README.md says how, COPYRIGHT holds the notices that go wherever the file goes.
"""

from __future__ import annotations

from pathlib import Path

PRACTICE: Path = Path(__file__).with_name("practice.dawg")
"""The bundled lexicon file."""
