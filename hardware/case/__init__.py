"""The printed cases: OpenSCAD in, checked STL out (`make case`). Nothing of it runs on a clock or a station."""
