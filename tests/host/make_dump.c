/* SPDX-License-Identifier: MIT */
/*
 * Writes a synthetic, valid stream on standard output, for cli_test.sh and the
 * golden files: make_dump [KIND], the kinds being those of the table below.
 */
#include <stdio.h>
#include <string.h>

#include "probe/stream/decimate.h"
#include "tests/host/dump_survey.h"
#include "tests/host/dump.h"
#include "tests/host/dump_addresses.h"
#include "tests/host/dump_audit.h"
#include "tests/host/dump_code.h"
#include "tests/host/dump_monitors.h"
#include "tests/host/dump_points.h"
#include "tools/model/stream_model.h"

static void run(struct dump *d)
{
    dump_run(d, 0x1111, "rate=120 seed=7 output=frames", 10);
}

static void fixed(struct dump *d)
{
    dump_run(d, 0x1111, "rate=120 seed=7 interval=fixed output=frames", 10);
}

static void random_policy(struct dump *d)
{
    dump_run(d, 0x1111, "rate=120 seed=7 interval=random output=frames", 10);
}

static void two(struct dump *d)
{
    run(d);
    dump_raw(d, "BdsDxe: loading Boot0001\r\n", 26);
    dump_run(d, 0x2222, "rate=120 seed=7 output=frames", 20);
}

static void refusal(struct dump *d)
{
    struct wire_text_record text = {.epoch = 0x1111, .severity = 2, .text = dump_text("unknown word 'tik'")};

    dump_hello(d, 0x1111, "output=frames");
    dump_head(d, WIRE_TEXT, &text);
    dump_end(d, 0x1111, 1, "the words were refused");
}

static void version(struct dump *d)
{
    struct wire_hello hello = {.major = WIRE_MAJOR + 1};

    dump_head(d, WIRE_HELLO, &hello);
}

static void unknown(struct dump *d)
{
    static const uint8_t body[] = {200, 0, 0, 1, 2, 3};
    struct wire_writer w = {.length = sizeof(body)};

    dump_hello(d, 0x1111, "rate=120 seed=7 output=frames");
    memcpy(w.bytes, body, sizeof(body));
    dump_end_frame(d, &w);
    dump_snapshot(d, 0x1111, 1, true, 10);
    dump_end(d, 0x1111, 0, "60 seconds are over");
}

/* A minute of a board whose clock runs 300 ppm fast. */
static void hellos(struct dump *d)
{
    struct wire_hello hello = dump_hello_head(0x1111, "output=frames", 1193182u / 120u * 65536u);

    for (unsigned second = 0; second < 60; second++) {
        hello.now = 1000000 + second * 1000300000ull;
        dump_head(d, WIRE_HELLO, &hello);
    }
}

static void hello(struct dump *d)
{
    dump_hello(d, 0x1111, "output=frames");
}

/* Another sender's, which says nothing of its policy. */
static void no_words(struct dump *d)
{
    dump_run(d, 0x1111, "", 10);
}

/* More than a pipe holds. */
static void long_run(struct dump *d)
{
    dump_hello(d, 0x1111, "rate=120 seed=7 output=frames");
    for (unsigned i = 0; i < 4000; i++)
        dump_head(d, WIRE_TEXT, &(struct wire_text_record){.epoch = 0x1111,
                                                           .text = dump_text("cpuprobe: a sentence of the image's")});
    dump_snapshot(d, 0x1111, 1, true, 10);
    dump_end(d, 0x1111, 0, "60 seconds are over");
}

/* account=log, and a change of cell that did not arrive. */
static void changes(struct dump *d)
{
    const struct wire_logged logged = {.epoch = 0x1111, .transitions = 1};

    dump_hello(d, 0x1111, "rate=120 seed=7 account=log output=frames");
    dump_head(d, WIRE_LOGGED, &logged);
    dump_snapshot(d, 0x1111, 1, true, 10);
    dump_end(d, 0x1111, 0, "60 seconds are over");
}

/* The kernel's last words, in frames. */
static void exception(struct dump *d)
{
    static const char *const lines[] = {
        "cpuprobe: error: exception in the kernel: page fault at 0xffffffff80100012\n",
        "rip 0xffffffff80100012, cr2 0x0000000000000010\n",
        "stack 0xffffffff80100043 0xffffffff80200000\n",
    };

    d->sequence = 0;
    dump_hello(d, 0x1111, "output=frames");
    dump_sayings(d, 0x1111);
    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
        dump_head(d, WIRE_TEXT,
                  &(struct wire_text_record){.epoch = 0x1111, .severity = 2, .text = dump_text(lines[i])});
    dump_hello(d, 0x1111, "output=frames");
    dump_end(d, 0x1111, 1, "exception in the kernel");
}

