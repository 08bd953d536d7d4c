"""The font, for the tests of this folder."""

from tests.appliance.display.fixtures import dummy_display, letters

__all__ = ["dummy_display", "letters"]
