"""The printed cases: from OpenSCAD to checked STL (`make case`). Not part of a clock or a station."""
