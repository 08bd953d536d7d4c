"""From a page to rectangles: pure geometry for drawing and touch.

``arrange`` places a page; ``placed`` is the result, with hit-testing. Nothing here draws or measures with a font.
"""
