"""What devices and the hall say to each other: topics, messages, signatures, the local socket (docs/spec/wire.md). Knows no game, pin or broker."""
