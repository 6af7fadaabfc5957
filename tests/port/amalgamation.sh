#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The core as one file: warnings of two compilers, what it needs of a linker, its memory; and the unit tests of the
# core on ARM.  A compiler that is not there is skipped, and that is said.
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
        NF == 3 && $2 ~ /^[TDBRC]$/ && $3 !~ /^cpuprobe_/ { print "takes", $3 }
        NF == 3 && $2 ~ /^[bBdDcC]$/ { print "keeps", $3 }')
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
check riscv64-linux-gnu-gcc -march=rv32imac -mabi=ilp32
check arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb
check arm-linux-gnueabihf-gcc -mgeneral-regs-only
check aarch64-linux-gnu-gcc -mgeneral-regs-only -mno-outline-atomics
check clang --target=aarch64-none-elf -mgeneral-regs-only -mno-outline-atomics
check clang --target=armv7-linux-gnueabi -mfloat-abi=soft

# The header: C++ can include it, and wrong integer types of a kernel do not compile.
echo '#include "cpuprobe-core.h"' >"$dir/header.c"
if command -v g++ >/dev/null; then
    g++ -x c++ -std=c++11 -Wall -Wextra -Wpedantic -Werror -I"$dir" -fsyntax-only "$dir/header.c"
fi
mkdir -p "$dir/wrong"
echo 'typedef unsigned char uint8_t; typedef unsigned uint32_t, uint64_t; typedef unsigned long uintptr_t;' \
    >"$dir/wrong/stdint.h"
if gcc -std=c11 -I"$dir/wrong" -I"$dir" -fsyntax-only "$dir/header.c" 2>"$dir/wrong/said" ||
    ! grep -q uint64_t_has_64_bits "$dir/wrong/said"; then
    echo "a uint64_t of 32 bits compiles"
    exit 1
fi

# The bounds are in KiB, 36 with 128 records and 14 with 32: that much a small kernel can spare.
# They hold with 64 intervals.
printf '%s\n' '#include <stdio.h>' '#include "cpuprobe-core.h"' \
    'int main(void) { printf("%zu\n", CPUPROBE_SIZE + CPUPROBE_INTERVALS_SIZE(64));' \
    'return cpuprobe_size() > CPUPROBE_SIZE; }' >"$dir/size.c"
for bound in 128:36 32:14; do
    gcc -std=c11 "-DCPUPROBE_RECORDS=${bound%:*}" -I"$dir" "$dir/size.c" "$dir/cpuprobe-core.c" -o "$dir/size"
    bytes=$("$dir/size")
    echo "${bound%:*} records and 64 intervals: $bytes bytes"
    [ "$bytes" -le $((${bound#*:} * 1024)) ]
done

if ! command -v arm-linux-gnueabihf-gcc >/dev/null || ! command -v qemu-arm >/dev/null; then
    echo 'skipped: unit tests on ARM, for want of arm-linux-gnueabihf-gcc or qemu-arm'
    exit 0
fi
# Units of the core from its files, those of the port with the one file: its sizes,
# and memory for intervals that is given.
arm=(arm-linux-gnueabihf-gcc -std=c11 -O1 -static -D_GNU_SOURCE -DPROBE_NO_VECTORS -I. -Itests/port/shim)
objects=()
for source in probe/schedule/*.c probe/core/*.c probe/text/text_{buf,span}.c probe/coding/{cobs,crc32}.c \
    probe/stream/wire.c; do
    [[ $source != probe/schedule/@(chacha8_four|carta_strata).c ]] || continue
    objects+=("$dir/arm-$(basename "$source" .c).o")
    "${arm[@]}" -c "$source" -o "${objects[-1]}"
done
"${arm[@]}" -UPROBE_NO_VECTORS -c "$dir/cpuprobe-core.c" -o "$dir/arm-one-file.o"
for unit in probe monitors retired_rows port port_fields; do
    one=()
    [[ $unit != port* ]] || one=("$dir/arm-one-file.o")
    "${arm[@]}" "tests/host/test_$unit.c" "${one[@]}" "${objects[@]}" -o "$dir/arm-$unit"
    said=$(ulimit -t 100 && qemu-arm "$dir/arm-$unit")
    echo "ARM, $unit: $said"
done
