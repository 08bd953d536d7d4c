"""The local socket between a device's program and its link (docs/spec/wire.md, "The local socket")."""
