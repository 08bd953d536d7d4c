from appliance.texts import MASTER, languages
from tests.cells import each_cell
from tools.terms import PAGE, SEEN, places_of, seen_most, terms_of, texts_of, written

OTHERS = [code for code in languages() if code != MASTER]


def test_every_language_has_a_word_for_each_term_and_names_a_source_that_is_listed() -> None:
    master = terms_of(MASTER)
    for cell in each_cell(languages()):
        with cell as code:
            assert terms_of(code).terms.keys() == master.terms.keys()
            assert {term.source for term in terms_of(code).terms.values()} <= master.sources.keys()


def test_a_term_is_used_for_one_thing_only() -> None:
    english = terms_of(MASTER).terms
    for cell in each_cell((code, name) for code in OTHERS for name in english):
        with cell as (code, name):
            term = terms_of(code).terms[name]
            assert [place for place, said, own in texts_of(code) if term.stands_in(own) and not english[name].stands_in(said)] == []


def test_no_word_is_two_terms_and_each_stands_somewhere() -> None:
    for cell in each_cell(OTHERS):
        with cell as code:
            terms = terms_of(code).terms
            forms = [form for term in terms.values() for form in term.forms]
            assert len(set(forms)) == len(forms)
            assert [name for name, places in places_of(code).items() if not places] == []


def test_the_page_of_terms_is_the_one_that_the_texts_make() -> None:
    assert PAGE.read_text("utf-8") == written(), "run: python -m tools.terms"
    assert len(set(seen_most())) == SEEN
