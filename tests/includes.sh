#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Checks each include line against the arrows between folders (docs/DESIGN.md), headers for cycles, and what runs
# without a libc for the headers of one: tests/includes.sh [TREE].
set -u
cd "${1:-$(dirname "$0")/..}" || exit 2

# file:included, true where an arrow allows it
allowed() {
    case $1 in
    kernel/*:kernel/tasks/*) [[ $1 == kernel/tasks/*:* ]] ;;
    kernel/tasks/*:kernel/abi/syscall_numbers.h | kernel/tasks/*:probe/*) ;;
    kernel/tasks/*:kernel/abi/spin_loop.h | kernel/tasks/*:kernel/abi/fault_injection.h) ;; # the same code at every ring
    kernel/tasks/*:*) false ;;
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

# Each "file:included": quoted includes of C and of NASM.  What make generates lies under build/.
include_lines() {
    find boot kernel drivers uart probe tools -type f \( -name '*.[ch]' -o -name '*.asm' -o -name '*.inc' \) |
        sort | xargs -r grep -HE '^[[:space:]]*[#%][[:space:]]*include[[:space:]]*"' |
        sed -E 's/^([^:]*):[^"]*"([^"]*)".*/\1:\2/' | grep -v ':build/'
}

lines=0 wrong=0
while read -r line; do
    lines=$((lines + 1))
    if ! allowed "$line"; then
        echo "${line%%:*} may not include ${line#*:}"
        wrong=$((wrong + 1))
    fi
done < <(include_lines)
if [ "$lines" = 0 ]; then
    echo 'no include line found'
    wrong=1
fi

# tsort names the members of each loop and fails.
if ! include_lines | grep -E '^[^:]*\.(h|inc):' | tr ':' ' ' | tsort >/dev/null; then
    echo 'headers include each other in a circle'
    wrong=$((wrong + 1))
fi
# C11, 4: the headers of a freestanding implementation; those of gnu-efi are for its door alone.
while read -r line; do
    echo "${line%%:*} includes ${line#*:}, which needs a libc"
    wrong=$((wrong + 1))
done < <(find boot kernel drivers uart probe -type f -name '*.[ch]' | sort |
    xargs -r grep -HE '^[[:space:]]*#[[:space:]]*include[[:space:]]*<' |
    sed -E 's/^([^:]*):[^<]*<([^>]*)>.*/\1:\2/' |
    grep -vE ':(float|limits|stdalign|stdarg|stdbool|stddef|stdint|stdnoreturn)\.h$|^boot/uefi\.c:efi(lib)?\.h$')

echo "$lines include lines, $wrong wrong"
[ "$wrong" = 0 ]
