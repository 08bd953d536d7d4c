"""The table as the hall knows it: its place, what it reports, what it lets in from the network (docs/spec/wire.md). Pure: no socket, no key, no file."""
