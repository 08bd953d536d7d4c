"""The texts of all programs as data: one folder a language, named by its code of two or three letters. ``appliance/texts.py`` finds and loads them."""

from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).parent
