/* SPDX-License-Identifier: MIT */
/* Makes the JSON of a stream and its epochs; what an epoch does not have is null. */
#include "tools/json/report_json.h"

#include <math.h>

#include "probe/stream/wire.h"
#include "probe/stream/wire_fields.h"
#include "tools/archive/arrival_summary.h"
#include "tools/archive/clock_drift.h"
#include "tools/model/stream_model.h"

#define INFO_STREAM_MEMBERS(M, O)                                                   \
    O(PART, counts, stream_counts, "")                                              \
    M(COUNT, repeated, "frames that came twice")                                    \
    M(MAP_OF_COUNTS, records, "intact frames by type")
REPORT_OBJECT(info_stream, INFO_STREAM_MEMBERS)

#define INFO_DRIFT_MEMBERS(M, O)                                                    \
    M(REAL, ppm, "board faster than host, millionths")                              \
    M(REAL, low, "lower end of its 95 % interval, millionths; null: too few moments") \
    M(REAL, high, "upper end of its 95 % interval, millionths; null: too few moments") \
    M(COUNT, moments, "HELLO records that were used")                               \
    M(COUNT, blocks, "blocks of them, of which the least delayed counts")
REPORT_OBJECT(info_drift, INFO_DRIFT_MEMBERS)

#define INFO_ARRIVED_MEMBERS(M, O)                                                  \
    M(TEXT, date, "of the first byte, ISO 8601")                                    \
    M(REAL, seconds, "from the first byte to the last, s")                          \
    M(COUNT, gaps, "how often the port was away")                                   \
    M(REAL, away, "for how long in all, s")                                         \
    M(COUNT, wrong, "lines of times that cannot be used")                           \
    M(COUNT, boots, "boots of the board")                                           \
    O(OBJECT_OR_NULL, drift, info_drift, "the board's clock against the host's; null: too few moments")
REPORT_OBJECT(info_arrived, INFO_ARRIVED_MEMBERS)

#define INFO_PROTOCOL_MEMBERS(M, O)                                                 \
    M(COUNT, major, "major version")                                                \
    M(COUNT, minor, "minor version")
REPORT_TUPLE(info_protocol, INFO_PROTOCOL_MEMBERS)

#define INFO_CLOCK_MEMBERS(M, O)                                                    \
    M(COUNT, hz, "its frequency, Hz")                                               \
    M(FLAG, invariant, "its rate does not change")                                  \
    M(FLAG, stops_in_hlt, "it stops while the processor halts")
REPORT_OBJECT(info_clock, INFO_CLOCK_MEMBERS)

#define INFO_TICK_MEMBERS(M, O)                                                     \
    M(TEXT, source, "tick source")                                                  \
    M(REAL, source_hz, "frequency of the tick source, Hz")                          \
    M(REAL, mean_s, "mean interval, s")                                             \
    M(COUNT, seed, "seed in force")
REPORT_OBJECT(info_tick, INFO_TICK_MEMBERS)

#define INFO_MEASURED_MEMBERS(M, O)                                                 \
    M(COUNT, handler, "length of the tick handler, clock units")                    \
    M(COUNT, empty_handler, "length of an empty handler, clock units")              \
    M(COUNT, floor, "least lateness of a tick, clock units")                        \
    M(COUNT, out_of_hlt, "the same out of HLT, clock units")
REPORT_OBJECT(info_measured, INFO_MEASURED_MEMBERS)

#define INFO_COSTS_MEMBERS(M, O)                                                    \
    M(REAL, port_read_us, "one IN of the 8259's mask, us")                          \
    M(REAL, port_write_us, "one OUT of it, us")                                     \
    M(REAL, lapic_us, "one read of the local APIC, us; null also: there is none")   \
    M(REAL, interrupt_us, "an interrupt from the device to the handler, at least, us") \
    M(REAL, tick_us, "what a tick takes of the code that it interrupts, us")        \
    M(REAL, tick_percent, "what ticks take of the time at this rate, percent")
REPORT_OBJECT(info_costs, INFO_COSTS_MEMBERS)

#define INFO_HELLO_MEMBERS(M, O)                                                    \
    M(TEXT, version, "version of the program")                                      \
    O(OBJECT, protocol, info_protocol, "version of the protocol")                   \
    M(TEXT, build, "build id of the image")                                         \
    M(TEXT, words, "the configuration in force")                                    \
    M(TEXT, note, "the text of note=; null: none, or the words are not understood") \
    M(TEXT, machine, "the processor, as it names itself")                           \
    M(TEXT, door, "the way into the image")                                         \
    M(TEXT, line, "the serial line of the stream")                                  \
    O(OBJECT, clock, info_clock, "the clock of exact times")                        \
    O(OBJECT, tick, info_tick, "how it ticks")                                      \
    O(OBJECT, measured, info_measured, "what the image measured at its start")      \
    O(OBJECT, costs, info_costs, "what the tick costs on this machine, measured at its start; null: it does not say")
