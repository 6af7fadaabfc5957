/* SPDX-License-Identifier: MIT */
/*
 * Measures raw samples: bytes and entropy of a sample, and how fast they decode
 * beside zlib's CRC-32 over the same bytes, and beside the same samples in the
 * records of before 0.9.  FILE: a recorded stream, with --sizes but
 * without the times of this host; --synthetic
 * N: N samples of tests/host/sample_load.h at 1 kHz, with and without times, the
 * first of which --write FILE keeps.  --repeat WHAT N FILE does one thing N times, to be
 * counted in instructions: what once more takes is that thing alone.
 *
 * A line is  [timed. or untimed.]name value unit.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <zlib.h>

#include "probe/config/config.h"
#include "probe/stream/sample_decode.h"
#include "tests/host/dump.h"
#include "tests/host/recode_samples.h"
#include "tests/host/sample_load.h"
#include "tools/samples/samples.h"
#include "tools/stream/frame_decoder.h"
#include "tests/host/refused.h"

#define ROUNDS 25
#define PAIRS  101
#define PIECE  (1 << 16) /* bytes, as tools/stream/stream_reader.c reads them */

struct bytes {
    uint8_t *at;
    size_t length;
};

/* ---- A synthetic stream ---- */

static void send_frame(void *context, struct wire_writer *frame)
{
    dump_end_frame(context, frame);
}

static void greet(struct dump *d, const struct load *l)
{
    const struct wire_hello hello = {
        .major = WIRE_MAJOR, .minor = WIRE_MINOR, .epoch = 0x5eed1234,
        .words = dump_text("rate=1000 interval=stratified seed=7 output=frames"),
        .clock_hz = LOAD_CLOCK_HZ, .source_hz = LOAD_PIT_HZ * 1000ull,
        .source_clock = l->setting.source_clock, .mean = l->setting.schedule.mean,
        .minimum = l->setting.schedule.minimum, .lead = l->setting.handler, .seed = 7,
        .stamp = l->setting.stamp, .thin = 1,
    };

    dump_head(d, WIRE_HELLO, &hello);
}

static struct bytes synthetic(uint64_t samples, uint64_t stamp)
{
    static struct sample_encoder sender;
    struct sample_encoder_request request = {.epoch = 0x5eed1234, .send = send_frame};
    struct dump d = {0};
    struct load l;

    load_begin(&l, INTERVAL_STRATIFIED, RNG_CARTA, 1000, 1, stamp, 7);
    greet(&d, &l);
    request.setting = l.setting;
    request.context = &d;
    sample_encoder_begin(&sender, &request);
    for (uint64_t i = 0; i < samples; i++) {
        struct sample_record r = load_next(&l);

        sample_encoder_put(&sender, &r);
        if (i % 1000 == 999) /* PROBE flushes once a second */
            sample_encoder_flush(&sender);
    }
    sample_encoder_end(&sender, samples);
    dump_end(&d, 0x5eed1234, 0, "");
    return (struct bytes){d.bytes, d.length};
}

/* ---- Decoding ---- */

static bool read_setting(struct wire_reader *r, struct sample_setting *to)
{
    char line[CONFIG_LINE], sentence[REFUSAL_TEXT];
    struct config words;
    struct wire_hello h;
    struct schedule_request request = {0};

    if (!wire_read_head(r, &h) || h.words.length >= sizeof(line))
        return false;
    memcpy(line, h.words.bytes, h.words.length);
    line[h.words.length] = 0;
    config_default(&words);
    if (!words_taken(&words, line, sentence))
        return false;
    request.policy = words.interval;
    request.rng = words.rng;
    request.mean = h.mean;
    request.minimum = (uint32_t)h.minimum;
    request.spread = (uint32_t)words.spread;
    request.seed = h.seed;
    *to = (struct sample_setting){
        .source_clock = h.source_clock, .handler = h.lead, .stamp = h.stamp,
        .thin = (uint32_t)h.thin, .seed = h.seed,
    };
    return !schedule_init(&to->schedule, &request);
}

