"""LED displays: pictures, protocols, ports."""
