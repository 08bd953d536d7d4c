"""The slip printer: slips, ESC/POS, port, spooler, and an emulator."""
