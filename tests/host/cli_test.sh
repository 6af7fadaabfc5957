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
    timeout 100 "$tool" "$@" >"$dir/out" 2>&1 </dev/null
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

run help 0 'record +record' --help
run version 0 '^cpuprobe [0-9]' --version
for command in record stat histogram info script diff time audit kiviat compare acct durations gantt idle intercept \
    load masked profile samples states trace transitions waits; do
    run "help-$command" 0 '^Usage: ' $command --help
    ! grep -q '^Usage: .* FILE FILE$' "$dir/out" || verdict "help-$command-files" 1
done
run no-command 2 'the command is missing' 
run no-such-command 2 "no command 'stats'" stats
run no-file 2 'FILE is missing' stat
run help-groups 0 '^In an emulator:$' help
[ "$(grep -A 1 '^Compare:$' "$dir/out" | tail -n 1 | awk '{ print $1 }')" = compare ]
verdict help-group-compare $?
exits=$("$tool" help --json | jq -r '.exits[] | "  \(.status)  \(.what)"')
[ "$exits" ] && [ "$exits" = "$(grep -E '^  [0-9]  ' "$dir/out")" ]
verdict help-exits $?
COLUMNS=80 run help-export 0 '^  openmetrics  the table, for Prometheus$' export --help
[ "$(awk 'length > 80' "$dir/out" | wc -l)" = 0 ]
verdict help-export-width $?

# What is wrong is refused before anything boots, with the nearest.
run near-command 2 "did you mean 'stat'" stats
run near-option 2 "did you mean '--exact'" stat --exect
run near-format 2 "did you mean 'pprof'" export --format pprf -o "$dir/rec" "$dir/run"
run near-word 2 "unknown word 'sekonds', did you mean 'seconds'" record --qemu 'sekonds=1' -o "$dir/rec"
run near-value 2 "did you mean 'stratified'" record --qemu 'interval=stratifed' -o "$dir/rec"
near() { # NAME PATTERN COMMAND...: status 2 of a script, within a second of processor time
    (ulimit -t 1 && unset CPUPROBE_AS_IS && "${@:3}" >"$dir/out" 2>&1 </dev/null)
    [ $? = 2 ] && grep -Eq "$2" "$dir/out"
    verdict "$1" $?
}
near near-boot-word "unknown word 'sekonds', did you mean 'seconds'" tools/boot -- sekonds=1
near near-boot-option 'did you mean --door' tools/boot --doors rom
near near-boot-value 'did you mean rom' tools/boot --door ron
near near-run-option 'did you mean --count' tools/run --cuont /bin/true
run two-files 2 'one stream' stat a b
run no-such-option 2 'unrecognized' stat --frob a
run bad-epoch 2 'number from 1' stat --epoch 0 "$dir/run"
run bad-baud 2 'no serial line' record --baud 16000001 /dev/null -o "$dir/rec"
for command in record control zoom; do
    run "$command-torn-baud" 2 'no serial line here runs at 9600x baud' $command --baud 9600x /dev/null
done
for command in record control zoom stat histogram script diff time; do
    timeout 20 "$tool" $command --help | sed -n 's/^ *-s, --\([a-z]*\).*/\1/p'
done >"$dir/short"
[ "$(sort -u "$dir/short")" = symbols ]
verdict short-s-is-symbols $?
run no-output 2 'the output file is missing' record /dev/null
run two-ports 2 'only one port can be read' record /dev/null /dev/zero -o "$dir/rec"
run two-zooms 2 'only one port can be read' zoom /dev/null ROGUE /dev/zero
run bad-seconds 2 'is not a number of seconds' control --timeout x /dev/null status
run control-no-port 2 'PORT is missing' control
run zoom-no-port 2 'PORT is missing' zoom
run bad-min 2 'needs a number of hits' diff --min x "$dir/run" "$dir/fixed"

run stat 0 '^ROGUE +2\.5 +0\.0 +5\.9 +0\.8 +9\.32 +8\.73-9\.95$' stat "$dir/run"
told='...LDR used 23 % of the CPU, 9 of it in its own program; the machine was 83 % busy.'
grep -qxF "$told" "$dir/out"
verdict stat-verdict $?
json stat-verdict-json "$dir/run" "j['verdict'] == '$told'"
run stat-cells-digits 0 '^IDLE +16\.95 +16\.11-17\.83 +0\.00 +0\.00-0\.10 ' stat --cells "$dir/run"
run stat-top 0 '^\(3 more tasks\)$' stat --top 2 "$dir/run"
[ "$(awk '/^=/ { at = NR } at && NR > at && NR < at + 3 { print $1 }' "$dir/out" | paste -sd' ')" = '...LDR JTSEND' ]
verdict stat-top-by-share $?
run stat-top-by-name 0 '^AU ' stat --top 2 --sort name "$dir/run"
run stat-exact 0 'Error$' stat --exact "$dir/run"
run stat-cells 0 '95 %.*95 %.*95 %.*95 %.*95 %' stat --cells "$dir/run"
run stat-wald 0 '95 % \(Wald, as in the paper\)' stat --wald "$dir/run"
run stat-fixed 0 '95 % n\.a\.: fixed ticks' stat "$dir/fixed"
run stat-random 0 'random' stat "$dir/random"
"$make_dump" no-words >"$dir/no-words"
run stat-no-words 0 '95 % n\.a\.: the stream tells no policy' stat "$dir/no-words"
! grep -Eq '[0-9]-[0-9]|stratified' <(grep -v '^cpuprobe: ' "$dir/out")
verdict stat-no-policy-no-interval $?
run stat-no-words-tick 0 '^tick .* policy not told' stat "$dir/no-words"
json json-no-words "$dir/no-words" 'j["policy"] is None and j["interval"] is None and j["interval_reason"]'
run stat-strict 0 'ROGUE' stat --strict "$dir/run"
run stat-two 0 '^\(7080 Samples' stat "$dir/two"
run kiviat 0 '^...LDR  +22\.88 22\.28-23\.50 +22\.88 22\.45-23\.31 +25$' kiviat "$dir/run" "$dir/two"
run kiviat-epoch 0 '^missed  +0\.43 +0\.43 +0\.5$' kiviat --epoch 1 "$dir/two" "$dir/run" \
    --axes late,missed,rogue:user
