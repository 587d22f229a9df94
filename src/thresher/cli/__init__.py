"""The command line: thin commands over library calls.

    arguments --inputs--> Input --load--> Page --extract--> Document --sinks--> screen, file, folder

Each command is a module of this package; `messages` says how errors read, `files` how files are
written, `names` what they are called.
"""

from thresher.cli import (
    blocks,
    compare,
    evaluate,
    explain,
    extract,
    label,
    methods,
    plot,
    sweep,
    train,
)
from thresher.cli.program import main

__all__ = ["main"]

for module in (blocks, compare, evaluate, explain, extract, label, methods, plot, sweep, train):
    main.add_command(module.command)
