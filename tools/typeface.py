"""Rebuilds the font file from the npm packages of Atkinson Hyperlegible Next and of Noto Sans: ``python -m tools.typeface PACKAGE.tgz GREEK.tgz``.

It also needs fonttools and brotli (versions: appliance/display/typeface/README.md), and no network.
"""

import hashlib
import os
import tarfile
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import click

from appliance.display.layout import TYPEFACE

PACKAGE_SHA256: Final = "33dcb7d0d4e2ea98a96985ca7448f738c3b5b370cfc5230b1e40e4f728920cc2"
"""SHA-256 of @fontsource/atkinson-hyperlegible-next 5.3.0."""
PART: Final = "package/files/atkinson-hyperlegible-next-{}-700-normal.woff2"
GREEK_SHA256: Final = "f62f8ed40e378f15134e32bed2fd5718d81e9ec7a5603d1022d7b385e2297abc"
"""SHA-256 of @fontsource/noto-sans 5.3.0."""
GREEK_PART: Final = "package/files/noto-sans-greek-700-normal.woff2"
GREEK: Final = range(0x386, 0x3CF)
"""The letters of modern Greek (lexicon/alphabets/greek.toml), which the font lacks."""
DOTS: Final = (0x2027, 0x2219, 0x22C5)
"""Dots typed for the middle dot (lexicon/alphabets/catalan.toml), and drawn like it."""
Q_ROOM: Final = 40
"""Added to the width of Q, in thousandths of the em: its tail touched the I in QI, a common word in challenges."""
MADE: Final = "1735689600"
"""The file's time stamp, in seconds since 1970, so that builds are reproducible."""
NO_HINTS: Final = bytes.fromhex("b801ff85b0048db000b0002121")
"""A hinting program that does nothing (it pushes two numbers and pops them), but is long enough for FreeType to treat the font as hinted.

FreeType then draws the outlines unchanged. Its automatic hints differ between versions, take three times as long and turn tildes into bars.
"""
ARROWS: Final = {0x2190: (-1, 0), 0x2191: (0, 1), 0x2192: (1, 0), 0x2193: (0, -1)}
"""The arrow characters and their directions."""
ARROW: Final = ((270, 0), (20, 250), (-95, 134), (25, 60), (-270, 60), (-270, -60), (25, -60), (-95, -134), (20, -250))
"""The right arrow's outline around its centre, in thousandths of the em."""


@click.command()
@click.argument("package", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("greek", type=click.Path(exists=True, dir_okay=False, path_type=Path))
def main(package: Path, greek: Path) -> None:
    """Make the font file from the npm PACKAGE, with the Greek letters of another."""
    from fontTools.merge import Merger  # noqa: PLC0415 - only needed to build the font

    os.environ["SOURCE_DATE_EPOCH"] = MADE
    with TemporaryDirectory() as folder, _opened(package, PACKAGE_SHA256) as archive, _opened(greek, GREEK_SHA256) as other:
        files = []
        known: set[int] = set()
        for name in ("latin", "latin-ext"):
            part = _part(archive, name, known, Path(folder))
            known |= set(part.getBestCmap())
            files.append(f"{folder}/{name}.ttf")
            part.save(files[-1])
        font = Merger().merge(files)
        other.extract(GREEK_PART, folder, filter="data")
        _add_greek(font, Path(folder) / GREEK_PART)
    _add_middle_dots(font)
    _add_arrows(font)
    font["hmtx"]["Q"] = (font["hmtx"]["Q"][0] + Q_ROOM, font["hmtx"]["Q"][1])
    _leave_unhinted(font)
    font["name"].setName("Version 2.001, as changed for Tileclock (README.md)", 5, 3, 1, 0x409)
    font.save(TYPEFACE)


def _opened(package: Path, sha256: str) -> tarfile.TarFile:
    data = package.read_bytes()
    found = hashlib.sha256(data).hexdigest()
    if found != sha256:
        raise click.UsageError(f"{package}: expected the package with SHA-256 {sha256}, found {found}. Fetch version 5.3.0 again.")
    return tarfile.open(fileobj=BytesIO(data))


def _part(archive: tarfile.TarFile, name: str, known: set[int], folder: Path) -> Any:
    """Return the characters of one file of the package that are not ``known`` yet, with tabular digits."""
    from fontTools.subset import Options, Subsetter  # noqa: PLC0415
    from fontTools.ttLib import TTFont  # noqa: PLC0415

    archive.extract(PART.format(name), folder, filter="data")
    font = TTFont(folder / PART.format(name))
    font.flavor = None
    font.recalcTimestamp = False
    glyphs = set(font.getGlyphOrder())
    for table in font["cmap"].tables:
        table.cmap = {code: f"{glyph}.tf" if f"{glyph}.tf" in glyphs else glyph for code, glyph in table.cmap.items()}
    options = Options(
        layout_features=["ccmp", "kern", "mark", "mkmk"], glyph_names=True, notdef_outline=True, name_IDs=["*"], hinting=False
    )
    options.drop_tables += ["STAT", "gasp"]
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=set(font.getBestCmap()) - known, glyphs=[glyph for glyph in glyphs if "loclCAT" in glyph])
    subsetter.subset(font)
    return font