run kiviat-epoch-between 0 '^missed  +0\.42 +0\.43 +0\.5$' kiviat "$dir/two" --epoch 1 "$dir/two" \
    --axes late,missed,rogue:user
run kiviat-svg-empty 2 '\-\-svg takes OUT\.svg, not an empty text' kiviat --svg '' "$dir/run"
run kiviat-exact 0 '^MASKED  +0\.86 +1$' kiviat --exact --axes ROGUE,busy,MASKED "$dir/run"
run kiviat-no-axis 1 "no run has 'MASKED:user'" kiviat --axes user,kernel,MASKED:user "$dir/run"
run kiviat-two-axes 2 '3 axes at least' kiviat --axes user,kernel "$dir/run"
run kiviat-same-axes 2 "two axes are 'user'" kiviat --axes user,kernel,user "$dir/run"
run kiviat-13-axes 2 "12 axes at most: 'm'" kiviat --axes a,b,c,d,e,f,g,h,i,j,k,l,m "$dir/run"
run kiviat-9-runs 2 '8 runs at a time' kiviat a b c d e f g h i
run kiviat-no-table 1 'no complete snapshot, so no shares' kiviat "$dir/run" "$dir/refusal"
run compare 0 '^ 1  software  sampling, stratified ' compare "$dir/run"
run compare-truth 0 '^truth    .*/two, exact account \(software\)' compare "$dir/two" "$dir/run"
run compare-line 0 '^line     9600 bit/s; memory 512 bytes' compare --line 9600 --memory 512 "$dir/run"
run compare-alone 0 ' 0\.[0-9]+    0\.000  ' compare --alone "$dir/run" "$dir/run"
run compare-no-alone 1 'no complete snapshot' compare --alone "$dir/refusal" "$dir/run"
run compare-json 0 '"schema": "cpuprobe-compare-1"' compare --json "$dir/run"
run compare-svg 0 'sampling, stratified</text>' compare "$dir/run" --svg -
run compare-9-streams 2 '8 streams at a time' compare a b c d e f g h i
run compare-no-line 2 "'0' is not a number from 1" compare --line 0 "$dir/run"
run compare-no-table 1 'no complete snapshot with its HELLO, so no shares' compare "$dir/run" "$dir/refusal"
run kiviat-svg 0 '<polyline class="s1"' kiviat "$dir/run" "$dir/fixed" --svg -
run stat-epoch 0 '^\(3540 Samples' stat --epoch 1 "$dir/two"
run stat-no-epoch 1 'the stream has 2' stat --epoch 3 "$dir/two"
for command in stat info script output; do
    run "$command-unknown-type" 3 \
        '1 frames are of types that this version does not know \(200\): what they hold is missing' \
        $command "$dir/unknown"
done
run info-epoch 0 'epoch 2 .*complete' info --epoch 2 "$dir/two"
! grep -q 'epoch 1 ' "$dir/out"
verdict info-epoch-alone $?
run script-epoch 0 '^SNAPSHOT seq=2 epoch=8738 ' script --epoch 2 "$dir/two"
! grep -q 'epoch=4369' "$dir/out"
verdict script-epoch-alone $?
for command in info script samples transitions audit; do
    run "$command-no-epoch" 1 'there is no epoch 3; the stream has 2' $command --epoch 3 "$dir/two"
    run "$command-bad-epoch" 2 'number from 1' $command --epoch 2x "$dir/two"
done
run samples-epoch 1 'holds no raw samples' samples --epoch 1 "$dir/two"
run stat-elf 1 'is a program \(ELF\)' stat "${IMAGE:-build/cpuprobe.elf}"
run info 0 'epoch 2 .*complete' info "$dir/two"
run script 0 '^SNAPSHOT seq=2 epoch=4369 serial=1 ' script "$dir/run"

for kind in audit audit-interval audit-dropped audit-repeated points points-moved points-left-out; do
    "$make_dump" $kind >"$dir/$kind" || exit 1
done
run audit 0 "the ticks are the generator's" audit "$dir/audit"
run audit-epoch 0 "the ticks are the generator's" audit --epoch 1 "$dir/audit"
run audit-interval 4 'tick 3210 came [0-9]+ clock units before its time: its interval was altered' \
    audit "$dir/audit-interval"
