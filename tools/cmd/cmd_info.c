/* SPDX-License-Identifier: MIT */
/*
 * `cpuprobe info`: what a recorded stream holds: epochs, versions, words,
 * frames and damage.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probe/stats/tick_cost.h"
#include "probe/stream/wire_fields.h"
#include "tools/analysis/report.h"
#include "tools/archive/arrival_summary.h"
#include "tools/base/cli.h"
#include "tools/cmd/commands.h"
#include "tools/json/info_json.h"
#include "tools/model/model_reader.h"
#include "tools/model/port_given.h"
#include "tools/stream/stream_loss.h"

static void print_stream(const struct stream_stats *stats)
{
    const struct wire_record *record;
    char text[TEXT_BUF_SIZE];
    struct text_buf lost = TEXT_BUF(text);

    printf("bytes      %" PRIu64 ", of these %" PRIu64 " preamble, %" PRIu64 " damaged\n",
           stats->bytes, stats->preamble, stats->damaged_bytes);
    printf("frames     %" PRIu64 " intact:", stats->frames);
    for (unsigned i = 0; (record = wire_record_at(i)); i++)
        if (stats->of_type[record->type])
            printf(" %" PRIu64 " %s", stats->of_type[record->type], record->name);
    printf("\nunknown    %" PRIu64 " frames of types that this tool does not know\n",
           stats->unknown);
    printf("damaged    %" PRIu64 " stretches:", decoder_damaged(stats));
    for (unsigned i = 0; i < DAMAGES; i++)
        printf(" %" PRIu64 " %s", stats->damaged[i], damage_name(i));
    printf("\nmissing    %" PRIu64 " frames in %" PRIu64 " gaps of the sequence", stats->missing, stats->gaps);
    if (stats->unsure)
        printf("; an unknown number more at %" PRIu64 " places", stats->unsure);
    if (stream_lost_put(&lost, stats))
        printf("; of these %s", text);
    putchar('\n');
    if (stats->repeated)
        printf("repeated   %" PRIu64 " frames\n", stats->repeated);
}

static double in_us(const struct wire_hello *h, uint64_t clocks)
{
    return 1e6 * (double)clocks / (double)h->clock_hz;
}

static void print_tick(const struct wire_hello *h)
{
    char text[TEXT_BUF_SIZE];
    struct text_buf cost = TEXT_BUF(text);

    tick_cost_put(&cost, h->tick, h->tick_share, h->clock_hz);
    printf("; interrupt to handler %.3f us; a tick %s at this rate", in_us(h, h->floor), text);
}

/* Older images and ports do not tell. */
static void print_costs(const struct wire_hello *h)
{
    if (!h->clock_hz || !h->port_read)
        return;
    printf("  costs    a port access %.3f us to read, %.3f us to write", in_us(h, h->port_read), in_us(h, h->port_write));
    if (h->lapic_access)
        printf("; one of the local APIC %.3f us", in_us(h, h->lapic_access));
    if (h->tick)
        print_tick(h);
    putchar('\n');
}

static void print_hello(const struct epoch *e)
{
    const struct wire_hello *h = &e->hello;
    double hz = (double)h->clock_hz, mean = epoch_mean(e);

    printf("  version  %s, protocol %" PRIu64 ".%" PRIu64 ", build %s\n", h->version.length ? h->version.bytes : "not told",
           h->major, h->minor, h->build.bytes);
    printf("  words    %s\n", h->words.bytes);
    if (e->words_known && e->words.note[0])
        printf("  note     %s\n", e->words.note);
    printf("  machine  %s, entered by %s\n", h->machine.bytes, h->door.bytes);
    if (!port_given(e).is_port)
        printf("  line     %s\n", h->line.bytes);
    printf("  clock    %" PRIu64 " Hz%s%s\n", h->clock_hz,
           h->clock_notes & 1 ? ", not invariant" : "",
           h->clock_notes & 2 ? ", stops in HLT" : "");
    printf("  tick     %s at %.3f Hz", h->source.bytes, (double)h->source_hz / 1000.0);
    if (mean > 0.0 && hz > 0.0)
        printf(", one in %.6f s", mean / hz);
    printf(", seed %" PRIu64 "\n", h->seed);
    printf("  measured handler %" PRIu64 ", empty handler %" PRIu64 ", floor %" PRIu64
           ", out of HLT %" PRIu64 " clock units\n",
           h->handler, h->entry, h->floor, h->halt_floor);
    print_costs(h);
}