def _add_middle_dots(font: Any) -> None:
    """Add L and l with a middle dot, from the font's letters and Catalan dots."""
    for code, letter, dot in ((0x13F, "L", "periodcentered.loclCAT.case"), (0x140, "l", "periodcentered.loclCAT")):
        pen, wide = _pen(font), font["hmtx"][letter][0]
        pen.addComponent(letter, (1, 0, 0, 1, 0, 0))
        pen.addComponent(dot, (1, 0, 0, 1, wide, 0))
        _add(font, code, pen, wide + font["hmtx"][dot][0])
    for code in DOTS:
        _map(font, code, "periodcentered")


def _add_greek(font: Any, file: Path) -> None:
    """Add the Greek letters of another font, as high as this one's capitals."""
    from fontTools.pens.recordingPen import DecomposingRecordingPen  # noqa: PLC0415
    from fontTools.pens.transformPen import TransformPen  # noqa: PLC0415
    from fontTools.ttLib import TTFont  # noqa: PLC0415

    greek = TTFont(file)
    glyphs, scale = greek.getGlyphSet(), font["OS/2"].sCapHeight / greek["OS/2"].sCapHeight
    for code, name in sorted(greek.getBestCmap().items()):
        if code in GREEK:
            drawn, pen = DecomposingRecordingPen(glyphs), _pen(font)
            glyphs[name].draw(drawn)
            drawn.replay(TransformPen(pen, (scale, 0, 0, scale, 0, 0)))
            _add(font, code, pen, round(scale * greek["hmtx"][name][0]))


def _add_arrows(font: Any) -> None:
    middle = font["OS/2"].sCapHeight // 2
    for code, (x, y) in ARROWS.items():
        pen = _pen(font)
        points = [(320 + x * along - y * across, middle + y * along + x * across) for along, across in ARROW]
        pen.moveTo(points[0])
        for point in reversed(points[1:]):
            pen.lineTo(point)
        pen.closePath()
        _add(font, code, pen, 640)


def _pen(font: Any) -> Any:
    from fontTools.pens.ttGlyphPen import TTGlyphPen  # noqa: PLC0415

    return TTGlyphPen(font.getGlyphSet())


def _add(font: Any, code: int, pen: Any, wide: int) -> None:
    name = f"uni{code:04X}"
    font.setGlyphOrder([*font.getGlyphOrder(), name])
    glyph = pen.glyph()
    glyph.recalcBounds(font["glyf"])
    font["glyf"][name] = glyph
    font["hmtx"][name] = (wide, glyph.xMin)
    _map(font, code, name)


def _map(font: Any, code: int, glyph: str) -> None:
    for table in font["cmap"].tables:
        table.cmap[code] = glyph


def _leave_unhinted(font: Any) -> None:
    from fontTools.ttLib import newTable  # noqa: PLC0415
    from fontTools.ttLib.tables.ttProgram import Program  # noqa: PLC0415

    font["prep"] = newTable("prep")
    font["prep"].program = Program()
    font["prep"].program.fromBytecode(NO_HINTS)


if __name__ == "__main__":
    main()
