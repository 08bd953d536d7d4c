"""The setting ``board.pins``, the same in both programs: which pin library, or none."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BeforeValidator


def _renamed(name: Any) -> Any:
    """Take ``lgpio``, which older settings files name, for ``gpiod``: the same pins with the same stamps of the kernel."""
    return "gpiod" if name == "lgpio" else name


PinLibrary: TypeAlias = Annotated[Literal["gpiod", "rpigpio", "mock", "none"], BeforeValidator(_renamed)]
"""A pin library by name; none uses no pins."""
