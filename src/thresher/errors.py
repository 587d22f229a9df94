"""The exceptions of Thresher.

    Exception
    └── ThresherError              base of all of them
        ├── UsageError             a bad argument (also a ValueError)
        └── InputError             a file or an address that cannot be read
            ├── FetchError         an address that returned no page
            └── RenderError        a page that the browser could not load

Each message is a sentence that says what is wrong and what to do; the command line prints it
unchanged. Bad HTML raises none of them.
"""

__all__ = ["FetchError", "InputError", "RenderError", "ThresherError", "UsageError"]


class ThresherError(Exception):
    """Base class of the exceptions."""


class UsageError(ThresherError, ValueError):
    """A bad argument: an unknown method, an option out of range."""


class InputError(ThresherError):
    """A file or an address that cannot be read, or that is no page."""


class FetchError(InputError):
    """An address that returned no page: unreachable, too slow, refused, or not HTML."""


class RenderError(InputError):
    """A page that the browser could not load: it crashed or stopped answering."""
