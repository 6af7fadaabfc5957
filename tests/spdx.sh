#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Checks that each source file has its SPDX line among its first two lines, and that code says behind it what the file
# is for: tests/spdx.sh [TREE].
set -u
cd "${1:-$(dirname "$0")/..}" || exit 2

# Data and texts for people have no place for a comment.
files() {
    find Makefile linker.ld .ci boot kernel drivers uart probe tools tests docs \
        -path tests/golden -prune -o -path tests/fuzz/corpus -prune -o -type f ! -name '*.md' ! -name '*.csv' \
        ! -name '*.json' ! -name '*.png' -print | sort
}

# The files with the line; with `heads` those of code that have a head behind it.
licensed() {
    files | tr '\n' '\0' | xargs -0 awk -v heads="${1:-}" '
    function head() {
        return FILENAME ~ /\.[ch]$/ ? "^(/[*]|//)" : FILENAME ~ /\.(asm|inc|S)$/ ? "^(;|/[*]|//)" : \
               FILENAME ~ /\.(py|sh)$/ ? "^(\"\"\"|#)" : ""
    }
    FNR == 1 { found = 0 }
    found { if ($0 ~ head()) print FILENAME; nextfile }
    /SPDX-License-Identifier: MIT/ { if (!heads) { print FILENAME; nextfile } found = 1; next }
    FNR == 2 { nextfile }'
}

wrong=$(comm -23 <(files) <(licensed) | sed 's/^/no SPDX line: /'
    comm -23 <(licensed) <(licensed heads) | sed 's/^/no head that says what it is for: /')
[ -z "$wrong" ] || { printf '%s\n' "$wrong"; exit 1; }
