"""Links within the pages lead to files and headings that are there."""

from pathlib import Path

from tests.docs.pages import PAGES, anchors, links, name


def test_each_link_leads_to_a_file_and_a_heading_that_are_there() -> None:
    found = [(page, link) for page in PAGES for link in links(page.read_text("utf-8"))]
    assert len(found) > 100
    assert [f"{name(page)}: {link}" for page, link in found if _is_broken(page, link)] == []


def _is_broken(page: Path, link: str) -> bool:
    path, _, anchor = link.partition("#")
    if path.startswith(("https://", "http://")):
        return False
    target = page.parent / path if path else page
    return not target.exists() or bool(anchor and anchor not in anchors(target.read_text("utf-8")))