/* Two versions of a program for `diff`: all functions moved, and "beta" takes longer in the second. */
static const struct dump_code versions[] = {
    {.epoch = 0x3333, .words = "rate=120 seed=7 monitor=system,samples output=frames",
     .policy = INTERVAL_STRATIFIED, .build = "feedbee1", .rate = 120, .samples = 7200, .seconds = 60,
     .function = {{0x401000, 720}, {0x401040, 1440}, {0x401080, 360}, {0x4010c0, 30}}},
    {.epoch = 0x4444, .words = "rate=120 seed=7 monitor=system,samples output=frames",
     .policy = INTERVAL_STRATIFIED, .build = "feedbee2", .rate = 120, .samples = 7200, .seconds = 60,
     .function = {{0x501000, 355}, {0x501040, 1980}, {0x501080, 60}, {0x5010c0, 730}}},
};

static void before(struct dump *d)
{
    dump_code_run(d, &versions[0], true);
}

static void after(struct dump *d)
{
    dump_code_run(d, &versions[1], true);
}

/* The first one by a region whose slots hold two functions each. */
static void before_slots(struct dump *d)
{
    struct dump_code slots = versions[0];

    slots.region = true;
    dump_code_run(d, &slots, true);
}

static void after_fixed(struct dump *d)
{
    struct dump_code fixed_ticks = versions[1];

    fixed_ticks.words = "rate=120 seed=7 interval=fixed monitor=system,samples output=frames";
    fixed_ticks.policy = INTERVAL_FIXED;
    dump_code_run(d, &fixed_ticks, true);
}

/* Crowe, "Accurate time measurement": 3500 hits at 960 Hz. */
static const struct dump_code division = {
    .epoch = 0x5555, .words = "rate=960 seed=7 monitor=system,samples output=frames",
    .policy = INTERVAL_STRATIFIED, .build = "feedbee1", .rate = 960, .samples = 9600, .seconds = 10,
    .function = {{0x401000, 3500}, {0x401040, 800}},
};

static void divide(struct dump *d)
{
    dump_code_run(d, &division, true);
}

static void divide_cut(struct dump *d)
{
    dump_code_run(d, &division, false);
}

static void text(struct dump *d)
{
    static const char table[] = "Percentage CPU Utilization\n(7200 Samples, 8 missed)\n";

    dump_raw(d, table, sizeof(table) - 1);
}

/* The paper's Figure 4: the whole of ROGUE. */
static void figure4(struct dump *d)
{
    dump_region_run(d, "rate=120 seed=7 output=frames",
                    &(struct dump_region){21598, 1860, 0, 0200000, 7, dump_figure4});
}

/* The paper's Figure 5, by ticks that allow no interval but the paper's. */
static void figure5(struct dump *d)
{
    dump_region_run(d, "rate=120 seed=7 interval=fixed output=frames",
                    &(struct dump_region){43198, 2717, 025200, 042600, 4, dump_figure5});
}

static void raw(struct dump *d)
{
    dump_sampled_run(d, "rate=120 seed=7 output=frames", 0);
}

static void raw_lost(struct dump *d)
{
    dump_sampled_run(d, "rate=120 seed=7 output=frames", 1000);
}

/* Thinned as much as may be, in frames as full as may be: each asks for two million ticks to be replayed. */
static void thinned(struct dump *d)
{
    struct wire_hello hello = dump_hello_head(0x1111, "rate=120 seed=7 output=frames", DUMP_MEAN);
    uint8_t codes[SAMPLE_FRAME_MAX], steps[SAMPLE_FRAME_MAX / 4];
    struct wire_samples frame = {
        .epoch = 0x1111, .count = SAMPLE_FRAME_MAX, .time = 1, .generator = 7,
        .codes = {(const char *)codes, sizeof(codes)},
        .steps = {(const char *)steps, sizeof(steps)},
    };

    hello.thin = DECIMATE_MAX;
    hello.stamp = 1000;
    dump_head(d, WIRE_HELLO, &hello);
    memset(codes, 1, sizeof(codes)); /* all of the first place */
    memset(steps, SAMPLE_STEP_NONE * 0x55, sizeof(steps));
    steps[sizeof(steps) - 1] >>= 2; /* the first sample has none */
    for (; frame.first * DECIMATE_MAX <= 2 * SAMPLES_REPLAY; frame.first += frame.count)
        dump_head(d, WIRE_SAMPLES, &frame);
    dump_snapshot(d, 0x1111, 1, true, 10);
    dump_end(d, 0x1111, 0, "60 seconds are over");
}

static void audit(struct dump *d)
{
    dump_audit_run(d, &(struct dump_audit){.policy = INTERVAL_STRATIFIED, .ticks = 6000});
}

static void audit_interval(struct dump *d)
{
    dump_audit_run(d, &(struct dump_audit){.policy = INTERVAL_STRATIFIED, .ticks = 6000, .at = 3210,
                                           .counts = -60});
}

static void audit_dropped(struct dump *d)
{
    dump_audit_run(d, &(struct dump_audit){.policy = INTERVAL_STRATIFIED, .ticks = 6000, .at = 3210,
                                           .dropped = true});
}

