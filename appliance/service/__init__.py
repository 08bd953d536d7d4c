"""Running as a service: signals, watchdog, power off, the console."""
