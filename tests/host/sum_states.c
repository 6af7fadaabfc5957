/* SPDX-License-Identifier: MIT */
/*
 * What the classes of states of a dump are, apart from the timeline: sum_states DUMP.  Prints:
 *   runs NUMBER bytes BYTES lost NUMBER first-lost TIME begin TIME end TIME
 *   entropy BITS BITS                      zero-order: of a run's class and attribute, and of its length in units
 *   class CODE ATTRIBUTE RUNS CLOCK-UNITS  CODE as class_letter(), '?' a gap; ATTRIBUTE '-': none
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "probe/stream/class_decode.h"
#include "tests/host/steps.h"
#include "tools/base/alloc.h"
#include "tools/base/cli.h"
#include "tools/base/hash_index.h"
#include "tools/samples/entropy.h"
#include "tools/stream/frame_decoder.h"

static struct sum {
    struct class_stretch what;
    uint64_t runs;
    int64_t time;
} *sums;
static size_t sum_count;
static struct index sum_of;
static struct steps lengths;
static uint64_t runs, bytes, first, end;
static struct class_batch b;

static struct sum *sum_for(const struct class_stretch *run)
{
    const uint64_t key = (run->attribute << 1 | run->attributed) * CLASS_SENT + run->code;
    size_t at = index_find(&sum_of, key);

    if (at == INDEX_NONE) {
        GROW(sums, sum_count);
        at = sum_count++;
        index_put(&sum_of, key, at);
        sums[at] = (struct sum){.what = *run};
    }
    return &sums[at];
}

static void take_run(const struct class_stretch *run)
{
    const int64_t length = (int64_t)(run->end - run->begin), step = length / (int64_t)b.unit;
    struct sum *s = sum_for(run);

    s->runs++;
    s->time += length;
    steps_add(&lengths, &step, 1);
}

static void take_frame(struct wire_reader *r, size_t length)
{
    if (!class_decode(&b, r) || b.first != runs) {
        printf("a frame cannot be decoded, or %" PRIu64 " does not follow %" PRIu64 "\n", b.first, runs);
        exit(EXIT_DAMAGED);
    }
    if (runs == 0)
        first = b.time;
    for (uint32_t i = 0; i < b.count; i++)
        take_run(&b.run[i]);
    runs += b.count;
    bytes += length + 2;
    end = b.time;
}

static double entropy_of_sums(void)
{
    struct entropy_kind *kind = xrealloc_array(NULL, sum_count + 1, sizeof(*kind));
    double bits;

    for (size_t i = 0; i < sum_count; i++)
        kind[i] = (struct entropy_kind){(int64_t)i, sums[i].runs};
    bits = entropy_of_kinds(kind, sum_count, runs);
    free(kind);
    return bits;
}

static void print(void)
{
    printf("runs %" PRIu64 " bytes %" PRIu64 " lost %" PRIu64 " first-lost %" PRIu64 " begin %" PRIu64 " end %" PRIu64
           "\n", runs, bytes, b.lost, b.lost_time, first, end);
    printf("entropy %.4f %.4f\n", entropy_of_sums(), entropy_of_steps(&lengths));
    for (size_t i = 0; i < sum_count; i++) {
        const struct class_stretch *w = &sums[i].what;

        printf("class %c ", class_letter(w->code));
        if (w->attributed)
            printf("%" PRIu64, w->attribute);
        else
            putchar('-');
        printf(" %" PRIu64 " %" PRId64 "\n", sums[i].runs, sums[i].time);
    }
}

int main(int argc, char **argv)
{
    static struct frame_decoder stream;
    FILE *const file = argc == 2 ? fopen(argv[1], "rb") : NULL;
    int c;

    if (!file)
        return argc == 2 ? EXIT_NO_DATA : EXIT_USAGE;
    decoder_init(&stream);
    while ((c = getc(file)) != EOF) {
        struct stream_event e;

        decoder_feed(&stream, &(uint8_t){(uint8_t)c}, 1, &e);
        if (e.kind == STREAM_RECORD && class_is_frame(e.reader.type))
            take_frame(&e.reader, e.length);
    }
    fclose(file);
    print();
    return EXIT_OK;
}
