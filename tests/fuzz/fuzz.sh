#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Fuzzes each target for some seconds: tests/fuzz/fuzz.sh SECONDS TARGET..., status 1 where one was broken.
# New inputs go to build/fuzz/corpus-TARGET, those that break it to build/fuzz/TARGET-*.
set -u
cd "$(dirname "$0")/../.." || exit 2
case ${1:-} in
'' | 0 | *[!0-9]*) echo 'usage: tests/fuzz/fuzz.sh SECONDS TARGET...' >&2 && exit 2 ;;
esac
seconds=$1 failed=0
shift

# Whether an input that took too long by the clock, libFuzzer's limit, takes no more than that of the processor.
only_waited() {
    local slow
    slow=$(sed -n "s/.*Test unit written to //p" "$log" | grep -- -timeout-) || return
    (ulimit -t "$slowest" && "build/fuzz/fuzz_$target" -timeout=1000 "$slow") >/dev/null 2>&1 && rm "$slow"
}

slowest=10
for target in "$@"; do
    found=build/fuzz/corpus-$target log=build/fuzz/$target.log
    seeds=build/fuzz/seeds-$target
    mkdir -p "$found"
    tests/fuzz/seeds unpack "$target" "$seeds" || exit 2
    before=$(find "$found" -type f | wc -l)
    runs=0 end=$((SECONDS + seconds))
    while :; do
        nice "build/fuzz/fuzz_$target" -max_total_time=$((end > SECONDS ? end - SECONDS : 1)) -timeout=$slowest \
            -rss_limit_mb=2048 -max_len=6000 -entropic_scale_per_exec_time=1 -artifact_prefix="build/fuzz/$target-" \
            -print_final_stats=1 "$found" "$seeds" >"$log" 2>&1
        status=$?
        more=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
        runs=$((runs + ${more:-0}))
        { [ "$status" != 0 ] && only_waited; } || break
        status=0
        [ $SECONDS -lt $end ] || break
    done
    edges=$(sed -n 's/.* cov: \([0-9]*\) .*/\1/p' "$log" | tail -n 1)
    new=$(($(find "$found" -type f | wc -l) - before))
    if [ "$status" = 0 ]; then
        echo "$target: $runs runs, $edges edges, $new new inputs, nothing broken"
        continue
    fi
    failed=1
    echo "$target: BROKEN after $runs runs: $(grep -m 1 -E 'ERROR: |runtime error: |does not hold: ' "$log")"
    sed -n 's/.*Test unit written to /    the input: /p' "$log"
    echo "    all that was said: $log"
done
exit $failed