run audit-dropped 4 'the generator gave 1 more intervals: ticks were dropped' audit "$dir/audit-dropped"
run audit-repeated 4 'raw samples arrived twice: a frame was repeated' audit "$dir/audit-repeated"
run audit-points 0 "the ticks are the generator's" audit "$dir/points"
run audit-points-moved 4 'tick 3210 came 2000 clock units after its time and is not late: its interval was altered' \
    audit "$dir/points-moved"
run audit-points-left-out 4 'the generator gave 1 more intervals: ticks were dropped' audit "$dir/points-left-out"
run audit-foreign 4 'the ticks are not its own' audit "$dir/run"
run audit-nothing 1 'nothing to audit' audit "$dir/hello"
"$make_dump" thinned >"$dir/thinned"
run stat-thinned 3 'thinned samples are without their times: more than [0-9]+ ticks would have to be replayed' \
    stat "$dir/thinned"
run histogram-masked 0 '^Task .* was active in any mode for 60 of 6000 samples' histogram --task MASKED "$dir/audit"

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
"$tool" stat "$dir/refusal" 2>/dev/null | grep -q "unknown word"
[ $? = 1 ]
verdict stat-warnings-apart $? # standard output is the report's
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
run script-exception 0 '^TEXT .*page fault at 0xffffffff80100012 <main\+0x12>\\x0a" number=0$' script "${kernel[@]}" \
    "$dir/exception"
run script-stack 0 'stack 0xffffffff80100043 <re\|sp\+0x3> 0xffffffff80200000\\x0a' script "${kernel[@]}" \
    "$dir/exception"
run script-two-files 0 '^FAULT .* pc=main\+0x0 ' script "${kernel[@]}" "${task[@]}" "$dir/exception"
run script-other-build 0 'warning: .*/other.elf is not the image that ran' script --symbols "$dir/other.elf" \
    "$dir/run"
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
run symbols-32-bit 1 "narrow.elf is not linked" script --symbols "$dir/narrow.elf" "$dir/run"

# Every function of the image itself that readelf finds, by name, but for code that serves several.
image=${IMAGE:-build/cpuprobe.elf}
functions=$(readelf -Ws "$image" | awk '$4 == "FUNC" { print $2, $8 }' | sort -u |
    awk '{ names[$1]++; line[$1] = $0 } END { for (a in names) if (names[a] == 1) print line[a] }' | sort)
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
json json-said "$dir/run" \
    'j["faults"][0]["cause"] == "bad address" and j["reports"][0]["value"] == 4711 and j["texts"]'
json json-fixed "$dir/fixed" 'j["interval"] is None and j["interval_reason"] == "fixed ticks"
    and all(t["total"]["low"] is None for t in j["tasks"])'
json json-wald "$dir/fixed" 'j["interval"] == "wald" and j["tasks"][0]["total"]["low"] > 0' --wald
json json-cut "$dir/cut" 'not j["complete"] and j["samples"] == 2360 and j["epoch"]["ended"] is False'
json json-none "$dir/hello" 'j["samples"] is None and j["tasks"] == []'

record() { # NAME STATUS PATTERN INPUT ARGUMENT...: recording INPUT from standard input
    local name=$1 status=$2 pattern=$3 input=$4
    shift 4
    rm -f "$dir/rec"
    timeout 100 "$tool" record - -o "$dir/rec" "$@" <"$input" 2>"$dir/out"
    [ $? = "$status" ] && grep -Eq -- "$pattern" "$dir/out"
    verdict "$name" $?
}

record record-whole 0 'samples' "$dir/run" --progress
cmp -s "$dir/run" "$dir/rec"
verdict record-same-bytes $?
record record-stops-at-end 0 '' <(cat "$dir/two"; sleep 30) --progress
cmp -s "$dir/run" "$dir/rec"
verdict record-first-run $?
record record-cut 3 'no end record' "$dir/cut"
cmp -s "$dir/cut" "$dir/rec"
verdict record-keeps-what-came $?
record record-refusal 3 'refused' "$dir/refusal"
record record-empty 1 'the line ended' "$dir/empty"
record record-text 1 'output=text' "$dir/text"
record record-version 1 'version 2' "$dir/version"
record record-silence 1 'no byte arrived for 1 seconds' <(sleep 30) --timeout 1
paced() { while printf "$1"; do sleep 0.1; done; } # BYTES, as printf has them
record record-wrong-rate 1 'and no frame; is its rate the same on both sides' <(paced '\377\370\302\036') --timeout 4
record record-wrong-rate-ends 1 'no frame arrived for 3 seconds' <(paced '\377\370\302\036') --timeout 3
record record-zeros 1 'and no frame; nearly all of them zeros: is the line connected' <(paced '\0\0\0\0') --timeout 4
mkfifo "$dir/line"
exec 7<>"$dir/line" # a line that has its bytes already, and goes on
cat "$dir/hello" >&7
record record-seconds 3 '1 seconds are over' "$dir/line" --seconds 1
exec 7>&-
rm -f "$dir/rec"
run record-no-port 1 'cannot be opened' record "$dir/nothing" -o "$dir/rec"
run record-no-file 1 'cannot be written' record - -o "$dir/no/such/folder"

