/* SPDX-License-Identifier: MIT */
/*
 * `cpuprobe info`: what a recorded stream holds: epochs, versions, words,
 * frames and damage.
 */
#include "probe/stats/tick_cost.h"
#include "tools/analysis/report.h"
#include "tools/base/report_object.h"
#include "tools/cmd/commands.h"
#include "tools/json/report_json.h"
#include "tools/model/stream_model.h"
#include "tools/stream/stream_reader.h"

static const char text[] =
    "bytes      {stream.bytes}, of these {stream.preamble_bytes} preamble, {stream.damaged_bytes} damaged\n"
    "frames     {stream.frames} intact:[stream.records: {.} {#}]\n"
    "unknown    {stream.unknown} frames of types that this tool does not know\n"
    "damaged    {damaged} stretches:[stream.damaged: {.} {#}]\n"
    "missing    {stream.missing} frames in {stream.gaps} gaps of the sequence"
    "[stream.unsure?; an unknown number more at {stream.unsure} places][lost?; of these {lost}]\n"
    "[stream.repeated?repeated   {stream.repeated} frames\n]"
    /* What stands beside a recording: docs/TOOL.md, "Archives". */
    "[arrived?arrived    {arrived.date|s|1970-01-01T00:00:00Z}, in {arrived.seconds|.1f} s"
    "[arrived.gaps?; the port was away {arrived.gaps} times, {arrived.away|.1f} s]"
    "[arrived.wrong?; {arrived.wrong} lines of times cannot be used]\nclock      "
    "[arrived.drift!too few HELLO frames to compare the board's clock with this host's]"
    "[unreal?the board's runs at {arrived.drift.ppm/1000000+1|.4g} times this host's: not in real time]"
    "[unreal![arrived.drift?the board's runs [arrived.drift.low!{arrived.drift.ppm|+.1f} ppm against this host's, no "
    "interval: {arrived.drift.moments} HELLO frames are too few][arrived.drift.low?{arrived.drift.ppm|+.2f} ppm "
    "against this host's, 95 % {arrived.drift.low|+.2f} to {arrived.drift.high|+.2f}, by the least delayed of "
    "{arrived.drift.moments} HELLO frames in each of {arrived.drift.blocks} blocks]]]\n"
    "[arrived.boots-1?boots      {arrived.boots}; the clock is that of the boot with the most HELLO frames\n]]"
    "[epochs:epoch {number}    id {id}, [complete?complete][complete!incomplete]\n"
    "[hello?  version  {hello.version|s|not told}, protocol {hello.protocol.0}.{hello.protocol.1}, build "
    "{hello.build}\n"
    "  words    {hello.words}\n[hello.note?  note     {hello.note}\n]  machine  {hello.machine}, entered by "
    "{hello.door}\n"
    "[port!  line     {hello.line}\n]"
    "  clock    {hello.clock.hz} Hz[hello.clock.invariant!, not invariant][hello.clock.stops_in_hlt?, stops in HLT]\n"
    "  tick     {hello.tick.source} at {hello.tick.source_hz|.3f} Hz"
    "[hello.tick.mean_s?, one in {hello.tick.mean_s|.6f} s], seed {hello.tick.seed}\n"
    "  measured handler {hello.measured.handler}, empty handler {hello.measured.empty_handler}, floor "
    "{hello.measured.floor}, out of HLT {hello.measured.out_of_hlt} clock units\n"
    /* Older images and ports do not tell. */
    "[hello.costs.port_read_us?  costs    a port access {hello.costs.port_read_us|.3f} us to read, "
    "{hello.costs.port_write_us|.3f|0.000} us to write"
    "[hello.costs.lapic_us?; one of the local APIC {hello.costs.lapic_us|.3f} us]"
    "[tick?; interrupt to handler {hello.costs.interrupt_us|.3f|0.000} us; a tick {tick} at this rate]\n]"
    /* What a port of the core gave and what it did not (docs/PORTING.md). */
    "[port?  gives   [gives:{,} {.}][gives! nothing]\n  gives no[lacks:{,} {.}][lacks! nothing]\n]]"
    "[health:  health   {name}: {value}\n]"
    "  kept     {snapshots} snapshots, {unfinished} unfinished[deltas?, {deltas} of them by what changed]"
    "[baseless?, {baseless} more without the whole one before them][snapshot?; number {snapshot.serial} in force: "
    "{snapshot.samples} samples, {snapshot.rows} rows[snapshot.final?, final]]\n"
    "[samples?  samples  {samples.told} told, {samples.arrived} arrived, {samples.lost} lost in the ring, "
    "{samples.unresolved} unresolved, {samples.damaged} frames damaged\n"
    "[samples.timeless?           {samples.timeless} without their times: there are too many ticks to replay\n]"
    "[samples.arrived?           {samples.bytes_each|.3f} bytes each; entropy {samples.entropy_bits.sample|.3f} "
    "bits: place {samples.entropy_bits.place|.3f} (task and mode {samples.entropy_bits.cell|.3f}), "
    "step {samples.entropy_bits.step|.3f}\n]]"
    "[stacks?  stacks   up to {stacks.callers} callers of samples in user mode: {walks}\n]"
    "[events?  events   {events.recorded} recorded, {events.overwritten} of them overwritten, {events.lost} lost;"
    "[events.classes: {#} {.}]\n]"
    "[rules?  when     rules met:[rules.met: {.}]; counters:[rules.counters: {.}]\n]"
    /* A task that runs a file: how it ended, and which system calls it made in vain. */
    "[programs:  program  {name}: [state=running?runs][state=exited?exited with status {status}][state=ended?was "
    "ended]"
    "[base=0x0!, loaded at {base}][code_changes?, its code changed {code_changes} times]"
    "[missing_calls?; calls that are not there:[missing_calls:{,} {name|s|} ({number}) {count}]]\n]"
    "  said     {texts} texts, {faults} faults, {reports} reports\n"
    "  end      [end?status {end.status}: {end.reason}][end!none]\n]";