static void audit_repeated(struct dump *d)
{
    dump_audit_run(d, &(struct dump_audit){.policy = INTERVAL_STRATIFIED, .ticks = 6000, .repeated = 7});
}

static void points(struct dump *d)
{
    dump_points_run(d, &(struct dump_points){.policy = INTERVAL_STRATIFIED, .points = 6000});
}

static void points_moved(struct dump *d)
{
    dump_points_run(d, &(struct dump_points){.policy = INTERVAL_STRATIFIED, .points = 6000, .at = 3210,
                                             .wrong = DUMP_MOVED});
}

static void points_left_out(struct dump *d)
{
    dump_points_run(d, &(struct dump_points){.policy = INTERVAL_STRATIFIED, .points = 6000, .at = 3210,
                                             .wrong = DUMP_LEFT_OUT});
}

static void monitors(struct dump *d)
{
    dump_monitored_run(d, 0x6666, "rate=120 seed=7 monitor=system,idle,intercept,acct output=frames");
}

static void load(struct dump *d)
{
    dump_load_run(d, 0x7777, "rate=120 seed=7 monitor=system,idletask,perfcall,proctable,procstat,events "
                             "buffer=count output=frames");
}

/* A table of processes whose numbers have up to 20 digits; they grow no more. */
static void dump_passes(struct dump *d, const struct wire_snapshot *s, uint64_t k)
{
    struct wire_writer w;

    (void)k;
    wire_begin(&w, WIRE_PROCTABLE, &(struct wire_proctable){s->epoch, s->serial, s->end, UINT64_MAX, 2});
    wire_row(&w, WIRE_PROCTABLE, &(struct wire_proctable_row){1, ROW_IDLE, 0, 1234567890, 0, 0, 0});
    wire_row(&w, WIRE_PROCTABLE, &(struct wire_proctable_row){1234567890, 100, 1234567890, 12345678901234567890u,
                                                              wire_zigzag(1), 1, 1});
    dump_end_frame(d, &w);
}

static void passes(struct dump *d)
{
    dump_run_with(d, 0x7778, "rate=120 seed=7 monitor=system,proctable output=frames", dump_passes);
}

static void survey(struct dump *d)
{
    dump_survey_run(d, 0x8888);
}

/* A port with the known load: three of the tasks do its parts, and one of them in user mode. */
static void known_load(struct dump *d)
{
    struct wire_writer w;

    dump_hello(d, 0x9999, "rate=120 seed=7 output=frames");
    dump_snapshot(d, 0x9999, 1, true, 10);
    wire_begin(&w, WIRE_KNOWN_LOAD, &(struct wire_known_load){
        .epoch = 0x9999, .serial = 1, .timed = 500, .time = 50000000, .sections = 100,
    });
    for (unsigned part = 0; part < 3; part++)
        wire_row(&w, WIRE_KNOWN_LOAD, &(struct wire_known_load_row){
            .part = part, .task = 100 + part, .mode = part ? MODE_KERNEL : MODE_USER, .units = 1000 >> part,
        });
    dump_end_frame(d, &w);
    dump_end(d, 0x9999, 0, "60 seconds are over");
}

static void calls(struct dump *d)
{
    dump_calls_run(d, &versions[0], 2);
}

/* A row of a function is missing. */
static void calls_missing(struct dump *d)
{
    dump_calls_run(d, &versions[0], 3);
}

static const struct kind {
    const char *name;
    void (*make)(struct dump *d);
} kinds[] = {
    {"run", run},         {"fixed", fixed},     {"random", random_policy}, {"two", two},
    {"refusal", refusal}, {"version", version}, {"unknown", unknown},      {"hello", hello},
    {"hellos", hellos},
    {"text", text},       {"exception", exception},
    {"before", before},   {"after", after},     {"after-fixed", after_fixed},
    {"divide", divide},   {"divide-cut", divide_cut}, {"before-slots", before_slots},
    {"figure4", figure4}, {"figure5", figure5}, {"raw", raw},              {"raw-lost", raw_lost},
    {"thinned", thinned}, {"audit", audit},     {"audit-interval", audit_interval}, {"audit-dropped", audit_dropped},
    {"audit-repeated", audit_repeated}, {"points", points}, {"points-moved", points_moved},
    {"points-left-out", points_left_out}, {"no-words", no_words}, {"long", long_run}, {"changes", changes},
    {"monitors", monitors}, {"load", load}, {"passes", passes}, {"survey", survey}, {"calls", calls},
    {"known-load", known_load},
    {"calls-missing", calls_missing},
};

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "run";
    struct dump d = {0};

    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        if (strcmp(kinds[i].name, name))
            continue;
        kinds[i].make(&d);
        fwrite(d.bytes, 1, d.length, stdout);
        free(d.bytes);
        return 0;
    }
    fprintf(stderr, "make_dump: there is no kind '%s'\n", name);
    return 2;
}