# A port that is served by PYTHON, which says its name on standard output once it is there.
served() { # NAME PYTHON
    rm -f "$dir/rec" "$dir/port" # the one before is there until the server, forked, has begun its own
    python3 -c "$2" "$dir/run" "$dir/socket" "$dir/pid" >"$dir/port" &
    local server=$!
    for _ in $(seq 600); do
        [ -s "$dir/port" ] && break
        sleep 0.1
    done
    # shellcheck disable=SC2016
    timeout 100 bash -c 'echo $$ >"$0"; exec "$@"' "$dir/pid" "$tool" record "$(cat "$dir/port")" -o "$dir/rec" \
        2>"$dir/out" && cmp -s "$dir/run" "$dir/rec"
    verdict "$1" $?
    wait $server
}

served record-socket '
import socket, sys
s = socket.socket(socket.AF_UNIX); s.bind(sys.argv[2]); s.listen(1)
print(sys.argv[2], flush=True)
c, _ = s.accept(); c.sendall(open(sys.argv[1], "rb").read()); c.close()'
# Until the tool has set its line, thrown away what was there and waits, what is written is not taken as it is; and
# what waits when the pty closes is lost.
served record-pty '
import os, select, sys, termios, time
a, b = os.openpty(); print(os.ttyname(b), flush=True)
def waits():
    pid = open(sys.argv[3]).read().strip()
    return open(f"/proc/{pid}/stat").read().rsplit(") ", 1)[1][0] == "S"
end = time.monotonic() + 60
while (termios.tcgetattr(b)[3] & termios.ICANON or not waits()) and time.monotonic() < end:
    time.sleep(0.01)
os.close(b)
for byte in range(0, os.path.getsize(sys.argv[1]), 100):
    os.write(a, open(sys.argv[1], "rb").read()[byte:byte + 100])
gone = select.poll(); gone.register(a, 0); gone.poll(60000)'

# ---- diff and time: two versions of a program, all functions at other addresses in the second
for kind in before before-slots after after-fixed divide divide-cut; do
    "$make_dump" $kind >"$dir/$kind" || exit 1
done
linked() { # NAME ADDRESS BUILD-ID FUNCTION...: 64 bytes each
    local name=$1 address=$2 id=$3
    shift 3
    { printf '.globl _start\n_start:\n'
      for f; do printf '.type %s, @function\n%s: .skip 64, 0x90\n.size %s, 64\n' "$f" "$f" "$f"; done
      printf '.section .note.GNU-stack, "", @progbits\n'; } |
        gcc -nostdlib -static -no-pie -Wl,-Ttext="$address",--build-id="$id" -x assembler - -o "$dir/versions/$name"
}
mkdir "$dir/versions"
linked before.elf 0x401000 0xfeedbee1 alpha beta gamma old never
linked after.elf 0x501000 0xfeedbee2 gamma beta new alpha never
two=("$dir/before" "$dir/after" --symbols "$dir/versions")

run diff-grown 0 '^beta +20\.00 +27\.50 +\+7\.50 +\+6\.[0-9]+ +\+8\.[0-9]+ +<\.0001 \*$' diff "${two[@]}"
grep -Eq '^alpha +10\.00 +10\.14 +\+0\.14 +-[0-9.]+ +\+[0-9.]+ +1\.0000$' "$dir/out" &&
    grep -Eq '^gamma +5\.00 +4\.93 +-0\.07 ' "$dir/out"
verdict diff-moved $?
grep -Eq '^new +0\.00 +0\.83 +\+0\.83 .*\*$' "$dir/out" && grep -Eq '^old +0\.42 +0\.00 +-0\.42 .*\*$' "$dir/out"
verdict diff-one-run-only $?
[ "$(grep -E '^(alpha|beta|gamma|new|old) ' "$dir/out" | cut -d' ' -f1 | xargs)" = 'beta new old alpha gamma' ]
verdict diff-order $?
grep -q "Holm's correction" "$dir/out" && grep -q 'over all rows (5)' "$dir/out"
verdict diff-says-how $?
[ -z "$(grep -E '.{81}' <(grep -v "$dir" "$dir/out"))" ]
verdict diff-80-columns $?
run diff-verdict 0 '^[0-9] of [0-9] functions differ; beta the most, from 20\.00 to 27\.50 %\.$' diff "${two[@]}"
run diff-a-and-b 0 '^beta .*\*$' diff "$dir/before" "$dir/after" --symbols-a "$dir/versions/before.elf" \
    --symbols-b "$dir/versions/after.elf" --task ROGUE --mode user --epoch-a 1 --epoch-b 1
run diff-pages 0 '^0x401000 \(no symbol\) +35\.42 +0\.00 ' diff "$dir/before" "$dir/after"
run diff-line 0 '^beta \(no line\) .*\*$' diff --by line "${two[@]}"
run diff-min 0 '^\(2 rows of fewer than 100 hits\)$' diff --min 100 "${two[@]}"
grep -q 'over all rows (5)' "$dir/out"
verdict diff-min-tested $?
run diff-slots 0 '^95 % n\.a\.: slots hold parts of several functions; no difference' \
    diff "$dir/before-slots" "$dir/after" \
    --symbols "$dir/versions"