/* What only the text has. */
static void add_to_epoch(json_t *to, const struct epoch *e)
{
    const struct wire_hello *h = &e->hello;
    json_t *const given[] = {json_array(), json_array()}, *gives;
    char of_tick[TEXT_BUF_SIZE] = "";
    struct text_buf cost = TEXT_BUF(of_tick);
    const char *field;

    json_object_foreach(json_object_get(to, "port"), field, gives)
        json_array_append_new(given[json_is_true(gives)], json_string(field));
    if (e->has_hello && h->tick && h->clock_hz)
        tick_cost_put(&cost, h->tick, h->tick_share, h->clock_hz);
    json_object_update_new(to, json_pack("{so so ss sI sI ss}", "lacks", given[false], "gives", given[true], "tick",
                                         of_tick, "deltas", (json_int_t)e->deltas, "baseless",
                                         (json_int_t)e->baseless, "walks", epoch_walks_text(e)));
}

/* A clock that is off by more is an emulator's, whose time is no real one; millionths. */
#define DRIFT_REAL 1e4

static void add_to_text(json_t *to, const struct stream_stats *stats, const struct model *m, const struct epoch *only)
{
    const json_t *const drift = json_object_get(json_object_get(to, "arrived"), "drift");
    const double ppm = json_real_value(json_object_get(drift, "ppm"));
    char of_loss[TEXT_BUF_SIZE] = "";
    struct text_buf lost = TEXT_BUF(of_loss);

    stream_lost_put(&lost, stats);
    json_object_update_new(to, json_pack("{so ss sb}", "damaged", json_count(decoder_damaged(stats)), "lost", of_loss,
                                         "unreal", ppm > DRIFT_REAL || ppm < -DRIFT_REAL));
    for (size_t i = 0; i < m->epochs; i++)
        if (!only || only == m->epoch[i])
            add_to_epoch(json_array_get(json_object_get(to, "epochs"), only ? 0 : i), m->epoch[i]);
}

static int report(void *arguments, const struct frame_decoder *stream, struct model *model)
{
    const struct report_arguments *a = arguments;
    const char *path = a->path;
    const struct epoch *chosen = a->epoch ? model_find_epoch(path, model, a->epoch) : model_choose(model, 0);
    const struct epoch *const only = a->epoch ? chosen : NULL;
    json_t *whole;

    if (a->epoch && !chosen)
        return EXIT_NO_DATA;
    whole = info_json(path, &stream->stats, model, only);
    if (!a->json)
        add_to_text(whole, &stream->stats, model, only);
    report_print(whole, text, a->json, JSON_INDENT(1) | JSON_REAL_PRECISION(12));
    return chosen ? report_verdict(path, stream, model, chosen) : EXIT_DAMAGED;
}

const struct subcommand cmd_info = {
    .name = "info", .what = "print what a recorded stream contains and what is damaged",
    .through = report_command, .report = report, .bytes = sizeof(struct report_arguments),
    .initial = &(const struct report_arguments){.samples = SAMPLES_STEPS},
    .shared = {{&report_json_options}}, .args_doc = "FILE", .json = {&info_object},
    .doc = "Print what a recorded stream contains and what is damaged.",
    .example = {"cpuprobe info dump"},
};
