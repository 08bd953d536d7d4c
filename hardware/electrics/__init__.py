"""Does a board make electrical sense on a Pi? A pure check of what the board file says against the figures of the parts and of the Pi."""

from hardware.electrics.check import check, check_wiring

__all__ = ["check", "check_wiring"]