run diff-same-slots 0 '^alpha or beta +30\.00 +30\.00 .* 1\.0000$' diff "$dir/before-slots" "$dir/before-slots" \
    --symbols "$dir/versions" --fail-if any
run diff-same-verdict 0 "^No function's share of the time differs by more than chance\.$" diff \
    "$dir/before" "$dir/before" --symbols "$dir/versions"
run diff-same 0 '^alpha .* 1\.0000$' diff "$dir/before" "$dir/before" --symbols "$dir/versions" --fail-if any
run diff-low 0 '^ +355 of them below these addresses, 790 above$' diff "${two[@]}" --low 0x501040 --high 0x501080
"$tool" diff - "$dir/after" --symbols "$dir/versions" <"$dir/before" | grep -q '^beta .*\*$'
verdict diff-pipe $?
run fail-grown 4 "'beta > \\+5': beta differs by \\+7.50 points" diff "${two[@]}" --fail-if 'beta > +5'
run fail-grown-enough 0 '' diff "${two[@]}" --fail-if 'beta > +8'
run fail-fell-not 0 '' diff "${two[@]}" --fail-if 'beta < -1'
run fail-fell 4 "old differs by -0.42" diff "${two[@]}" --fail-if 'old < -0.1'
run fail-any-row 4 'beta differs' diff "${two[@]}" --fail-if '+0.5'
run fail-not-significant 0 '' diff "${two[@]}" --fail-if 'alpha > +0.1'
run fail-any 4 'new differs' diff "${two[@]}" --fail-if any
run fail-second 4 'old differs' diff "${two[@]}" --fail-if 'alpha > +1' --fail-if '-0.3'
run fail-no-row 4 "cannot be judged: no row and no symbol of either run" diff "${two[@]}" --fail-if 'betta > +1'
run fail-renamed 4 "cannot be judged: no row and no symbol of .*/after has" diff "${two[@]}" --fail-if 'old > +1'
run fail-of-two 4 "'betta > \+1' cannot be judged" diff "${two[@]}" --fail-if 'alpha > +1' --fail-if 'betta > +1'
run fail-no-hit 0 '' diff "${two[@]}" --fail-if 'never > +1'
run fail-grammar 2 "'beta' is not a condition" diff "${two[@]}" --fail-if beta
run fail-in-slots 4 "'beta > \+1' cannot be judged" diff "$dir/before-slots" "$dir/before-slots" \
    --symbols "$dir/versions" --fail-if 'beta > +1'
run diff-nothing-low 1 'no hit of .* are below them, 0 above' diff "${two[@]}" --low 0x70000000
run diff-fixed 0 'n\.a\.: fixed ticks; no difference is called significant' diff "$dir/before" "$dir/after-fixed"
run fail-fixed 4 'cannot be judged: fixed ticks' diff "$dir/before" "$dir/after-fixed" --fail-if any
run diff-one-file 2 'two streams are needed' diff "$dir/before"
run diff-three-files 2 'is one too many' diff "$dir/before" "$dir/after" "$dir/two"
run diff-two-pipes 2 'only one of the streams can be standard input' diff - -
run diff-by 2 'is not a choice: function or line' diff --by slot "$dir/before" "$dir/after"
run diff-mode 2 'is not a choice: user' diff --mode ring3 "$dir/before" "$dir/after"
run diff-addresses 2 'below --high' diff --low 5 --high 5 "$dir/before" "$dir/after"
run diff-no-task 1 "no task 'NONE'" diff --task NONE "$dir/before" "$dir/after"
run diff-no-addresses 1 'has no addresses' diff "$dir/run" "$dir/after"
run diff-no-epoch 1 'the stream has 1' diff --epoch-b 2 "$dir/before" "$dir/after"
run diff-missing 1 'No such file' diff "$dir/before" "$dir/nothing"
run diff-cut 3 'end record' diff "$dir/before" <(head -c -300 "$dir/after") --symbols "$dir/versions"
run diff-cut-strict 4 'end record' diff --strict "$dir/before" <(head -c -300 "$dir/after")
run diff-foreign 0 'warning: .*after.elf is not a program that ran' diff "$dir/before" "$dir/after" \
    --symbols-a "$dir/versions/after.elf"
run diff-foreign-strict 4 'is not a program that ran' diff --strict "$dir/before" "$dir/after" \
    --symbols-a "$dir/versions/after.elf"

# Crowe, "Accurate time measurement": 3500 x 1000 / (960 x 10 000) = 0.36 ms; the stream has 3500 hits at 960 Hz.
timed=("$dir/divide" --symbols "$dir/versions/before.elf")
run time-paper 0 '^time +365 us, 95 % n\.a\.' time --hits 3500 --rate 960 --count 10000
run time-divide 0 '^time +364\.58 us, 95 % 355\.[0-9]+ to 374\.[0-9]+, 99\.9 % ' time "${timed[@]}" --function alpha \
    --count 10000
grep -q '^samples  3500 of 9600 in alpha, task ROGUE, user mode$' "$dir/out" &&
    grep -q '^clock    TSC, 1000000000 Hz' "$dir/out" &&
    grep -q '^ *364583 clock units, 95 % 355' "$dir/out"
