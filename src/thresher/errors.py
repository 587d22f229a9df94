"""The exceptions of Thresher.

    Exception
    └── ThresherError              catch this one for all of them
        ├── UsageError             a bad argument (also a ValueError)
        └── InputError             a file or an address that cannot be read
            └── FetchError         an address that gave no page

The message of each is a sentence that says what went wrong and what to do next; the command line
prints it as it stands. Bad HTML raises none of them: what can be read always gives an answer.
"""

__all__ = ["FetchError", "InputError", "ThresherError", "UsageError"]


class ThresherError(Exception):
    """Anything Thresher refuses to do."""


class UsageError(ThresherError, ValueError):
    """An argument that cannot be used: an unknown method, an option out of range."""


class InputError(ThresherError):
    """A file or an address that cannot be read."""


class FetchError(InputError):
    """An address that gave no page: unreachable, too slow, refused, or not HTML."""
