"""Configuration of `make docs`: Sphinx with MyST (Markdown) and the theme furo.

The source folder is the checkout's root, not docs/: pages link to wiring tables, pictures and the lexicon's format where they lie, by paths that also work on a
code host and in an editor. No file is copied or included.
"""

import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "docs")]

from docutils import nodes  # noqa: E402 - after the path
from settings_reference import markdown  # noqa: E402
from sphinx.application import Sphinx  # noqa: E402
from sphinx.util.docutils import SphinxDirective  # noqa: E402

from appliance.version import VERSION  # noqa: E402

project = "Tileclock"
author = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["authors"][0]["name"]
copyright = author  # noqa: A001 - Sphinx's name
release = version = VERSION
language = "en"

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
root_doc = "docs/index"
include_patterns = ["docs/**.md", "tools/wiring/*.md", "lexicon/FORMAT.md", "CHANGELOG.md"]
exclude_patterns = [".*", "**/.*", "build", "dist", "demo-out", "tests", "**/__pycache__", "*.egg-info"]

myst_enable_extensions = ["deflist"]
myst_heading_anchors = 4  # links may name a heading, as on a code host
autodoc_member_order = "bysource"
autodoc_typehints = "description"
napoleon_numpy_docstring = False

html_theme = "furo"
html_title = f"Tileclock {VERSION}"
html_extra_path = ["root"]  # build/docs/index.html, which leads to docs/index.html
html_copy_source = False
html_show_sphinx = False


class SettingsDirective(SphinxDirective):
    """``{settings} tileclock``, ``tilekiosk``, ``tilehall`` or ``machine`` in a page: the tables of that model, as if written there."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Return the tables."""
        return self.parse_text_to_nodes(markdown(self.arguments[0]))


def setup(app: Sphinx) -> None:
    """Give Sphinx the directive."""
    app.add_directive("settings", SettingsDirective)
