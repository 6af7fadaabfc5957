#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Builds the host tool and the units by clang, in a folder of its own, and runs the units; the image refuses clang in
# one sentence.  The units are without sanitizers, whose library for clang is another package.
set -u
cd "$(dirname "$0")/../.." || exit 2
folder=${TEST_DIR:-build/tests/client-clang}
tree=$folder/tree
failed=0

report() { # status sentence
    [ "$1" = 0 ] && echo "ok: $2" && return
    echo "FAIL: $2"
    failed=1
}

command -v clang >/dev/null || { echo 'there is no clang'; exit 77; }

said=$(MAKEFLAGS='' make -s IMAGE_CC=clang image 2>&1)
[ $? = 2 ] && [ "$(wc -l <<<"$said")" = 1 ] && grep -q 'The image is built by GCC' <<<"$said"
report $? "IMAGE_CC=clang is refused: ${said#*\*\*\* }"
MAKEFLAGS='' make -n CC=clang -B build/core.bin build/supervise 2>/dev/null >"$folder/commands"
grep -q '^gcc .*-o build/cpuprobe.elf.linked' <(sed -z 's/\\\n//g' "$folder/commands") &&
    grep -q '^clang .*-o build/supervise$' "$folder/commands"
report $? 'CC=clang builds what runs here by clang, and the image by GCC'

rm -rf "$tree"
mkdir -p "$tree"
tar -c --exclude=./build --exclude=./.git . | tar -x -C "$tree" || exit 1
# A warning is an error.  One compilation serves the tool and the units.
# shellcheck disable=SC2016  # make's variables
MAKEFLAGS='' make -C "$tree" -s -j2 CC=clang PACKED=-g0 'SAN_OBJ=$(PLAIN_OBJ)' 'SAN_FLAGS=$(HOST_FLAGS) -g0' \
    build/cpuprobe units build/hwmon/tools/hwmon/plugin.o build/hlt_sync.so build/supervise >"$folder/made" 2>&1
report $? "make CC=clang $(tail -n 3 "$folder/made")"
[ $failed = 0 ] || exit 1
readelf -p .comment "$tree/build/cpuprobe" | grep -q clang
report $? 'its host tool is made by clang'

cd "$tree" || exit 1
units=(tests/host/test_*.c)
units=("${units[@]%.c}")
# shellcheck disable=SC2016  # of the shell of each
wrong=$(printf '%s\n' "${units[@]##*/}" |
    xargs -P 2 -I UNIT bash -c 'build/host/UNIT >build/UNIT.log 2>&1 || echo "UNIT: status $?"')
[ -z "$wrong" ]
report $? "${#units[@]} units pass $wrong"
exit $failed
