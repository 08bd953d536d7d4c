"""What a PNG says of itself."""

from pathlib import Path


def size_of(picture: Path) -> tuple[int, int]:
    """Return width and height from the picture's header (PNG specification, 11.2.2)."""
    head = picture.read_bytes()[:24]
    assert head[:8] == b"\x89PNG\r\n\x1a\n"
    return int.from_bytes(head[16:20]), int.from_bytes(head[20:24])
