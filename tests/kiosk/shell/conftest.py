"""Displays for the tests of this folder."""

from tests.hardware.display.fixtures import dummy_display, letters, x_display

__all__ = ["dummy_display", "letters", "x_display"]
