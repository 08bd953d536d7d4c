"""Board profiles: what hangs on which pin, by what parts, on which Raspberry Pi."""