/* The optional fields of a port that it gives, or those that it does not. */
static void print_given(const struct port_given *g, bool given, const char *title)
{
    bool any = false;

    printf("%s", title);
    for (unsigned i = 0; i < PORT_OPTIONALS; i++)
        if (g->gives[i] == given) {
            printf("%s%s", any ? ", " : "", port_optional_name(i));
            any = true;
        }
    puts(any ? "" : "nothing");
}

/* What a port of the core gave and what it did not (docs/PORTING.md). */
static void print_port(const struct epoch *e)
{
    const struct port_given g = port_given(e);

    if (!g.is_port)
        return;
    print_given(&g, true, "  gives    ");
    print_given(&g, false, "  gives no ");
}

static void print_health(const struct epoch *e)
{
    for (size_t i = 0; i < e->health_count; i++)
        printf("  health   %s: %s\n", e->health[i].name.bytes, e->health[i].value.bytes);
}

static void print_samples(const struct samples *s)
{
    const struct samples_entropy h = samples_entropy(s);

    printf("  samples  %" PRIu64 " told, %" PRIu64 " arrived, %" PRIu64 " lost in the ring, %" PRIu64
           " unresolved, %" PRIu64 " frames damaged\n",
           s->told, s->count, s->lost, samples_unresolved(s), s->damaged);
    if (s->timeless)
        printf("           %" PRIu64 " without their times: there are too many ticks to replay\n",
               s->timeless);
    if (s->count)
        printf("           %.3f bytes each; entropy %.3f bits: place %.3f (task and mode "
               "%.3f), step %.3f\n",
               (double)s->bytes / (double)s->count, h.places + h.steps, h.places, h.cells,
               h.steps);
}

static void print_walks(const struct wire_stack_walks *w)
{
    printf("  stacks   up to %" PRIu64 " callers of samples in user mode: %s\n", w->callers, stack_walks_text(w));
}

static void print_event_counts(const struct epoch_events *e)
{
    printf("  events   %" PRIu64 " recorded, %" PRIu64 " of them overwritten, %" PRIu64 " lost;", e->counts.recorded,
           e->counts.overwritten, e->counts.lost);
    for (unsigned class = 0; class < TRACE_CLASSES_END; class++)
        if (e->count[class])
            printf(" %s %" PRIu64, trace_class_name(class), e->count[class]);
    putchar('\n');
}

static void print_rules(const struct epoch_events *e)
{
    const uint64_t counter[EVENT_COUNTERS_MAX] = {e->rules.counter0, e->rules.counter1, e->rules.counter2, e->rules.counter3,
                                                  e->rules.counter4, e->rules.counter5, e->rules.counter6, e->rules.counter7};

    printf("  when     rules met:");
    for (unsigned i = 0; i < EVENT_RULES_MAX; i++)
        printf(" %" PRIu64, e->rule[i].hits);
    printf("; counters:");
    for (unsigned i = 0; i < EVENT_COUNTERS_MAX; i++)
        printf(" %" PRIu64, counter[i]);
    putchar('\n');
}

/* A task that runs a file: how it ended, and which system calls it made in vain. */
static void print_program(const struct process_record *r)
{
    static const char *const state[PROGRAM_STATES] = {
        [PROGRAM_RUNS] = "runs", [PROGRAM_EXITED] = "exited with status ", [PROGRAM_ENDED] = "was ended",
    };

    printf("  program  %s: %s", r->name, state[r->state]);
    if (r->state == PROGRAM_EXITED)
        printf("%" PRIu64, r->status);
    if (r->base)
        printf(", loaded at 0x%" PRIx64, r->base);
    if (r->generation)
        printf(", its code changed %" PRIu64 " times", r->generation);
    for (size_t i = 0; i < r->calls; i++)
        printf("%s %s (%" PRIu64 ") %" PRIu64, i ? "," : "; calls that are not there:", r->call[i].name, r->call[i].number,
               r->call[i].count);
    putchar('\n');
}

