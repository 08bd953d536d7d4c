"""Configuration of `make docs`: Sphinx with MyST (Markdown) and the theme furo.

The source folder is the checkout's root, not docs/: pages link to wiring tables, pictures and the lexicon's format where they lie, by paths that also work on a
code host and in an editor. No file is copied or included. What only the build makes (moving pictures, sheets of screens, PDF to print) goes to ``made/``.
"""

import re
import sys
import tomllib
from html import escape
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "docs")]

from docutils import nodes  # noqa: E402 - after the path
from settings_reference import markdown  # noqa: E402
from sphinx.application import Sphinx  # noqa: E402
from sphinx.util.docutils import SphinxDirective  # noqa: E402

from appliance.texts import language_names, languages, load_phrases  # noqa: E402
from appliance.version import VERSION  # noqa: E402
from faults.errors import Phrase  # noqa: E402
from hall.event.table_files import HEADINGS  # noqa: E402
from rules.rulebooks import load_rulebook, load_source, shipped_ids  # noqa: E402
from tools import moving  # noqa: E402
from tools.sheets import draw as sheets  # noqa: E402
from tools.sheets.content import SHEETS  # noqa: E402

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
html_static_path = ["static"]
html_css_files = ["site.css"]
html_extra_path = ["root"]  # build/docs/index.html, which leads to docs/index.html
html_copy_source = False
html_show_sphinx = False


class SettingsDirective(SphinxDirective):
    """``{settings} tileclock``, ``tilekiosk``, ``tilehall`` or ``machine`` in a page: the tables of that model, as if written there."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Return the tables."""
        return self.parse_text_to_nodes(markdown(self.arguments[0]))


class ColumnsDirective(SphinxDirective):
    """``{columns}`` in a page: the headings of tables that the hall reads, as if written there."""

    def run(self) -> list[nodes.Node]:
        """Return the table."""
        rows = (f"| `{plain}` | {', '.join(f'`{each}`' for each in others)} |" for plain, *others in HEADINGS.values())
        return self.parse_text_to_nodes("\n".join(["| column | also |", "| --- | --- |", *rows]))


class RulebooksDirective(SphinxDirective):
    """``{rulebooks}`` in a page: the shipped rulebooks in its language, as if written there."""

    def run(self) -> list[nodes.Node]:
        """Return the list."""
        render = load_phrases("phrases", _language_of(self.env.docname)).render
        titles = {f"`{each}`": Phrase(load_source(each).title) for each in shipped_ids()}
        return self.parse_text_to_nodes(
            "\n".join(f"- {render(Phrase('{name}: {found}', name=each, found=title))}" for each, title in titles.items())
        )


MOVING = {"game.webp": moving.game, "challenge.webp": moving.challenge}
SCREENS = {
    "clock": ("tests/firmware/screens/golden/{prefix}-*.png", "tests/firmware/hall/golden/{language}-*.png"),
    "station": ("tests/kiosk/screens/golden/*-{language}-*.png",),
}


def make(app: Sphinx) -> None:
    """Make what no page has as a file: from the programs, their texts, the rulebooks and the tests' golden pictures."""
    folder = Path(app.outdir) / "made"
    sheets.write_all(folder)
    for file, write in MOVING.items():
        write(folder / file)
    for language in languages():
        prefix = "facing" if language == "en" else language
        for name, patterns in SCREENS.items():
            found = [file for each in patterns for file in sorted(ROOT.glob(each.format(prefix=prefix, language=language)))]
            if found:  # golden pictures are not in every language
                moving.contact_sheet(folder / f"{name}-{language}.webp", found)


class Made(SphinxDirective):
    """``{made} game.webp`` in a page, with what it shows as content: pictures that the build makes."""

    required_arguments = 1
    optional_arguments = 1
    has_content = True

    def run(self) -> list[nodes.Node]:
        """Return one row of pictures; each opens in full size."""
        up = "../" * self.env.docname.count("/")
        pictures = zip(self.arguments, self.content, strict=True)
        links = (f'<a href="{up}made/{file}">{_picture(up, file, escape(said))}</a>' for file, said in pictures)
        return [nodes.raw("", f'<p class="pictures">{"".join(links)}</p>', format="html")]


def _picture(up: str, file: str, said: str) -> str:
    image = f'<img src="{up}made/{file}" alt="{said}">'
    if file not in MOVING:
        return image
    return f'<picture><source media="(prefers-reduced-motion: reduce)" srcset="{up}made/{moving.still_of(Path(file))}">{image}</picture>'


class SheetsDirective(SphinxDirective):
    """``{sheets}`` in a page: links to all sheets to print."""

    def run(self) -> list[nodes.Node]:
        """Return one list for each rulebook."""
        up = "../" * self.env.docname.count("/")
        rows = []
        for book in map(load_rulebook, sheets.SHIPPED):
            for language, said in language_names().items():
                links = " · ".join(f'<a href="{up}made/{name}-{book.id}-{language}.pdf">{name}</a>' for name in SHEETS)
                rows.append(f"<tr><td>{escape(book.title)}</td><td>{said}</td><td>{links}</td></tr>")
        head = "<tr><th>rulebook</th><th>language</th><th>PDF</th></tr>"
        return [nodes.raw("", f'<table class="docutils"><thead>{head}</thead><tbody>{"".join(rows)}</tbody></table>', format="html")]


def open_in_full(_: Sphinx, tree: nodes.document) -> None:
    """Let each picture open in full size, as Sphinx does for scaled ones; pictures side by side form a row."""
    for image in tree.findall(nodes.image):
        image["width"] = "100%"  # site.css takes it back
    for paragraph in tree.findall(nodes.paragraph):
        if len(paragraph.children) > 1 and all(isinstance(each, nodes.image) or not each.astext().strip() for each in paragraph.children):
            paragraph["classes"].append("pictures")


def _language_of(page: str) -> str:
    folder = page.split("/")[1] if page.count("/") > 1 else ""
    return folder if folder in languages() else language


def finish(_: Sphinx, page: str, __: str, context: dict[str, Any], ___: nodes.document | None) -> None:
    """Name the language of the pages in a language's folder of ``docs`` to browsers and readers; links to pictures open them, where Sphinx would download."""
    context["language"] = _language_of(page)
    context["body"] = re.sub(r' download=""( href="[^"]+\.(?:svg|png)")', r"\1", context.get("body", ""))


def setup(app: Sphinx) -> None:
    """Give Sphinx the directives, and make what they show."""
    app.add_directive("settings", SettingsDirective)
    app.add_directive("made", Made)
    app.add_directive("sheets", SheetsDirective)
    app.add_directive("columns", ColumnsDirective)
    app.add_directive("rulebooks", RulebooksDirective)
    app.connect("builder-inited", make)
    app.connect("doctree-read", open_in_full)
    app.connect("html-page-context", finish)
