"""Build the compiled kernels, which are optional: without a C compiler the plain versions run.

Everything else about the package is in pyproject.toml.
"""

import os
from pathlib import Path

from setuptools import Extension, setup

IS_PURE = bool(os.environ.get("THRESHER_PURE"))  # for a wheel without kernels, for any machine
EXTRA = os.environ.get("THRESHER_CFLAGS", "").split()  # such as -fsanitize=address
SOURCES = [] if IS_PURE else sorted(Path("src/thresher").rglob("*.pyx"))
# A file `_name.pxd` has types for `name.py`, which is compiled, as it is, to `_name`; beside a file
# `_name.pyx` it says what other kernels may use of that.
TYPES = [] if IS_PURE else sorted(Path("src/thresher").rglob("_*.pxd"))
TYPES = [types for types in TYPES if not types.with_suffix(".pyx").exists()]


def extension_module(name: Path, source: Path) -> Extension:
    """Return the extension module of this name, which is a path without a suffix."""
    return Extension(
        ".".join(name.relative_to("src").parts),
        [str(source)],
        extra_compile_args=["-O3", *EXTRA],
        extra_link_args=EXTRA,
    )


extensions = [extension_module(source.with_suffix(""), source) for source in SOURCES]
modules = [
    extension_module(types.with_suffix(""), types.with_name(f"{types.stem[1:]}.py"))
    for types in TYPES
]
DIRECTIVES = {
    "language_level": 3,
    "boundscheck": False,
    "wraparound": False,
    "cdivision": True,
    "initializedcheck": False,
}


def types_changed() -> bool:
    """Return whether types changed after code was generated that may use them.

    Cython does not see which modules, compiled as they are, use the types of another one. Code of
    modules that are gone does not count.
    """
    changed = max(types.stat().st_mtime for types in Path("src/thresher").rglob("*.pxd"))
    sources = [*SOURCES, *(types.with_name(f"{types.stem[1:]}.py") for types in TYPES)]
    code = [Path("build/cython", source).with_suffix(".c") for source in sources]
    return any(each.stat().st_mtime < changed for each in code if each.exists())


if extensions:
    from Cython.Build import cythonize

    force = types_changed()
    extensions = cythonize(
        extensions, build_dir="build/cython", compiler_directives=DIRECTIVES, quiet=True,
        force=force,
    )  # fmt: skip
    extensions += cythonize(  # with the semantics of Python, such as `list[-1]`
        modules,
        build_dir="build/cython",
        compiler_directives={"language_level": 3, "annotation_typing": False},
        quiet=True,
        force=force,
    )
for extension in extensions:
    extension.optional = True  # a failure is a warning; `cythonize` would forget it
setup(ext_modules=extensions, options={"build_ext": {"parallel": os.cpu_count()}})
