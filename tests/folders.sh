#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Folders with odd names: the build refuses, in one sentence, those that make and the shell take apart;
# a boot takes each as TMPDIR.
set -u
cd "$(dirname "$0")/.." || exit 2
root=$PWD
folder=${TEST_DIR:-build/tests/folders}
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
failed=0

report() { # status sentence
    [ "$1" = 0 ] && echo "ok: $2" && return
    echo "FAIL: $2"
    failed=1
}

# shellcheck disable=SC2016  # a dollar in a name
for name in 'a b' "a'b" 'a"b' 'a$b' 'a;b' 'a&b' 'a#b' 'a:b' 'a=b'; do
    mkdir -p "$folder/$name"
    cp Makefile "$folder/$name/"
    said=$(cd "$folder/$name" && make -s -n image 2>&1)
    [ $? = 2 ] && [ "$(wc -l <<<"$said")" = 1 ] && grep -q 'The path of this folder has' <<<"$said"
    report $? "no build in $name: ${said:0:60}"
done
for name in 'a,b' 'a%b' 'a~b' 'a+b'; do
    mkdir -p "$folder/$name"
    cp Makefile "$folder/$name/"
    ! (cd "$folder/$name" && make -s -n image 2>&1) | grep -q 'The path of this folder has'
    report $? "$name may be built in"
done

name="x,y 'z\";touch TOUCHED;"
mkdir -p "$folder/$name"
for door in 'rom' 'disk' 'multiboot --file README.md' 'iso' 'rom --emulator bochs' 'disk --emulator bochs'; do
    [ "${door##* }" != bochs ] || command -v bochs >/dev/null || continue
    # shellcheck disable=SC2086  # words
    (cd "$folder" && TMPDIR=$folder/$name "$root/tools/boot" --door ${door/README/$root/README} --shift 3 -o out \
        -- tasks=spin seconds=1)
    report $? "a TMPDIR of $name: door $door"
done
[ ! -e TOUCHED ] && [ -z "$(find "$folder" -name 'TOUCHED*' -type f)" ]
report $? 'nothing in a name was executed'
exit $failed
