from pathlib import Path

import pytest

from tools.case.mesh import Mesh, Point, Triangle, read_stl

A, B, C, D = (0.0, 0.0, 0.0), (3.0, 0.0, 0.0), (0.0, 4.0, 0.0), (0.0, 0.0, 5.0)
TETRAHEDRON = ((A, C, B), (A, B, D), (B, C, D), (C, A, D))


def box(low: Point, high: Point) -> list[Triangle]:
    x, y, z = zip(low, high, strict=True)
    corner = [(x[i & 1], y[i >> 1 & 1], z[i >> 2 & 1]) for i in range(8)]
    faces = [(0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5)]
    return [(corner[a], corner[b], corner[c]) for p, q, r, s in faces for a, b, c in ((p, q, r), (p, r, s))]


def test_a_closed_surface_has_no_open_edge_and_the_volume_that_it_encloses() -> None:
    mesh = Mesh(TETRAHEDRON)
    assert mesh.open_edges() == 0
    assert mesh.volume() == pytest.approx(10)
    assert mesh.size == (3, 4, 5)


@pytest.mark.parametrize("missing", range(4))
def test_a_missing_triangle_leaves_three_open_edges(missing: int) -> None:
    assert Mesh(TETRAHEDRON[:missing] + TETRAHEDRON[missing + 1 :]).open_edges() == 3


def test_a_triangle_that_is_turned_round_or_doubled_is_no_watertight_surface() -> None:
    assert Mesh((TETRAHEDRON[0][::-1], *TETRAHEDRON[1:])).open_edges() > 0
    assert Mesh((TETRAHEDRON[0], *TETRAHEDRON)).open_edges() > 0


def test_an_upright_line_pierces_a_box_twice_and_passes_beside_it() -> None:
    mesh = Mesh(tuple(box((0, 0, 0), (10, 10, 5))))
    assert mesh.crossings(3, 4) == 2
    assert mesh.crossings(11, 4) == 0


def test_a_wide_shelf_hangs_and_a_narrow_bridge_does_not() -> None:
    shelf = Mesh(tuple(box((0, 0, 0), (5, 5, 20)) + box((5, 0, 15), (60, 40, 20))))
    bridge = Mesh(tuple(box((0, 0, 0), (5, 5, 20)) + box((5, 0, 15), (60, 20, 20))))
    assert shelf.hanging() == [(55, 40)]
    assert bridge.hanging() == []


def test_an_stl_file_is_read_point_by_point(tmp_path: Path) -> None:
    lines = ["solid piece"]
    for triangle in TETRAHEDRON:
        lines += ["facet normal 0 0 0", "outer loop", *(f"vertex {x} {y} {z}" for x, y, z in triangle), "endloop", "endfacet"]
    (tmp_path / "piece.stl").write_text("\n".join([*lines, "endsolid piece"]))
    assert read_stl(tmp_path / "piece.stl") == Mesh(TETRAHEDRON)
