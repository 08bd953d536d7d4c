"""The slip printer for the tests of this folder."""

from tests.hardware.printer.printing import start, told

__all__ = ["start", "told"]
