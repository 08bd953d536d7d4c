"""Board profiles: what is wired to which pin, with which parts, on which Raspberry Pi."""
