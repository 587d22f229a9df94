"""Download pages over http and https, from public addresses unless private ones are allowed.

`download.py` downloads one page within limits; `addresses.py` says which addresses are public and
makes connections to those only.
"""

from thresher.fetch.download import Fetched, fetch

__all__ = ["Fetched", "fetch"]