REPORT_OBJECT(info_hello, INFO_HELLO_MEMBERS)

#define INFO_HEALTH_MEMBERS(M, O)                                                   \
    M(TEXT, name, "what about the machine")                                         \
    M(TEXT, value, "what was found")
REPORT_OBJECT(info_health, INFO_HEALTH_MEMBERS)

#define INFO_SNAPSHOT_MEMBERS(M, O)                                                 \
    M(COUNT, serial, "number of the snapshot")                                      \
    M(COUNT, samples, "samples of its table")                                       \
    M(COUNT, rows, "rows of the table")                                             \
    M(FLAG, final, "it is the last of the run")
REPORT_OBJECT(info_snapshot, INFO_SNAPSHOT_MEMBERS)

#define INFO_ENTROPY_MEMBERS(M, O)                                                  \
    M(REAL, sample, "of a sample, bits")                                            \
    M(REAL, place, "of its place, bits")                                            \
    M(REAL, cell, "of its cell, bits")                                              \
    M(REAL, step, "of the step from the sample before, bits")
REPORT_OBJECT(info_entropy, INFO_ENTROPY_MEMBERS)

#define INFO_SAMPLES_MEMBERS(M, O)                                                  \
    M(COUNT, told, "how many the image counted")                                    \
    M(COUNT, arrived, "how many arrived")                                           \
    M(COUNT, lost, "how many found no room")                                        \
    M(COUNT, unresolved, "samples without a known place")                           \
    M(COUNT, damaged, "samples that came in frames that cannot be read")            \
    M(COUNT, timeless, "samples without a time: too many ticks to replay")          \
    M(REAL, bytes_each, "bytes of the stream a sample")                             \
    O(OBJECT, entropy_bits, info_entropy, "information of a sample and of its parts")
REPORT_OBJECT(info_samples, INFO_SAMPLES_MEMBERS)

#define INFO_EVENTS_MEMBERS(M, O)                                                   \
    M(COUNT, recorded, "events that were recorded")                                 \
    M(COUNT, overwritten, "of these, replaced by later ones")                       \
    M(COUNT, lost, "events that found no room")                                     \
    M(MAP_OF_COUNTS, classes, "events by class")
REPORT_OBJECT(info_events, INFO_EVENTS_MEMBERS)

#define INFO_RULES_MEMBERS(M, O)                                                    \
    M(COUNTS, met, "how often each rule was met")                                   \
    M(COUNTS, counters, "the counters of the rules")
REPORT_OBJECT(info_rules, INFO_RULES_MEMBERS)

#define MISSING_CALL_MEMBERS(M, O)                                                  \
    M(COUNT, number, "number of the call")                                          \
    M(TEXT, name, "its name; null: it is not known")                                \
    M(COUNT, count, "how often it was made")
REPORT_OBJECT(missing_call, MISSING_CALL_MEMBERS)

/* By what PROCESS says. */
static const char *const program_state[] = {"running", "exited", "ended", NULL};
#define PROGRAM_EXITED 1

#define INFO_PROGRAM_MEMBERS(M, O)                                                  \
    M(TEXT, name, "name of the task; null: it is no UTF-8")                         \
    O(WORD, state, program_state, "exited: by its own call; ended: by a fault or by the end of the run") \
    M(COUNT_OR_NULL, status, "its exit status; null: it did not exit")              \
    M(ADDRESS, base, "address that was added to those of the file; 0x0: none")      \
    M(COUNT, code_changes, "how often its code was mapped, unmapped or written")    \
    O(LIST, missing_calls, missing_call, "system calls that it made and that are not there")
REPORT_OBJECT(info_program, INFO_PROGRAM_MEMBERS)

#define INFO_END_MEMBERS(M, O)                                                      \
    M(COUNT, status, "status of END: 0 well")                                       \
    M(TEXT, reason, "why, in words; null: there is none")
REPORT_OBJECT(info_end, INFO_END_MEMBERS)

