# SPDX-License-Identifier: MIT
"""Finds the verdicts that `papers --brief`, a row of `make check`, does not judge: each has to name the row that
does, or a reason."""

import ast
import pathlib

import lib

FOLDER = pathlib.Path(__file__).resolve().parent


def verdicts():
    """Each call of verdict(): the file, and the node of its syntax tree."""
    for path in sorted(FOLDER.glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "verdict":
                yield path, node


def short_rows():
    """The names of the rows that `make check` runs."""
    fields = (line.split(None, 3) for line in (lib.ROOT / "tests/table").read_text().splitlines())
    return {f[0] for f in fields if len(f) == 4 and f[2] == "short"}


def excused(node):
    """Whether another row judges the same, or a reason says that no brief run can."""
    said = {k.arg: k.value.value for k in node.keywords if isinstance(k.value, ast.Constant)}
    return bool(said.get("long")) or said.get("row") in short_rows()


def missing(sections):
    """The places of the verdicts that these sections did not come to and that nothing excuses."""
    reached = {(pathlib.Path(file).resolve(), line) for section in sections for file, line in section.sites}
    for path, node in verdicts():
        judged = any((path, line) in reached for line in range(node.lineno, node.end_lineno + 1))
        if {"row", "long"} & {k.arg for k in node.keywords}:
            judged = excused(node)
        if not judged:
            yield f"{path.relative_to(lib.ROOT)}:{node.lineno}"
