"""Stop words by language: the lists of stopwords-iso (https://github.com/stopwords-iso).

A stop word is one that says little about the topic of a text: "the", "and", "of". There are lists
for 58 languages; for any other language the set is empty.
"""

from __future__ import annotations

from functools import cache

from thresher.metadata.declared import declarations
from thresher.metadata.language import page_language
from thresher.page import Page
from thresher.page.words import words


def page_stop_words(page: Page) -> frozenset[str]:
    """Return the stop words of a page's language, declared or detected; see `stop_words`."""
    return stop_words(page_language(page, declarations(page))[0]) if len(page) else frozenset()


def stop_words(language: str) -> frozenset[str]:
    """Return the stop words of a language, given as a BCP 47 tag (`de-AT`), case folded.

    They are words as `thresher.page.words.words` splits a text: "don't" stands for "don" and "t". A
    phrase of several words is left out. The set is empty if there is no list for the language.
    """
    return _list_of(language.lower().replace("_", "-").partition("-")[0])


_SAME_LIST = {"nb": "no", "nn": "no", "fil": "tl"}  # languages that share the list of another code


@cache
def _list_of(code: str) -> frozenset[str]:
    import stopwordsiso  # reads its lists, which few programs need

    code = _SAME_LIST.get(code, code)
    entries = stopwordsiso.stopwords(code) if stopwordsiso.has_lang(code) else ()
    split = [(entry, words(entry.casefold())) for entry in entries if len(entry.split()) == 1]
    return frozenset(
        word
        for entry, parts in split
        if len(parts) == 1 or "'" in entry or "’" in entry
        for word in parts
    )