#define INFO_EPOCH_MEMBERS(M, O)                                                    \
    M(COUNT, number, "number of the epoch, from 1")                                 \
    M(ADDRESS, id, "identifier of the epoch")                                       \
    M(FLAG, complete, "HELLO, a final snapshot that adds up and a good END arrived") \
    O(OBJECT_OR_NULL, hello, info_hello, "what the image says of itself; null: it did not arrive") \
    M(MAP_OF_FLAGS_OR_NULL, port, "a port of the core: of each optional field whether it gives it; null: it " \
                                  "is the image") \
    O(LIST, health, info_health, "how the image found its machine")                 \
    M(COUNT, snapshots, "complete snapshots")                                       \
    M(COUNT, unfinished, "snapshots that are not complete")                         \
    O(OBJECT_OR_NULL, snapshot, info_snapshot, "the snapshot in force; null: none is complete") \
    O(OBJECT_OR_NULL, samples, info_samples, "raw samples; null: none")             \
    O(OBJECT_OR_NULL, stacks, stack_walks, "stack=: how samples in user mode found their callers; else null") \
    O(OBJECT_OR_NULL, events, info_events, "monitor=events: how many events there were; else null") \
    O(OBJECT_OR_NULL, rules, info_rules, "when=: its rules and counters; else null") \
    O(LIST, programs, info_program, "tasks that run a file, one of each name; empty: there are none") \
    M(COUNT, texts, "messages of the image")                                        \
    M(COUNT, faults, "tasks that a fault ended")                                    \
    M(COUNT, reports, "numbers that tasks reported")                                \
    O(OBJECT_OR_NULL, end, info_end, "the end of the run; null: END did not arrive")
REPORT_OBJECT(info_epoch, INFO_EPOCH_MEMBERS)

#define INFO_MEMBERS(M, O)                                                          \
    O(OBJECT, stream, info_stream, "what arrived of the stream")                    \
    O(OBJECT_OR_NULL, arrived, info_arrived, "from the times of arrival beside the recording; null: there are none") \
    O(LIST, epochs, info_epoch, "each epoch, or that of --epoch")
REPORT_WHOLE(info, "cpuprobe-info-1", INFO_MEMBERS)

static json_t *stream(const struct stream_stats *stats)
{
    json_t *records = json_object();
    const struct wire_record *record;

    for (unsigned i = 0; (record = wire_record_at(i)); i++)
        if (stats->of_type[record->type])
            json_object_set_new(records, record->name, json_count(stats->of_type[record->type]));
    return REPORT_MAKE(info_stream, stream_json(stats), stats->repeated, records);
}

static json_t *tick(const struct epoch *e)
{
    const struct wire_hello *h = &e->hello;
    const double hz = (double)h->clock_hz, mean = epoch_mean(e);

    return REPORT_MAKE(info_tick, .source = h->source.bytes, .source_hz = (double)h->source_hz / 1000.0,
                       .mean_s = mean > 0.0 && hz > 0.0 ? mean / hz : NAN, .seed = h->seed);
}

static double us(const struct wire_hello *h, uint64_t clocks)
{
    return clocks && h->clock_hz ? 1e6 * (double)clocks / (double)h->clock_hz : NAN;
}

static json_t *costs(const struct wire_hello *h)
{
    return REPORT_MAKE(info_costs, .port_read_us = us(h, h->port_read), .port_write_us = us(h, h->port_write),
                       .lapic_us = us(h, h->lapic_access), .interrupt_us = us(h, h->floor), .tick_us = us(h, h->tick),
                       .tick_percent = h->tick ? (double)h->tick_share / 1000.0 : NAN);
}

static json_t *hello(const struct epoch *e)
{
    const struct wire_hello *h = &e->hello;

    if (!e->has_hello)
        return NULL;
    return REPORT_MAKE(
        info_hello, .version = h->version.length ? h->version.bytes : NULL,
        .protocol = REPORT_MAKE(info_protocol, h->major, h->minor), .build = h->build.bytes, .words = h->words.bytes,
        .note = e->words_known && e->words.note[0] ? e->words.note : NULL, .machine = h->machine.bytes,
        .door = h->door.bytes, .line = h->line.bytes,
        .clock = REPORT_MAKE(info_clock, h->clock_hz, .invariant = !(h->clock_notes & 1),
                             .stops_in_hlt = h->clock_notes >> 1 & 1),
        .tick = tick(e), .measured = REPORT_MAKE(info_measured, h->handler, h->entry, h->floor, h->halt_floor),
        .costs = costs(h));
}

static json_t *health(const struct epoch *e)
{
    const struct record_store *const s = epoch_kept(e, WIRE_HEALTH);
    json_t *list = json_array();

    for (size_t i = 0; i < s->row.count; i++) {
        const struct wire_health_row *const row = record_row(s, i);

        REPORT_ADD(list, info_health, row->name.bytes, row->value.bytes);
    }
    return list;
}

static json_t *snapshot_of(const struct snapshot *s)
{
    return s ? REPORT_MAKE(info_snapshot, s->serial, s->samples, s->rows, s->final) : NULL;
}

static json_t *samples_of(const struct samples *s)
{
    struct samples_entropy h;

    if (!s)
        return NULL;
    h = samples_entropy(s);
    return REPORT_MAKE(
        info_samples, .told = s->told, .arrived = s->count, .lost = s->lost, .unresolved = samples_unresolved(s),
        .damaged = s->damaged, .timeless = s->timeless,
        .bytes_each = s->count ? (double)s->bytes / (double)s->count : NAN,
        .entropy_bits = REPORT_MAKE(info_entropy, .sample = s->count ? h.places + h.steps : NAN,
                                    .place = s->count ? h.places : NAN, .cell = s->count ? h.cells : NAN,
                                    .step = s->count ? h.steps : NAN));
}

