"""A page generator: pages of many templates, with gold text that was never parsed from them.

For tests, and for measuring without corpora. See docs/generator.md.
"""

from thresher.evaluate.generate.content import GENRES
from thresher.evaluate.generate.pages import GeneratedPage, generate, write, write_jsonl
from thresher.evaluate.generate.variations import VARIATIONS

__all__ = ["GENRES", "VARIATIONS", "GeneratedPage", "generate", "write", "write_jsonl"]
