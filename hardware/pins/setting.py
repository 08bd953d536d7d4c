"""The setting ``board.pins``, the same in both programs: which pin library, or none."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BeforeValidator


def _renamed(name: Any) -> Any:
    """Replace ``lgpio``, used in older settings files, with ``gpiod``: the same pins and kernel stamps."""
    return "gpiod" if name == "lgpio" else name


PinLibrary: TypeAlias = Annotated[Literal["gpiod", "rpigpio", "mock", "none"], BeforeValidator(_renamed)]
"""A pin library by name; none: no pins."""