static json_t *events_of(const struct epoch *e)
{
    const struct wire_event_counts *const counts = epoch_event_counts(e);

    return counts ? REPORT_MAKE(info_events, counts->recorded, counts->overwritten, counts->lost,
                                event_classes_json(e)) : NULL;
}

static json_t *rules_of(const struct record_store *s)
{
    const struct wire_rules *const r = record_last(s);
    uint64_t met[EVENT_RULES_MAX];

    if (!r)
        return NULL;
    for (unsigned i = 0; i < EVENT_RULES_MAX; i++) {
        const struct wire_rules_row *const row = record_row_of(s, i);

        met[i] = row ? row->hits : 0;
    }
    return REPORT_MAKE(info_rules, json_counts(met, EVENT_RULES_MAX),
                       json_counts((const uint64_t[]){r->counter0, r->counter1, r->counter2, r->counter3,
                                                      r->counter4, r->counter5, r->counter6, r->counter7}, 8));
}

/* Of each optional field whether the port gives it; NULL: it is no port. */
static json_t *port_of(const struct epoch *e)
{
    const struct port_given g = port_given(e);
    json_t *fields;

    if (!g.is_port)
        return NULL;
    fields = json_object();
    for (unsigned i = 0; i < PORT_OPTIONALS; i++)
        json_object_set_new(fields, port_optional_name(i), json_boolean(g.gives[i]));
    return fields;
}

static json_t *program_of(const struct record_store *s)
{
    const struct wire_process *const p = record_last(s);
    json_t *missing = json_array();

    for (size_t i = 0; i < s->row.count; i++) {
        const struct wire_process_row *const row = record_row(s, i);

        REPORT_ADD(missing, missing_call, row->call, row->name.length ? row->name.bytes : NULL, row->count);
    }
    return REPORT_MAKE(info_program, .name = p->name.bytes, .state = program_state[p->state],
                       .status = REPORT_KNOWN_IF(p->state == PROGRAM_EXITED, p->status), .base = p->base,
                       .code_changes = p->generation, .missing_calls = missing);
}

static json_t *programs_of(const struct epoch *e)
{
    const struct record_store *s = NULL;
    json_t *list = json_array();

    while ((s = record_store_next(&e->kept, WIRE_PROCESS, s)))
        json_array_append_new(list, program_of(s));
    return list;
}

static json_t *epoch_of(const struct epoch *e)
{
    return REPORT_MAKE(
        info_epoch, .number = e->number, .id = e->id, .complete = epoch_complete(e),
        .hello = hello(e), .port = port_of(e), .health = health(e), .snapshots = e->snapshots,
        .unfinished = e->unfinished, .snapshot = snapshot_of(e->snapshot), .samples = samples_of(e->samples),
        .stacks = stack_walks_json(epoch_walks(e)), .events = events_of(e),
        .rules = rules_of(epoch_kept(e, WIRE_RULES)),
        .programs = programs_of(e), .texts = epoch_kept(e, WIRE_TEXT)->head.count,
        .faults = epoch_kept(e, WIRE_FAULT)->head.count, .reports = epoch_kept(e, WIRE_REPORT)->head.count,
        .end = e->ended ? REPORT_MAKE(info_end, e->status, e->reason) : NULL);
}

/* In millionths; NULL: too few moments. */
static json_t *drift(const struct drift_estimate *e)
{
    const bool has = e->error >= 0.0;

    if (e->blocks < 2)
        return NULL;
    return REPORT_MAKE(info_drift, .ppm = 1e6 * e->drift, .low = has ? 1e6 * (e->drift - e->error) : NAN,
                       .high = has ? 1e6 * (e->drift + e->error) : NAN, .moments = e->moments, .blocks = e->blocks);
}

static json_t *arrived(const char *path)
{
    struct arrival_summary s;
    char date[32];

    if (!arrival_summarize(path, &s))
        return NULL;
    arrival_date((double)s.wall * 1e-9, date);
    return REPORT_MAKE(info_arrived, .date = s.wall ? date : NULL, .seconds = s.seconds, .gaps = s.gaps,
                       .away = s.away, .wrong = s.wrong, .boots = s.boots, .drift = drift(&s.drift));
}

json_t *info_json(const char *path, const struct stream_stats *stats, const struct model *m, const struct epoch *only)
{
    json_t *epochs = json_array();

    for (size_t i = 0; i < m->epochs; i++)
        if (!only || only == m->epoch[i])
            json_array_append_new(epochs, epoch_of(m->epoch[i]));
    return REPORT_MAKE(info, stream(stats), arrived(path), epochs);
}
