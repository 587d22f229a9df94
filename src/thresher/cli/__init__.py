"""The command line: one module per command, each a thin layer over library calls."""

from thresher.cli import (
    blocks,
    compare,
    evaluate,
    explain,
    extract,
    flow,
    label,
    methods,
    passages,
    plot,
    segment,
    site,
    sweep,
    threads,
    train,
    trends,
)
from thresher.cli.program import main

__all__ = ["main"]

for module in (
    blocks,
    compare,
    evaluate,
    explain,
    extract,
    flow,
    label,
    methods,
    passages,
    plot,
    segment,
    site,
    sweep,
    threads,
    train,
    trends,
):
    main.add_command(module.command)
