"""What several pages of a site have in common, and what that tells about each of them.

`site` learns a site page by page and extracts with its evidence; `matching` compares two pages;
`redundancy` drops blocks that are on other pages; `store` keeps sites in a file.
"""

from thresher.site.matching import Parts, match
from thresher.site.site import Site, learn

__all__ = ["Parts", "Site", "learn", "match"]