/* What is done with the frames of samples. */
struct reading {
    bool ready; /* a HELLO gave the setting */
    struct sample_setting setting;
    struct samples *samples;   /* collect into it; NULL: only decode */
    struct sample_batch batch;
    uint64_t count, damaged, bytes; /* samples; frames; bytes of samples and places */
};

static void read_places(struct reading *d, struct wire_reader *r)
{
    struct sample_places places;
    struct sample_location where;
    uint32_t index;

    sample_places_open(&places, *r);
    while (sample_places_next(&places, &index, &where))
        continue;
    d->damaged += !sample_places_whole(&places);
}

static bool is_places(enum wire_type type)
{
    return type == WIRE_PLACES || type == WIRE_PACKED_PLACES;
}

static void take(struct reading *d, struct stream_event *event)
{
    struct wire_reader *r = &event->reader;

    if (event->kind != STREAM_RECORD)
        return;
    if (r->type == WIRE_HELLO && !d->ready)
        d->ready = read_setting(r, &d->setting);
    if (!d->ready || (!is_places(r->type) && r->type != WIRE_SAMPLES && r->type != WIRE_PACKED_SAMPLES))
        return;
    d->bytes += event->length + 2;
    if (d->samples) {
        samples_add_frame(d->samples, r, event->length + 2);
    } else if (is_places(r->type)) {
        read_places(d, r);
    } else if (sample_decode(&d->batch, &d->setting, r)) {
        d->count += d->batch.count;
    } else {
        d->damaged++;
    }
}

static void read_all(struct reading *d, struct bytes b)
{
    static struct frame_decoder stream;
    struct stream_event event;

    decoder_init(&stream);
    for (size_t at = 0; at < b.length;) {
        size_t piece = b.length - at < PIECE ? b.length - at : PIECE;

        at += decoder_feed(&stream, b.at + at, piece, &event);
        take(d, &event);
    }
}

/* ---- Times ---- */

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static double time_decoding(struct reading *d, struct bytes b)
{
    double begin = now();

    d->samples = NULL;
    d->count = d->damaged = d->bytes = 0;
    read_all(d, b);
    return now() - begin;
}

static double time_collecting(struct reading *d, struct bytes b)
{
    double begin = now();

    d->samples = samples_new(&d->setting, NULL, SAMPLES_SUMMED);
    read_all(d, b);
    samples_finish(d->samples);
    begin = now() - begin;
    samples_free(d->samples);
    return begin;
}

static double time_checksum(struct bytes b)
{
    static volatile unsigned long keep;
    double begin = now();

    keep = crc32(0, b.at, (uInt)b.length);
    (void)keep;
    return now() - begin;
}

/* The limit of whatever reads the bytes. */
static double time_copy(struct bytes b, uint8_t *to)
{
    const double begin = now();

    memcpy(to, b.at, b.length);
    __asm__ volatile("" : : "r"(to) : "memory");
    return now() - begin;
}

/* The best of them: whatever else a machine does can only make a round slower. */
static double best(const double *seconds)
{
    double least = seconds[0];

    for (int i = 1; i < ROUNDS; i++)
        if (seconds[i] < least)
            least = seconds[i];
    return least;
}

static void print_rates(const char *prefix, struct reading *d, struct bytes b)
{
    double decode[ROUNDS], collect[ROUNDS], checksum[ROUNDS], copy[ROUNDS];
    double length = (double)b.length;
    uint8_t *to = malloc(b.length);

    if (!to)
        abort();

    /* In turns, so that each has its chance of a quiet moment. */
    for (int i = 0; i < ROUNDS; i++) {
        checksum[i] = time_checksum(b);
        decode[i] = time_decoding(d, b);
        collect[i] = time_collecting(d, b);
        copy[i] = time_copy(b, to);
    }
    free(to);
    printf("%sdecode_rate %.4g samples/s\n", prefix, (double)d->count / best(decode));
    printf("%sdecode_speed %.4g bytes/s\n", prefix, length / best(decode));
    printf("%scollect_rate %.4g samples/s\n", prefix, (double)d->count / best(collect));
    printf("%szlib_crc32 %.4g bytes/s\n", prefix, length / best(checksum));
    printf("%smemcpy %.4g bytes/s\n", prefix, length / best(copy));
    printf("%sdecode_ratio %.4f of_zlib_crc32\n", prefix, best(checksum) / best(decode));
    printf("%scollect_ratio %.4f of_zlib_crc32\n", prefix, best(checksum) / best(collect));
}

