"""Everything a program needs to run unattended: settings, texts, log, records, display, service. Knows no pins, games or words."""
