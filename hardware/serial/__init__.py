"""What every serial device shares: its line, its time limits, its faults."""
