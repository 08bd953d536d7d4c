"""Files of record on a disk that may be full, worn out, read-only or removed: SQLite with a hash chain, one writer, clear error messages."""
