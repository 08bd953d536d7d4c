"""A printed piece as a triangle mesh: read from OpenSCAD's STL and checked for printability.

All lengths are in mm. Equal coordinates identify a vertex: OpenSCAD writes a point the same way everywhere.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from math import sqrt
from pathlib import Path

from msgspec import Struct

Point = tuple[float, float, float]
Triangle = tuple[Point, Point, Point]

BRIDGE = 26.0
"""The widest gap that an ordinary printer bridges, in mm."""


class Mesh(Struct, frozen=True):
    """The surface of one piece as it lies on the print bed."""

    triangles: tuple[Triangle, ...]

    @property
    def low(self) -> Point:
        """Return the corner of the bounding box where x, y and z are least, in mm."""
        return _corner(self.triangles, min)

    @property
    def high(self) -> Point:
        """Return the corner of the bounding box where x, y and z are greatest, in mm."""
        return _corner(self.triangles, max)

    @property
    def size(self) -> Point:
        """Return the sides of the bounding box, in mm."""
        (a, b, c), (d, e, f) = self.low, self.high
        return d - a, e - b, f - c

    def open_edges(self) -> int:
        """Return the number of edges not shared by exactly two triangles in opposite directions: 0 if watertight."""
        ways = Counter(edge for a, b, c in self.triangles for edge in ((a, b), (b, c), (c, a)))
        return sum(count != 1 or ways[(end, start)] != 1 for (start, end), count in ways.items())

    def volume(self) -> float:
        """Return the enclosed volume in mm³; negative if inside out."""
        return sum(_six_volumes(*triangle) for triangle in self.triangles) / 6

    def crossings(self, x: float, y: float) -> int:
        """Return how often the vertical line through x, y (mm) crosses the surface: 0 at a through hole."""
        return sum(_covers(triangle, x, y) for triangle in self.triangles)

    def hanging(self) -> list[tuple[float, float]]:
        """Return the sides (mm, longer first) of every overhanging patch flatter than 45 degrees and too wide to bridge."""
        bed = self.low[2]
        patches = _patches(
            [triangle for triangle in self.triangles if _looks_down(triangle) and max(point[2] for point in triangle) > bed + 0.01]
        )
        sides = [(max(box), min(box)) for box in map(_footprint, patches)]
        return [box for box in sides if box[1] > BRIDGE]


def read_stl(path: Path) -> Mesh:
    """Return the mesh of OpenSCAD's text STL file, without degenerate triangles."""
    points = [_point(line) for line in path.read_text(encoding="ascii").splitlines() if line.lstrip().startswith("vertex")]
    triangles = zip(points[::3], points[1::3], points[2::3], strict=True)
    return Mesh(tuple(triangle for triangle in triangles if len(set(triangle)) == len(triangle)))


def _point(line: str) -> Point:
    _vertex, x, y, z = line.split()
    return float(x), float(y), float(z)


def _corner(triangles: tuple[Triangle, ...], choose: Callable[[Iterable[float]], float]) -> Point:
    xs, ys, zs = zip(*(point for triangle in triangles for point in triangle), strict=True)
    return choose(xs), choose(ys), choose(zs)


def _six_volumes(a: Point, b: Point, c: Point) -> float:
    return a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) + a[2] * (b[0] * c[1] - b[1] * c[0])


def _looks_down(triangle: Triangle) -> bool:
    (ax, ay, az), (bx, by, bz), (cx, cy, cz) = triangle
    ux, uy, uz, vx, vy, vz = bx - ax, by - ay, bz - az, cx - ax, cy - ay, cz - az
    x, y, z = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
    return z < -0.72 * sqrt(x * x + y * y + z * z)


def _covers(triangle: Triangle, x: float, y: float) -> bool:
    sides = [(b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0]) for a, b in zip(triangle, triangle[1:] + triangle[:1], strict=True)]
    return all(side > 0 for side in sides) or all(side < 0 for side in sides)


def _patches(triangles: list[Triangle]) -> list[list[Triangle]]:
    """Return the triangles grouped into patches connected by their corners."""
    leader: dict[Point, Point] = {}

    def first(point: Point) -> Point:
        while (above := leader.setdefault(point, point)) != point:
            leader[point] = leader[above]  # path halving
            point = above
        return point

    for a, b, c in triangles:
        leader[first(b)] = first(a)
        leader[first(c)] = first(a)
    gathered: dict[Point, list[Triangle]] = defaultdict(list)
    for triangle in triangles:
        gathered[first(triangle[0])].append(triangle)
    return list(gathered.values())


def _footprint(patch: list[Triangle]) -> tuple[float, float]:
    xs = [point[0] for triangle in patch for point in triangle]
    ys = [point[1] for triangle in patch for point in triangle]
    return max(xs) - min(xs), max(ys) - min(ys)