static void print_epoch(const struct model *m, const struct epoch *e)
{
    printf("epoch %zu    id 0x%" PRIx64 ", %s\n", (size_t)(e - m->epoch) + 1, e->id,
           epoch_complete(e) ? "complete" : "incomplete");
    if (e->has_hello) {
        print_hello(e);
        print_port(e);
    }
    print_health(e);
    printf("  kept     %" PRIu64 " snapshots, %" PRIu64 " unfinished", e->snapshots,
           e->unfinished);
    if (e->deltas)
        printf(", %" PRIu64 " of them by what changed", e->deltas);
    if (e->baseless)
        printf(", %" PRIu64 " more without the whole one before them", e->baseless);
    if (e->snapshot)
        printf("; number %" PRIu64 " in force: %" PRIu64 " samples, %u rows%s",
               e->snapshot->serial, e->snapshot->samples, e->snapshot->rows,
               e->snapshot->final ? ", final" : "");
    putchar('\n');
    if (e->samples)
        print_samples(e->samples);
    if (e->stacks.walks.serial)
        print_walks(&e->stacks.walks);
    if (e->events && e->events->counted)
        print_event_counts(e->events);
    if (e->events && e->events->rules.epoch)
        print_rules(e->events);
    for (size_t i = 0; i < e->processes.count; i++)
        print_program(&e->processes.of[i]);
    printf("  said     %zu texts, %zu faults, %zu reports\n", e->text_count, e->fault_count,
           e->report_count);
    if (e->ended)
        printf("  end      status %" PRIu64 ": %s\n", e->status, e->reason);
    else
        puts("  end      none");
}

/* A clock that is off by more is an emulator's, whose time is no real one. */
#define DRIFT_REAL 0.01

static void print_drift(const struct drift_estimate *e)
{
    const double ppm = 1e6 * e->drift;

    if (e->blocks < 2)
        puts("clock      too few HELLO frames to compare the board's clock with this host's");
    else if (e->drift > DRIFT_REAL || e->drift < -DRIFT_REAL)
        printf("clock      the board's runs at %.4g times this host's: not in real time\n", 1.0 + e->drift);
    else if (e->error < 0.0)
        printf("clock      the board's runs %+.1f ppm against this host's, no interval: %zu HELLO frames are too few\n", ppm,
               e->moments);
    else
        printf("clock      the board's runs %+.2f ppm against this host's, 95 %% %+.2f to %+.2f, by the least delayed of %zu HELLO "
               "frames in each of %zu blocks\n", ppm, ppm - 1e6 * e->error, ppm + 1e6 * e->error, e->moments, e->blocks);
}

/* What stands beside a recording: docs/TOOL.md, "Archives". */
static void print_arrivals(const char *path)
{
    struct arrival_summary s;
    char date[32];

    if (!arrival_summarize(path, &s))
        return;
    arrival_date(s.wall, date);
    printf("arrived    %s, in %.1f s", date, s.seconds);
    if (s.gaps)
        printf("; the port was away %" PRIu64 " times, %.1f s", s.gaps, s.away);
    if (s.wrong)
        printf("; %" PRIu64 " lines of times cannot be used", s.wrong);
    putchar('\n');
    print_drift(&s.drift);
    if (s.boots > 1)
        printf("boots      %u; the clock is that of the boot with the most HELLO frames\n", s.boots);
}

/* Each epoch, or where `only` is not NULL that one. */
static void print_text(const char *path, const struct stream_stats *stats, const struct model *m, const struct epoch *only)
{
    print_stream(stats);
    print_arrivals(path);
    for (size_t i = 0; i < m->epochs; i++)
        if (!only || only == &m->epoch[i])
            print_epoch(m, &m->epoch[i]);
}

static int report(void *arguments, const struct frame_decoder *stream, struct model *model)
{
    const struct report_arguments *a = arguments;
    const char *path = a->path;
    const struct epoch *chosen = a->epoch ? model_find_epoch(path, model, a->epoch) : model_choose(model, 0);

    if (a->epoch && !chosen)
        return EXIT_NO_DATA;
    if (a->json)
        info_json(path, &stream->stats, model, a->epoch ? chosen : NULL);
    else
        print_text(path, &stream->stats, model, a->epoch ? chosen : NULL);
    return chosen ? report_verdict(path, stream, model, chosen) : EXIT_DAMAGED;
}

static int run_command(int argc, char **argv)
{
    struct report_arguments a = {0};

    subcommand_parse(&cmd_info, argc, argv, &a);
    return report_file_reading(&a, false, SAMPLES_STEPS, report);
}

const struct subcommand cmd_info = {
    .name = "info", .what = "print what a recorded stream contains and what is damaged", .run = run_command,
    .shared = {{&report_json_options}}, .args_doc = "FILE", .json = {&info_object},
    .doc = "Print what a recorded stream contains and what is damaged.",
    .example = {"cpuprobe info dump"},
};
