"""From a page to rectangles: pure geometry, for the painter and for the finger that touches the screen.

``arrange`` places a page; ``placed`` is what comes out of it, and what a touch hits. Nothing here draws or measures with a font.
"""
