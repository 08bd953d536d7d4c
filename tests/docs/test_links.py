"""Links within the pages lead to files and headings that are there."""

from pathlib import Path

import pytest

from tests.docs.pages import PAGES, anchors, links, name


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_each_link_leads_to_a_file_and_a_heading_that_are_there(page: Path) -> None:
    broken = []
    for link in links(page.read_text("utf-8")):
        path, _, anchor = link.partition("#")
        if path.startswith(("https://", "http://")):
            continue
        target = page.parent / path if path else page
        if not target.exists() or (anchor and anchor not in anchors(target.read_text("utf-8"))):
            broken.append(link)
    assert broken == []


def test_links_are_found() -> None:
    assert sum(len(links(page.read_text("utf-8"))) for page in PAGES) > 100