verdict time-says-how $?
run time-low 0 '^time +364\.58 us' time "$dir/divide" --low 0x401000 --high 0x401040 --count 10000
run time-task 0 '^samples  4300 of 9600 in task ROGUE' time "$dir/divide" --count 10000
run time-once 0 '^time +3\.6458 s, ' time "${timed[@]}" --function alpha --count 1
run time-huge 0 '^time +0\.00000000036[0-9]* ns, ' time "${timed[@]}" --function alpha --count 10000000000000000000
run time-fraction 0 '^time +1\.4583 s, ' time "${timed[@]}" --function alpha --count 2.5
run time-wald 0 '\(Wald\)$' time "${timed[@]}" --wald --function alpha --count 10000
run time-fixed 0 '^time +[0-9.]+ ms, 95 % n\.a\.: fixed ticks$' time "$dir/after-fixed" --count 1000
run time-cut 3 'samples x mean interval' time --symbols "$dir/versions" --function alpha --count 10000 \
    "$dir/divide-cut"
grep -q '^time     364\.58 us, ' "$dir/out"
verdict time-cut-same $?
run time-cut-strict 4 'end record' time --strict --count 10000 "$dir/divide-cut"
run time-no-function 1 "in a function 'division'" time "${timed[@]}" --function division --count 1
run time-no-count 2 'the number of executions is missing' time "${timed[@]}"
run time-count-zero 2 'above 0' time "${timed[@]}" --count 0
run time-count-text 2 'above 0' time "${timed[@]}" --count many
run time-no-file 2 'FILE is missing' time --count 1
run time-file-and-hits 2 'cannot be combined with a file' time --hits 1 --rate 1 --count 1 "$dir/divide"
run time-no-addresses 1 'has no addresses' time --count 1 "$dir/run"
run time-text 1 'output=text' time --count 1 "$dir/text"

# ---- histogram: the paper's figures out of regions; raw samples of a program with lines, by slot, name and code
for kind in figure4 figure5 raw raw-lost; do
    "$make_dump" $kind >"$dir/$kind" || exit 1
done
mkdir "$dir/code"
assembled() { # NAME ADDRESS BUILD-ID: the assembly on standard input
    gcc -g -ffile-prefix-map="$PWD"=. -nostdlib -static -no-pie -Wl,-Ttext="$2",--build-id="$3" -x assembler - \
        -o "$dir/code/$1"
}
assembled program.elf 0x401000 0xfeedbeef <<'end'
    .file 1 "program.c"
    .globl _start, work
    .type _start, @function
    .type work, @function
    .type wait, @function
_start:
    .loc 1 3
    call work
    .loc 1 4
    call wait
    jmp _start
    .size _start, . - _start
    .balign 32
work:
    .loc 1 10
    mov $1000, %ecx
1:  .loc 1 11
    dec %ecx
    jnz 1b
    .loc 1 12
    ret
    .size work, . - work
    .balign 32
wait:
    .loc 1 20
    pause
    .loc 1 21
    ret
    .size wait, . - wait
    .section .note.GNU-stack, "", @progbits
end
strip -o "$dir/stripped-program.elf" "$dir/code/program.elf"
# The paper's symbols, with the ends that its headings tell, all octal.
{
    echo '.globl _start; _start:'
    while read -r name start end; do
        echo ".org $((0$start - 024230))"
        echo ".type \"$name\", @function; \"$name\": .size \"$name\", $((0$end - 0$start))"
    done <<'end'
dbwrit 24230 25276
dbmap 25276 25360
dbunma 25362 25420
cpybuf 32142 32460
re|sp 33354 33472
sz|kp 33472 33620
c$mul 42300 42410
c$sav 42410 42426
c$ret 42426 42436
c$rets 42436 42460
emt 42462 42500
end
    echo ".org $((042500 - 024230))"
    echo '.section .note.GNU-stack, "", @progbits'
} | assembled paper.elf 0x2898 0xfeedbeef

golden() { # NAME TEXT ARGUMENT...: standard output is tests/golden/TEXT.txt, no line over 80; GOLDEN=write makes it
    local name=$1 text=tests/golden/$2.txt
    shift 2
    "$tool" histogram "$@" >"$dir/out" 2>"$dir/said" </dev/null
    local got=$?
    [ "${GOLDEN:-}" = write ] && cp "$dir/out" "$text"
    [ $got = 0 ] && cmp -s "$dir/out" "$text" && ! grep -Eq '.{81}' "$dir/out"
    local well=$?
    [ $well = 0 ] || {
        echo "  exit $got from: $*"
        diff "$text" "$dir/out" | sed 's/^/  /'
        sed 's/^/  /' "$dir/said"
    }
    verdict "$name" $well
}
program=(--symbols "$dir/code/program.elf")

