"""Generate pages with gold text, for tests and for measuring without corpora.

The content is made as data; both the HTML and the gold text are written from it. See
docs/generator.md. `python -m benchmarks.generator OUT.jsonl` writes a corpus.
"""

from benchmarks.generator.content import GENRES
from benchmarks.generator.pages import GeneratedPage, generate, write, write_jsonl
from benchmarks.generator.site_pages import CAUSES, generate_site
from benchmarks.generator.variations import VARIATIONS

__all__ = [
    "CAUSES",
    "GENRES",
    "VARIATIONS",
    "GeneratedPage",
    "generate",
    "generate_site",
    "write",
    "write_jsonl",
]