/* ---- Beside the records of before ---- */

/*
 * The HELLO and the samples of a stream, as they are and recoded.
 * What is damaged, or does not fit when recoded, is in neither.
 */
static void recode(struct bytes b, const struct sample_setting *setting, struct dump *packed, struct dump *before)
{
    static struct frame_decoder stream;
    struct stream_event event;
    bool greeted = false;

    decoder_init(&stream);
    for (size_t at = 0; at < b.length;) {
        const size_t piece = b.length - at < PIECE ? b.length - at : PIECE;
        struct wire_writer w;

        at += decoder_feed(&stream, b.at + at, piece, &event);
        if (event.kind != STREAM_RECORD)
            continue;
        wire_begin(&w, event.reader.type, NULL);
        w.length = 3 + (size_t)(event.reader.end - event.reader.at);
        memcpy(w.bytes + 3, event.reader.at, w.length - 3);
        if (event.reader.type == WIRE_HELLO && !greeted)
            dump_end_frame(before, &w);
        else if (event.reader.type == WIRE_PACKED_PLACES)
            recode_places(before, event.reader);
        else if (event.reader.type != WIRE_PACKED_SAMPLES || !recode_samples(before, setting, event.reader))
            continue;
        greeted = true;
        dump_end_frame(packed, &w);
    }
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* The middle of what decoding takes of what it takes with the records of before, in pairs. */
static void print_beside_before(struct reading *d, struct bytes b)
{
    struct dump packed = {0}, before = {0};
    double ratio[PAIRS];
    uint64_t count = 0;

    recode(b, &d->setting, &packed, &before);
    for (int i = 0; i < PAIRS; i++) {
        const double now_takes = time_decoding(d, (struct bytes){packed.bytes, packed.length});

        count = d->count;
        ratio[i] = now_takes / time_decoding(d, (struct bytes){before.bytes, before.length});
        if (d->count != count || d->damaged)
            abort(); /* they are not the same samples */
    }
    qsort(ratio, PAIRS, sizeof *ratio, by_size);
    printf("recoded %" PRIu64 " samples\n", count);
    printf("bytes_before %.4f bytes\n", (double)d->bytes / (double)count);
    printf("decode_beside_before %.4f of_SAMPLES\n", ratio[PAIRS / 2]);
    free(packed.bytes);
    free(before.bytes);
}

/* ---- All of a stream ---- */

/* `rates`: how fast it decodes too, which takes as long as a hundred readings. */
static bool report(const char *prefix, struct bytes b, bool rates)
{
    static struct reading d;
    struct samples_entropy e;
    struct samples *s;

    d = (struct reading){.batch.budget = UINT64_MAX};
    time_decoding(&d, b);
    if (!d.count)
        return false;
    s = d.samples = samples_new(&d.setting, NULL, SAMPLES_STEPS);
    d.bytes = 0;
    read_all(&d, b);
    samples_finish(s);
    e = samples_entropy(s);
    printf("%ssamples %" PRIu64 " samples\n", prefix, s->count);
    printf("%stold %" PRIu64 " samples\n", prefix, s->told);
    printf("%slost %" PRIu64 " samples\n", prefix, s->lost);
    printf("%sunresolved %" PRIu64 " samples\n", prefix, samples_unresolved(s));
    printf("%sdamaged %" PRIu64 " frames\n", prefix, s->damaged);
    printf("%splaces %zu places\n", prefix, s->sums->places);
    printf("%sbytes_a_sample %.4f bytes\n", prefix, (double)s->bytes / (double)s->count);
    printf("%sentropy_cells %.4f bits/sample\n", prefix, e.cells);
    printf("%sentropy_places %.4f bits/sample\n", prefix, e.places);
    printf("%sentropy_steps %.4f bits/sample\n", prefix, e.steps);
    printf("%sentropy_bytes %.4f bytes/sample\n", prefix, (e.places + e.steps) / 8);
    samples_free(s);
    if (rates)
        print_rates(prefix, &d, b);
    if (rates && *prefix == 0) /* of a file */
        print_beside_before(&d, b);
    return true;
}

static bool read_file(const char *path, struct bytes *b)
{
    FILE *file = fopen(path, "rb");
    struct dump d = {0};
    static uint8_t piece[PIECE];
    size_t got;

    if (!file)
        return false;
    while ((got = fread(piece, 1, sizeof(piece), file)) > 0)
        dump_raw(&d, piece, got);
    fclose(file);
    *b = (struct bytes){d.bytes, d.length};
    return true;
}

enum what { DECODE, DECODE_BEFORE, COLLECT };

static bool repeat(enum what what, unsigned long times, struct bytes b)
{
    static struct reading d;
    struct dump packed = {0}, before = {0};

    d = (struct reading){.batch.budget = UINT64_MAX};
    time_decoding(&d, b); /* its HELLO gives the setting */
    recode(b, &d.setting, &packed, &before);
    for (; times > 0; times--)
        if (what == COLLECT)
            time_collecting(&d, (struct bytes){packed.bytes, packed.length});
        else
            time_decoding(&d, what == DECODE ? (struct bytes){packed.bytes, packed.length}
                                             : (struct bytes){before.bytes, before.length});
    printf("samples %" PRIu64 " samples\n", d.count);
    free(packed.bytes);
    free(before.bytes);
    return d.count && !d.damaged;
}

static bool write_file(const char *path, struct bytes b)
{
    FILE *file = fopen(path, "wb");

    return file && fwrite(b.at, 1, b.length, file) == b.length && !fclose(file);
}

static bool report_synthetic(uint64_t samples, const char *path)
{
    struct bytes timed = synthetic(samples, LOAD_CLOCK_HZ / 1000000);
    struct bytes untimed = synthetic(samples, 0);
    bool good = report("timed.", timed, true) && report("untimed.", untimed, true);

    if (path && !write_file(path, timed)) {
        perror(path);
        good = false;
    }
    free(timed.at);
    free(untimed.at);
    return good;
}

static int usage(void)
{
    fprintf(stderr, "usage: bench_samples [--sizes] FILE | --synthetic N [--write FILE] | --repeat "
                    "decode|before|collect N FILE\n");
    return 2;
}

/* 0: decode, and so on; -1: none of them. */
static int what_of(const char *word)
{
    static const char *const words[] = {[DECODE] = "decode", [DECODE_BEFORE] = "before", [COLLECT] = "collect"};

    for (int i = 0; i < 3; i++)
        if (!strcmp(word, words[i]))
            return i;
    return -1;
}

int main(int argc, char **argv)
{
    struct bytes b;
    bool good;
    int what = -1;
    const bool sizes = argc == 3 && !strcmp(argv[1], "--sizes");

    if (argc > 2 && !strcmp(argv[1], "--synthetic") &&
        (argc == 3 || (argc == 5 && !strcmp(argv[3], "--write"))))
        return !report_synthetic(strtoull(argv[2], NULL, 10), argc == 5 ? argv[4] : NULL);
    if (argc == 5 && !strcmp(argv[1], "--repeat"))
        what = what_of(argv[2]);
    if (what < 0 && !sizes && (argc != 2 || argv[1][0] == '-'))
        return usage();
    if (!read_file(argv[argc - 1], &b)) {
        perror(argv[argc - 1]);
        return 1;
    }
    good = what >= 0 ? repeat((enum what)what, strtoul(argv[3], NULL, 10), b) : report("", b, !sizes);
    if (!good)
        fprintf(stderr, "%s: no raw samples that can be read\n", argv[argc - 1]);
    free(b.at);
    return !good;
}
