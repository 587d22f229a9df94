"""A page generator: pages of many templates, with gold text that was never parsed from them.

For tests, and for measuring without corpora. See docs/generator.md.
"""

from benchmarks.generator.content import GENRES
from benchmarks.generator.pages import GeneratedPage, generate, write, write_jsonl
from benchmarks.generator.variations import VARIATIONS

__all__ = ["GENRES", "VARIATIONS", "GeneratedPage", "generate", "write", "write_jsonl"]
