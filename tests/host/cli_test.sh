#!/bin/bash
# SPDX-License-Identifier: MIT
# The host tool as its users meet it: exit codes and sentences on whole, damaged, cut, empty and foreign input.
# Usage: tests/host/cli_test.sh, from the project's root; wants build/cpuprobe and build/host/make_dump.

tool=${CPUPROBE:-build/cpuprobe}
make_dump=${MAKE_DUMP:-build/host/make_dump}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failed=0

verdict() { # NAME WELL: one line, as tests/table wants it
    if [ "$2" = 0 ]; then
        echo "ok $1"
    else
        echo "FAIL $1"
        failed=1
    fi
}

# run NAME STATUS PATTERN ARGUMENT...: the exit status, and a line of either output that PATTERN (grep -E) finds.
run() {
    local name=$1 status=$2 pattern=$3
    shift 3
    timeout 20 "$tool" "$@" >"$dir/out" 2>&1 </dev/null
    local got=$?
    [ $got = "$status" ] && grep -Eq -- "$pattern" "$dir/out"
    local well=$?
    [ $well = 0 ] || { echo "  exit $got, wanted $status and /$pattern/ from: $*"; sed 's/^/  /' "$dir/out"; }
    verdict "$name" $well
}

json() { # NAME FILE EXPRESSION ARGUMENT...: EXPRESSION over the object j is true
    local name=$1 file=$2 expression=$3
    shift 3
    "$tool" stat --json "$@" "$file" 2>/dev/null |
        python3 -c "import json, sys; j = json.load(sys.stdin); sys.exit(0 if ($expression) else 1)"
    verdict "$name" $?
}

for kind in run fixed random two refusal version unknown hello text exception; do
    "$make_dump" $kind >"$dir/$kind" || exit 1
done
size=$(stat -c %s "$dir/run")

run help 0 'record +keep' --help
run version 0 '^cpuprobe [0-9]' --version
for command in record stat info script; do
    run "help-$command" 0 '^Usage: ' $command --help
done
run no-command 2 'which command' 
run no-such-command 2 "no command 'stats'" stats
run no-file 2 'which FILE' stat
run two-files 2 'one stream' stat a b
run no-such-option 2 'unrecognized' stat --frob a
run bad-epoch 2 'number from 1' stat --epoch 0 "$dir/run"
run bad-baud 2 'no serial line' record --baud 1234 /dev/null -o "$dir/rec"
run no-output 2 'where to' record /dev/null

run stat 0 '^ROGUE .* 9\.3 ' stat "$dir/run"
run stat-exact 0 'Error$' stat --exact "$dir/run"
run stat-cells 0 '95 %.*95 %.*95 %.*95 %.*95 %' stat --cells "$dir/run"
run stat-wald 0 '95 % \(Wald, as in the paper\)' stat --wald "$dir/run"
run stat-fixed 0 '95 % n\.a\.: fixed ticks' stat "$dir/fixed"
run stat-random 0 'random' stat "$dir/random"
run stat-strict 0 'ROGUE' stat --strict "$dir/run"
run stat-two 0 '^\(7080 Samples' stat "$dir/two"
run stat-epoch 0 '^\(3540 Samples' stat --epoch 1 "$dir/two"
run stat-no-epoch 1 'the stream has 2' stat --epoch 3 "$dir/two"
run stat-unknown-type 0 'ROGUE' stat "$dir/unknown"
run info 0 'epoch 2 .*complete' info "$dir/two"
run script 0 '^SNAPSHOT seq=2 epoch=4369 serial=1 ' script "$dir/run"

for command in stat info script; do
    run "$command-missing" 1 'No such file' $command "$dir/nothing"
    run "$command-folder" 1 'directory' $command "$dir"
    : >"$dir/empty"
    run "$command-empty" 1 'is empty' $command "$dir/empty"
    head -c 100000 /dev/urandom >"$dir/urandom"
    run "$command-urandom" 1 'no cpuprobe frame' $command "$dir/urandom"
    head -c 5000 /dev/zero >"$dir/zeros"
    run "$command-zeros" 1 'no cpuprobe frame' $command "$dir/zeros"
    printf '\377\330\377\340\0\020JFIF\0\001\001\0\0\001\0\001\0\0' >"$dir/jpeg"
    run "$command-jpeg" 1 'no cpuprobe frame' $command "$dir/jpeg"
    run "$command-text" 1 'output=text' $command "$dir/text"
    run "$command-version" 1 'version 2' $command "$dir/version"
    head -c $((size - 300)) "$dir/run" >"$dir/cut"
    run "$command-cut" 3 'end record' $command "$dir/cut"
    { head -c 1000 "$dir/run"; printf 'noise'; tail -c +1006 "$dir/run"; } >"$dir/noisy"
    run "$command-damaged" 3 'damaged' $command "$dir/noisy"
