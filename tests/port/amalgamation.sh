#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The core as one file: warnings of two compilers, what it needs of a linker, its memory; and the unit tests of the core
# on ARM.  A compiler that is not there is skipped, and that is said.
set -eu
cd "$(dirname "$0")/../.."
dir=${TEST_DIR:-build/tests/amalgamation}
mkdir -p "$dir"
tools/build/amalgamate "$dir"

warnings=(-std=c11 -O2 -ffreestanding -fno-stack-protector -fno-pic -Wall -Wextra -Wpedantic -Wconversion -Werror)

# Compile with a compiler and its options; nothing but mem* may be needed, no name but ours may be taken.
check() {
    if ! command -v "$1" >/dev/null; then
        echo "skipped: there is no $1"
        return
    fi
    "$@" "${warnings[@]}" -c "$dir/cpuprobe-core.c" -o "$dir/core.o"
    local names
    names=$(nm "$dir/core.o" | awk '$1 == "U" && $2 !~ /^mem(cpy|move|set|cmp)$/ { print "needs", $2 }
        NF == 3 && $2 ~ /^[TDBRC]$/ && $3 !~ /^cpuprobe_/ { print "takes", $3 } NF == 3 && $2 ~ /^[bBdDcC]$/ { print "keeps", $3 }')
    if [ -n "$names" ]; then
        printf '%s: the one file %s\n' "$*" "$names"
        exit 1
    fi
    echo "$*: compiles, needs nothing but mem*"
}
for compiler in gcc clang; do
    check $compiler -m64 -mgeneral-regs-only
    check $compiler -m32 -mgeneral-regs-only
done
check riscv64-linux-gnu-gcc -march=rv64imac -mabi=lp64
check arm-linux-gnueabihf-gcc -mgeneral-regs-only

# The bounds are in KiB: those of the issue that asked for the core, 36 with 128 records and 14 with 32.
printf '%s\n' '#include <stdio.h>' '#include "cpuprobe-core.h"' \
    'int main(void) { printf("%zu\n", cpuprobe_size()); return cpuprobe_size() > CPUPROBE_SIZE; }' >"$dir/size.c"
for bound in 128:36 32:14; do
    gcc -std=c11 "-DCPUPROBE_RECORDS=${bound%:*}" -I"$dir" "$dir/size.c" "$dir/cpuprobe-core.c" -o "$dir/size"
    bytes=$("$dir/size")
    echo "${bound%:*} records: $bytes bytes"
    [ "$bytes" -le $((${bound#*:} * 1024)) ]
done

if ! command -v arm-linux-gnueabihf-gcc >/dev/null || ! command -v qemu-arm >/dev/null; then
    echo 'skipped: unit tests on ARM, for want of arm-linux-gnueabihf-gcc or qemu-arm'
    exit 0
fi
sources=(probe/core/*.c probe/text/text_buf.c probe/text/text_span.c probe/stream/{cobs,crc32,wire}.c probe/stats/{snapshot,snapshot_frames}.c
    probe/command/{answer,reply_cache,rx_demux}.c probe/port/*.c)
arm=(arm-linux-gnueabihf-gcc -std=c11 -O1 -static -D_GNU_SOURCE -DPROBE_NO_VECTORS -I. -Itests/port/shim)
objects=()
for source in "${sources[@]}"; do
    [ "$source" != probe/core/chacha8_four.c ] || continue
    objects+=("$dir/arm-$(basename "$source" .c).o")
    "${arm[@]}" -c "$source" -o "${objects[-1]}"
done
for unit in probe monitors port retired_rows; do
    "${arm[@]}" "tests/host/test_$unit.c" "${objects[@]}" -o "$dir/arm-$unit"
    echo "ARM, $unit: $(timeout 100 qemu-arm "$dir/arm-$unit")"
done
