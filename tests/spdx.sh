#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Checks that each source file has its SPDX line among its first two lines, and that code says behind it what the file
# is for and has no line that is longer than .editorconfig allows: tests/spdx.sh [TREE].
set -u
columns=$(sed -n 's/^max_line_length = //p' "$(dirname "$0")/../.editorconfig")
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

# FILE:LINE of each line of code with more columns; scripts need no ending.
long_lines() {
    files | tr '\n' '\0' | xargs -0 awk '
    FILENAME ~ /\.([chS]|asm|inc|py|sh)$|^Makefile$/ || /^#!/ { print FILENAME }
    { nextfile }' | tr '\n' '\0' |
        LC_ALL=C.UTF-8 xargs -0r grep -HnE "^.{$((columns + 1))}" | cut -d : -f 1,2
}

wrong=$(comm -23 <(files) <(licensed) | sed 's/^/no SPDX line: /'
    comm -23 <(licensed) <(licensed heads) | sed 's/^/no head that says what it is for: /'
    long_lines | sed "s/\$/: more than $columns columns/")
[ -z "$wrong" ] || { printf '%s\n' "$wrong"; exit 1; }
