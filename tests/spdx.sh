#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Checks that each source file has its SPDX line among its first two lines: tests/spdx.sh [TREE].
set -u
cd "${1:-$(dirname "$0")/..}" || exit 2

# Data and texts for people have no place for a comment.
wrong=$(find Makefile linker.ld .ci boot kernel drivers uart probe tools tests docs \
    -path tests/golden -prune -o -path tests/fuzz/corpus -prune -o -type f ! -name '*.md' ! -name '*.csv' ! -name '*.json' ! -name '*.png' -print |
    sort | while read -r file; do
        head -n 2 "$file" | grep -q 'SPDX-License-Identifier: MIT' || echo "no SPDX line: $file"
    done)
[ -z "$wrong" ] || { printf '%s\n' "$wrong"; exit 1; }