golden histogram-figure4 figure4 --octal --wald --task ROGUE --mode user "$dir/figure4"
golden histogram-figure5 figure5 --octal --wald --task rogue --symbols "$dir/code/paper.elf" "$dir/figure5"
[ ! -s "$dir/said" ]
verdict histogram-silent $?
rm "$dir/code/paper.elf" # of the same build id as the other
golden histogram-slots histogram-slots --low 0x401000 --high 0x401200 "$dir/raw"
golden histogram-names histogram-names --low 0x401000 --high 0x601000 "${program[@]}" "$dir/raw"
golden histogram-kernel histogram-kernel --task any --mode kernel --symbols "$dir/kernel.elf" "$dir/raw"
golden histogram-lost histogram-lost --low 0x401020 --high 0x40102a --min 100 "${program[@]}" "$dir/raw-lost"
golden histogram-function histogram-function --by function "${program[@]}" "$dir/raw"
golden histogram-line histogram-line --by line --symbols "$dir/code" "$dir/raw"
golden histogram-instruction histogram-instruction --by instruction --symbols "$dir/code" "$dir/raw"
# Lines that unpack to a thousand times their size, in both ways of packing: one table, special opcodes to its end.
(
    cd "$dir/code" || exit 1
    objcopy --dump-section .debug_line=lines program.elf
    head -c 4000000 /dev/zero | tr '\0' '\100' >>lines
    printf "$(printf '\\x%02x' $((size = $(stat -c %s lines) - 4, size & 255)) $((size >> 8 & 255)) $((size >> 16)) \
        0)" |
        dd of=lines conv=notrunc status=none
    objcopy --update-section .debug_line=lines program.elf swollen
    for way in zlib zlib-gnu; do
        objcopy --compress-debug-sections=$way swollen "../$way.elf"
    done
    objcopy --compress-debug-sections=zlib-gnu program.elf ../packed.elf
    # The mark of zstd in the heads of sections that libelf packed: it need not unpack to be told.
    objcopy --compress-debug-sections=zlib program.elf ../zstd.elf
    readelf -SW ../zstd.elf | sed -nE 's/.* \.debug_\S+ +PROGBITS +\S+ ([0-9a-f]+) .* C .*/\1/p' |
        while read -r at; do
            printf '\2' | dd of=../zstd.elf bs=1 seek=$((16#$at)) conv=notrunc status=none
        done
    rm lines swollen
)
for way in zlib zlib-gnu; do
    run histogram-$way 0 'elf has debug information that is compressed more' histogram --by function \
        --symbols "$dir/$way.elf" "$dir/raw"
    grep -q '^work ' "$dir/out"
    verdict histogram-$way-names $?
done
run histogram-zstd 0 'zstd.elf has debug information that is compressed by zstd' histogram --by line \
    --symbols "$dir/zstd.elf" "$dir/raw"
golden histogram-packed histogram-line --by line --symbols "$dir/packed.elf" "$dir/raw"
golden histogram-zoom histogram-zoom --zoom "${program[@]}" "$dir/raw"
golden histogram-zoom-percent histogram-zoom-percent --zoom=95 "${program[@]}" "$dir/raw"

run histogram-mode 0 '^Task ROGUE was active in kernel mode for 360 of 7200 ' histogram --mode kernel "$dir/raw"
run histogram-task 0 '^Task CP was active in user mode for 432 of 7200 ' histogram --task CP "$dir/raw"
run histogram-idle 0 '^Task IDLE was active in kernel mode for 2664 ' histogram --task IDLE "$dir/raw"
run histogram-any 0 'has no build id for this code' histogram --task ANY --mode user --names "$dir/raw"
run histogram-pages 0 '^0x401000 \(no symbol\) +45\.00 ' histogram --by function "$dir/raw"
run histogram-zoom-function 0 'hottest function: work$' histogram --zoom=function "${program[@]}" "$dir/raw"
! grep -q 'instruction:' "$dir/out"
verdict histogram-zoom-ends $?
run histogram-fixed 0 '^95 % interval n\.a\.: fixed ticks\.$' histogram "$dir/figure5"
run histogram-cut-slots 0 'note: 164 hits are in slots' histogram --octal --low 025305 "$dir/figure5"
run histogram-octal-low 0 '^Hits: 412 here, 323 below, 1982 above' histogram --low 025305 --high 026000 "$dir/figure5"
run histogram-columns 0 '^  7200 samples' histogram --columns 48 "$dir/raw"
[ -z "$(grep -E '.{49}' "$dir/out")" ]
verdict histogram-48-columns $?
run histogram-stripped 0 '^0x401000 \(no symbol\) ' histogram --by function --symbols "$dir/stripped-program.elf" \
    "$dir/raw"
grep -q 'is stripped' "$dir/out" && grep -q 'note: no file has names for build id feedbeef' "$dir/out"
verdict histogram-stripped-said $?
program foreign.elf 0x401000 0xdeadbeef
run histogram-foreign 0 'warning: .*foreign.elf is not a program that ran' histogram --symbols "$dir/foreign.elf" \
    --by function "$dir/raw"
grep -q '^main ' "$dir/out"
verdict histogram-foreign-names $?
run histogram-foreign-strict 4 'is not a program that ran' histogram --strict "${program[@]}" \
    --symbols "$dir/other.elf" "$dir/raw"
run histogram-strict 0 '^work ' histogram --strict "${program[@]}" --by function "$dir/raw"
run histogram-symbols-missing 1 'No such file' histogram --symbols "$dir/nothing" "$dir/raw"
run histogram-no-addresses 1 'has no addresses' histogram "$dir/run"
run histogram-no-task 1 "no task 'NONE'" histogram --task NONE "$dir/raw"
run histogram-no-region 1 "none of the run's 1 regions" histogram --mode kernel "$dir/figure4"
run histogram-region 0 '^Task ROGUE was active in user mode for 1860 of 21598' histogram --region "$dir/figure4"
run histogram-not-region 1 'raw samples and no region' histogram --region "$dir/raw"
run histogram-region-zoom 1 'needs raw samples' histogram --zoom "$dir/figure4"
run histogram-region-line 1 'lines can be separated by raw samples' histogram --by line "$dir/figure4"
run histogram-no-epoch 1 'the stream has 1' histogram --epoch 2 "$dir/raw"
run histogram-bad-mode 2 "'ring3' is not a choice: user, supervisor" histogram --mode ring3 "$dir/raw"
run histogram-bad-by 2 "'page' is not a choice: slot, function, line or instruction" histogram --by page "$dir/raw"
# C++ names that begin alike, and two of which only the middle is not alike.
mangled() { # PART...
    printf _ZN
    printf '%s\n' "$@" | while read -r part; do printf %s "${#part}$part"; done
    echo Ev
}
long=$(printf 'name%.0s' {1..25})
objcopy --redefine-sym "wait=$(mangled $long first)" --redefine-sym "work=$(mangled $long second)" \
    "$dir/code/program.elf" "$dir/begin.elf"
objcopy --redefine-sym "wait=$(mangled $long first $long)" --redefine-sym "work=$(mangled $long second $long)" \
    "$dir/code/program.elf" "$dir/middle.elf"
for by in function slot; do
    run histogram-whole-$by 0 "$long::first\\(\\)( |$)" histogram --by $by --symbols "$dir/begin.elf" "$dir/raw"
    run histogram-cut-$by 0 '[- ]?namename.*\.\.\..*second\(\)' histogram --by $by --columns 80 \
        --symbols "$dir/begin.elf" "$dir/raw"
    mv "$dir/out" "$dir/cut"
    grep -q '\.\.\..*first()' "$dir/cut" && ! grep -Eq '.{81}' "$dir/cut"
    verdict histogram-cut-told-apart-$by $?
    COLUMNS=80 run histogram-cut-environment-$by 0 first histogram --by $by --symbols "$dir/begin.elf" "$dir/raw"
    cmp -s "$dir/cut" "$dir/out"
    verdict histogram-cut-alike-$by $?
done
run histogram-middle 0 "^$long::second::$long\\(\\) " histogram --by function --columns 80 \
    --symbols "$dir/middle.elf" "$dir/raw"
grep -q "^$long::first::$long() " "$dir/out"
verdict histogram-middle-both $?
run histogram-zoom-apart 2 "must follow '=': --zoom=95" histogram --zoom 95 "$dir/raw"
run histogram-zoom-apart-word 2 "must follow '=': --zoom=function" histogram --zoom function "$dir/raw"
run histogram-zoom-bad-word 2 'is not a choice: function or instruction' histogram --zoom=line "$dir/raw"
run histogram-nothing-low 1 'no hit of ROGUE is at these addresses: [1-9][0-9]* are below them, 0 above' \
    histogram --low 0x70000000 "$dir/raw"
run histogram-nothing-by 1 'no hit of ROGUE' histogram --by function --low 0x70000000 "$dir/raw"
run histogram-bad-zoom 2 'is not a number from 1 to 100' histogram --zoom=101 "$dir/raw"
run histogram-bad-low 2 "'089' is not an address" histogram --low 089 "$dir/raw"
run histogram-low-high 2 'must be below' histogram --low 5 --high 5 "$dir/raw"
run histogram-narrow 2 'is not a number from 48 to 255' histogram --columns 47 "$dir/raw"
run histogram-bad-min 2 'is not a number' histogram --min=-1 "$dir/raw"
head -c -300 "$dir/raw" >"$dir/raw-cut"
run histogram-cut 3 '^Task ROGUE was active' histogram "$dir/raw-cut"
grep -q 'end record' "$dir/out"
verdict histogram-cut-said $?
run histogram-cut-strict 4 'end record' histogram --strict "$dir/raw-cut"
run histogram-empty 1 'is empty' histogram "$dir/empty"
run histogram-urandom 1 'no cpuprobe frame' histogram "$dir/urandom"
"$tool" histogram - <"$dir/raw" | grep -q '^Task ROGUE'
verdict histogram-pipe $?
"$tool" histogram "$dir/raw" >/dev/full 2>"$dir/out"
[ $? = 1 ] && grep -q 'cannot be written' "$dir/out"
verdict histogram-full-disk $?

# Ctrl-C leaves a good file.
rm -f "$dir/rec"
"$tool" record - -o "$dir/rec" < <(cat "$dir/hello"; exec sleep 100) 2>"$dir/out" &
recorder=$!
for _ in $(seq 600); do # until it has taken what there is
    cmp -s "$dir/hello" "$dir/rec" && break
    sleep 0.1
done
kill -INT $recorder
wait $recorder
[ $? = 3 ] && grep -q interrupted "$dir/out" && cmp -s "$dir/hello" "$dir/rec"
verdict record-interrupted $?

exit $failed
