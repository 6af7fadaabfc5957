#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Builds the images in two folders of different names and lengths, one after the other, and compares them byte for byte.
set -u
cd "$(dirname "$0")/.." || exit 2
trees=$(mktemp -d) || exit 1
trap 'rm -rf "$trees"' EXIT
artefacts=(cpuprobe.elf BOOTX64.EFI cpuprobe.rom cpuprobe.img cpuprobe.bz cpuprobe.iso)

first=$trees/one second=$trees/another-folder/of-a-longer-name
tar -c --exclude=./build --exclude=./.git -f "$trees/tar" . || exit 1
for tree in "$first" "$second"; do
    mkdir -p "$tree"
    tar -x -f "$trees/tar" -C "$tree" || exit 1
    if ! make -s -C "$tree" image efi rom disk linux build/cpuprobe.iso >"$trees/log" 2>&1; then
        tail -n 5 "$trees/log"
        exit 1
    fi
done

failed=0
for artefact in "${artefacts[@]}"; do
    if cmp "$first/build/$artefact" "$second/build/$artefact"; then
        echo "ok: $artefact $(sha256sum <"$first/build/$artefact" | cut -c 1-16)"
    else
        failed=1
    fi
done
exit $failed
