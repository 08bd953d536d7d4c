"""Getting in: how a device asks for its certificate, how the hall answers, and how the certificate is renewed (docs/spec/wire.md)."""
