"""The command line: thin commands over library calls.

    arguments --inputs--> Input --load--> Page --extract--> Document --sinks--> screen, file, folder

Each command is a module of this package; `messages` says how errors read, `files` how files are
written, `names` what they are called.
"""

from thresher.cli import compare, evaluate, explain, extract, methods, plot, sweep
from thresher.cli.program import main

__all__ = ["main"]

for module in (compare, evaluate, explain, extract, methods, plot, sweep):
    main.add_command(module.command)
