"""Orders of the director: made, signed, sent once, and followed to their answers (docs/spec/wire.md, "An order")."""
