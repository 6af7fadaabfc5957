# SPDX-License-Identifier: MIT
"""The schemas of what --json prints, docs/schema/NAME.schema.json of command NAME."""

import functools
import json
import pathlib

import jsonschema

FOLDER = pathlib.Path(__file__).resolve().parent.parent.parent / "docs/schema"
LINES = ("trace", "states")  # an object a line


def objects(name, text):
    """What a command printed, as a list."""
    return [json.loads(line) for line in text.splitlines()] if name in LINES else [json.loads(text)]


@functools.cache
def validator(name):
    schema = json.loads((FOLDER / f"{name}.schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def fault(name, found):
    """The first member that is not as its schema says; "": there is none."""
    error = next(validator(name).iter_errors(found), None)
    return f"{error.json_path}: {error.message[:200]}" if error else ""
