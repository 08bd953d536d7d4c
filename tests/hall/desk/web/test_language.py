import ast
import re
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import httpx
import pytest
from starlette.requests import Request

import hall.desk.web
from appliance.texts import MASTER, language_names, load_phrases
from firmware.texts import load_reasons
from game.events import When
from game.game import Phase
from hall.desk.web.pages import PHRASES, language_of, spoken, texts_in, translated
from tests.cells import each_cell
from tests.hall.desk.web import serving
from tests.test_phrases import Words
from wire.proposals import RefusalReason

WEB = Path(hall.desk.web.__file__).parent
OTHERS = [code for code in spoken() if code != MASTER]


@pytest.fixture
def client(tmp_path: Path, accounts: Path) -> Iterator[httpx.Client]:
    with serving.served_desk(tmp_path, accounts) as desk:
        yield desk.client()


def asked(accepted: str = "", cookie: str = "", query: str = "") -> str:
    headers = [(b"accept-language", accepted.encode()), (b"cookie", f"language={cookie}".encode())]
    return language_of(Request({"type": "http", "headers": headers, "query_string": query.encode()}))


WANTED = [
    ("fr-CA,fr;q=0.9,en;q=0.8", "", "", "fr"),
    ("en;q=0.3, es;q=0.7", "", "", "es"),
    ("xx, de;q=0.1", "", "", "de"),
    ("fr;q=0, de;q=0.1", "", "", "de"),
    ("fr", "es", "", "es"),
    ("fr", "es", "language=de", "de"),
    ("fr", "../..", "language=zz", "fr"),
    ("fr;q=much", "", "", MASTER),
    ("*", "", "", MASTER),
    ("", "", "", MASTER),
]


@pytest.mark.parametrize(("accepted", "cookie", "query", "language"), WANTED)
def test_an_address_is_asked_before_a_cookie_and_this_before_the_browser(accepted: str, cookie: str, query: str, language: str) -> None:
    assert asked(accepted, cookie, query) == language


def static_texts() -> set[str]:
    """Return the texts of all templates, as the pages look them up."""
    found: set[str] = set()

    def noted(said: str) -> str:
        found.add(said)
        return said

    for file in (WEB / "templates").glob("*.html"):
        translated(file.read_text("utf-8"), noted)
    return found


def said_texts() -> Iterator[str]:
    """Yield what scripts say, and templates with values."""
    for file in (*(WEB / "static").glob("*.js"), *(WEB / "templates").glob("*.html")):
        text = file.read_text("utf-8")
        yield from re.findall(r'(?<!\.)\bsay\("([^"]+)"', text)
        yield from chain.from_iterable(re.findall(r'\bcounted\("([^"]+)", "([^"]+)"', text))


def phrases() -> Iterator[str]:
    """Yield the phrases of Python: those of the hall, and what the pages show of others."""
    for file in (*WEB.parents[1].rglob("*.py"), WEB.parents[2] / "records/words.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in {"Phrase", "as_phrase", "counted"}:
                # That of the command line has two arguments.
                said = node.args if node.func.id != "counted" or len(node.args) == 3 else ()
                yield from (each.value for each in said if isinstance(each, ast.Constant) and isinstance(each.value, str))
    yield from (*(each.sentence for each in RefusalReason), *(each.value for each in (*Phase, *When)))
    yield from (*(each.value.replace("_", " ") for each in RefusalReason), *chain.from_iterable(load_reasons().values()))


MAKERS = {"add", "explained", "of", "pass_over", "Problem", "ResultsError", "_NotNewtError"}
"""What makes sentences of a file's words, besides phrases."""


def words_of_files() -> Iterator[ast.expr]:
    """Yield what the Event page says of files that come in and go out."""
    for part in ("event", "results"):
        for file in (WEB.parents[1] / part).glob("*.py"):
            yield from Words(ast.parse(file.read_text("utf-8")), MAKERS).read()


def test_what_is_said_of_files_is_in_each_language_and_in_no_f_string() -> None:
    words = [*words_of_files()]
    texts = {each.value for each in words if isinstance(each, ast.Constant) and len(str(each.value)) > 1}
    assert len(texts) > 70
    assert [ast.unparse(each) for each in words if isinstance(each, ast.JoinedStr) and re.search(r"[a-z] ", ast.unparse(each)[2:])] == []
    for cell in each_cell(OTHERS):
        with cell as code:
            assert texts - texts_in(code).phrases.keys() == set()


def test_every_text_of_a_template_of_a_script_and_of_python_is_in_each_language() -> None:
    # What has no letters is in each language the same, but for some signs.
    texts = {each for each in (*static_texts(), *said_texts(), *phrases()) if re.search(r"[^\W\d_]", re.sub(r"\{\w+\}", "", each))}
    assert len(texts) > 700
    for cell in each_cell(OTHERS):
        with cell as code:
            assert texts - texts_in(code).phrases.keys() == set()


def test_only_what_a_person_reads_is_in_another_language() -> None:
    html = '<p title="Log in" class="Log in">Log in<code>Log in</code> <b>Log in</b>\n'
    assert translated(html, str.upper) == '<p title="LOG IN" class="Log in">LOG IN<code>Log in</code> <b>LOG IN</b>\n'
    html = '<a {% if a > b %}aria-label="Table {{ say("x>y") }} now"{% endif %}>go {% if a < b %}on{% endif %}</a>'
    assert (
        translated(html, str.upper)
        == '<a {% if a > b %}aria-label="TABLE {{ say("x>y") }} NOW"{% endif %}>GO {% if a < b %}ON{% endif %}</a>'
    )


@pytest.mark.parametrize("code", spoken())
def test_the_board_and_the_login_say_their_texts_in_the_browsers_language(client: httpx.Client, code: str) -> None:
    texts = load_phrases(PHRASES, code)
    for path, said in (("/board", "No clock has reported yet."), ("/login", "Password")):
        page = client.get(path, headers={"accept-language": code}).text
        assert f'<html lang="{code}">' in page
        assert f">{texts.phrases.get(said, said)}</" in page


def test_a_language_can_be_chosen_and_stays(client: httpx.Client) -> None:
    page = client.get("/login").text
    assert [name for name in language_names().values() if f">{name}</a>" in page] == [language_names()[code] for code in spoken()]
    answer = client.get("/language/es?next=/board", follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (303, "/board")
    assert '<html lang="es">' in client.get("/board", headers={"accept-language": "fr"}).text
    assert client.get("/language/es?next=//evil.example", follow_redirects=False).headers["location"] == "/"


def test_an_address_without_a_page_is_answered_in_the_browsers_language(client: httpx.Client) -> None:
    assert client.get("/nowhere", headers={"accept-language": "fr"}).text == "Page introuvable"


def test_a_reason_that_a_clock_reports_in_english_is_in_the_language_of_the_page_also_for_its_scripts(
    tmp_path: Path, accounts: Path
) -> None:
    with serving.served_desk(tmp_path, accounts) as desk:
        desk.clock(table=7, **serving.OVER, reason="six zeros")
        page = desk.logged_in().get("/", headers={"accept-language": "fr"}).text
    shown, _, scripts = page.partition('<script type="application/json" id="words">')
    assert ("six zéros" in shown, "six zeros" in shown, '"six zeros": "six z' in scripts) == (True, False, True)
