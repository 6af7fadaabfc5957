/* SPDX-License-Identifier: MIT */
/*
 * Writes a stream of about 5 MB on standard output whose frames tell as much as their
 * bytes can: make_large KIND, the kinds being those of the table below.
 */
#include <stdio.h>
#include <string.h>

#include "probe/stream/sample_encode.h"
#include "tests/host/dump.h"

#define BYTES ((size_t)5000000)
#define FEW   64 /* bytes of a frame of samples, in which it is small */

enum { EPOCH = 0x1111, STAMP = 1000 };

static void greet(struct dump *d, uint64_t epoch, uint64_t stamp)
{
    struct wire_hello hello = dump_hello_head(epoch, "interval=fixed output=frames", DUMP_MEAN);

    hello.stamp = stamp;
    dump_head(d, WIRE_HELLO, &hello);
}

static void put_samples(struct dump *d, uint64_t first, const char *codes, size_t length, bool timed)
{
    static char steps[SAMPLE_FRAME_MAX / 4];
    const uint32_t count = codes[0] == (char)SAMPLE_FULL ? (uint32_t)length / 9 : (uint32_t)length;
    const struct wire_samples head = {
        .epoch = EPOCH, .first = first, .count = count, .generator = 1, .time = timed,
        .codes = {codes, length}, .steps = {steps, timed ? (count + 2) / 4 : 0},
    };

    memset(steps, 0x55, sizeof(steps)); /* SAMPLE_STEP_NONE */
    if (timed && (count - 1) % 4)
        steps[(count + 2) / 4 - 1] &= (char)((1 << 2 * ((count - 1) % 4)) - 1);
    dump_head(d, WIRE_SAMPLES, &head);
}

/* Frames of samples of one byte each; `turned`: each two change places. */
static void samples(struct dump *d, size_t count, bool timed, bool turned)
{
    char codes[SAMPLE_FRAME_MAX];

    for (size_t i = 0; i < count; i++)
        codes[i] = (char)(1 + i % SAMPLE_SHORT);
    greet(d, EPOCH, timed ? STAMP : 0);
    for (uint64_t frame = 0; d->length < BYTES; frame++)
        put_samples(d, (turned ? frame ^ 1 : frame) * count, codes, count, timed);
}

static void untimed(struct dump *d)
{
    samples(d, SAMPLE_FRAME_MAX, false, false);
}

static void turned(struct dump *d)
{
    samples(d, SAMPLE_FRAME_MAX, false, true);
}

static void timed(struct dump *d)
{
    samples(d, SAMPLE_FRAME_MAX, true, false);
}

static void small(struct dump *d)
{
    samples(d, 2, true, true);
}

/* Places in full, no two alike: mode, four bytes of task, three of address. */
static void places(struct dump *d)
{
    uint32_t place = 0;

    greet(d, EPOCH, 0);
    for (uint64_t frame = 0; d->length < BYTES; frame++) {
        char codes[9 * FEW];

        for (unsigned i = 0; i < FEW; i++, place++) {
            const uint8_t full[9] = {SAMPLE_FULL, 1, 0x81, 0x81, 0x81, 1, (uint8_t)(0x80 | (place & 0x7f)),
                                     (uint8_t)(0x80 | (place >> 7 & 0x7f)), (uint8_t)(1 + (place >> 14))};

            memcpy(codes + 9 * i, full, sizeof(full));
        }
        put_samples(d, frame * FEW, codes, sizeof(codes), false);
    }
}

/* Epochs, each with the highest index of a place, and with the highest number of a task. */
static void epochs(struct dump *d)
{
    for (uint64_t epoch = 1; d->length < BYTES; epoch++) {
        const struct wire_places_row place = {.index = SAMPLE_PLACES_MAX - 1, .task = 5, .pc = 6};
        const struct wire_logged_row task = {.task = 4095, .id = 5};
        const struct wire_places meaning = {epoch};
        const struct wire_logged logged = {.epoch = epoch};
        struct wire_writer w;

        greet(d, epoch, 0);
        wire_begin(&w, WIRE_PLACES, &meaning);
        wire_row(&w, WIRE_PLACES, &place);
        dump_end_frame(d, &w);
        wire_begin(&w, WIRE_LOGGED, &logged);
        wire_row(&w, WIRE_LOGGED, &task);
        dump_end_frame(d, &w);
    }
}

static void put_changes(struct dump *d, uint64_t frame)
{
    const uint64_t rows = 200; /* they fit in a frame */
    const struct wire_transitions head = {EPOCH, frame * rows};
    struct wire_writer w;

    wire_begin(&w, WIRE_TRANSITIONS, &head);
    for (uint64_t i = 0; i < rows; i++)
        wire_row(&w, WIRE_TRANSITIONS, &(struct wire_transitions_row){1 + i % 8, 2 + i % 100});
    dump_end_frame(d, &w);
}

/* A log of changes; each two frames have changed places. */
static void log_turned(struct dump *d)
{
    greet(d, EPOCH, 0);
    for (uint64_t frame = 0; d->length < BYTES; frame++)
        put_changes(d, frame ^ 1);
}

static void log_in_order(struct dump *d)
{
    greet(d, EPOCH, 0);
    for (uint64_t frame = 0; d->length < BYTES; frame++)
        put_changes(d, frame);
}

static const struct {
    const char *name;
    void (*make)(struct dump *d);
} kinds[] = {
    {"untimed", untimed}, {"turned", turned}, {"timed", timed}, {"small", small},
    {"places", places},   {"epochs", epochs}, {"log", log_in_order}, {"log-turned", log_turned},
};

int main(int argc, char **argv)
{
    struct dump d = {0};

    for (size_t i = 0; argc == 2 && i < sizeof(kinds) / sizeof(kinds[0]); i++)
        if (!strcmp(argv[1], kinds[i].name))
            kinds[i].make(&d);
    if (!d.length) {
        fprintf(stderr, "usage: make_large KIND\n");
        return 2;
    }
    dump_snapshot(&d, EPOCH, 1, true, 10);
    dump_end(&d, EPOCH, 0, "60 seconds are over");
    return fwrite(d.bytes, 1, d.length, stdout) != d.length || fflush(stdout);
}
