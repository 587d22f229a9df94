"""Build the compiled kernels, which are optional: without a C compiler the plain versions run.

Everything else about the package is in pyproject.toml.
"""

import os
from pathlib import Path

from setuptools import Extension, setup

IS_PURE = bool(os.environ.get("THRESHER_PURE"))  # for a wheel without kernels, for any machine
EXTRA = os.environ.get("THRESHER_CFLAGS", "").split()  # such as -fsanitize=address
SOURCES = [] if IS_PURE else sorted(Path("src/thresher").rglob("*.pyx"))

extensions = [
    Extension(
        ".".join(source.relative_to("src").with_suffix("").parts),
        [str(source)],
        extra_compile_args=["-O3", *EXTRA],
        extra_link_args=EXTRA,
    )
    for source in SOURCES
]
DIRECTIVES = {
    "language_level": 3,
    "boundscheck": False,
    "wraparound": False,
    "cdivision": True,
    "initializedcheck": False,
}
if extensions:
    from Cython.Build import cythonize

    extensions = cythonize(
        extensions, build_dir="build/cython", compiler_directives=DIRECTIVES, quiet=True
    )
for extension in extensions:
    extension.optional = True  # a failure is a warning; `cythonize` would forget it
setup(ext_modules=extensions)