done
run stat-cut-strict 4 'ROGUE' stat --strict "$dir/cut"
run stat-damaged-table 3 '^\(3540 Samples' stat "$dir/noisy"
run stat-refusal 3 "unknown word 'tik'" stat "$dir/refusal"
run stat-hello-only 3 'no complete snapshot' stat "$dir/hello"
"$tool" stat "$dir/run" >/dev/full 2>"$dir/out"
[ $? = 1 ] && grep -q 'cannot be written' "$dir/out"
verdict stat-full-disk $?

# Programs as the image's: a task's and two kernels, the second another build than the streams' HELLO.
program() { # NAME ADDRESS BUILD-ID: main, 64 bytes, and a label after it
    gcc -nostdlib -static -no-pie -Wl,-Ttext="$2",--build-id="$3" -x assembler - -o "$dir/$1" <<'end'
    .globl _start, main
    .type main, @function
_start: main: .skip 64, 0x90
    .size main, 64
"re|sp": .skip 64, 0x90
    .section .note.GNU-stack, "", @progbits
end
}
program task.elf 0x401000 0xfeedbeef
program kernel.elf 0xffffffff80100000 0x0123abcd
program other.elf 0xffffffff80100000 0x456789ab
strip -o "$dir/stripped.elf" "$dir/kernel.elf"
head -c 600 "$dir/kernel.elf" >"$dir/cut.elf"
printf '.globl _start\n_start: nop\n' | as --32 - -o "$dir/narrow.elf"
task=(--symbols "$dir/task.elf") kernel=(--symbols "$dir/kernel.elf")
printf 'SeaBIOS\r\ncpuprobe: error: exception in the kernel: page fault at 0xffffffff80100012\r\n' >"$dir/words"

run script-fault-number 0 '^FAULT .* pc=4198400 address=140737488351232 ' script "$dir/exception"
run script-fault 0 '^FAULT .* pc=main\+0x0 address=0x7ffffffff000 ' script "${task[@]}" "$dir/exception"
run script-fault-unknown 0 '^FAULT .* pc=0x401000 ' script "${kernel[@]}" "$dir/exception"
run script-exception 0 '^TEXT .*page fault at 0xffffffff80100012 <main\+0x12>\\x0a"$' script "${kernel[@]}" "$dir/exception"
run script-stack 0 'stack 0xffffffff80100043 <re\|sp\+0x3> 0xffffffff80200000\\x0a' script "${kernel[@]}" "$dir/exception"
run script-two-files 0 '^FAULT .* pc=main\+0x0 ' script "${kernel[@]}" "${task[@]}" "$dir/exception"
run script-other-build 0 'warning: .*/other.elf is not the image that ran' script --symbols "$dir/other.elf" "$dir/run"
[ "$(grep -c warning "$dir/out")" = 1 ]
verdict script-warned-once $?
run script-same-build 0 '' script "${kernel[@]}" "${task[@]}" "$dir/run"
! grep -q warning "$dir/out"
verdict script-not-warned $?
run script-words 0 '^cpuprobe: error: .* at 0xffffffff80100012 <main\+0x12>$' script "${kernel[@]}" "$dir/words"
[ "$(head -n 1 "$dir/out")" = SeaBIOS ]
verdict script-words-all $?
run script-words-table 0 '^Percentage CPU Utilization$' script "${kernel[@]}" "$dir/text"
head -c -9 "$dir/words" >"$dir/words-cut"
run script-words-cut 3 'ends within a line' script "${kernel[@]}" "$dir/words-cut"
{ cat "$dir/words"; printf '\0\n'; } >"$dir/words-zero"
run script-words-zero 3 'zero bytes' script "${kernel[@]}" "$dir/words-zero"
"$tool" script "${kernel[@]}" - < <(cat "$dir/words") | grep -q '<main+0x12>$'
verdict script-words-pipe $?
run script-urandom-symbols 1 'no cpuprobe frame' script "${kernel[@]}" "$dir/urandom"
run symbols-none 2 'requires an argument' script "$dir/run" --symbols
run symbols-missing 1 'No such file' script --symbols "$dir/nothing" "$dir/run"
run symbols-folder 1 'no ELF file' script --symbols "$dir" "$dir/run"
run symbols-foreign 1 'no ELF file' script --symbols "$dir/run" "$dir/run"
run symbols-stripped 1 'is stripped' script --symbols "$dir/stripped.elf" "$dir/run"
run symbols-cut 1 'is cut short' script --symbols "$dir/cut.elf" "$dir/run"
run symbols-32-bit 1 'is a 32-bit ELF' script --symbols "$dir/narrow.elf" "$dir/run"

# Every function of the image itself that readelf finds, by name.
image=${IMAGE:-build/cpuprobe.elf}
functions=$(readelf -Ws "$image" | awk '$4 == "FUNC" { print $2, $8 }' | sort -u)
sed 's/^\([0-9a-f]*\) .*/cpuprobe: 0x\1/' <<<"$functions" >"$dir/words"
sed 's/^\([0-9a-f]*\) \(.*\)/cpuprobe: 0x\1 <\2+0x0>/' <<<"$functions" >"$dir/wanted"
[ "$(wc -l <"$dir/wanted")" -gt 50 ] && "$tool" script --symbols "$image" "$dir/words" | cmp - "$dir/wanted"
verdict symbols-of-the-image $?

