#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Compiles probe/ freestanding for 64 and for 32 bits, and checks that the whole needs no symbol but mem*.  Who may
# use vector and floating-point registers says so in a line, which the Makefile knows: no other file needs them, and
# no function of another file has them in the image.
set -eu
shopt -s extglob
cd "$(dirname "$0")/.."
dir=${TEST_DIR:-build/tests/portable}
image=build/cpuprobe.elf

read -ra vectors < <(make -s --no-print-directory --eval='vectors:; @echo $(VECTOR_C)' vectors)
if [ ${#vectors[@]} = 0 ]; then
    echo 'no file has the line USES_VECTORS of the Makefile'
    exit 1
fi

may_use_vectors() { # source
    [[ " ${vectors[*]} " = *" $1 "* ]]
}

compile() { # bits, source, object, more options
    gcc "-m$1" -std=c11 -O2 -ffreestanding -fno-stack-protector -fno-pic "${@:4}" \
        -Wall -Wextra -Werror -I. -c "$2" -o "$3"
}

for bits in 64 32; do
    objects=()
    mkdir -p "$dir/$bits"
    for source in probe/!(port)/*.c; do # a port is one file: amalgamation
        object=$dir/$bits/$(basename "$source" .c).o
        if may_use_vectors "$source"; then
            compile $bits "$source" "$object" -msse2 -mfpmath=sse -fno-math-errno
        else
            compile $bits "$source" "$object" -mno-sse -mgeneral-regs-only
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

for source in "${vectors[@]}"; do
    if compile 64 "$source" "$dir/general.o" -mno-sse -mgeneral-regs-only 2>/dev/null; then
        echo "$source needs no vector register: it must not say that it uses them"
        exit 1
    fi
done

# The source of each function of the image that has such a register: of what is inlined into its first line,
# the outermost.
with_vectors() {
    objdump -d --no-show-raw-insn "$image" |
        awk '/^[0-9a-f]+ <.*>:$/ { at = $1 } /%([xyz]?mm[0-9]|st\>)/ && at { print at; at = "" }' |
        addr2line -a -i -e "$image" | awk '/^0x/ { if (last) print last; next } { last = $1 } END { print last }' |
        sed -E 's#^\./##; s/:[0-9?]+$//'
}

functions=0
while read -r source; do
    functions=$((functions + 1))
    if ! may_use_vectors "$source"; then
        echo "$image: a function of $source uses vector registers, which interrupts do not save"
        exit 1
    fi
done < <(with_vectors)
if [ $functions = 0 ]; then
    echo "$image: no function with vector registers was found"
    exit 1
fi
echo "the image: $functions functions use vector registers, all of them of the ${#vectors[@]} files that may"
