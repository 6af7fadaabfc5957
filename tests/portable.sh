#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Compiles probe/ freestanding for 64 and for 32 bits, and checks that the whole needs no symbol but mem*.
set -eu
cd "$(dirname "$0")/.."
dir=${TEST_DIR:-build/tests/portable}

for bits in 64 32; do
    objects=()
    mkdir -p "$dir/$bits"
    for source in probe/*.c; do
        object=$dir/$bits/$(basename "$source" .c).o
        gcc "-m$bits" -std=c11 -O2 -ffreestanding -fno-stack-protector -fno-pic -msse2 -mfpmath=sse \
            -fno-math-errno -Wall -Wextra -Werror -I. -c "$source" -o "$object"
        objects+=("$object")
    done
    ld -m "$([ $bits = 64 ] && echo elf_x86_64 || echo elf_i386)" -r "${objects[@]}" -o "$dir/probe$bits.o"
    needed=$(nm -u "$dir/probe$bits.o" | awk '$NF !~ /^mem(cpy|move|set|cmp)$/ { print $NF }')
    if [ -n "$needed" ]; then
        echo "probe/ for $bits bits needs: $needed"
        exit 1
    fi
    # No globals either: what a caller owns lives in the caller's structs.
    globals=$(nm "$dir/probe$bits.o" | awk '$2 ~ /^[bBdDcC]$/ { print $3 }')
    if [ -n "$globals" ]; then
        echo "probe/ for $bits bits keeps variables: $globals"
        exit 1
    fi
    echo "$bits bits: ${#objects[@]} files, needs nothing but mem*"
done
