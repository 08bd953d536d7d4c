"""What people see of the hall in a terminal: ``watch`` and ``status`` read the listener's picture."""
