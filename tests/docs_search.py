"""As Sphinx's searchtools.js finds pages: by their titles, index entries, and words of the text, the best first."""

import json
import re
from pathlib import Path

from sphinx.search.en import SearchEnglish

SCORER = Path(__file__).parents[1] / "docs" / "_static" / "scorer.js"
FOLDERS = {
    name: int(more) for name, more in re.findall(r"(\w+): (-?\d+)", SCORER.read_text(encoding="utf-8").split("};")[0])
}


def read_index(site):
    """The search index of a built documentation."""
    text = (site / "searchindex.js").read_text(encoding="utf-8")
    return json.loads(text.removeprefix("Search.setIndex(").removesuffix(")"))


def found_pages(index, query):
    """The pages in the order in which the browser lists them; objects of the reference are left out."""
    asked = query.casefold().strip()
    best = {}

    def add(page, score):
        best[page] = max(best.get(page, 0), score)

    for title, places in index["alltitles"].items():
        if asked in title.casefold() and len(asked) >= len(title) / 2:
            for page, _ in places:
                add(page, round(15 * len(asked) / len(title)) + (index["titles"][page] == title))
    for entry, places in index["indexentries"].items():
        if asked in entry and len(asked) >= len(entry) / 2:
            for page, _, main in places:
                add(page, round(100 * len(asked) / len(entry)) if main else 0)
    for page, score in _by_words(index, asked).items():
        add(page, score)
    names, titles = index["docnames"], index["titles"]
    scores = {page: score + FOLDERS.get(names[page].split("/")[0], 0) for page, score in best.items()}
    return [names[page] for page in sorted(scores, key=lambda page: (-scores[page], titles[page].casefold()))]


def _by_words(index, asked):
    language = SearchEnglish({})
    words = [word for word in re.findall(r"\w+", asked) if word not in language.stopwords and not word.isdigit()]
    scores = {}
    for word in {language.stem(word) for word in words}:
        for table, whole, part in (("terms", 5, 2), ("titleterms", 15, 7)):
            known = index[table]
            terms = (
                [(word, whole)] if word in known else [(term, part) for term in known if word in term and len(word) > 2]
            )
            for term, score in terms:
                pages = known[term]
                for page in [pages] if isinstance(pages, int) else pages:
                    scores.setdefault(page, {})[word] = score
    stems = {language.stem(word) for word in words}
    enough = {len(stems), sum(len(word) > 2 for word in stems)}  # short words may be missing
    return {page: max(by_word.values()) for page, by_word in scores.items() if len(by_word) in enough}
