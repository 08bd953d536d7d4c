"""What any of our programs needs to run unattended: settings, texts, log, records, display, service. It knows no pins, no games and no words."""