json json-schema "$dir/run" 'j["schema"] == "cpuprobe-stat-1" and j["complete"] and j["interval"] == "stratified"'
json json-sum "$dir/run" 'abs(sum(t["total"]["percent"] for t in j["tasks"]) - 100) < 1e-6'
json json-truth "$dir/run" 'abs(sum(t["total"]["exact"] or 0 for t in j["tasks"]) - 100) < 1e-6'
json json-cell "$dir/run" '[t["user"]["hits"] for t in j["tasks"] if t["name"] == "ROGUE"] == [210]'
json json-order "$dir/run" 'all(c["low999"] <= c["low"] <= c["percent"] <= c["high"] <= c["high999"]
    for t in j["tasks"] for c in (t["user"], t["total"]) if c["hits"] is not None)'
json json-losses "$dir/run" 'j["lost"] == {"table": 30, "ring": 0} and j["late"] == 60 and j["missed"]["source"] == 1'
json json-said "$dir/run" 'j["faults"][0]["cause"] == "bad address" and j["reports"][0]["value"] == 4711 and j["texts"]'
json json-fixed "$dir/fixed" 'j["interval"] is None and j["interval_reason"] == "fixed ticks"
    and all(t["total"]["low"] is None for t in j["tasks"])'
json json-wald "$dir/fixed" 'j["interval"] == "wald" and j["tasks"][0]["total"]["low"] > 0' --wald
json json-cut "$dir/cut" 'not j["complete"] and j["samples"] == 2360 and j["epoch"]["ended"] is False'
json json-none "$dir/hello" 'j["samples"] is None and j["tasks"] == []'

record() { # NAME STATUS PATTERN INPUT ARGUMENT...: recording INPUT from standard input
    local name=$1 status=$2 pattern=$3 input=$4
    shift 4
    timeout 20 "$tool" record - -o "$dir/rec" "$@" <"$input" 2>"$dir/out"
    [ $? = "$status" ] && grep -Eq -- "$pattern" "$dir/out"
    verdict "$name" $?
}

record record-whole 0 'samples' "$dir/run" --progress
cmp -s "$dir/run" "$dir/rec"
verdict record-same-bytes $?
record record-stops-at-end 0 '' <(cat "$dir/two"; sleep 10) --progress
cmp -s "$dir/run" "$dir/rec"
verdict record-first-run $?
record record-cut 3 'no end record' "$dir/cut"
cmp -s "$dir/cut" "$dir/rec"
verdict record-keeps-what-came $?
record record-refusal 3 'refused' "$dir/refusal"
record record-empty 1 'the line ended' "$dir/empty"
record record-text 1 'output=text' "$dir/text"
record record-version 1 'version 2' "$dir/version"
record record-silence 1 'nothing came for 1 seconds' <(sleep 5) --timeout 1
record record-seconds 3 '1 seconds are over' <(cat "$dir/hello"; sleep 5) --seconds 1
run record-no-port 1 'cannot be opened' record "$dir/nothing" -o "$dir/rec"
run record-no-file 1 'cannot be written' record - -o "$dir/no/such/folder"

# A port that is served by PYTHON, which says its name on standard output once it is there.
served() { # NAME PYTHON
    python3 -c "$2" "$dir/run" "$dir/socket" >"$dir/port" &
    local server=$!
    for _ in $(seq 50); do
        [ -s "$dir/port" ] && break
        sleep 0.1
    done
    timeout 20 "$tool" record "$(cat "$dir/port")" -o "$dir/rec" 2>"$dir/out" && cmp -s "$dir/run" "$dir/rec"
    verdict "$1" $?
    wait $server
}

served record-socket '
import socket, sys
s = socket.socket(socket.AF_UNIX); s.bind(sys.argv[2]); s.listen(1)
print(sys.argv[2], flush=True)
c, _ = s.accept(); c.sendall(open(sys.argv[1], "rb").read()); c.close()'
served record-pty '
import os, sys, time
a, b = os.openpty(); print(os.ttyname(b), flush=True)
time.sleep(1)
for byte in range(0, os.path.getsize(sys.argv[1]), 100):
    os.write(a, open(sys.argv[1], "rb").read()[byte:byte + 100])
time.sleep(1)'

# Ctrl-C leaves a good file.
"$tool" record - -o "$dir/rec" < <(cat "$dir/hello"; exec sleep 10) 2>"$dir/out" &
recorder=$!
sleep 1
kill -INT $recorder
wait $recorder
[ $? = 3 ] && grep -q interrupted "$dir/out" && cmp -s "$dir/hello" "$dir/rec"
verdict record-interrupted $?

exit $failed
