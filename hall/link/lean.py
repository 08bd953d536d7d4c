"""Keeps modules that the running link does not need out of its memory. To be imported first, and by ``hall.link.__main__`` alone."""

import sys
from types import ModuleType

# paho imports it to find a proxy when it dials, which ``dialling`` does in its place: 2.3 MB of the link's 25, and a tenth of its start.
sys.modules["urllib.request"] = ModuleType("urllib.request")
