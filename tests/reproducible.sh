#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Makes a release in two folders of different names and lengths, one after the other,
# and compares its files byte for byte.
set -u
cd "$(dirname "$0")/.." || exit 2
trees=$(mktemp -d) || exit 1
trap 'rm -rf "$trees"' EXIT

first=$trees/one second=$trees/another-folder/of-a-longer-name
tar -c --exclude=./build --exclude=./.git -f "$trees/tar" . || exit 1
for tree in "$first" "$second"; do
    mkdir -p "$tree"
    tar -x -f "$trees/tar" -C "$tree" || exit 1
    if ! NO_INSTALL=1 make -s -C "$tree" release >"$trees/log" 2>&1; then
        tail -n 5 "$trees/log"
        exit 1
    fi
done

releases=("$first"/build/release/*)
release=${releases[0]#"$first"/}
failed=0
for file in "$first/$release"/*; do
    if cmp "$file" "$second/$release/${file##*/}"; then
        echo "ok: ${file##*/} $(sha256sum <"$file" | cut -c 1-16)"
    else
        failed=1
    fi
done
exit $failed
