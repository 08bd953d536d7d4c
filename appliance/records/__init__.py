"""A file of record on a disk that may be full, worn out, read-only or pulled: SQLite with a hash chain, one writer, and a word on what is wrong."""
