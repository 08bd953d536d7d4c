"""Electrical check of a board on a Pi: compares the board file with the figures of its parts and of the Pi. Pure."""

from hardware.electrics.check import check, check_wiring

__all__ = ["check", "check_wiring"]
