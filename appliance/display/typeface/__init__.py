"""The one typeface of both programs' screens, and of their golden pictures: Atkinson Hyperlegible Next, Bold.

README.md says where the file comes from and what was changed in it, ``tools.typeface`` builds it again, OFL.txt is its licence and goes wherever the file goes.
"""

from __future__ import annotations

from pathlib import Path

TYPEFACE: Path = Path(__file__).with_name("AtkinsonHyperlegibleNext-Bold.ttf")
"""The font file."""
