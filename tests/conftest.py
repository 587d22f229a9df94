"""Settings that every test shares."""

from hypothesis import settings

# The same examples on every run, and no deadline: a busy machine must not fail a test. To look for
# new counterexamples: pytest --hypothesis-profile=explore
settings.register_profile("steady", derandomize=True, deadline=None)
settings.register_profile("explore", max_examples=1_000, deadline=None, print_blob=True)
settings.load_profile("steady")
