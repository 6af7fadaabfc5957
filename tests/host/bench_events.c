/* SPDX-License-Identifier: MIT */
/*
 * Measures how fast the events of a stream decode, beside zlib's CRC-32 over the same bytes, as
 * bench_samples.c does for raw samples; and how fast the timeline gives them.  bench_events FILE.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <zlib.h>

#include "probe/stream/event_decode.h"
#include "tools/stream/stream_source.h"
#include "tools/timeline/timeline.h"

#define ROUNDS 9

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double crc_seconds(const char *path, uint64_t *bytes)
{
    static uint8_t piece[1 << 16];
    FILE *in = fopen(path, "r");
    uLong crc = crc32(0, NULL, 0);
    double spent = 0.0;
    size_t got;

    for (*bytes = 0; in && (got = fread(piece, 1, sizeof(piece), in)) > 0; *bytes += got) {
        const double begin = now();

        crc = crc32(crc, piece, (uInt)got);
        spent += now() - begin;
    }
    if (in)
        fclose(in);
    return crc ? spent : 0.0;
}

static double decode_seconds(const char *path, uint64_t *events)
{
    static struct stream_source source;
    static struct frame_decoder decoder;
    static struct event_batch batch;
    struct stream_event event;
    const double begin = now();

    *events = 0;
    stream_source_open(&source, path, &decoder);
    while (stream_source_next(&source, &event))
        if (event.kind == STREAM_RECORD && event_is_frame(event.reader.type) && event_decode(&batch, &event.reader))
            *events += batch.count;
    stream_source_close(&source);
    return now() - begin;
}

static double timeline_seconds_of(const char *path)
{
    const double begin = now();
    struct timeline *t = timeline_open(path, &(struct timeline_request){.epoch = 0});
    struct timeline_item item;

    while (t && timeline_next(t, &item))
        ;
    timeline_close(t);
    return now() - begin;
}

static double least(double a, double b)
{
    return a < b ? a : b;
}

int main(int argc, char **argv)
{
    double crc = 1e9, decode = 1e9, timeline = 1e9;
    uint64_t bytes = 0, events = 0;

    if (argc != 2)
        return 2;
    for (unsigned round = 0; round < ROUNDS; round++) {
        crc = least(crc, crc_seconds(argv[1], &bytes));
        decode = least(decode, decode_seconds(argv[1], &events));
        timeline = least(timeline, timeline_seconds_of(argv[1]));
    }
    if (!events || crc <= 0.0)
        return 1;
    printf("events %" PRIu64
           " each\nbytes_an_event %.3f bytes\ndecode_rate %.1f million/s\ndecode_ratio %.4f of-crc32\n"
           "timeline_rate %.1f million/s\n", events, (double)bytes / (double)events, (double)events / decode * 1e-6,
           crc / decode, (double)events / timeline * 1e-6);
    return 0;
}
