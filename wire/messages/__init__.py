"""The messages of version 1 as pydantic models (docs/spec/wire.md, "Reports" and "What may come in")."""
