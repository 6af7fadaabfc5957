#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Checks each include line against the arrows between folders and the order of rooms (docs/DESIGN.md), headers, calls
# and data for circles, headers for `#pragma once`, and what runs without a libc for the headers of one:
# tests/includes.sh [TREE].  Calls and data are those of the object files in TREE/build,
# so that `make all` comes first.
set -u
rooms=$(dirname "$(realpath "$0")")/../docs/DESIGN.md
cd "${1:-$(dirname "$0")/..}" || exit 2
wrong=0

complain() {
    printf '%s\n' "$1"
    wrong=$((wrong + 1))
}

# ---- include lines ----

# Each "file:included": quoted includes of C and of NASM.  What make generates lies under build/.
include_lines() {
    find boot kernel drivers uart probe tools -type f \( -name '*.[ch]' -o -name '*.asm' -o -name '*.inc' \) |
        sort | xargs -r grep -HE '^[[:space:]]*[#%][[:space:]]*include[[:space:]]*"' |
        sed -E 's/^([^:]*):[^"]*"([^"]*)".*/\1:\2/' | grep -v ':build/'
}

# file:included, true where an arrow between folders allows it
allowed() {
    case $1 in
    kernel/tasks/*:kernel/tasks/* | kernel/tasks/*:kernel/abi/* | kernel/tasks/*:probe/*) ;;
    kernel/tasks/*:* | kernel/*:kernel/tasks/*) false ;;
    kernel/*:kernel/* | kernel/*:probe/* | kernel/*:drivers/* | kernel/*:uart/*) ;;
    boot/*:boot/* | boot/*:kernel/boot_info.h) ;;
    boot/*:uart/* | boot/*:drivers/*) ;; # for the sentence that nobody after the door can say
    uart/*:uart/* | uart/*:drivers/io.h) ;;
    drivers/*:drivers/*) ;;
    probe/*:probe/*) ;;
    tools/*:tools/* | tools/*:probe/*) ;;
    *) false ;;
    esac
}

# "room rank", from the rows of the page's tables: the first room of a folder may include none of the others.
room_ranks() {
    sed -nE 's#^\| `((kernel|probe|tools)/[a-z]+)/` \|.*#\1#p' "$rooms" | awk '{ print $1, NR }'
}

# The lines "file:needed" that point to a room further down the list,
# or whose file stands in a room the list does not have.
upward() {
    awk -v ranks="$(room_ranks | tr '\n' ' ')" -F: '
    BEGIN { n = split(ranks, word, " "); for (i = 1; i < n; i += 2) rank[word[i]] = word[i + 1] }
    function folder(path) { return split(path, part, "/") < 3 ? "" : part[1] "/" part[2] }
    {
        from = folder($1); to = folder($2)
        if ($1 !~ /^(kernel|probe|tools)\// || from == "kernel/tasks") next
        if ($1 == "kernel/main.c" || $1 == "kernel/boot_info.h") next
        if (!(from in rank)) print $1 " stands in a room that docs/DESIGN.md does not list"
        else if (to in rank && substr(to, 1, 5) == substr(from, 1, 5) && rank[to] > rank[from])
            print $1 " needs " $2 ", which is further down the list of rooms"
    }'
}

lines=0
while read -r line; do
    lines=$((lines + 1))
    allowed "$line" || complain "${line%%:*} may not include ${line#*:}"
done < <(include_lines)
[ "$lines" != 0 ] || complain 'no include line found'
while read -r line; do
    complain "$line"
done < <(include_lines | upward)

# ---- once ----

# A guard's name may be copied with its file, and then one of the two headers is left out without a word.
while read -r header; do
    complain "$header has no line #pragma once"
done < <(find boot kernel drivers uart probe tools tests -type f -name '*.h' | sort |
    xargs -r grep -LxF '#pragma once')

# ---- circles ----

# tsort names the members of each loop and fails.
include_lines | grep -E '^[^:]*\.(h|inc):' | tr ':' ' ' | tsort >/dev/null ||
    complain 'headers include each other in a circle'

# The objects made of C files below a folder.  One stays in the folder when its file goes.
objects() {
    find "$1" -name '*.o' ! -name '*.asm.o' | sort | while read -r object; do
        source=${object#build/*/}
        source=${source#plain/}
        [ ! -e "${source%.o}.c" ] || echo "$object"
    done
}

# "user used" for these objects: who needs a function or data that another one defines.
uses() {
    objects "$1" | xargs -r gcc-nm -A | awk '
    { split($0, half, ":"); n = split(half[2], field, " "); kind = field[n - 1]; name = field[n] }
    kind ~ /^[TWDBRVGSC]$/ { at[name] = half[1] }
    kind == "U" { needs[half[1] " " name] }
    END { for (need in needs) { split(need, pair, " "); if (pair[2] in at && at[pair[2]] != pair[1]) print pair[1], \
        at[pair[2]] } }'
}

for folder in build/kernel build/host/plain/tools build/host/plain/probe build/hwmon; do
    if [ -d "$folder" ]; then
        uses "$folder" | tsort >/dev/null || complain "files need each other in a circle (the objects in $folder)"
        while read -r line; do # a room may declare by itself what a later one has
            complain "$line"
        done < <(uses "$folder" | sed -E 's#build/(host/plain|[a-z]+)/([^ ]*)\.o#\2.c#g; s/ /:/' | upward)
    elif [ $# = 0 ]; then
        complain "no objects in $folder: make all comes first"
    fi
done

# ---- headers of a libc ----

# C11, 4: the headers of a freestanding implementation; those of gnu-efi are for its door alone.
while read -r line; do
    complain "${line%%:*} includes ${line#*:}, which needs a libc"
done < <(find boot kernel drivers uart probe -type f -name '*.[ch]' | sort |
    xargs -r grep -HE '^[[:space:]]*#[[:space:]]*include[[:space:]]*<' |
    sed -E 's/^([^:]*):[^<]*<([^>]*)>.*/\1:\2/' |
    grep -vE ':(float|limits|stdalign|stdarg|stdbool|stddef|stdint|stdnoreturn)\.h$' |
    grep -vE '^boot/uefi/[a-z_]+\.[ch]:efi(lib)?\.h$')

echo "$lines include lines, $(room_ranks | wc -l) rooms, $wrong wrong"
[ "$wrong" = 0 ]
