"""The font, for the tests of this folder."""

from tests.hardware.display.fixtures import dummy_display, letters

__all__ = ["dummy_display", "letters"]
