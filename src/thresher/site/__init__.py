"""What several pages of a site have in common, and what that tells about each of them.

`site` learns a site page by page and extracts with its evidence; `matching` compares two pages;
`redundancy` drops blocks that are on other pages; `store` keeps sites in a file.
"""

from thresher.site.matching import Hybrid, Parts, flow_table, match
from thresher.site.redundancy import SeenBlocks, SiteBlockExtractor
from thresher.site.site import Site, learn

__all__ = [
    "Hybrid",
    "Parts",
    "SeenBlocks",
    "Site",
    "SiteBlockExtractor",
    "flow_table",
    "learn",
    "match",
]
