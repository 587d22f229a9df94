"""Settings that every test shares."""

import signal

from hypothesis import settings

# The same examples on every run, and no deadline: a busy machine must not fail a test. To look for
# new counterexamples: make fuzz
settings.register_profile("steady", derandomize=True, deadline=None)
settings.register_profile("quick", derandomize=True, deadline=None, max_examples=10)
settings.register_profile("explore", max_examples=1_000, deadline=None, print_blob=True)
settings.load_profile("steady")

# What a shell starts in the background ignores Ctrl-C, and so does all that it starts in turn.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
