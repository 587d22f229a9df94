"""Pages made to hurt: always an answer, a status, bounded memory, time linear in the input."""

import gc
import json
import subprocess
import sys
import time
from pathlib import Path

import pytest
from pages import check_nesting

import thresher
from thresher import methods, parse

ROWS_60 = "<tr><td>one<td>two</tr>"

# What n means differs: so many tags, attributes, bytes. The number is an n that takes long enough to
# be timed (30 ms or more), and is small enough that 4n is quick.
PAGES = {
    "nested div": (20_000, lambda n: "<div>" * n + "deep"),
    "nested div, closed": (15_000, lambda n: "<div>" * n + "deep" + "</div>" * n),
    "sibling p": (10_000, lambda n: "<p>some words here</p>" * n),
    "unclosed p": (10_000, lambda n: "<p>some words here" * n),
    "table rows": (5_000, lambda n: "<table>" + "<tr><td>one<td>two</tr>" * n + "</table>"),
    "table cells": (10_000, lambda n: "<table><tr>" + "<td>one" * n + "</table>"),
    "nested tables": (5_000, lambda n: "<table><tr><td>x" * n),
    "text in tables": (5_000, lambda n: "<table>" + "moved<tr>" * n),
    "one text": (500_000, lambda n: "<p>" + "words " * n),
    "one word": (3_000_000, lambda n: "<p>" + "w" * n),
    "attributes": (50_000, lambda n: "<p " + " ".join(f"a{i}=b" for i in range(n)) + ">x"),
    "same attribute": (100_000, lambda n: "<p " + "a=b " * n + ">x"),
    "classes": (100_000, lambda n: '<p class="' + " ".join(f"c{i}" for i in range(n)) + '">x'),
    "NUL": (1_000_000, lambda n: "<p>" + "\0" * n + "x"),
    "NUL in tags": (20_000, lambda n: "<p\0>x\0" * n),
    "less than": (300_000, lambda n: "<" * n),
    "less than, words": (100_000, lambda n: "a < b " * n),
    "unclosed everything": (1_000, lambda n: "<p><b><i><a><table><tr>" * n),
    "unclosed formatting": (2_000, lambda n: "<p><b><i><a>x" * n),
    "misnested formatting": (3_000, lambda n: "<b>" * n + "<p>x</b>" * n),
    "adoption agency": (3_000, lambda n: "<b><div>x" * n + "</b>" * n),
    "misnested links": (5_000, lambda n: "<a href=x><div>x" * n),
    "comments": (30_000, lambda n: "<!-- c -->x" * n),
    "comment starts": (100_000, lambda n: "<p>x" + "<!--" * n),
    "comment ends": (100_000, lambda n: "<p>x" + "-->" * n),
    "scripts": (15_000, lambda n: "<script>x</script>y" * n),
    "unclosed scripts": (50_000, lambda n: "<p>x" + "<script>" * n),
    "script escapes": (50_000, lambda n: "<p>x<script>" + "<!--<script>" * n),
    "entities": (200_000, lambda n: "<p>" + "&amp;&lt;&#x41; " * n),
    "broken entities": (200_000, lambda n: "<p>" + "&#;&x;&#xfffffff; " * n),
    "stray end tags": (50_000, lambda n: "<p>x" + "</div></b></p>" * n),
    "stray end tags, nested": (5_000, lambda n: "<div>" * n + "x" + "</span>" * n),
    "unclosed quotes": (50_000, lambda n: 'x<a x="' * n),
    "mixed quotes": (20_000, lambda n: "<a x='\"' y=\"'\">x</a>" * n),
    "odd quotes": (50_000, lambda n: "<p a'b\">x" * n),
    "distinct names": (20_000, lambda n: "".join(f"<x-{i}>y</x-{i}>" for i in range(n))),
    "options": (10_000, lambda n: "<select>" + "<option>x" * n),
    "selects": (10_000, lambda n: "<select><option>x</select>" * n),
    "iframes": (10_000, lambda n: "<iframe src=x></iframe>y" * n),
    "unclosed iframes": (100_000, lambda n: "x" + "<iframe>" * n),
    "textareas": (10_000, lambda n: "<textarea><p>x</textarea>" * n),
    "CDATA": (30_000, lambda n: "<svg>" + "<![CDATA[x]]>" * n),
    "CDATA ends": (300_000, lambda n: "<svg>" + "]]>" * n),
    "svg": (10_000, lambda n: "<svg><g>x" * n),
    "math": (10_000, lambda n: "<math><mi>x" * n),
    "templates": (5_000, lambda n: "<template>x" * n),
    "nested lists": (5_000, lambda n: "<ul><li>x" * n),
    "ordered list": (10_000, lambda n: "<ol>" + "<li value=7>x" * n),
    "breaks": (20_000, lambda n: "<p>" + "x<br>" * n),
    "blank lines": (1_000_000, lambda n: "<p>x" + "\n" * n + "y"),
    "spans": (20_000, lambda n: "<p>" + "<span>x</span>" * n),
    "headings": (10_000, lambda n: "<title>x</title>" + "<h1>x</h1>" * n),
    "bases": (10_000, lambda n: "<base target=x>" * n + "<p>x"),
    "hidden": (10_000, lambda n: "<p hidden style='display:none'>x</p>" * n),
    "forms and buttons": (5_000, lambda n: "<form><button>x" * n),
    "processing instructions": (30_000, lambda n: "<?php x ?>y" * n),
    "doctypes": (30_000, lambda n: "<!DOCTYPE html>y" * n),
    "rubies": (5_000, lambda n: "<ruby>x<rt>y<rp>z" * n),
    "definition lists": (10_000, lambda n: "<dl>" + "<dt>x<dd>y" * n),
    "astral": (500_000, lambda n: "<p>" + "🍵 " * n),
    "frames": (10_000, lambda n: "<frameset>" + "<frame>" * n),
}  # fmt: skip


def work(source: str | bytes) -> thresher.Page:
    """Everything that `extract` does with a page, with every method."""
    page = parse(source)
    for name in methods.names():
        document = thresher.extract(page, method=name)
        assert isinstance(document.text, str)
        assert document.status
    return page
