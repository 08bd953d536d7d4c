"""Running as a service: signals, watchdog, power-off, console."""
