from tests.appliance.display.fixtures import dummy_display, letters, measured_letters

__all__ = ["dummy_display", "letters", "measured_letters"]
