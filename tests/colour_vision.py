"""Colours as people with a colour vision deficiency see them: Machado, Oliveira and Fernandes 2009, at full severity; and as lightness alone."""

from typing import Final, TypeAlias

Colour: TypeAlias = tuple[int, int, int]
_Rows: TypeAlias = tuple[tuple[float, float, float], ...]

_LIGHTNESS: Final = (0.2126, 0.7152, 0.0722)
DEFICIENCIES: Final[dict[str, _Rows]] = {
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
    "achromatopsia": (_LIGHTNESS,) * 3,
}


def seen_contrast(one: Colour, other: Colour, deficiency: str) -> float:
    """Return the contrast of two colours (WCAG 2: 1 to 21) as that deficiency sees them."""
    dark, light = sorted(_lightness(_seen(_linear(each), DEFICIENCIES[deficiency])) for each in (one, other))
    return (light + 0.05) / (dark + 0.05)


def _linear(colour: Colour) -> list[float]:
    return [part / 255 / 12.92 if part <= 10 else ((part / 255 + 0.055) / 1.055) ** 2.4 for part in colour]


def _seen(linear: list[float], rows: _Rows) -> list[float]:
    return [min(1.0, max(0.0, sum(share * part for share, part in zip(row, linear, strict=True)))) for row in rows]


def _lightness(linear: list[float]) -> float:
    return sum(share * part for share, part in zip(_LIGHTNESS, linear, strict=True))
