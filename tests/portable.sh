#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Compiles probe/ freestanding for 64 and for 32 bits, and checks that the whole needs no symbol but mem*.  What a tick
# may run has no vector and no floating-point registers: all but the files of the Makefile's FLOATING.
set -eu
cd "$(dirname "$0")/.."
dir=${TEST_DIR:-build/tests/portable}

read -ra floating < <(make -s --no-print-directory --eval='floating:; @echo $(FLOATING)' floating)
if [ ${#floating[@]} = 0 ]; then
    echo 'the Makefile has no list FLOATING'
    exit 1
fi

compile() { # bits, source, object, more options
    gcc "-m$1" -std=c11 -O2 -ffreestanding -fno-stack-protector -fno-pic "${@:4}" \
        -Wall -Wextra -Werror -I. -c "$2" -o "$3"
}

for bits in 64 32; do
    objects=()
    mkdir -p "$dir/$bits"
    for source in probe/*/*.c; do
        object=$dir/$bits/$(basename "$source" .c).o
        if [[ " ${floating[*]} " != *" $source "* ]]; then
            compile $bits "$source" "$object" -mno-sse -mgeneral-regs-only
        elif [ $bits = 64 ] && compile 64 "$source" "$object" -mno-sse -mgeneral-regs-only 2>/dev/null; then
            echo "$source needs no vector register: it has no place in the Makefile's FLOATING"
            exit 1
        else
            compile $bits "$source" "$object" -msse2 -mfpmath=sse -fno-math-errno
        fi
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
